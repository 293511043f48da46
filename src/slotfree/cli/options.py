"""Options that several commands have."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import click

Decorator: TypeAlias = Callable[[Callable[..., None]], Callable[..., None]]

COUNT, FRACTION = click.IntRange(min=1), click.FloatRange(0, 1, min_open=True)


class NewFile(click.Path):
    """A file to be written, in a directory that exists; its suffix says what it is."""

    def __init__(self, *suffixes: str) -> None:
        super().__init__(dir_okay=False, writable=True, path_type=Path)
        self.suffixes = suffixes

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse a file that cannot be written, before anything is computed."""
        path = Path(value)
        if path.suffix.lower() not in self.suffixes:
            self.fail(f"the name must end in {' or '.join(self.suffixes)}, not {str(path)!r}", param, ctx)
        if not path.parent.is_dir():
            self.fail(f"the directory must exist, and {str(path.parent)!r} does not", param, ctx)
        return super().convert(value, param, ctx)


def together(*options: Decorator) -> Decorator:
    """Several options as one decorator, in their order."""

    def add(command: Callable[..., None]) -> Callable[..., None]:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def check_workers(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
    """Refuse threads together with a cluster, and an address that is none."""
    if value is not None and param.name == "scheduler":
        from slotfree.runs.cluster import host_and_port

        host_and_port(value)
    other = "jobs" if param.name == "scheduler" else "scheduler"
    if value is not None and ctx.params.get(other) is not None:
        raise click.UsageError("--jobs is for this machine and --scheduler for a cluster; give one of them", ctx)
    return value


jobs_option = click.option("--jobs", type=COUNT, callback=check_workers, help="Threads.  [default: all cores]")
json_option = click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
plot_option = click.option("--plot", type=NewFile(".png", ".svg"), metavar="FILE", help="Draw to this .png or .svg.")
criterion_option = click.option(
    "--criterion",
    type=FRACTION,
    default=0.2,
    show_default=True,
    help="The least R.D. of a pattern that counts as a memory.",
)
visible_options = together(
    click.option("--n-visible", type=COUNT, default=1000, show_default=True, help="n_v, visible units."),
    click.option("--k-visible", type=COUNT, default=100, show_default=True, help="k_v, active bits of each pattern."),
)


def work_options(out: str, files: str, printed: str) -> Decorator:
    """The options of commands that run experiments: where results go, and who does the work."""
    return together(
        click.option(
            "--out",
            type=click.Path(path_type=Path),
            default=Path(out),
            show_default=True,
            help=f"Directory for {files} and finished runs.",
        ),
        jobs_option,
        click.option(
            "--scheduler",
            metavar="tcp://HOST:PORT",
            callback=check_workers,
            help="Send the work to this Dask cluster instead; while it has no workers, wait for them.",
        ),
        click.option("--dry-run", is_flag=True, help="Show what would be run, and do nothing."),
        click.option(
            "--json", "as_json", is_flag=True, help=f"Print the {printed} (or the plan, with --dry-run) as JSON."
        ),
    )
