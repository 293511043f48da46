"""What the report shows before its items: the sentences of the text by section, and checks that failed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from slotfree.study.quote import quote
from slotfree.study.record import Verdict, verdicts_counted
from slotfree.study.sentence import Sentence

Row = Mapping[str, Any]  # a claim as in claims.json
Rows = Mapping[str, Row]


@dataclass(frozen=True)
class Told:
    """A sentence with what came of it.

    Attributes
    ----------
    verdict : None if it is not judged, or if the run has not all of its claims.
    in_part : whether claims of it are confirmed and others are not.
    note : what explains the verdict, with the numbers of the run.
    """

    sentence: Sentence
    verdict: Verdict | None
    in_part: bool
    claims: Sequence[Row]
    note: str


def told_of(sentences: Sequence[Sentence], rows: Rows) -> list[Told]:
    """What came of sentences."""
    told = []
    for sentence in sentences:
        judging = sentence.judging(rows)
        verdicts = {row["verdict"] for row in judging}
        in_part = "confirmed" in verdicts and len(verdicts) > 1
        told.append(Told(sentence, sentence.verdict(rows), in_part, judging, sentence.explained(rows)))
    return told


def sections_of(told: Sequence[Told]) -> list[tuple[str, Sequence[Told], Mapping[str, int]]]:
    """The results that a run judges, with those that follow from them, and their counts, by section."""
    results: dict[str, list[Told]] = {}
    for one in told:
        if one.verdict or one.sentence.other is not None:
            results.setdefault(one.sentence.section, []).append(one)
    found = [(name, own, verdicts_counted(one.verdict for one in own)) for name, own in results.items()]
    return [section for section in found if any(section[2].values())]


def unconfirmed_of(items: Sequence[Row], rows: Rows) -> list[tuple[Row, str]]:
    """Our own claims that are not confirmed, with what explains them."""
    why = {claim: text for item in items for claim, text in item["explained"].items()}
    own = [row for row in rows.values() if row["source"] == "ours" and row["verdict"] not in (None, "confirmed")]
    return [(row, quote(why.get(row["id"], ""), rows, [row])) for row in own]
