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
    from slotfree.study.failure import Unmade

EXIT_FAILED = 1
MOST_SHOWN = 5

jobs_option = click.option("--jobs", type=click.IntRange(min=1), help="Threads.  [default: all cores]")
scheduler_option = click.option(
    "--scheduler",
    metavar="tcp://HOST:PORT",
    help="Send the work to this Dask cluster instead; while it has no workers, wait for them.",
)


def choose_jobs(jobs: int | None, scheduler: str | None) -> int:
    """Return how many threads to use here: those asked for, or one for each core; refuse what is no scheduler."""
    if scheduler is not None and jobs is not None:
        raise click.UsageError("--jobs is for this machine and --scheduler for a cluster; give one of them")
    if scheduler is not None:
        from slotfree.runs.cluster import host_and_port

        host_and_port(scheduler)
    from slotfree.runs.executor import default_jobs

    return jobs or default_jobs()


@contextmanager
def at_work(
    out: Path,
    settings: "Mapping[str, Any]",
    jobs: int,
    scheduler: str | None,
    modules: "Sequence[ModuleType]" = (),
) -> "Iterator[tuple[ResultsDirectory, Executor | None, Display]]":
    """Reach the workers (None: threads of this process), open a directory of results, and show progress.

    Without a scheduler that answers, nothing is written.

    Parameters
    ----------
    modules : files of the user's that workers elsewhere do not have: their code is sent with the work.
    """
    from contextlib import nullcontext

    from slotfree.cli.progress import Display
    from slotfree.runs.cluster import cluster, silence
    from slotfree.runs.directory import opened
    from slotfree.runs.machine import describe_origin

    if scheduler is not None:
        silence()
    with (
        Display(jobs if scheduler is None else None) as display,
        nullcontext() if scheduler is None else cluster(scheduler, modules=modules, tell=display.tell) as executor,
        opened(out, settings, describe_origin()) as directory,
    ):
        yield directory, executor, display


def report_damaged(damaged: "Sequence[str]") -> None:
    """Tell which files were found damaged."""
    for file in damaged:
        click.echo(f"damaged, and done again: {file}", err=True)


def report_failures(
    failures: "Sequence[Failure]", unmade: "Sequence[Unmade]" = (), skipped: "Sequence[str]" = ()
) -> None:
    """Tell what failed, where and with which settings, and that everything else is kept."""
    from slotfree.study.failure import one_line

    for failure in failures[:MOST_SHOWN]:
        run = failure.unit.identity.get("run")
        which = failure.unit.group if run is None else f"{failure.unit.group}, run {run}"
        click.echo(f"failed: {which}: {one_line(failure.error)}\n  {failure.unit.text}", err=True)
    if len(failures) > MOST_SHOWN:
        click.echo(f"… and {len(failures) - MOST_SHOWN} more", err=True)
    for failed in unmade:
        click.echo(f"failed: {failed}", err=True)
    for name in skipped:
        click.echo(f"not made, as a part of it failed: item {name}", err=True)
    if failures:
        click.echo(f"{len(failures)} runs failed; the others are kept: the same command tries these again", err=True)
