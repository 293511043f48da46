"""How the verdicts came out, counted: results of the paper once for each sentence, or the claims of a study."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from slotfree.study.sentence import Sentence

Verdict: TypeAlias = Literal["confirmed", "contradicted", "inconclusive"]
Source: TypeAlias = Literal["paper", "ours"]
Row: TypeAlias = Mapping[str, Any]  # a claim as in claims.json

VERDICTS: tuple[Verdict, ...] = ("confirmed", "contradicted", "inconclusive")
WORST_FIRST: tuple[Verdict, ...] = ("contradicted", "inconclusive", "confirmed")
# What a claim of a source is called, and several of them.
SOURCES: dict[Source, tuple[str, str]] = {
    "paper": ("claim of the paper", "claims of the paper"),
    "ours": ("claim of our own", "claims of our own"),
}
RESULTS = ("result", "results")


@dataclass(frozen=True)
class Tally:
    """How many results or claims there are of each verdict.

    Attributes
    ----------
    called : what one of them is called, and several.
    counts : how many there are, by verdict.
    """

    called: tuple[str, str]
    counts: Mapping[str, int]

    @property
    def total(self) -> int:
        """How many there are."""
        return sum(self.counts.values())

    @property
    def words(self) -> str:
        """What they are called."""
        return self.called[self.total != 1]

    @property
    def sentence(self) -> str:
        """The numbers in a sentence."""
        told = [f"{count} {'is' if count == 1 else 'are'} {verdict}" for verdict, count in self.counts.items()]
        return f"Of {self.total} {self.words}, {', '.join(told[:-1])}, and {told[-1]}."


def tallies(rows: Iterable[Row], sentences: "Sequence[Sentence]" = ()) -> list[Tally]:
    """Count what was judged.

    Parameters
    ----------
    rows : claims as in claims.json.
    sentences : of the paper. Those whose claims are all among the rows are counted, and our own claims are not: they
        are checks. Where no sentence is judged, claims are counted by their source.
    """
    judged = {row["id"]: row for row in rows if row["verdict"]}
    results = Tally(RESULTS, verdicts_counted([sentence.verdict(judged) for sentence in sentences]))
    if results.total:
        return [results]
    found = [
        Tally(called, counted(row for row in judged.values() if row["source"] == source))
        for source, called in SOURCES.items()
    ]
    return [tally for tally in found if tally.total]


def worst(rows: Iterable[Row]) -> Verdict | None:
    """The verdict on a sentence from its claims: contradicted if one of them is, else inconclusive if one is."""
    verdicts = {row["verdict"] for row in rows}
    return next((verdict for verdict in WORST_FIRST if verdict in verdicts), None)


def counted(rows: Iterable[Row]) -> dict[str, int]:
    """How many claims there are of each verdict."""
    return verdicts_counted([row["verdict"] for row in rows])


def verdicts_counted(verdicts: Sequence[str | None]) -> dict[str, int]:
    """How many of each there are."""
    return {verdict: verdicts.count(verdict) for verdict in VERDICTS}
