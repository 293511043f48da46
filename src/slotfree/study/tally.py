"""How the verdicts of claims came out: counted, and in a sentence for each source."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Verdict: TypeAlias = Literal["confirmed", "contradicted", "inconclusive"]
Source: TypeAlias = Literal["paper", "ours"]

VERDICTS: tuple[Verdict, ...] = ("confirmed", "contradicted", "inconclusive")
# What a claim of a source is called, and several of them.
SOURCES: dict[Source, tuple[str, str]] = {
    "paper": ("statement of the paper", "statements of the paper"),
    "ours": ("claim of our own", "claims of our own"),
}


@dataclass(frozen=True)
class Tally:
    """How many claims a source has, and how many of each verdict there are."""

    source: Source
    counts: Mapping[str, int]

    @property
    def claims(self) -> int:
        """How many claims there are."""
        return sum(self.counts.values())

    @property
    def words(self) -> str:
        """What they are called."""
        one, many = SOURCES[self.source]
        return one if self.claims == 1 else many

    @property
    def sentence(self) -> str:
        """The numbers in a sentence."""
        told = [f"{count} {'is' if count == 1 else 'are'} {verdict}" for verdict, count in self.counts.items()]
        return f"Of {self.claims} {self.words}, {', '.join(told[:-1])}, and {told[-1]}."


def tallies(rows: Iterable[Mapping[str, Any]]) -> list[Tally]:
    """Count claims that were judged, as rows of claims.json, by source: the paper's first, then ours."""
    judged = [row for row in rows if row["verdict"]]
    found = [Tally(source, counted(row for row in judged if row["source"] == source)) for source in SOURCES]
    return [tally for tally in found if tally.claims]


def counted(rows: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """How many claims there are of each verdict."""
    verdicts = [row["verdict"] for row in rows]
    return {verdict: verdicts.count(verdict) for verdict in VERDICTS}
