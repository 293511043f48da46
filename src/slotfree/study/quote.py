"""Prose that quotes numbers of a run: they are not typed into it, they are named.

``{fig4.newest-100%}`` is what was measured for that claim, ``{fig4.newest-100%:low}`` the lower end of its interval.
Words about one claim say only ``{measured}``, ``{low}``, ``{high}`` or ``{paper}``.
"""

from collections.abc import Iterator, Mapping
from string import Formatter
from typing import Any

from slotfree.study.numbers import number

PARTS = ("measured", "low", "high", "paper")
DIGITS = 3
MISSING = "–"


def quote(text: str, rows: Mapping[str, Mapping[str, Any]], own: Mapping[str, Any] | None = None) -> str:
    """Return a text with its numbers.

    Parameters
    ----------
    rows : claims as in claims.json, by their ids; a number whose claim is not there is left out.
    own : the claim that the text is about, if it is about one.
    """
    found = []
    for words, claim, part in _pieces(text):
        row = own if claim == "" else rows.get(claim or "")
        found.append(words if claim is None else words + _shown(row, part))
    return "".join(found)


def quoted(text: str) -> list[str]:
    """Return the ids of the claims that a text quotes, without the one it is about."""
    return [claim for _, claim, _ in _pieces(text) if claim]


def check_quotes(text: str, *, of_one_claim: bool = False) -> None:
    """Refuse a text that quotes something that is no number of a claim, or of its own claim where it has none."""
    for _, claim, part in _pieces(text):
        if claim is not None and (part not in PARTS or (claim == "" and not of_one_claim)):
            raise ValueError(
                f"a number is quoted as {{item.claim}} or {{item.claim:part}}, or by its part alone in words about one "
                f"claim; the part is one of {', '.join(PARTS)}: {text!r}"
            )


def _pieces(text: str) -> Iterator[tuple[str, str | None, str]]:
    """Words, the id of the claim quoted after them ("" is the text's own, None is none), and which of its numbers."""
    for words, name, part, _ in Formatter().parse(text):
        if name is None:
            yield words, None, ""
        elif "." in name:
            yield words, name, part or PARTS[0]
        else:
            yield words, "", f"{name}:{part}" if part else name


def _shown(row: Mapping[str, Any] | None, part: str) -> str:
    """A number of a claim."""
    if row is None:
        return MISSING
    low, high = row["interval"]
    value = {"measured": row["measured"], "low": low, "high": high, "paper": row["paper"]}[part]
    if value is None:
        return MISSING
    return value if isinstance(value, str) else number(value, DIGITS)
