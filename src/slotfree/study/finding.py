"""Findings: what a study found out, in a line each, with the claims that show it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from slotfree.study.matching import matching
from slotfree.study.quote import check_quotes, quoted


@dataclass(frozen=True)
class Finding:
    """One thing that was found; its words name the numbers that they quote (study/quote.py).

    Attributes
    ----------
    line : in a line or two.
    text : what more there is to say.
    claims : ids of the claims that show it, or patterns of them, such as ``fig4.newest-*``.
    table : a header and rows, if numbers say it best.
    """

    line: str
    text: str
    claims: tuple[str, ...]
    table: tuple[tuple[str, ...], ...] = ()

    def __post_init__(self) -> None:
        if not self.claims:
            raise ValueError(f"a finding must name the claims that show it: {self.line!r}")
        for words in self._words():
            check_quotes(words)

    def behind(self, claims: Sequence[str]) -> dict[str, list[str]]:
        """Which of these claims it rests on: for each id or pattern that it names or quotes, those that match."""
        return matching((*self.claims, *(claim for words in self._words() for claim in quoted(words))), claims)

    def is_shown_by(self, rows: Mapping[str, Mapping[str, Any]]) -> bool:
        """Return whether a run shows it: all that it rests on is judged, as recorded if there is a record.

        Parameters
        ----------
        rows : the claims of the run as in claims.json, by their ids.
        """
        found = self.behind(list(rows)).values()
        used = [rows[claim] for claims in found for claim in claims]
        return all(found) and all(row["verdict"] and row["recorded"] in (None, row["verdict"]) for row in used)

    def _words(self) -> tuple[str, ...]:
        return (self.line, self.text, *(cell for row in self.table for cell in row))
