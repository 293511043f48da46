"""What all commands that run units have in common: who works, and what came of it."""

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slotfree.runs.work import Failure
    from slotfree.study.outcome import Unmade

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


def report_damaged(damaged: "Sequence[str]") -> None:
    """Tell which files were found damaged."""
    for file in damaged:
        click.echo(f"damaged, and done again: {file}", err=True)


def report_failures(
    failures: "Sequence[Failure]", unmade: "Sequence[Unmade]" = (), skipped: "Sequence[str]" = ()
) -> None:
    """Tell what failed, where and with which settings, and that everything else is kept."""
    from slotfree.display.counts import counted_words
    from slotfree.study.outcome import one_line

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
        told = counted_words(len(failures), "runs")
        click.echo(f"{told} failed; the others are kept: the same command tries again", err=True)
