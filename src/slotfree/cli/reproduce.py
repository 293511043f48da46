"""slotfree reproduce, and what it shares with slotfree run."""

import json
import re
import sys
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from slotfree.cli.workers import (
    EXIT_FAILED,
    choose_jobs,
    jobs_option,
    report_damaged,
    report_failures,
    scheduler_option,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slotfree.study.outcome import Outcome
    from slotfree.study.study import Study

EXIT_VERDICT_DIFFERS = 3
MOST_NEAR = 5


def run_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of all commands that run a study."""
    options = (
        click.option(
            "--scale",
            type=click.Choice(["paper", "quick"]),
            default="paper",
            show_default=True,
            help="How much to run: everything, or a quick look that judges nothing (the paper: a minute on two cores).",
        ),
        click.option(
            "--out",
            type=click.Path(path_type=Path),
            default=Path("results"),
            show_default=True,
            help="Directory for the report, figures, tables, data and finished units.",
        ),
        click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Root seed."),
        jobs_option,
        scheduler_option,
        click.option("--dry-run", is_flag=True, help="Show what would be run, and do nothing."),
        click.option("--json", "as_json", is_flag=True, help="Print the claims (or the plan, with --dry-run) as JSON."),
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.command()
@click.argument("items", nargs=-1, metavar="[ITEM]...", shell_complete=lambda ctx, param, word: complete_items(word))
@run_options
def reproduce(items: tuple[str, ...], **options: Any) -> None:
    """Run ITEMs, draw their figures, judge their claims, and write a report.

    An ITEM may also be "paper" (all of the paper), "beyond" (what comes after it) or "scale" (a billion synapses, 5 GB
    of memory). If none is named, the paper and what comes after it are run.

    What is finished is kept: after an interruption, the same command goes on where it stopped. Exits with 0 if no
    verdict turned round between confirmed and contradicted, 3 if one did, 1 if something failed, 130 if interrupted.

    \b
    slotfree reproduce fig4
    slotfree reproduce paper
    slotfree reproduce figS6 figS7 --jobs 8 --out trees
    slotfree reproduce --scale quick --out quick --dry-run
    """  # noqa: D301 (click looks for the character, not for its escape)
    from slotfree.cli.catalogue import EVERYTHING

    perform(EVERYTHING, named(items), **options)


def perform(study: "Study", names: tuple[str, ...], *, dry_run: bool, as_json: bool, **options: Any) -> None:
    """Run items of a study, with the options of ``slotfree.study.run``, and print what came of it."""
    choose_jobs(options["jobs"], options["scheduler"])
    if dry_run:
        _show_plan(study, names, options["scale"], options["seed"], options["out"], as_json)
        return
    from slotfree.study.reproduce import run

    outcome = run(study, items=names, progress=True, **options)
    _show_outcome(outcome, study, options["out"], as_json)


def _show_plan(study: "Study", names: tuple[str, ...], size: str, seed: int, out: Path, as_json: bool) -> None:
    """Print what would be run."""
    from slotfree.cli.tables import print_json, print_plan
    from slotfree.study.plan import distinct, plan_of
    from slotfree.study.scale import SCALES

    experiments = distinct((e.at(SCALES[size]) for item in study.chosen(names) for e in item.experiments), seed)
    plan = plan_of(experiments, seed, out)
    print_json(plan) if as_json else print_plan(plan)


def _show_outcome(outcome: "Outcome", study: "Study", out: Path, as_json: bool) -> None:
    """Print the claims, and leave with the code that says what came of it."""
    from slotfree.cli.tables import print_claims, print_json

    report_damaged(outcome.damaged)
    if as_json:
        print_json(json.loads((out / "claims.json").read_text(encoding="utf-8")))
    else:
        print_claims(outcome.claims, out, study.sentences())
    rows = {row["id"]: row for row in outcome.claims}
    for claim in outcome.moved:
        click.echo(f"borderline, and moved: {_compared(rows[claim])}", err=True)
    for claim in outcome.different:
        click.echo(f"not the recorded verdict: {_compared(rows[claim])}", err=True)
    if outcome.failures or outcome.unmade:
        report_failures(outcome.failures, outcome.unmade, outcome.skipped)
        sys.exit(EXIT_FAILED)
    if outcome.different:
        sys.exit(EXIT_VERDICT_DIFFERS)


def _compared(row: "Mapping[str, Any]") -> str:
    return f"{row['id']} is {row['verdict']}, recorded as {row['recorded']}"


def named(items: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of items, groups taken apart; if none is given, the usual ones."""
    from slotfree.cli.catalogue import EVERYTHING, GROUPS, USUAL

    found = [check_item(name, EVERYTHING.names, GROUPS) for name in items]
    return tuple(member for name in found for member in GROUPS.get(name, (name,))) or USUAL


def check_item(name: str, names: tuple[str, ...], groups: "dict[str, tuple[str, ...]] | None" = None) -> str:
    """Return the name of an item, in whichever case it is written, or say which there are."""
    known = (*names, *(groups or {}))
    written = {each.lower(): each for each in known}.get(name.lower())
    if written is None:
        near = near_names(name, known)
        meant = f"did you mean {' or '.join(near)}? " if near else ""
        raise click.UsageError(f"no item is called {name!r}; {meant}there are {', '.join(known)}")
    return name if name in known else written


def near_names(name: str, known: "Sequence[str]") -> list[str]:
    """Return the names that someone may have meant: "figure s4" is near figS4, "theorem" near theorem1 and theorem2."""
    written = {each.lower(): each for each in known}
    meant = re.sub(r"[\s._-]", "", name.lower()).replace("figure", "fig")
    near = [each for each in written if meant and each.startswith(meant)]
    near = [meant] if meant in near else near or get_close_matches(meant, written, 1, 0.5)
    return [written[each] for each in near[:MOST_NEAR]]


def complete_items(word: str) -> list[str]:
    """Names of items that begin with a word, for the shell."""
    from slotfree.cli.catalogue import EVERYTHING, GROUPS

    return [name for name in (*GROUPS, *EVERYTHING.names) if name.startswith(word)]
