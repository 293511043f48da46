"""How figures look: one style, curves by age with uncertainty, marks of reliable differences."""

import io
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from slotfree.forgetting import metrics
from slotfree.paper.scale import Scale

STYLE: dict[Any, Any] = {
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 10,
    "figure.dpi": 100,
    "font.size": 9,
    "legend.fontsize": 8,
    "legend.frameon": False,
    "savefig.dpi": 160,
    "svg.fonttype": "path",
    "svg.hashsalt": "slotfree",
}
AVERAGED = "lines and bands: neighbouring ages averaged, mean ± 1 s.e."
EVERY_AGE = f"{AVERAGED}; faint lines: each age"
BARS = "bars: ages where one leads, p < 0.01"
CUE_TITLES = {1.0: "100% cues", 0.5: "50% cues"}


def new_figure(
    rows: int, columns: int, scale: Scale, *, width: float = 8.5, height: float = 3.0, **options: Any
) -> tuple[Figure, NDArray[Any]]:
    """Return a figure and its axes as an array (rows, columns); height is that of a row, in inches.

    Items are made under STYLE. A figure that was not made at the paper's scale says so.
    """
    figure = Figure(figsize=(width, height * rows), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, **options)
    if not scale.is_paper:
        figure.suptitle(f"{scale.name} scale, not the paper's", color="#B00020", fontsize=9)
    return figure, axes


def lay_out(figure: Figure) -> None:
    """Place everything now and for good: saving would do it again for each file."""
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
    figure.set_layout_engine("none")


def pictures(figure: Figure) -> Iterator[tuple[str, bytes]]:
    """Return a figure as files: suffix and content, the same bytes each time."""
    lay_out(figure)  # once for both files
    for suffix, metadata in (("svg", {"Date": None}), ("png", {"Software": None})):
        content = io.BytesIO()
        figure.savefig(content, format=suffix, metadata=metadata)
        yield suffix, content.getvalue()


def panel(axis: Axes, letter: str, title: str = "") -> None:
    """Mark a panel with the paper's letter."""
    axis.set_title(title)
    axis.set_title(letter, loc="left", fontweight="bold")


def age_axis(axis: Axes, n_ages: int, label: bool = True) -> None:
    """Ages on a logarithmic axis: young ones, where much happens, have room."""
    axis.set_xscale("log")
    axis.set_xlim(0.9, n_ages * 1.1)
    ticks = [age for age in (1, 10, 100, 1000) if age <= n_ages]
    axis.set_xticks(ticks, [str(age) for age in ticks])
    if label:
        axis.set_xlabel("memory age (1 = newest)")


def by_age(
    axis: Axes, samples: xr.DataArray, colour: str, label: str, *, style: str = "-", every_age: bool = True
) -> None:
    """Draw the mean over samples (or runs) of a curve by age.

    Faint, each age (if asked for); solid, ages averaged within a sixteenth of a decade; band: ± 1 standard error.
    """
    members = next(str(name) for name in samples.dims if name != "age")
    values = samples.transpose(members, "age").values
    values = np.where(np.isfinite(values), values, np.nan)
    ages = samples["age"].values
    edges = np.unique(np.geomspace(1, len(ages) + 1, int(16 * np.log10(len(ages))) + 1).round().astype(int))
    with np.errstate(invalid="ignore"):
        binned = np.array([_mean(values[:, a - 1 : b - 1].T) for a, b in pairwise(edges)]).T
        mean, count = _mean(binned), np.isfinite(binned).sum(axis=0)
        error = np.sqrt(np.nansum((binned - mean) ** 2, axis=0) / np.maximum(count - 1, 1) / np.maximum(count, 1))
    centres = np.sqrt(edges[:-1] * (edges[1:] - 1.0))
    if every_age:
        axis.plot(ages, _mean(values), style, color=colour, lw=0.5, alpha=0.3, rasterized=True)
    axis.fill_between(centres, mean - error, mean + error, color=colour, alpha=0.25, lw=0)
    axis.plot(centres, mean, style, color=colour, lw=1.5, label=label)


def _mean(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean over the first axis of what is not NaN; NaN where all is."""
    count = np.isfinite(values).sum(axis=0)
    mean: NDArray[np.float64] = np.nansum(values, axis=0) / np.where(count > 0, count, np.nan)
    return mean


def lead_marks(axis: Axes, a: xr.DataArray, a_colour: str, b: xr.DataArray, b_colour: str) -> None:
    """Draw a segment above the curves for each age at which a, or b, reliably leads; a's row is the upper one."""
    for row, (lead, colour) in enumerate(((metrics.leads(a, b), a_colour), (metrics.leads(b, a), b_colour))):
        ages = lead["age"].values[lead.values]
        height = 0.985 - 0.03 * row
        axis.hlines(
            np.full(len(ages), height),
            ages - 0.5,
            ages + 0.5,
            color=colour,
            lw=2.5,
            transform=axis.get_xaxis_transform(),
        )


def legend_below(figure: Figure, axis: Axes, columns: int, note: str = "") -> None:
    """Name the curves of an axis below the figure, where they hide nothing, under a note on how they are drawn."""
    handles, labels = axis.get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="outside lower center", ncols=columns, frameon=False, title=note or None, title_fontsize=7
    )


def lead_legend(axis: Axes) -> None:
    """Name the curves and the bars of ``lead_marks``."""
    legend_on_white(axis, title=BARS, title_fontsize=8)


def legend_on_white(axis: Axes, **options: Any) -> None:
    """Name the curves in the lower left corner, on a ground that hides what runs behind the words."""
    axis.legend(
        loc="lower left", alignment="left", frameon=True, framealpha=0.9, facecolor="white", edgecolor="none", **options
    )


def d_prime_axis(axis: Axes) -> None:
    """d' on an axis that is linear up to 1 and logarithmic beyond: it runs from tens to zero."""
    axis.set_yscale("symlog", linthresh=1, linscale=1)
    axis.set_ylim(-0.5, 150)
    axis.set_yticks([0, 0.5, 1, 3, 10, 30, 100], ["0", "0.5", "1", "3", "10", "30", "100"])
    axis.axhline(0, color="#999999", lw=0.6)
