"""Diagrams of networks from real numbers: layers of units, vectors and matrices as cells, connections and arrows.

A diagram is drawn on a canvas, whose unit of length is a tenth of an inch. Each part that is drawn is returned, so that
arrows can begin and end at its sides:

>>> from slotfree.drawing import network
>>> from slotfree.drawing.picture import Picture
>>> picture = Picture(width=3, height=2)
>>> axis = picture.axes[0, 0]
>>> network.canvas(axis, 30, 20)
>>> visible = network.layer(axis, [1, 0, 1, 0], 6, 10)
>>> hidden = network.layer(axis, [0.9, 0.1], 20, 10, shade=network.MEMORY)
>>> network.connect(axis, visible, hidden, [[1, 0, 1, 0], [0, 1, 0, 1]])
>>> network.arrow(axis, hidden.right, (28, 10), "output")
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_rgb
from matplotlib.patches import Circle, FancyArrowPatch, FancyBboxPatch, Rectangle
from numpy.typing import ArrayLike, NDArray

from slotfree.drawing.style import BLACK, BLUE, DARK_GREY, GREEN, GREY, ORANGE, PURPLE, VERMILION

Place = tuple[float, float]

SMALLEST, SMALL, NORMAL = 7.0, 7.5, 8.5  # sizes of text, in points
EDGE = 0.7  # width of outlines, in points
FAINTEST = 0.02  # connections with less than this share of the largest weight are not drawn
YELLOW_SHADE, PURPLE_SHADE, GREY_SHADE = "#FFF6D6", "#F3E6F1", "#F4F4F4"


@dataclass(frozen=True)
class Shade:
    """How numbers become colours: from white at 0 to one colour at the largest, to another at the most negative."""

    positive: str
    negative: str = "#FFFFFF"

    def colour(self, value: float, limit: float) -> tuple[float, float, float]:
        """The colour of a number; beyond ± limit it changes no more."""
        share = min(abs(value) / limit, 1.0) if limit > 0 else 0.0
        r, g, b = 1 - share * (1 - np.array(to_rgb(self.positive if value >= 0 else self.negative)))
        return float(r), float(g), float(b)


ACTIVITY = Shade(BLACK)
MEMORY = Shade(VERMILION)
SIGNED = Shade(BLUE, ORANGE)
GRADIENT = Shade(VERMILION, PURPLE)
CHANGE = Shade(GREEN)


@dataclass(frozen=True)
class Part:
    """What was drawn: the rectangle that it fills."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def centre(self) -> Place:
        """Its middle."""
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    @property
    def left(self) -> Place:
        """The middle of its left side."""
        return self.x0, self.centre[1]

    @property
    def right(self) -> Place:
        """The middle of its right side."""
        return self.x1, self.centre[1]

    @property
    def top(self) -> Place:
        """The middle of its upper side."""
        return self.centre[0], self.y1

    @property
    def bottom(self) -> Place:
        """The middle of its lower side."""
        return self.centre[0], self.y0


@dataclass(frozen=True)
class Layer(Part):
    """A layer of units: the places of their centres, and their radius."""

    places: tuple[Place, ...]
    radius: float


def canvas(axis: Axes, width: float, height: float) -> None:
    """Make an empty canvas of an axis, from (0, 0) at the lower left."""
    axis.set(xlim=(0, width), ylim=(0, height), aspect="equal")
    axis.axis("off")


def layer(
    axis: Axes,
    values: ArrayLike,
    x: float,
    y: float,
    *,
    shade: Shade = ACTIVITY,
    limit: float | None = None,
    across: bool = False,
    radius: float = 0.8,
    gap: float = 0.5,
    edges: Sequence[str] | str = DARK_GREY,
    words: Sequence[str] = (),
) -> Layer:
    """Draw units as circles around (x, y), the first at the top, or at the left if ``across``; colours are activities.

    Parameters
    ----------
    values : the activity of each unit, (n,).
    limit : the activity with the full colour; None is the largest.
    radius, gap : of a unit, and between neighbours.
    edges : the colours of their outlines, or the same for all.
    words : what is written in each unit, if anything.
    """
    activity = np.asarray(values, np.float64)
    n = activity.size
    if activity.ndim != 1 or not n:
        raise ValueError(f"values must be the activity of each unit, (n,), not of shape {activity.shape}")
    largest = _limit(activity, limit)
    along = (np.arange(n) - (n - 1) / 2) * (2 * radius + gap)
    places = tuple((x + float(d), y) if across else (x, y - float(d)) for d in along)
    outlines = [edges] * n if isinstance(edges, str) else edges
    for place, value, edge in zip(places, activity, outlines, strict=True):
        width = EDGE if edge == DARK_GREY else 2.5 * EDGE
        axis.add_patch(Circle(place, radius, fc=shade.colour(value, largest), ec=edge, lw=width, zorder=3))
    if words and len(words) != n:
        raise ValueError(f"words must be one for each of {n} units, not {len(words)}")
    for (left, up), value, word in zip(places, activity, words, strict=bool(words)):
        text(axis, left, up, word, size=SMALL, colour=_ink(shade.colour(value, largest)))
    half = float(along[-1]) + radius
    dx, dy = (half, radius) if across else (radius, half)
    return Layer(x - dx, y - dy, x + dx, y + dy, places, radius)


def cells(
    axis: Axes,
    values: ArrayLike,
    x: float,
    y: float,
    *,
    shade: Shade = SIGNED,
    limit: float | None = None,
    size: float | Place = 1.5,
    write: Callable[[float], str] | None = None,
    frame: str = "",
    missing: str = "#FFFFFF",
) -> Part:
    """Draw a matrix, (rows, columns), or a vector as a column, (n,), as shaded cells around (x, y).

    Parameters
    ----------
    limit : the number with the full colour; None is the largest.
    size : of a cell: a side, or width and height.
    write : gives the text in each cell; None leaves them empty.
    frame : the colour of a frame around all; empty for a thin grey one.
    missing : the colour of NaN.
    """
    matrix = np.asarray(values, np.float64)
    matrix = matrix[:, None] if matrix.ndim == 1 else matrix
    rows, columns = matrix.shape
    dx, dy = (size, size) if isinstance(size, int | float) else size
    x0, y1, largest = x - columns * dx / 2, y + rows * dy / 2, _limit(matrix, limit)
    squares, colours = [], []
    for (i, j), value in np.ndenumerate(matrix):
        left, top = x0 + j * dx, y1 - i * dy
        colour = to_rgb(missing) if np.isnan(value) else shade.colour(value, largest)
        squares.append([(left, top), (left + dx, top), (left + dx, top - dy), (left, top - dy)])
        colours.append(colour)
        if write is not None and not np.isnan(value):
            text(axis, left + dx / 2, top - dy / 2, write(value), size=SMALL, colour=_ink(colour))
    axis.add_collection(PolyCollection(squares, facecolors=colours, edgecolors="#DDDDDD", linewidths=0.5, zorder=2))
    part = Part(x0, y1 - rows * dy, x0 + columns * dx, y1)
    axis.add_patch(Rectangle((part.x0, part.y0), columns * dx, rows * dy, fill=False, ec=GREY, lw=EDGE, zorder=3))
    if frame:
        outline(axis, part, frame)
    return part


def connect(
    axis: Axes,
    source: Layer,
    target: Layer,
    weights: ArrayLike,
    *,
    shade: Shade = SIGNED,
    limit: float | None = None,
    widest: float = 1.8,
    faint: bool = False,
) -> None:
    """Draw connections between layers, (target units, source units): width and colour are the weights.

    Weights of 0, or nearly, are not drawn. ``faint`` ones stay in the background.
    """
    W = np.asarray(weights, np.float64)
    if W.shape != (len(target.places), len(source.places)):
        raise ValueError(
            f"weights must have the shape {(len(target.places), len(source.places))}, of the layers, not {W.shape}"
        )
    if set(source.places) & set(target.places):
        raise ValueError("target must be a layer beside source, but they share places")
    largest = _limit(W, limit)
    lines, colours, widths = [], [], []
    for flat in np.argsort(np.abs(W), axis=None):  # strong ones on top
        i, j = divmod(int(flat), W.shape[1])
        share = min(abs(W[i, j]) / largest, 1.0)
        if share > FAINTEST:
            lines.append(_between(source.places[j], source.radius, target.places[i], target.radius))
            colours.append(shade.colour(0.25 * W[i, j] if faint else W[i, j], largest))
            widths.append(max(widest * share, 0.3))
    axis.add_collection(LineCollection(lines, colors=colours, linewidths=widths, zorder=1))


def arrow(
    axis: Axes,
    start: Place,
    end: Place,
    label: str = "",
    *,
    colour: str = DARK_GREY,
    width: float = 1.2,
    bend: float = 0.0,
    side: float = 1.2,
    size: float = NORMAL,
) -> None:
    """Draw an arrow, with a label at its middle.

    Parameters
    ----------
    bend : how far it bows to its right, as a share of its length.
    side : how far the label stands off, to the left of the arrow's direction; negative to the right.
    """
    style: dict[str, Any] = {
        "arrowstyle": "-|>",
        "mutation_scale": 7 + 2 * width,
        "shrinkA": 1.5,
        "shrinkB": 1.5,
        "lw": width,
    }
    bow = f"arc3,rad={bend}"
    axis.add_patch(FancyArrowPatch(start, end, connectionstyle=bow, color=colour, zorder=4, **style))
    if label:
        (x0, y0), (x1, y1) = start, end
        length = max(np.hypot(x1 - x0, y1 - y0), 1e-9)
        nx, ny = -(y1 - y0) / length, (x1 - x0) / length
        off = side - bend * length / 2
        text(axis, (x0 + x1) / 2 + nx * off, (y0 + y1) / 2 + ny * off, label, colour=colour, size=size)


def box(axis: Axes, part: Part, *, colour: str = GREY_SHADE, edge: str = "none", margin: float = 1.0) -> Part:
    """Draw a shaded rectangle with round corners behind a part, and return it."""
    around = Part(part.x0 - margin, part.y0 - margin, part.x1 + margin, part.y1 + margin)
    size = (around.x1 - around.x0, around.y1 - around.y0)
    rounding = "round,pad=0,rounding_size=0.8"
    axis.add_patch(
        FancyBboxPatch((around.x0, around.y0), *size, boxstyle=rounding, fc=colour, ec=edge, lw=EDGE, zorder=0)
    )
    return around


def outline(axis: Axes, part: Part, colour: str) -> None:
    """Draw a frame around a part."""
    size = (part.x1 - part.x0, part.y1 - part.y0)
    axis.add_patch(Rectangle((part.x0, part.y0), *size, fill=False, ec=colour, lw=1.6, zorder=4))


def row(part: Part, n_rows: int, number: int) -> Part:
    """One row of cells that were drawn."""
    height = (part.y1 - part.y0) / n_rows
    return Part(part.x0, part.y1 - (number + 1) * height, part.x1, part.y1 - number * height)


def column(part: Part, n_columns: int, number: int) -> Part:
    """One column of cells that were drawn."""
    width = (part.x1 - part.x0) / n_columns
    return Part(part.x0 + number * width, part.y0, part.x0 + (number + 1) * width, part.y1)


def text(
    axis: Axes,
    x: float,
    y: float,
    words: str,
    *,
    size: float = NORMAL,
    colour: str = BLACK,
    align: str = "center",
    weight: str = "normal",
) -> None:
    """Write words around (x, y), or from there on if ``align`` is "left", or up to there if it is "right"."""
    axis.text(x, y, words, fontsize=size, color=colour, ha=align, va="center", fontweight=weight, zorder=5)


def name_units(axis: Axes, units: Layer, names: Sequence[str], *, dx: float = 0.0, dy: float = 0.0) -> None:
    """Write a name beside each unit, (dx, dy) from its centre."""
    for (x, y), name in zip(units.places, names, strict=True):
        text(axis, x + dx, y + dy, name, size=SMALLEST)


def name_columns(axis: Axes, part: Part, names: Sequence[str]) -> None:
    """Write a name below each column of cells that were drawn."""
    for i, name in enumerate(names):
        place = column(part, len(names), i)
        text(axis, place.centre[0], place.y0 - 1.0, name, size=SMALLEST)


def key(axis: Axes, x: float, y: float, shade: Shade, words: str, *, limit: float = 1.0, signed: bool = False) -> None:
    """Explain a shade: a small row of cells from the smallest to the largest number, and what they show."""
    ends = np.linspace(-limit if signed else 0.0, limit, 5)
    part = cells(axis, ends[None], x + 3, y, shade=shade, limit=limit, size=(1.2, 0.9))
    low = f"−{limit:.2g}" if signed else "0"
    text(axis, part.x0 - 0.4, y, low, size=SMALL, align="right")
    text(axis, part.x1 + 0.4, y, f"{limit:.2g}  {words}", size=SMALL, align="left")


def signed(value: float, digits: int = 2) -> str:
    """A number for a small place: with a real minus, and no 0 before the point."""
    words = f"{value:.{digits}f}"
    if float(words) == 0:
        return "0"
    return words.replace("-", "−").replace("0.", ".", 1) if abs(value) < 1 else words.replace("-", "−")


def around(*parts: Part) -> Part:
    """The rectangle that holds several parts."""
    return Part(
        min(part.x0 for part in parts),
        min(part.y0 for part in parts),
        max(part.x1 for part in parts),
        max(part.y1 for part in parts),
    )


def _limit(values: NDArray[np.float64], limit: float | None) -> float:
    largest = float(np.nanmax(np.abs(values), initial=0.0)) if limit is None else limit
    return largest if largest > 0 else 1.0


def _between(start: Place, first: float, end: Place, last: float) -> list[Place]:
    """The line between two circles, from rim to rim."""
    (x0, y0), (x1, y1) = start, end
    length = float(np.hypot(x1 - x0, y1 - y0))
    a, b = first / length, 1 - last / length
    return [(x0 + a * (x1 - x0), y0 + a * (y1 - y0)), (x0 + b * (x1 - x0), y0 + b * (y1 - y0))]


def _ink(background: tuple[float, float, float]) -> str:
    """Black or white, whichever is read on a colour."""
    r, g, b = background
    return "#FFFFFF" if 0.3 * r + 0.59 * g + 0.11 * b < 0.55 else BLACK
