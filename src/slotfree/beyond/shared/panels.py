"""Panels of several studies: curves of conditions, and their runs side by side."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from slotfree.drawing.bands import band
from slotfree.drawing.picture import Picture
from slotfree.drawing.training import dots
from slotfree.study.estimate import Values

Looks: TypeAlias = Mapping[str, tuple[str, str, str]]  # by the name of a condition: label, colour and style


def curves(
    picture: Picture,
    axis: Axes,
    runs: xr.DataArray,
    looks: Looks,
    *,
    columns: tuple[str, str, str],
    over: str = "condition",
    table: str = "",
    **row: Any,
) -> None:
    """Draw the mean ± 1 standard error of some conditions, and record them.

    Parameters
    ----------
    runs : (run, condition, …), with one more dimension, against which curves are drawn.
    columns : of the table: that dimension, the mean and its standard error.
    over : the name of the dimension of conditions, in the table too.
    row : what else tells these curves from others in the table.
    """
    for name, (label, colour, style) in looks.items():
        one = runs.sel({over: name}, drop=True)
        band(picture, axis, one, colour, label, style=style, row={**row, over: name}, columns=columns, table=table)


def side_by_side(
    picture: Picture,
    axis: Axes,
    places: Mapping[str, Mapping[str, Values]],
    colours: Mapping[str, str],
    *,
    table: str = "-runs",
    **row: Any,
) -> None:
    """Draw runs as dots, with a bar at their median: several series beside each other at each place. Record them.

    Parameters
    ----------
    places : for each place by its label, for each of some series by its name, a number of each run.
    colours : of all series.
    row : what tells this panel from others in the table.
    """
    jitter, series = np.random.default_rng(0), list(colours)
    step = len(series) + 1
    for i, (place, shown) in enumerate(places.items()):
        for name, values in shown.items():
            dots(axis, step * i + series.index(name), values, colours[name], jitter)
            numbers = {"mean": values.mean(), "median": np.median(values), "least": values.min()}
            picture.record({**row, "place": place, "series": name, "runs": len(values), **numbers}, table=table)
    for name, colour in colours.items():
        axis.plot([], [], "o", color=colour, label=name)
    axis.set_xticks(step * np.arange(len(places)) + (len(series) - 1) / 2, list(places), rotation=90, fontsize=7)
    axis.tick_params(axis="x", length=0)
