"""slotfree reproduce, and what it shares with slotfree run."""

import json
import re
import sys
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from slotfree.cli.options import together, work_options
from slotfree.cli.outcome import EXIT_FAILED, report_damaged, report_failures, show_plan

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slotfree.study.outcome import Outcome
    from slotfree.study.study import Study

EXIT_VERDICT_DIFFERS = 3
MOST_NEAR = 5


run_options = together(
    click.option(
        "--scale",
        type=click.Choice(["paper", "quick"]),
        default="paper",
        show_default=True,
        help="How much to run: everything, or a quick look that judges nothing (the paper: a minute on two cores).",
    ),
    click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Root seed."),
    work_options("results", "the report, figures, tables, data", "claims"),
)


@click.command()
@click.argument("items", nargs=-1, metavar="[ITEM]...", shell_complete=lambda ctx, param, word: complete_items(word))
@run_options
def reproduce(items: tuple[str, ...], **options: Any) -> None:
    """Run ITEMs of the paper, judge them, and write a report.

    An ITEM may also be "paper" (all of the paper), "beyond" (what comes after it), "scale" (a billion synapses, 5 GB
    of memory) or "memories" (memories compared with each other and with people). If none is named, the paper and what
    comes after it are run.

    Finished runs are kept: after an interruption, rerun the command to resume. Exits with 0 if no verdict turned round
    between confirmed and contradicted, 3 if one did, 1 if something failed, 130 if interrupted.

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
    if dry_run:
        from slotfree.study.plan import distinct
        from slotfree.study.scale import SCALES

        scale, seed = SCALES[options["scale"]], options["seed"]
        experiments = distinct((e.at(scale) for item in study.chosen(names) for e in item.experiments), seed)
        show_plan(experiments, seed, options["out"], as_json)
        return
    from slotfree.study.reproduce import run

    outcome = run(study, items=names, progress=True, **options)
    _show_outcome(outcome, study, options["out"], as_json)


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
