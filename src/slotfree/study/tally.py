"""How the verdicts came out: statements and claims counted, and in a sentence for each source."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from slotfree.study.statement import Statement

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
STATEMENTS = ("statement of the paper that is judged", "statements of the paper that are judged")


@dataclass(frozen=True)
class Tally:
    """How many statements or claims there are of each verdict.

    Attributes
    ----------
    called : what one of them is called, and several.
    counts : how many there are, by verdict.
    behind : how many claims judge them, by verdict, if they are statements.
    """

    called: tuple[str, str]
    counts: Mapping[str, int]
    behind: Mapping[str, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """How many there are."""
        return sum(self.counts.values())

    @property
    def words(self) -> str:
        """What they are called."""
        return self.called[self.total != 1]

    @property
    def claims(self) -> str:
        """How many claims judge statements, in brackets; nothing if claims are what is counted."""
        if not self.behind:
            return ""
        number = sum(self.behind.values())
        return f" ({number} {'claim' if number == 1 else 'claims'}: {', '.join(map(str, self.behind.values()))})"

    @property
    def sentence(self) -> str:
        """The numbers in a sentence."""
        told = [f"{count} {'is' if count == 1 else 'are'} {verdict}" for verdict, count in self.counts.items()]
        return f"Of {self.total} {self.words}, {', '.join(told[:-1])}, and {told[-1]}{self.claims}."


def tallies(rows: Iterable[Row], statements: Sequence[Statement] = ()) -> list[Tally]:
    """Count what was judged: what the paper says first, then claims of our own.

    Parameters
    ----------
    rows : claims as in claims.json.
    statements : of the paper. They are counted if the rows have all claims that judge them; otherwise, and without
        statements, the paper's claims are.
    """
    judged = [row for row in rows if row["verdict"]]
    paper, ours = ([row for row in judged if row["source"] == source] for source in SOURCES)
    is_whole = not any(statement.missing(paper) for statement in statements)
    found = [
        tally_of(statements, paper) if statements and is_whole else Tally(SOURCES["paper"], counted(paper)),
        Tally(SOURCES["ours"], counted(ours)),
    ]
    return [tally for tally in found if tally.total]


def tally_of(statements: Iterable[Statement], rows: Sequence[Row]) -> Tally:
    """Count the statements that are judged, and the claims that judge them."""
    judging = [statement.judging(rows) for statement in statements]
    behind = {row["id"]: row for found in judging for row in found}
    return Tally(STATEMENTS, _by_verdict([worst(found) for found in judging]), counted(behind.values()))


def worst(rows: Iterable[Row]) -> Verdict | None:
    """The verdict on a statement from its claims: contradicted if one of them is, else inconclusive if one is."""
    verdicts = {row["verdict"] for row in rows}
    return next((verdict for verdict in WORST_FIRST if verdict in verdicts), None)


def counted(rows: Iterable[Row]) -> dict[str, int]:
    """How many claims there are of each verdict."""
    return _by_verdict([row["verdict"] for row in rows])


def _by_verdict(verdicts: Sequence[str | None]) -> dict[str, int]:
    return {verdict: verdicts.count(verdict) for verdict in VERDICTS}
