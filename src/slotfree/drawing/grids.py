"""Patterns as grids: a unit is a square, and what a memory made of it is told by colour and by shape."""

from collections.abc import Sequence
from math import isqrt
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from slotfree import checks
from slotfree.drawing.style import BLACK, BLUE, GREY, ORANGE, VERMILION

Bools = NDArray[np.bool_]
Shape = tuple[int, int]  # rows and columns

ONE, HIT, MISSED, FALSE = BLACK, BLUE, ORANGE, VERMILION
EMPTY, LINES = "#F7F7F7", "#E4E4E4"
SIDE = 0.42  # half the side of a square, in units of a cell
LEAST = 2.5  # points: of smaller cells one sees the colour alone
FEW = 600  # units, between which lines are drawn


def grid_shape(n: int, shape: Sequence[int] | None = None) -> Shape:
    """Return rows and columns of a grid of n units: those given, if they fit, or as square as they can be.

    Where n has no divisors that make at most three times as many columns as rows, the last row is not full.
    """
    if shape is not None:
        rows, columns = _rows_and_columns(shape)
        if rows * columns != n:
            raise ValueError(f"shape must have rows × columns = {n}, the units of a pattern, not {checks.shown(shape)}")
        return rows, columns
    rows = next(each for each in range(isqrt(n), 0, -1) if n % each == 0)
    if n > 3 * rows * rows:
        rows = isqrt(n)
    return rows, -(-n // rows)


def _rows_and_columns(shape: Any) -> Shape:
    """Return two integers above 0, or raise an error."""
    message = f"shape must be rows and columns, two integers ≥ 1 such as (25, 40), not {checks.shown(shape)}"
    if not isinstance(shape, Sequence | np.ndarray) or isinstance(shape, str | bytes):
        raise TypeError(message)
    if len(shape) != 2:
        raise ValueError(message)
    try:
        rows, columns = (checks.integer("shape", each, 1) for each in shape)
    except (TypeError, ValueError) as error:
        raise type(error)(message) from None
    return rows, columns


def grid(axis: Axes, n: int, shape: Shape, points: float) -> None:
    """Make a panel an empty grid of n units, whose cells are so many points wide."""
    rows, columns = shape
    axis.set(xlim=(-0.5, columns - 0.5), ylim=(rows - 0.5, -0.5), aspect="equal", xticks=(), yticks=())
    axis.set_facecolor(EMPTY)
    for side in axis.spines.values():
        side.set(visible=True, color=GREY, linewidth=0.8)
    if n <= FEW and points > LEAST:
        ends = [[(x - 0.5, -0.5), (x - 0.5, rows - 0.5)] for x in range(1, columns)]
        ends += [[(-0.5, y - 0.5), (columns - 0.5, y - 0.5)] for y in range(1, rows)]
        axis.add_collection(LineCollection(ends, colors=LINES, linewidths=0.5, zorder=0))
    if rows * columns > n:  # what is no unit
        first = n - (rows - 1) * columns
        axis.add_patch(Rectangle((first - 0.5, rows - 1.5), columns - first, 1, fc="white", ec="none", zorder=1))


def filled(axis: Axes, units: Bools, shape: Shape, colour: str, points: float) -> None:
    """Draw units as full squares; the smallest ones touch each other."""
    half = SIDE if points > LEAST else 0.5
    axis.add_collection(
        PolyCollection(_squares(units, shape, half), facecolors=colour, edgecolors=colour, linewidths=0)
    )


def outlined(axis: Axes, units: Bools, shape: Shape, colour: str, points: float) -> None:
    """Draw units as empty squares."""
    if points < LEAST:
        filled(axis, units, shape, colour, points)
        return
    width = _line(points)
    side = SIDE - width / points / 2
    axis.add_collection(PolyCollection(_squares(units, shape, side), facecolors="none", edgecolors=colour, lw=width))


def crossed(axis: Axes, units: Bools, shape: Shape, colour: str, points: float) -> None:
    """Draw units as crosses."""
    if points < LEAST:
        filled(axis, units, shape, colour, points)
        return
    x, y = _places(units, shape)
    width = _line(points)
    d = SIDE - width / points / 2
    lines = [[(a - d, b - s * d), (a + d, b + s * d)] for a, b in zip(x, y, strict=True) for s in (1, -1)]
    axis.add_collection(LineCollection(lines, colors=colour, linewidths=width))


def marks(hits: str, missed: str, false: str) -> list[Line2D]:
    """What hits, missed and false ones look like, with these words: for a legend."""
    look = {"linestyle": "none", "markersize": 8, "markeredgewidth": 1.6}
    return [
        Line2D([], [], marker="s", color=HIT, label=hits, **look),  # type: ignore[arg-type]
        Line2D([], [], marker="s", color=MISSED, markerfacecolor="none", label=missed, **look),  # type: ignore[arg-type]
        Line2D([], [], marker="x", color=FALSE, label=false, **look),  # type: ignore[arg-type]
    ]


def _line(points: float) -> float:
    return float(np.clip(0.16 * points, 0.6, 3.0))


def _places(units: Bools, shape: Shape) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Columns and rows of units."""
    rows, columns = np.divmod(np.flatnonzero(units), shape[1])
    return columns, rows


def _squares(units: Bools, shape: Shape, half: float) -> Any:
    """The corners of units, (units, 4, 2)."""
    centres = np.stack(_places(units, shape), axis=1)[:, None].astype(np.float64)
    return centres + half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
