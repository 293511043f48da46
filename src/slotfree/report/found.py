"""What stands at the top of the report: findings with the run's numbers, and what is not confirmed, with the reason."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from slotfree.study.finding import Finding
from slotfree.study.quote import quote
from slotfree.study.record import by_reason
from slotfree.study.study import Study

Row = Mapping[str, Any]  # a claim as in claims.json
Rows = Mapping[str, Row]

# What is not confirmed, in the order in which it is told: title, source, verdicts.
PARTS = (
    ("Claims of the paper that are contradicted", "paper", ("contradicted",)),
    ("Claims of the paper on which the data cannot tell", "paper", ("inconclusive",)),
    ("Claims of our own that are not confirmed", "ours", ("contradicted", "inconclusive")),
)
MOST_OPEN = 30  # entries of the lists that are not folded; further lists are


@dataclass(frozen=True)
class Shown:
    """A finding with the numbers of the run, and the claims that show it."""

    line: str
    text: str
    table: tuple[tuple[str, ...], ...]
    claims: tuple[Row, ...]


@dataclass(frozen=True)
class Entry:
    """Claims that are not confirmed for the same reason."""

    why: str
    claims: tuple[Row, ...]

    @property
    def said(self) -> str:
        """What the first of them says: its sentence up to the colon after which it tells what is measured."""
        sentence = str(self.claims[0]["claim"])
        end = sentence.find(": ", sentence.rfind("”") + 1)
        return sentence if end < 0 else sentence[:end]


@dataclass(frozen=True)
class Unconfirmed:
    """One list of what is not confirmed, folded where lists before it are long."""

    title: str
    entries: tuple[Entry, ...]
    is_open: bool

    @property
    def claims(self) -> int:
        """How many claims it has."""
        return sum(len(entry.claims) for entry in self.entries)


def findings_of(study: Study, rows: Rows) -> list[Shown]:
    """The findings of a study that a run shows."""
    return [_shown(finding, rows) for finding in study.findings if finding.is_shown_by(rows)]


def _shown(finding: Finding, rows: Rows) -> Shown:
    ids = dict.fromkeys(claim for found in finding.behind(list(rows)).values() for claim in found)
    return Shown(
        quote(finding.line, rows),
        quote(finding.text, rows),
        tuple(tuple(quote(cell, rows) for cell in line) for line in finding.table),
        tuple(rows[claim] for claim in ids),
    )


def unconfirmed_of(items: Iterable[Row], rows: Rows) -> list[Unconfirmed]:
    """What is not confirmed, in parts."""
    why = {claim: text for item in items for claim, text in item["explained"].items()}
    found: list[Unconfirmed] = []
    for title, source, verdicts in PARTS:
        own = [row for row in rows.values() if row["source"] == source and row["verdict"] in verdicts]
        own.sort(key=lambda row: verdicts.index(row["verdict"]))
        if own:
            entries = tuple(Entry(reason, tuple(alike)) for reason, alike in by_reason(own, why, rows))
            before = sum(len(part.entries) for part in found)
            is_open = source == "paper" and (not found or before + len(entries) <= MOST_OPEN)
            found.append(Unconfirmed(title, entries, is_open))
    return found
