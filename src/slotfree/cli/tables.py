"""Tables on stdout."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from rich.console import Console
from rich.table import Table

from slotfree.files.json_text import json_text
from slotfree.paper.claims import Claim, Value


def print_claims(claims: Sequence[Claim], out: Path) -> None:
    """Print every claim with its verdict, and where everything is."""
    console = wide_console()
    table = Table(box=None, pad_edge=False)
    for name, justify in (
        ("claim", "left"),
        ("paper", "right"),
        ("measured", "right"),
        ("interval", "left"),
        ("", "left"),
    ):
        table.add_column(name, justify=justify)  # type: ignore[arg-type]
    for claim in claims:
        interval = "" if claim.interval is None else f"{claim.interval[0]:.4g} to {claim.interval[1]:.4g}"
        verdict = "[green]holds[/]" if claim.holds else "[bold red]does not hold[/]"
        table.add_row(claim.id, _value(claim.paper), _value(claim.measured), interval, verdict)
    console.print(table)
    held = sum(claim.holds for claim in claims)
    console.print(f"\n{held} of {len(claims)} claims hold. What each says is in {out / 'claims.json'}", highlight=False)
    console.print(f"report: {out / 'report.html'}", highlight=False, soft_wrap=True)


def print_json(value: object) -> None:
    """Print for programs."""
    print(json_text(value))


def print_plan(rows: Sequence[dict[str, Any]], jobs: int) -> None:
    """Print what would be run."""
    table = _table("what", units="right", missing="right", core_seconds="right")
    for row in rows:
        table.add_row(row["experiment"], str(row["units"]), str(row["missing"]), f"{row['seconds']:.0f}")
    wide_console().print(table)
    total = sum(row["seconds"] for row in rows)
    cores = "core" if jobs == 1 else "cores"
    wide_console().print(f"\nabout {total / jobs / 60:.1f} min on {jobs} {cores}; nothing was run", highlight=False)


def print_status(found: dict[str, Any], directory: Path) -> None:
    """Print what a directory holds."""
    settings = found["settings"]
    kind = f"scale {settings['scale']['name']}" if "scale" in settings else f"sweep of {settings['sweep']} settings"
    words = f"slotfree {settings['slotfree']}, {kind}, seed {settings['seed']}"
    wide_console().print(f"{directory}: {words}, begun {found['begun']}", highlight=False)
    table = _table("experiment", done="right", missing="right")
    for row in found["experiments"]:
        table.add_row(row["experiment"], str(row["done"]), str(row["missing"]))
    wide_console().print(table)
    if found["items"]:
        table = _table("item", made="left", claims_that_hold="right")
        for row in found["items"]:
            table.add_row(row["item"], "yes" if row["made"] else "no", f"{row['hold']} of {row['claims']}")
        wide_console().print(table)
    missing = sum(row["missing"] for row in found["experiments"])
    wide_console().print(f"\n{missing} units are missing" if missing else "\nnothing is missing", highlight=False)


def _table(first: str, **columns: Literal["left", "right"]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column(first)
    for name, justify in columns.items():
        table.add_column(name.replace("_", " "), justify=justify)
    return table


def print_items(rows: Sequence[dict[str, object]]) -> None:
    """Print the items with their cost."""
    table = Table(box=None, pad_edge=False)
    table.add_column("item")
    table.add_column("what it shows")
    table.add_column("runs", justify="right")
    table.add_column("core minutes", justify="right")
    for row in rows:
        table.add_row(str(row["item"]), str(row["shows"]), str(row["runs"]), str(row["core_minutes"]))
    wide_console().print(table)
    wide_console().print("\nItems share runs: together they cost less than their sum.", highlight=False)


def wide_console() -> Console:
    """A console that does not fold what a program reads: without a terminal, lines are as long as they need."""
    console = Console()
    return console if console.is_terminal else Console(width=200)


def _value(value: Value) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
