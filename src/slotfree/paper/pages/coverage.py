"""coverage.md and the pages below it: each statement of the paper, the claims that judge it, what came of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from slotfree.paper.pages.run import Row, Run
from slotfree.paper.pages.templates import rendered, slug
from slotfree.paper.statements import PARTS
from slotfree.study.matching import matching
from slotfree.study.record import by_reason
from slotfree.study.statement import Statement
from slotfree.study.tally import VERDICTS, counted, tally_of, worst

NOT_JUDGED = "not judged"
WORDS = (*VERDICTS, NOT_JUDGED)
MOST_LISTED = 4  # confirmed claims of a statement that are listed with their numbers; more are counted


@dataclass(frozen=True)
class Told:
    """A statement as a page shows it.

    Attributes
    ----------
    anchor : of its row.
    verdict : on the statement, or that it is not judged.
    confirmed : its confirmed claims, if they are few.
    counted : how many confirmed claims it has, if they are many, and the ids or patterns that mean them.
    unconfirmed : its other claims by what explains them.
    """

    anchor: str
    statement: Statement
    verdict: str
    in_part: bool
    confirmed: Sequence[Row]
    counted: tuple[int, Sequence[str]]
    unconfirmed: Sequence[tuple[str, Sequence[Row]]]


@dataclass(frozen=True)
class Part:
    """A part of the paper: its title and its statements."""

    title: str
    told: Sequence[Told]

    def of(self, verdict: str) -> list[Told]:
        """Its statements with a verdict."""
        return [told for told in self.told if told.verdict == verdict]


def coverage_pages(run: Run, parts: Mapping[str, Sequence[Statement]] = PARTS) -> dict[str, str]:
    """The pages by their names: how all came out and what is not confirmed; then a page for each part of the paper."""
    shown = [
        Part(title, [told_of(statement, i, run) for i, statement in enumerate(statements, 1)])
        for title, statements in parts.items()
    ]
    whole = Part("all", [told for part in shown for told in part.told])
    behind = tally_of([told.statement for told in whole.told], run.rows).behind
    pages = {"coverage.md": rendered("coverage", parts=shown, whole=whole, behind=behind, words=WORDS)}
    return pages | {f"coverage/{slug(part.title)}.md": rendered("part", part=part, words=WORDS) for part in shown}


def told_of(statement: Statement, number: int, run: Run) -> Told:
    """A statement, the so manieth of its part, and what came of its claims."""
    judging = _judging(statement, run.rows)
    confirmed = [row for row in judging if row["verdict"] == "confirmed"]
    names = matching(statement.claims, [row["id"] for row in confirmed])
    is_listed = len(confirmed) <= MOST_LISTED
    others = [row for row in judging if row["verdict"] != "confirmed"]
    return Told(
        anchor=f"statement-{number}",
        statement=statement,
        verdict=worst(judging) or NOT_JUDGED,
        in_part=bool(others) and counted(judging)["confirmed"] > 0,
        confirmed=confirmed if is_listed else [],
        counted=(0, []) if is_listed else (len(confirmed), [name for name, found in names.items() if found]),
        unconfirmed=by_reason(others, run.reasons, run.by_id),
    )


def _judging(statement: Statement, rows: Sequence[Row]) -> list[Row]:
    """The claims of a run that judge a statement: the paper's; a pattern may mean some of ours as well."""
    for name in statement.missing(rows):
        raise SystemExit(f"the run has no claim {name} of the paper, which judges {statement.text!r}")
    for row in rows:
        if row["source"] != "paper" and row["verdict"] != "confirmed" and statement.judged_by(row["id"]):
            raise SystemExit(
                f"a claim of our own, {row['id']}, would judge {statement.text!r}: name the paper's claims"
            )
    return statement.judging(rows)
