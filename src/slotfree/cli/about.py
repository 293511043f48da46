"""slotfree list, bench, version and completion."""

import subprocess
import sys
from pathlib import Path

import click

SHELLS = ("bash", "zsh", "fish")
COMPLETING = "_SLOTFREE_COMPLETE"  # set by a shell that asks how a word may go on


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def list_items(as_json: bool) -> None:
    """List the items that can be reproduced, with their runs."""
    from slotfree.cli.catalogue import EVERYTHING
    from slotfree.cli.tables import print_items, print_json

    rows = [
        {
            "item": item.name,
            "shows": f"{item.number}: {item.title}".removeprefix(": "),
            "runs": sum(e.runs for e in item.experiments),
        }
        for item in EVERYTHING.chosen()
    ]
    print_json(rows) if as_json else print_items(rows)


@click.command()
def bench() -> None:
    """Measure speed against dense NumPy on this machine.

    It needs a checkout of slotfree. Exits with 1 if a stated target is missed.
    """
    folder = Path(__file__).parents[3] / "benchmarks"
    if not folder.is_dir():
        raise click.ClickException("bench needs a checkout of slotfree, where benchmarks/ is; there, run: make bench")
    codes = [subprocess.run([sys.executable, str(file)], check=False).returncode for file in benchmarks(folder)]
    sys.exit(max(codes))


def benchmarks(folder: Path) -> list[Path]:
    """The files that measure, among those they share."""
    return sorted(file for file in folder.glob("*.py") if "__main__" in file.read_text(encoding="utf-8"))


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def version(as_json: bool) -> None:
    """Show the versions of slotfree and its libraries."""
    from slotfree import __version__
    from slotfree.cli.tables import print_json
    from slotfree.runs.machine import describe_machine, describe_packages

    facts = {"slotfree": __version__, **describe_machine(), **describe_packages()}
    if as_json:
        print_json(facts)
    else:
        width = max(len(name) for name in facts)
        click.echo("\n".join(f"{name:<{width}}  {value}" for name, value in facts.items()))


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print code that lets a SHELL complete commands.

    \b
    bash:  slotfree completion bash >> ~/.bashrc
    zsh:   slotfree completion zsh >> ~/.zshrc
    fish:  slotfree completion fish > ~/.config/fish/completions/slotfree.fish
    """  # noqa: D301 (click looks for the character, not for its escape)
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    if kind is None:
        raise click.ClickException(f"shell must be one of {', '.join(SHELLS)}, not {shell!r}")
    click.echo(kind(context.find_root().command, {}, "slotfree", COMPLETING).source())
