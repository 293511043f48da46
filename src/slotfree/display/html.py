"""What notebooks show: small tables in HTML, without scripts or anything from elsewhere, on light and dark pages.

Everything is escaped but what is ``Html`` already. Colours are those of the page around, and a few that are read on
white and on black.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from html import escape
from typing import Any

LINE = "1px solid rgba(128, 128, 128, .45)"
CELL = "text-align: left; vertical-align: top; border: none; background: none; padding: .15em 1.2em .15em 0"
FAINT = "opacity: .75"
_BOX = '<div style="overflow-x: auto; max-width: 100%; padding: .4em 0 .4em .8em; border-left: 3px solid #3b82c4">'
LONGEST = 300  # characters of a value
MOST = 12  # parts of a list
FIRST = 3  # fields of an object within a table


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def html(value: object) -> Html:
    """Return a value as HTML: in words, escaped, unless it is HTML already."""
    return value if isinstance(value, Html) else Html(escape(words(value)))


def words(value: object) -> str:
    """Return a value as people read it."""
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, str):
        return shortened(value)
    if isinstance(value, tuple | list):
        rest = [f"and {len(value) - MOST:,} more"] if len(value) > MOST else []
        return ", ".join([words(part) for part in value[:MOST]] + rest) or "none"
    if is_dataclass(value) and not isinstance(value, type):
        return shortened(f"{type(value).__name__}({', '.join(f'{n}={words(v)}' for n, v in telling(value).items())})")
    try:
        return shortened(str(value))
    except Exception:
        return f"a {type(value).__name__}"


def changed(value: Any) -> dict[str, Any]:
    """Return the fields of a dataclass that are not at their defaults."""
    found = {}
    for each in fields(value):
        default = each.default_factory() if each.default_factory is not MISSING else each.default
        if each.init and not _is_same(getattr(value, each.name), default):
            found[each.name] = getattr(value, each.name)
    return found


def _is_same(value: Any, default: Any) -> bool:
    """Whether a field is at its default; one that cannot be compared, such as an array, is not."""
    try:
        return bool(value == default)
    except Exception:
        return False


def telling(value: Any) -> dict[str, Any]:
    """Return the first three fields of a dataclass, and all others that are not at their defaults."""
    every, others = settings(value), changed(value)
    return {name: part for n, (name, part) in enumerate(every.items()) if n < FIRST or name in others}


def settings(value: Any) -> dict[str, Any]:
    """Return all fields of a dataclass that it is made of, by name."""
    return {each.name: getattr(value, each.name) for each in fields(value) if each.init}


def shortened(text: str) -> str:
    """Return a string that fits in a cell."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def card(title: str, rows: Mapping[str, object], *, note: object = "", picture: Html | None = None) -> Html:
    """Return names and values in two columns under a title; a note and a picture stand below.

    Parameters
    ----------
    title : what it is.
    rows : values by name; what is empty is left out.
    note : what else there is to say, in a line.
    picture : such as of ``display.svg``.
    """
    cells = "".join(_row(name, value) for name, value in rows.items() if not isinstance(value, str) or value)
    table = f'<table style="border-collapse: collapse; margin: .2em 0; width: auto">{cells}</table>' if cells else ""
    below = f'<div style="{FAINT}">{html(note)}</div>' if note else ""
    drawn = f'<div style="margin-top: .4em">{picture}</div>' if picture else ""
    return Html(f"{_BOX}<div><strong>{escape(title)}</strong></div>{table}{below}{drawn}</div>")


def listing(title: str, header: Sequence[str], rows: Iterable[Sequence[object]], *, note: object = "") -> Html:
    """Return a table with a header under a title; a note stands below."""
    head = "".join(f'<th scope="col" style="{CELL}; border-bottom: {LINE}">{html(name)}</th>' for name in header)
    body = "".join(
        "<tr>" + "".join(f'<td style="{CELL}">{html(value)}</td>' for value in row) + "</tr>" for row in rows
    )
    table = f'<table style="border-collapse: collapse; margin: .2em 0"><tr>{head}</tr>{body}</table>'
    below = f'<div style="{FAINT}">{html(note)}</div>' if note else ""
    return Html(f"{_BOX}<div><strong>{escape(title)}</strong></div>{table}{below}</div>")


def badge(text: str, colour: str) -> Html:
    """Return a word on a ground of its own; the colour must be dark enough for white letters."""
    look = f"background: {escape(colour)}; color: #fff; border-radius: .3em; padding: .05em .5em; font-weight: 600"
    return Html(f'<span style="{look}">{escape(text)}</span>')


def _row(name: str, value: object) -> str:
    look = f"{CELL}; font-weight: normal; white-space: nowrap; {FAINT}"
    head = f'<th scope="row" style="{look}">{html(name)}</th>'
    return f'<tr style="background: none">{head}<td style="{CELL}">{html(value)}</td></tr>'
