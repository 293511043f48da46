"""Curves against anything but age: the mean over runs, with a band for its uncertainty or for their spread."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from slotfree.drawing.picture import Picture


def band(
    picture: Picture,
    axis: Axes,
    runs: xr.DataArray,
    colour: str,
    label: str,
    *,
    style: str = "-",
    deviation: bool = False,
    row: Mapping[str, Any] | None,
    columns: tuple[str, str, str] = ("at", "mean", "standard_error"),
    table: str = "",
) -> None:
    """Draw the mean over runs of a curve, with a band of ± 1 standard error, and record it.

    Parameters
    ----------
    runs : (run, …), with one more dimension, whose coordinate is what the curve is drawn against.
    deviation : whether the band is ± 1 standard deviation of the runs instead.
    row : what tells this curve from the others in the table; None if it is in the table already.
    columns : of the table: the coordinate, the mean, and the half width of the band.
    """
    x = next(runs[name] for name in runs.dims if name != "run").values
    mean, width = runs.mean("run").values, spread(runs).values
    if not deviation:
        width = width / np.sqrt(runs.sizes["run"])
    if row is not None:
        picture.record_columns(dict(zip(columns, (x, mean, width), strict=True)), table=table, **row)
    low, high = mean - width, mean + width
    if axis.get_yscale() == "log":  # which has no place for 0
        mean, low, high = np.where(mean > 0, [mean, np.maximum(low, 1e-9), high], np.nan)
    axis.fill_between(x, low, high, color=colour, alpha=0.25, lw=0)
    axis.plot(x, mean, style, ms=3, color=colour, lw=1.5, label=label or None)


def spread(runs: xr.DataArray) -> xr.DataArray:
    """Standard deviation over runs (ddof 1), NaN for a single one."""
    return runs.std("run", ddof=1) if runs.sizes["run"] > 1 else runs.isel(run=0, drop=True) * np.nan
