"""Sentences: what a text says, in its own words, each with how it is judged and what explains the verdict.

A sentence is of one kind, and a word for each kind makes it:

    says(quote, *judges)             a result: data confirm it, contradict it, or leave it open
    follows(quote, other)            a result that stands or falls with another sentence, and is not counted again
    defines(quote, held_by)          true by construction: a definition, a setting, an identity; a test holds it
    slip(quote, meant, known_by)     a misprint or a step that can be mended without changing a result
    unjudged(quote, why)             opinion, motivation, background, a reference

``section("2.2.1", says(...), ..., "2.2.2", says(...))`` gives them their place.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from textwrap import shorten
from typing import Any, Literal, TypeAlias

from slotfree.study.judge import Judge, place_of_call
from slotfree.study.quote import check_quotes, quote
from slotfree.study.record import Verdict

Kind: TypeAlias = Literal["result", "construction", "slip", "unjudged"]
Row: TypeAlias = Mapping[str, Any]  # a claim as in claims.json

WORST_FIRST: tuple[Verdict, ...] = ("contradicted", "inconclusive", "confirmed")
SHORT = 80  # characters of a sentence that another one follows from
TEST = re.compile(r"(tests/[\w/]+\.py)::(test_\w+)")


class TextError(ValueError):
    """A sentence is not written as it must be; the message names its file and line."""


@dataclass(frozen=True)
class Sentence:
    """One thing that is said.

    Attributes
    ----------
    quote : in the text's words; "…" where some are left out.
    kind : "result", "construction", "slip" or "unjudged".
    judges : what decides a result; for a slip, what shows that it is one, if data do.
    note : what explains the verdict, or why there is none; ``{measured}`` and such are numbers of the run (quote.py).
    held_by : the test that holds what is true by construction, ``tests/…/test_x.py::test_y``.
    meant : what a slip should say.
    other : the sentence with which this one stands or falls.
    section : where it stands, such as "2.2.1" or "Figure 4, caption".
    place : the file and line where it is declared.

    Examples
    --------
    >>> Sentence("Rain is nice.", "unjudged", note="an opinion").verdict({}) is None
    True
    """

    quote: str
    kind: Kind
    judges: tuple[Judge, ...] = ()
    note: str = ""
    held_by: str = ""
    meant: str = ""
    other: "Sentence | None" = None
    section: str = ""
    place: str = field(default_factory=place_of_call, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.quote, str) or not self.quote.strip():
            raise TextError(f"{self.place}: a sentence must be quoted")
        wrong = [judge for judge in self.judges if not isinstance(judge, Judge)]
        if wrong:
            raise TextError(f"{self.place}: {self.quote!r} must be judged by such as more(...), not {wrong[0]!r}")
        try:
            check_quotes(self.note, about_claims=bool(self.judges))
        except ValueError as error:
            raise TextError(f"{self.place}: {error}") from None

    def judging(self, rows: Mapping[str, Row]) -> list[Row]:
        """Return the claims of a run that judge it, if the run has them all."""
        found = [rows[judge.name] for judge in self.judges if judge.name in rows]
        return found if len(found) == len(self.judges) else []

    def verdict(self, rows: Mapping[str, Row]) -> Verdict | None:
        """Return the worst verdict of its claims; None if they are not judged, or it is no result of its own."""
        if self.kind != "result" or self.other is not None:
            return None
        verdicts = {row["verdict"] for row in self.judging(rows)}
        return next((verdict for verdict in WORST_FIRST if verdict in verdicts), None)

    def row(self, rows: Mapping[str, Row]) -> dict[str, Any]:
        """The sentence as it is written to statements.json."""
        return {
            "section": self.section,
            "quote": self.quote,
            "kind": self.kind,
            "verdict": self.verdict(rows),
            "claims": [judge.name for judge in self.judges],
            "note": f"Meant is: {self.meant}. {self.explained(rows)}" if self.meant else self.explained(rows),
            "held_by": self.held_by,
        }

    def explained(self, rows: Mapping[str, Row]) -> str:
        """What explains the verdict, with the numbers of a run."""
        note = quote(self.note, rows, self.judging(rows))
        if self.other is not None:
            return f"Follows from “{shorten(self.other.quote, SHORT, placeholder=' …')}”. {note}".strip()
        return note

    def check_held_by(self, root: Path) -> None:
        """Raise an error if what holds it is no test below a folder."""
        found = TEST.fullmatch(self.held_by)
        file = root / found[1] if found else root
        if not found or not file.is_file() or not re.search(rf"^def {found[2]}\(", file.read_text(), re.MULTILINE):
            raise TextError(
                f"{self.place}: held_by must be a test, such as 'tests/test_model.py::test_sizes', not {self.held_by!r}"
            )


def says(quote: str, *judges: Judge, note: str = "") -> Sentence:
    """A result, judged by data.

    Parameters
    ----------
    quote, judges, note : as in ``Sentence``.

    Examples
    --------
    >>> from slotfree.study import more
    >>> says("It was warm.", more("weather.warm", lambda r: [21, 22, 24], 20, "temperature in °C")).kind
    'result'
    """
    if not judges:
        raise TextError(f"{place_of_call()}: a result must have a judge: {quote!r}")
    return Sentence(quote, "result", judges, note)


def follows(quote: str, other: Sentence, note: str = "") -> Sentence:
    """A result that stands or falls with another sentence, and is not counted again.

    Parameters
    ----------
    quote, other, note : as in ``Sentence``.

    Examples
    --------
    >>> from slotfree.study import more
    >>> warm = says("It was warm.", more("weather.warm", lambda r: [21, 22, 24], 20, "temperature in °C"))
    >>> nobody = follows("So nobody wore a coat.", warm)
    """
    return Sentence(quote, "result", note=note, other=other)


def defines(quote: str, held_by: str, note: str = "") -> Sentence:
    """What is true by construction, held by a test.

    Parameters
    ----------
    quote, held_by, note : as in ``Sentence``.

    Examples
    --------
    >>> days = defines("We simulated 30 days.", "tests/test_weather.py::test_days")
    """
    return Sentence(quote, "construction", note=note, held_by=held_by)


def slip(quote: str, meant: str, known_by: str, *judges: Judge, held_by: str = "") -> Sentence:
    """A misprint: what is meant, and how that is known.

    Parameters
    ----------
    quote, meant, judges, held_by : as in ``Sentence``.
    known_by : how it is known, the note.

    Examples
    --------
    >>> units = slip("It was 300 °C.", "30.0 °C", known_by="The table has 30.0.")
    """
    return Sentence(quote, "slip", judges, note=known_by, held_by=held_by, meant=meant)


def unjudged(quote: str, why: str) -> Sentence:
    """What is not judged, and why.

    Parameters
    ----------
    quote : as in ``Sentence``.
    why : the reason, the note.

    Examples
    --------
    >>> nice = unjudged("Rain is nice.", "an opinion")
    """
    return Sentence(quote, "unjudged", note=why)


def section(name: str, *parts: Sentence | str) -> tuple[Sentence, ...]:
    """Give sentences their section, unless they have one.

    Parameters
    ----------
    name : of the section.
    parts : its sentences; a string among them is the name of the section of those after it.

    Examples
    --------
    >>> nice = unjudged("Rain is nice.", "an opinion")
    >>> [each.section for each in section("2.1", nice, nice, "2.2", nice)]
    ['2.1', '2.1', '2.2']
    """
    found: list[Sentence] = []
    empty = name if parts else None  # a section that has begun, until it has a sentence
    for part in (*parts, ""):
        if isinstance(part, Sentence):
            found.append(part if part.section else replace(part, section=name))
            empty = None
        elif empty is not None:
            raise TextError(f"{place_of_call()}: {empty!r} is a section without sentences; or was says(...) forgotten?")
        elif isinstance(part, str):
            name = empty = part
        else:
            raise TextError(f"{place_of_call()}: a part of a section must be a sentence or a name, not {part!r}")
    return tuple(found)


def judges_of(sentences: Iterable[Sentence], items: Iterable[str]) -> dict[str, tuple[Judge, str]]:
    """Return all judges by name, with the sentence that each stands in first; refuse two with one name.

    Parameters
    ----------
    items : of the study; a judge needs the results of one of them.
    """
    found: dict[str, tuple[Judge, str]] = {}
    for sentence in sentences:
        for judge in sentence.judges:
            known, _ = found.setdefault(judge.name, (judge, sentence.quote))
            if known is not judge:
                raise TextError(f"{judge.place}: {judge.name!r} is also the name of another judge, at {known.place}")
            if judge.item not in items:
                raise TextError(f"{judge.place}: {judge.name!r} names no item of the study")
    return found
