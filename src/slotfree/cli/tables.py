"""Tables on stdout."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from slotfree.paper.claims import Claim, Value


def print_claims(claims: Sequence[Claim], out: Path) -> None:
    """Print every claim with its verdict, and where everything is."""
    console = _console()
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
    console.print(f"figures in {out / 'figures'}, tables in {out / 'tables'}, data in {out / 'data'}", highlight=False)


def print_items(rows: Sequence[dict[str, object]]) -> None:
    """Print the items with their cost."""
    table = Table(box=None, pad_edge=False)
    table.add_column("item")
    table.add_column("what it shows")
    table.add_column("runs", justify="right")
    table.add_column("core minutes", justify="right")
    for row in rows:
        table.add_row(str(row["item"]), str(row["shows"]), str(row["runs"]), str(row["core_minutes"]))
    _console().print(table)
    _console().print("\nItems share runs: together they cost less than their sum.", highlight=False)


def _console() -> Console:
    """A console that does not fold what a program reads: without a terminal, lines are as long as they need."""
    console = Console()
    return console if console.is_terminal else Console(width=200)


def _value(value: Value) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
