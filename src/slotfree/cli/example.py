"""slotfree example: the examples, written where one can change them."""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

import click
from click.shell_completion import CompletionItem

PACKED = Path(__file__).parents[1] / "examples"  # in an installed package, as texts: hatch_build.py puts them there
SOURCES = Path(__file__).parents[3] / "examples"  # in a checkout
COMMAND = re.compile(r"^(?:#  )? +((?:slotfree|python) .+)$", re.MULTILINE)


@dataclass(frozen=True)
class Example:
    """A file that shows how something is done: a study, a sweep or a program.

    Attributes
    ----------
    file : its name, as users have it.
    text : its content. The first line is a summary; a line that stands apart shows the command that runs it.
    """

    file: str
    text: str

    @property
    def name(self) -> str:
        """What it is called."""
        return Path(self.file).stem

    @property
    def about(self) -> str:
        """What it is, in a line."""
        return self.text.partition("\n")[0].strip('#" ')

    def command(self, path: Path) -> str:
        """What runs it where it was written."""
        found = COMMAND.search(self.text)
        if found is None:
            raise ValueError(f"{self.file} must show the command that runs it, in a line of its own")
        return found[1].replace(self.file, shlex.quote(str(path)))


def examples() -> dict[str, Example]:
    """All examples by name."""
    folder = PACKED if PACKED.is_dir() else SOURCES
    paths = sorted(path for path in folder.glob("*") if path.suffix in (".py", ".toml", ".txt"))
    found = (Example(path.name.removesuffix(".txt"), path.read_text("utf-8")) for path in paths)
    return {each.name: each for each in found}


def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """How a name may go on."""
    return [CompletionItem(name) for name in examples() if name.startswith(incomplete)]


@click.command()
@click.argument("name", required=False, shell_complete=complete)
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR|FILE", help="Where to write it.  [here]")
def example(name: str | None, out: Path | None) -> None:
    """Write an example to start from, or list the examples.

    The example NAME is written into this directory, and the command that runs it is printed. A file that is there
    already is never overwritten.

    \b
    slotfree example
    slotfree example own_memory
    slotfree example own_memory --out my_study.py
    """  # noqa: D301 (click looks for the character, not for its escape)
    known = examples()
    if name is None:
        if out is not None:
            raise click.UsageError(f"--out needs the name of an example: {', '.join(known)}")
        width = max(map(len, known))
        click.echo("\n".join(f"{each.name:<{width}}  {each.about}" for each in known.values()))
        return
    chosen = known.get(Path(name).stem)
    if chosen is None or name not in (chosen.name, chosen.file):
        raise click.UsageError(f"no example is called {name!r}; there are {', '.join(known)}")
    path = place(chosen, out)
    write_new(path, chosen.text)
    click.echo(f"{path} is written; run it with\n\n    {chosen.command(path)}")


def place(chosen: Example, out: Path | None) -> Path:
    """Return the file to be written."""
    if out is None:
        return Path(chosen.file)
    if out.is_dir():
        return out / chosen.file
    suffix = Path(chosen.file).suffix
    if out.suffix != suffix:
        raise click.UsageError(
            f"--out must be a directory that exists, or a file that ends in {suffix}, not {str(out)!r}"
        )
    if not out.parent.is_dir():
        raise click.UsageError(f"--out must be in a directory that exists, not in {str(out.parent)!r}")
    return out


def write_new(path: Path, text: str) -> None:
    """Write a file at once and whole, where there is none."""
    from slotfree.files.atomic import write_atomically
    from slotfree.runs.errors import UserError

    try:
        path.open("xb").close()  # the name is ours from here on
    except FileExistsError:
        raise UserError(f"{path} exists, and is not overwritten; choose another --out") from None
    try:
        write_atomically(path, lambda file: file.write(text.encode("utf-8")))
    except BaseException:
        path.unlink()
        raise
