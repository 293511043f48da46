"""What commands that run experiments print on stderr: what is planned, what was damaged, and what failed."""

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from slotfree.runs.work import Failure
    from slotfree.study.experiment import Experiment
    from slotfree.study.outcome import Unmade

EXIT_FAILED = 1
MOST_SHOWN = 5


def show_plan(experiments: "Sequence[Experiment]", seed: int, out: "Path", as_json: bool) -> None:
    """Print what would be run."""
    from slotfree.cli.tables import print_json, print_plan
    from slotfree.study.plan import plan_of

    plan = plan_of(experiments, seed, out)
    print_json(plan) if as_json else print_plan(plan)


def report_damaged(damaged: "Sequence[str]") -> None:
    """Report files that were found damaged."""
    for file in damaged:
        click.echo(f"damaged, and done again: {file}", err=True)


def report_failures(
    failures: "Sequence[Failure]", unmade: "Sequence[Unmade]" = (), skipped: "Sequence[str]" = ()
) -> None:
    """Report what failed, where and with which settings, and that everything else is kept."""
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
        click.echo(f"skipped {name}: one of its experiments failed", err=True)
    if failures:
        click.echo(f"{counted_words(len(failures), 'runs')} failed; the others are kept. Rerun to try again.", err=True)
