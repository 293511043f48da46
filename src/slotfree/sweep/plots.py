"""The plots of sweeps: for memories what is there at first against how long it stays, for transformers how they end."""

from collections.abc import Sequence
from itertools import cycle
from typing import Any, TypeAlias

import matplotlib as mpl
import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from slotfree.attention.measures import ending
from slotfree.drawing.literal import literal
from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, PALETTE, cue_title
from slotfree.forgetting.merit import MERITS
from slotfree.sweep.parameters import Value
from slotfree.sweep.point import value_text, values_text

Chosen: TypeAlias = dict[str, Value | None]  # the swept parameters of a point
Styles: TypeAlias = dict[str, dict[Any, dict[str, Any]]]  # how each value of a parameter is drawn

MOST_NAMED = 8  # in a legend
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
SIZES = (3.5, 13.0)  # smallest and largest mark
PLAIN: dict[str, Any] = {"marker": "o", "color": BLACK, "ms": 6}  # of a mark that shows no parameter
DOTS: dict[str, Any] = {"ls": "none", "marker": "o", "ms": 4, "mew": 0, "alpha": 0.6}  # single runs
WIDE = 20  # a ratio of largest to smallest that needs a logarithmic axis
ROOM = 0.7  # of the room between two words is used


def draw_memories(chosen: Sequence[Chosen], rows: Sequence[dict[str, Any]], data: xr.Dataset) -> Picture:
    """Draw R.D. at age 1 against half-life, a panel for each cue.

    Parameters
    ----------
    chosen : the swept parameters of each point. The first is shown as colour, the second as marker, the third as size.
    rows : the table, a row for each point and cue.
    data : of all points; its cues are drawn.
    """
    cues, names, styles = data["cue"].values.tolist(), list(chosen[0]), _styles(chosen)
    columns = min(len(cues), 3)
    n_rows = -(-len(cues) // columns)
    picture = Picture(n_rows, columns, width=3.6 * columns + 1.6, height=3.6, sharex=True, sharey=True)
    axes = picture.axes.ravel()
    for axis in axes[len(cues) :]:
        axis.set_visible(False)
    for axis, cue in zip(axes, cues, strict=False):
        _panel(axis, chosen, [row for row in rows if row["cue"] == cue], styles)
        axis.set_title(cue_title(cue))
        axis.set_xlabel(MERITS["initial_raw_difference"].title)
    for axis in axes[::columns]:
        axis.set_ylabel(MERITS["half_life"].title)
    handles = []
    for name, drawn in styles.items():
        handles.append(_title(name))
        for value in some_of(list(drawn)):
            handles.append(Line2D([], [], ls="none", **PLAIN | drawn[value], label=literal(value_text(value))))
    if names[3:]:
        handles.append(_title(f"not distinguished: {', '.join(names[3:])}"))
    if handles:
        legend = picture.figure.legend(handles=handles, loc="outside right upper")
        for text in legend.get_texts():
            text.set_fontweight("bold" if text.get_text() in names else "normal")
    return picture


def draw_transformers(chosen: Sequence[Chosen], rows: Sequence[dict[str, Any]], data: xr.Dataset) -> Picture:
    """Draw the accuracy at the end of training: every run as a dot, medians as lines.

    The first swept parameter that is a number is along the axis, else the first of all; each combination of the others
    has a colour.

    Parameters
    ----------
    chosen : the swept parameters of each point.
    rows : the table; every run is drawn instead.
    data : accuracy (point, run, iteration); NaN for runs that diverged, which are not drawn.
    """
    picture = Picture(width=7.5, height=3.8)
    axis = picture.axes[0, 0]
    name, values = _along(chosen)
    groups: dict[tuple[Any, ...], dict[Any, NDArray[np.float64]]] = {}
    for i, point in enumerate(chosen):
        others = tuple((other, value) for other, value in point.items() if other != name)
        ends = ending(data["accuracy"].isel(point=i))
        groups.setdefault(others, {})[point.get(name)] = ends[np.isfinite(ends)]
    colours, named = colours_of(list(groups)), some_of(list(groups))
    for number, (others, ends_at) in enumerate(groups.items()):
        label = literal(values_text(dict(others))) if others and others in named else None
        style = {"color": colours[others], "label": label}
        if is_number(values):
            _draw_line(axis, ends_at, style)
        else:
            shift = ROOM * ((number + 0.5) / len(groups) - 0.5)
            _draw_bars(axis, {values.index(value) + shift: ends for value, ends in ends_at.items()}, style, len(groups))
    _name_values(axis, values)
    axis.set_xlabel(name)
    axis.set_ylabel("accuracy, last fifth of training")
    axis.set_title("dots: runs; lines: medians", fontsize=8)
    if any(groups):
        picture.figure.legend(loc="outside right upper")
    return picture


def values_in(chosen: Sequence[Chosen], name: str) -> list[Value | None]:
    """The values of a parameter, numbers in ascending order."""
    found = list(dict.fromkeys(point[name] for point in chosen))
    numbers = [value for value in found if isinstance(value, int | float)]
    return [*sorted(numbers), *(value for value in found if value not in numbers)]


def is_number(values: Sequence[Value | None]) -> bool:
    """Whether all values are numbers."""
    return all(isinstance(value, int | float) for value in values)


def colours_of(values: Sequence[Any]) -> dict[Any, Any]:
    """A colour for each value: in order for numbers, as different as can be for a few words."""
    if len(values) <= len(PALETTE) and not is_number(values):
        return dict(zip(values, PALETTE, strict=False))
    shades = mpl.colormaps["viridis"]
    return {value: shades(0.92 * i / max(1, len(values) - 1)) for i, value in enumerate(values)}


def some_of(values: Sequence[Any]) -> list[Any]:
    """At most eight of the values, the first and the last among them."""
    if len(values) <= MOST_NAMED:
        return list(values)
    return [values[round(i * (len(values) - 1) / (MOST_NAMED - 1))] for i in range(MOST_NAMED)]


def _styles(chosen: Sequence[Chosen]) -> Styles:
    """The colours, markers and sizes of the first three parameters; markers repeat if there are too few."""
    found: Styles = {}
    for name, attribute in zip(chosen[0], ("color", "marker", "ms"), strict=False):
        values = values_in(chosen, name)
        looks = {
            "color": colours_of(values).values(),
            "marker": cycle(MARKERS),
            "ms": np.linspace(*SIZES, len(values)).tolist(),
        }
        found[name] = {value: {attribute: look} for value, look in zip(values, looks[attribute], strict=False)}
    return found


def _panel(axis: Axes, chosen: Sequence[Chosen], rows: Sequence[dict[str, Any]], styles: Styles) -> None:
    for points in _lines(chosen, rows):
        axis.plot(*zip(*points, strict=True), color="#BBBBBB", lw=0.7, zorder=1)
    hidden = 0
    for point, row in zip(chosen, rows, strict=True):
        if not _is_known(row):
            hidden += 1
            continue
        style = dict(PLAIN)
        for name, drawn in styles.items():
            style |= drawn[point[name]]
        x, y = row["initial_raw_difference"], row["half_life"]
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
        first, *others = point.values() or (None,)
        if isinstance(first, int | float) and _is_known(row):
            found = (first, row["initial_raw_difference"], row["half_life"])
            groups.setdefault(tuple(others), []).append(found)
    return [[(x, y) for _, x, y in sorted(points)] for points in groups.values()]


def _title(text: str) -> Line2D:
    return Line2D([], [], ls="none", label=text)


def _along(chosen: Sequence[Chosen]) -> tuple[str, list[Any]]:
    """The parameter along the axis, and its values."""
    every = {name: values_in(chosen, name) for name in chosen[0]}
    numbers = [name for name, values in every.items() if is_number(values)]
    name = next(iter([*numbers, *every]), "")
    return name, every.get(name, [None])


def _draw_line(axis: Axes, ends_at: dict[Any, NDArray[np.float64]], style: dict[str, Any]) -> None:
    """Medians along numbers, and every run."""
    there = sorted(value for value, ends in ends_at.items() if len(ends))
    axis.plot(there, [np.median(ends_at[value]) for value in there], "-", lw=1.5, **style)
    for value in there:
        axis.plot(np.full(len(ends_at[value]), value), ends_at[value], **DOTS, color=style["color"])


def _draw_bars(axis: Axes, ends_at: dict[float, NDArray[np.float64]], style: dict[str, Any], count: int) -> None:
    """Medians of words, which have no order, and every run."""
    axis.plot([], [], "-", lw=2, **style)
    for place, ends in ends_at.items():
        axis.plot(np.full(len(ends), place), ends, **DOTS, color=style["color"])
        if len(ends):
            half = 0.4 * ROOM / count
            axis.hlines(np.median(ends), place - half, place + half, color=style["color"], lw=2)


def _name_values(axis: Axes, values: Sequence[Any]) -> None:
    """Name the values along the axis."""
    ticks = some_of(values)
    labels = [f"{value:.3g}" if isinstance(value, float) else literal(value_text(value)) for value in ticks]
    if values == [None]:  # nothing is swept
        axis.set_xticks([])
    elif not is_number(values):
        axis.set_xticks([values.index(value) for value in ticks], labels)
        axis.set_xlim(-0.5, len(values) - 0.5)
    else:
        if min(values) > 0 and max(values) / min(values) >= WIDE:
            log_scale(axis, "x")
        axis.set_xticks(ticks, labels)
        axis.set_xticks([], minor=True)
