"""Prose that quotes numbers of a run: they are not typed into it, they are named.

``{fig4.newest-100%}`` is what was measured for that claim, ``{fig4.newest-100%:low}`` the lower end of its interval.
Words about a claim say only ``{measured}``, ``{low}``, ``{high}`` or ``{paper}``; if they are about several, numbers
that differ are shown as a range, and ends are the outermost.
"""

from collections.abc import Iterator, Mapping, Sequence
from string import Formatter
from typing import Any

from slotfree.study.number_format import number

PARTS = ("measured", "low", "high", "paper")
ENDS = {"low": 0, "high": -1}  # the outermost of several
DIGITS = 3
MISSING = "–"


def quote(text: str, rows: Mapping[str, Mapping[str, Any]], own: Sequence[Mapping[str, Any]] = ()) -> str:
    """Return a text with its numbers.

    Parameters
    ----------
    rows : claims as in claims.json, by their ids; a number whose claim is not there is left out.
    own : the claims that the text is about, if it is about some.
    """
    found = []
    for words, claim, part in _pieces(text):
        found.append(words)
        if claim is not None:
            about = own if claim == "" else [rows[claim]] if claim in rows else []
            found.append(_shown(about, part))
    return "".join(found)


def quoted(text: str) -> list[str]:
    """Return the ids of the claims that a text quotes, without those it is about."""
    return [claim for _, claim, _ in _pieces(text) if claim]


def check_quotes(text: str, *, about_claims: bool = False) -> None:
    """Refuse a text that quotes something that is no number of a claim, or one of its own where it is about none."""
    for _, claim, part in _pieces(text):
        if claim is not None and (part not in PARTS or (claim == "" and not about_claims)):
            raise ValueError(
                f"a number is quoted as {{item.claim}} or {{item.claim:part}}, or by its part alone in words about "
                f"claims; the part is one of {', '.join(PARTS)}: {text!r}"
            )


def _pieces(text: str) -> Iterator[tuple[str, str | None, str]]:
    """Words, the id of the claim quoted after them ("" is the text's own, None is none), and which of its numbers."""
    for words, name, part, conversion in Formatter().parse(text):
        if name is None:
            yield words, None, ""
        elif conversion:
            raise ValueError(f"a number is quoted without !{conversion}: {text!r}")
        elif "." in name:
            yield words, name, part or PARTS[0]
        else:
            yield words, "", f"{name}:{part}" if part else name


def _shown(rows: Sequence[Mapping[str, Any]], part: str) -> str:
    """A number of one or several claims."""
    found = [{**row, "low": row["interval"][0], "high": row["interval"][1]}[part] for row in rows]
    numbers = sorted(value for value in found if isinstance(value, int | float))
    if part in ENDS and numbers:
        numbers = [numbers[ENDS[part]]]
    shown = dict.fromkeys(number(value, DIGITS) for value in (*numbers[:1], *numbers[-1:]))
    return " to ".join(shown) or next((value for value in found if isinstance(value, str)), MISSING)
