"""The plot of a sweep over transformers: how training ends."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from numpy.typing import NDArray

from slotfree.attention.measures import ending
from slotfree.drawing.literal import literal
from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.sweep.colours import Chosen, colours_of, is_number, some_of, values_in
from slotfree.sweep.point import value_text, values_text

WIDE = 20  # a ratio of largest to smallest that needs a logarithmic axis
ROOM = 0.7  # of the room between two words is used


def draw_transformers(chosen: Sequence[Chosen], data: xr.Dataset) -> Picture:
    """Draw the accuracy at the end of training: every run as a dot, medians as lines.

    The first swept parameter that is a number is along the axis, else the first of all; each combination of the others
    has a colour.

    Parameters
    ----------
    chosen : the swept parameters of each point.
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
        axis.plot(
            np.full(len(ends_at[value]), value), ends_at[value], "o", ms=4, mew=0, alpha=0.6, color=style["color"]
        )


def _draw_bars(axis: Axes, ends_at: dict[float, NDArray[np.float64]], style: dict[str, Any], count: int) -> None:
    """Medians of words, which have no order, and every run."""
    axis.plot([], [], "-", lw=2, **style)
    for place, ends in ends_at.items():
        axis.plot(np.full(len(ends), place), ends, "o", ms=4, mew=0, alpha=0.6, color=style["color"])
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
