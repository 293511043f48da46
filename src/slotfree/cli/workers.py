"""What all commands that run units have in common: who works, and what came of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from concurrent.futures import Executor
    from types import ModuleType

    from slotfree.cli.progress import Display
    from slotfree.runs.directory import ResultsDirectory
    from slotfree.runs.work import Failure

EXIT_FAILED = 1


def choose_jobs(jobs: int | None, scheduler: str | None) -> int:
    """Return how many threads to use here: those asked for, or one for each core."""
    if scheduler is not None and jobs is not None:
        raise click.UsageError("--jobs is for this machine and --scheduler for a cluster; give one of them")
    from slotfree.runs.executor import default_jobs

    return jobs or default_jobs()


@contextmanager
def at_work(
    out: Path, settings: "Mapping[str, Any]", jobs: int, scheduler: str | None, module: "ModuleType | None" = None
) -> "Iterator[tuple[ResultsDirectory, Executor | None, Display]]":
    """Open a directory of results, reach the workers (None: threads of this process), and show progress.

    ``module`` is a file of the user's that the workers do not have: its code is sent to them.
    """
    from contextlib import nullcontext

    from slotfree.cli.progress import Display
    from slotfree.runs.cluster import cluster
    from slotfree.runs.directory import opened
    from slotfree.runs.machine import describe_origin

    with (
        opened(out, settings, describe_origin()) as directory,
        nullcontext() if scheduler is None else cluster(scheduler, module=module) as executor,
        Display(jobs) as display,
    ):
        yield directory, executor, display


def report_damaged(damaged: "Sequence[str]") -> None:
    """Tell which files were found damaged."""
    for file in damaged:
        click.echo(f"damaged, and done again: {file}", err=True)


def report_failures(failures: "Sequence[Failure]") -> None:
    """Tell which units failed, with their settings, and that the others are kept."""
    for failure in failures[:5]:
        click.echo(f"failed: {failure.unit.text}\n  {type(failure.error).__name__}: {failure.error}", err=True)
    if len(failures) > 5:
        click.echo(f"… and {len(failures) - 5} more", err=True)
    click.echo(f"{len(failures)} units failed; the others are kept: the same command tries these again", err=True)
