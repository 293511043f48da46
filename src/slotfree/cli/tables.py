"""Tables on stdout."""

import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

from slotfree.display.console import console
from slotfree.display.counts import counted_words
from slotfree.files.json_text import json_text
from slotfree.runs.directory import in_a_word
from slotfree.study.record import tallies
from slotfree.study.sentence import Sentence

COLOURS = {"confirmed": "green", "contradicted": "bold red", "inconclusive": "yellow"}


def print_claims(claims: Sequence[dict[str, Any]], out: Path, sentences: Sequence[Sentence] = ()) -> None:
    """Print every claim with its verdict, how they and the statements that they judge came out, and where it all is."""
    is_printed = any(not isinstance(claim["paper"], str) for claim in claims)
    numbers = ("paper", "measured") if is_printed else ("measured",)
    table = aligned("claim", *numbers, "interval", "verdict", left=("claim", "interval", "verdict"))
    coloured = not console().is_jupyter  # its pages may be light or dark, and would need colours of both
    for claim in claims:
        low, high = claim["interval"]
        interval = f"{low:.4g} to {high:.4g}" if low < high else ""
        verdict = claim["verdict"]
        coloured_verdict = "" if verdict is None else Text(verdict, COLOURS[verdict] if coloured else "")
        words = claim["paper"] if isinstance(claim["paper"], str) else ""
        lines = (claim["id"], f"“{words}”" if words else "", claim["claim"])
        said = Text("\n".join(filter(None, lines)))  # brackets in a sentence are no markup
        shown = ["" if isinstance(claim[column], str) else _value(claim[column]) for column in numbers]
        table.add_row(said, *shown, interval, coloured_verdict)
    if claims:
        console().print(table, "")
        for tally in tallies(claims, sentences):
            console().print(tally.sentence)
        if all(claim["verdict"] is None for claim in claims):
            count = counted_words(len(claims), "claims")
            console().print(f"{count}, none of them judged: for verdicts, use the paper's scale.")
    console().print(f"report: {out / 'report.html'}", soft_wrap=True)


def print_json(value: object) -> None:
    """Print for programs."""
    print(json_text(value, ascii_only=not sys.stdout.encoding.startswith("utf")))


def print_plan(rows: Sequence[dict[str, Any]]) -> None:
    """Print what would be run."""
    print_units(rows)
    missing = sum(row["missing"] for row in rows)
    console().print(f"\n{counted_words(missing, 'runs')} would be done; nothing was")


def print_units(rows: Sequence[dict[str, Any]]) -> None:
    """Print how many runs experiments have, and how many of them are missing."""
    table = aligned("experiment", "runs", "missing", left=("experiment",))
    for row in rows:
        table.add_row(row["experiment"], str(row["units"]), str(row["missing"]))
    console().print(table)


def print_status(found: dict[str, Any], directory: Path) -> None:
    """Print what a directory holds, and what is missing; finished experiments are only counted."""
    settings = found["settings"]
    words = ", ".join(f"{name} {in_a_word(value)}" for name, value in settings.items())
    if not (found["experiments"] or found["items"]):
        console().print(f"{directory}: {words}; nothing was begun", soft_wrap=True)
        return
    console().print(f"{directory}: {words}, begun {found['begun']}", soft_wrap=True)
    if found["items"]:
        print_made(found["items"])
    incomplete = [row for row in found["experiments"] if row["missing"]]
    if incomplete:
        console().print("")
        print_units(incomplete)
    runs, missing = (sum(row[column] for row in found["experiments"]) for column in ("units", "missing"))
    rest = f"{missing:,} missing: rerun to resume" if missing else "nothing is missing"
    console().print(f"\n{runs - missing:,} of {counted_words(runs, 'runs')} done; {rest}")


def print_made(items: Sequence[dict[str, Any]]) -> None:
    """Print the items that are made, and how their claims were judged, if they were."""
    columns = ("claims", *COLOURS) if any(row[verdict] for row in items for verdict in COLOURS) else ("claims",)
    table = aligned("item", *columns, left=("item",))
    for row in items:
        table.add_row(row["item"], *(str(row[column]) for column in columns))
    console().print(table)


def aligned(*names: str, left: Collection[str] = ()) -> Table:
    """A table without lines; its columns are aligned to the right, as numbers are, or to the left."""
    table = Table(box=None, pad_edge=False)
    for name in names:
        table.add_column(name.replace("_", " "), justify="left" if name in left else "right")
    return table


def print_items(rows: Sequence[dict[str, object]]) -> None:
    """Print the items."""
    table = aligned("item", "what_it_shows", "runs", left=("item", "what_it_shows"))
    for row in rows:
        table.add_row(str(row["item"]), str(row["shows"]), str(row["runs"]))
    console().print(table)
    console().print("\nItems share runs: together they have fewer than their sum.")


def _value(value: float | str) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
