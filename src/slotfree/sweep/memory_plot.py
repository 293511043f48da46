"""The plot of a sweep over memories: what is there at first against how long it stays."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from slotfree.drawing.literal import literal
from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, cue_title
from slotfree.forgetting.merit import MERITS
from slotfree.sweep.colours import Chosen, colours_of, some_of, values_in
from slotfree.sweep.point import value_text

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
SIZES = (3.5, 13.0)  # smallest and largest mark
PLAIN: dict[str, Any] = {"marker": "o", "color": BLACK, "ms": 6}  # of a mark that shows no parameter


def draw_memories(chosen: Sequence[Chosen], rows: Sequence[dict[str, Any]], cues: Sequence[float]) -> Picture:
    """Draw R.D. at age 1 against half-life, a panel for each cue.

    Parameters
    ----------
    chosen : the swept parameters of each point. The first is shown as colour, the second as marker, the third as size.
    rows : the table, a row for each point and cue.
    """
    names = list(chosen[0])
    encodings = [_encode(make, name, chosen) for make, name in zip((_colour, _marker, _size), names, strict=False)]
    columns = min(len(cues), 3)
    n_rows = -(-len(cues) // columns)
    picture = Picture(n_rows, columns, width=3.6 * columns + 1.6, height=3.6, sharex=True, sharey=True)
    axes = picture.axes.ravel()
    for axis in axes[len(cues) :]:
        axis.set_visible(False)
    for axis, cue in zip(axes, cues, strict=False):
        of_cue = [row for row in rows if row["cue"] == cue]
        _panel(axis, chosen, of_cue, encodings)
        axis.set_title(cue_title(cue))
        axis.set_xlabel(MERITS["initial_raw_difference"].title)
    for axis in axes[::columns]:
        axis.set_ylabel(MERITS["half_life"].title)
    handles = [handle for encoding in encodings for handle in encoding.legend()]
    if names[3:]:
        handles.append(_title(f"not distinguished: {', '.join(names[3:])}"))
    if handles:
        legend = picture.figure.legend(handles=handles, loc="outside right upper")
        for text in legend.get_texts():
            text.set_fontweight("bold" if text.get_text() in names else "normal")
    return picture


@dataclass(frozen=True)
class _Encoding:
    """How the values of a parameter are drawn."""

    name: str
    values: list[Any]
    style: Callable[[Any], dict[str, Any]]

    def legend(self) -> list[Line2D]:
        """A line for its name and for some of its values."""
        plain = PLAIN | {"ls": "none"}
        named = [
            Line2D([], [], **plain | self.style(value), label=literal(value_text(value)))
            for value in some_of(self.values)
        ]
        return [_title(self.name), *named]


def _encode(
    make: Callable[[list[Any]], Callable[[Any], dict[str, Any]]], name: str, chosen: Sequence[Chosen]
) -> _Encoding:
    values = values_in(chosen, name)
    return _Encoding(name, values, make(values))


def _colour(values: list[Any]) -> Callable[[Any], dict[str, Any]]:
    colours = colours_of(values)
    return lambda value: {"color": colours[value]}


def _marker(values: list[Any]) -> Callable[[Any], dict[str, Any]]:
    """Markers repeat where there are more values than markers."""
    return lambda value: {"marker": MARKERS[values.index(value) % len(MARKERS)]}


def _size(values: list[Any]) -> Callable[[Any], dict[str, Any]]:
    sizes = np.linspace(*SIZES, len(values))
    return lambda value: {"ms": float(sizes[values.index(value)])}


def _panel(
    axis: Axes, chosen: Sequence[Chosen], rows: Sequence[dict[str, Any]], encodings: Sequence[_Encoding]
) -> None:
    for points in _lines(chosen, rows):
        axis.plot(*zip(*points, strict=True), color="#BBBBBB", lw=0.7, zorder=1)
    hidden = 0
    for point, row in zip(chosen, rows, strict=True):
        x, y = row["initial_raw_difference"], row["half_life"]
        if not _is_known(row):
            hidden += 1
            continue
        style = dict(PLAIN)
        for encoding in encodings:
            style |= encoding.style(point[encoding.name])
        errors = (row["half_life_se"], row["initial_raw_difference_se"])
        yerr, xerr = (error if np.isfinite(error) else None for error in errors)
        axis.errorbar(
            x, y, yerr, xerr, **style, mew=0.5, mec="white", elinewidth=0.8, alpha=0.9, zorder=100 - style["ms"]
        )
    log_scale(axis, "y")
    if hidden:
        how_many = "1 point has" if hidden == 1 else f"{hidden} points have"
        note = f"{how_many} no known half-life\nwithin the tested ages: not shown"
        axis.text(0.98, 0.98, note, transform=axis.transAxes, ha="right", va="top", fontsize=7, color=BLACK)


def _is_known(row: dict[str, Any]) -> bool:
    """Whether there is a half-life, and its standard error is smaller than itself."""
    return bool(np.isfinite(row["half_life"]) and not row["half_life_se"] > row["half_life"])


def _lines(chosen: Sequence[Chosen], rows: Sequence[dict[str, Any]]) -> list[list[tuple[float, float]]]:
    """Points that differ in the first parameter only, in its order, if that is a number."""
    groups: dict[tuple[Any, ...], list[tuple[float, float, float]]] = {}
    for point, row in zip(chosen, rows, strict=True):
        if not point:
            continue
        first, *others = point.values()
        if isinstance(first, int | float) and _is_known(row):
            found = (first, row["initial_raw_difference"], row["half_life"])
            groups.setdefault(tuple(others), []).append(found)
    return [[(x, y) for _, x, y in sorted(points)] for points in groups.values()]


def _title(text: str) -> Line2D:
    return Line2D([], [], ls="none", label=text)
