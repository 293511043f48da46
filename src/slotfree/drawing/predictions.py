"""Pictures of predictions: retention curves, and maps of accuracy at first against another merit."""

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.style import AGE, BLUE, DARK_GREY, LIGHT_GREY, PALETTE
from slotfree.forgetting.merit import MERITS
from slotfree.forgetting.search import front_of


def draw_curves(curve: xr.Dataset, title: str) -> Figure:
    """Draw predicted accuracy, R.D. and d' by age, a colour for each cue; the baseline is dotted."""
    figure = Figure(figsize=(11, 3.4), layout="constrained")
    left, middle, right = figure.subplots(1, 3)
    for i, cue in enumerate(curve["cue"].values):
        one, colour = curve.sel(cue=cue), PALETTE[i % len(PALETTE)]
        left.plot(one["age"], one["accuracy"], color=colour, label=f"{100 * cue:g}% cues")
        left.axhline(float(one["baseline"]), color=colour, ls=":", lw=1)
        middle.plot(one["age"], one["raw_difference"], color=colour)
        right.plot(one["age"], one["d_prime"], color=colour)
    left.plot([], [], ":", color=DARK_GREY, label="never stored")
    left.set(ylabel="accuracy ρ", ylim=(0, 1.03))
    middle.set(ylabel="raw difference (R.D.)", ylim=(0, None))
    right.set(ylabel="sensitivity d' (paper's)", ylim=(0, None))
    for axis in (left, middle, right):
        log_scale(axis, "x")
        axis.set_xlabel(AGE)
    left.legend()
    figure.suptitle(title, fontsize=9)
    return figure


def draw_map(axis: Axes, table: xr.Dataset, merit: str) -> None:
    """Draw a merit of the members of a family (setting) against their accuracy at first, with the Pareto front."""
    x, y = table["initial_accuracy"].values, table[merit].values
    front = np.flatnonzero(front_of(table, merit))
    front = front[np.argsort(x[front])]
    axis.plot(x, y, "o", ms=2.5, color=LIGHT_GREY, label="members of the family, theory", zorder=1)
    axis.plot(x[front], y[front], "-", lw=1, color=BLUE, alpha=0.6, zorder=2)
    axis.plot(x[front], y[front], "o", ms=4, color=BLUE, label="front, theory", zorder=2)
    log_scale(axis, "y")
    axis.set(xlabel=MERITS["initial_accuracy"].title, ylabel=MERITS[merit].title if merit in MERITS else "d' (paper's)")
