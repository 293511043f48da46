"""The panels: controls, the grid, where items are stored, and variants."""

from collections.abc import Sequence

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from slotfree.attention.measures import SMOOTHED
from slotfree.beyond.contextC1 import experiments as e
from slotfree.drawing.bands import band
from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, BLUE, DARK_GREY, GREEN, GREY, LIGHT_GREY, ORANGE, PURPLE, SKY, VERMILION
from slotfree.drawing.training import name_places
from slotfree.study.estimate import Values, jackknife_error
from slotfree.study.results import Results
from slotfree.study.trainings import ended, learnt_at

CURVES = {
    e.PUBLISHED: (BLACK, "-"),
    e.ZERO: (SKY, "-"),
    e.BOTH: (BLUE, "-"),
    e.SLOWER: (LIGHT_GREY, "-"),
    e.BARE: (BLACK, "--"),
    e.BARE_BOTH: (BLUE, "--"),
    e.THIN: (VERMILION, "--"),
}
COLOURS = dict(zip(e.KS, (BLUE, VERMILION, GREEN, PURPLE), strict=True))
SIZES = dict(zip(e.UNITS, ("o--", "s-", "^:"), strict=True))
STORED = {
    e.WHOLE: (BLUE, "o-"),
    e.THREE: (SKY, "o--"),
    e.CENTRED: (GREEN, "s-"),
    e.SHARED: (ORANGE, "^-"),
    e.PART: (VERMILION, "o-"),
}
PLACE_COLOURS = {e.WITH: DARK_GREY, e.WITHOUT: VERMILION}


def draw(r: Results) -> Picture:
    """Draw controls (A), the grid (B to D), where items are stored (E, F), and variants (G)."""
    picture = Picture(3, 3, width=11.0, height=3.2)
    draw_controls(picture, r[e.CONTROLS])
    for axis, letter, place in ((picture.axes[0, 1], "B", e.WITHOUT), (picture.axes[0, 2], "C", e.WITH)):
        draw_grid(picture, axis, ended(r[e.GRID]), place)
        axis.set(ylabel="accuracy at the end", ylim=(0.6, 1.02))
        picture.panel(axis, letter, f"{place} projections, 400 steps")
    picture.axes[0, 1].legend(handles=legend_of_grid(), fontsize=6.5, ncols=2, loc="lower left")
    draw_steps(picture, r)
    draw_storing(picture, r[e.STORED])
    draw_sums(picture, r[e.STORED])
    draw_variants(picture, r[e.VARIED])
    few, many = (r[experiment].sizes["run"] for experiment in (e.GRID, e.VARIED))
    picture.figure.supxlabel(
        f"Case Sequence Task, L = C = 4, key_dim 50; {few} runs, {many} in G. A: median, least to largest; B, C, E: "
        "mean ± 1 s.e.; F: ± 1 s.e. over runs; G: each run, bar: median. Means over 25 steps.",
        fontsize=7,
    )
    return picture


def draw_controls(picture: Picture, data: xr.Dataset) -> None:
    """Draw accuracy along training for the paper's storage, taken apart."""
    axis = picture.axes[0, 0]
    for name, (colour, style) in CURVES.items():
        curve(picture, axis, data["accuracy"].sel(condition=name, drop=True), colour, style, name)
    lost = data["accuracy"].sel(condition=e.ONLY_Z).isnull().all("iteration")
    axis.plot([], [], " ", label=f"Z alone diverges in {int(lost.sum())} of {lost.size} runs")
    axis.set(xlim=(0, e.STEPS), ylim=(0.1, 1.02), xlabel="training step", ylabel="accuracy")
    axis.legend(fontsize=6, loc="lower right")
    picture.panel(axis, "A", "one winner ($n_h$ = 16), thin units")


def curve(picture: Picture, axis: Axes, runs: xr.DataArray, colour: str, style: str, name: str) -> None:
    """Draw the median over runs, with a band from the least to the largest, and record them."""
    known = runs.isel(iteration=runs.notnull().any("run").values)
    steps = known["iteration"].values
    median, least, largest = known.median("run").values, known.min("run").values, known.max("run").values
    axis.fill_between(steps + SMOOTHED / 2, least, largest, color=colour, alpha=0.12, lw=0)
    axis.plot(steps + SMOOTHED / 2, median, style, color=colour, lw=1.4, label=name)
    columns = {"step": steps, "median": median, "least": least, "largest": largest}
    picture.record_columns(columns, condition=name)


def draw_grid(picture: Picture, axis: Axes, end: xr.DataArray, place: str) -> None:
    """Draw the accuracy at the end against the fan-in."""
    for k, colour in COLOURS.items():
        for n_hidden, style in SIZES.items():
            fs = [f for f in e.FS if (k, f, n_hidden, place) in e.CELLS]
            if fs:
                runs = end.sel(condition=[e.cell(k, f, n_hidden, place) for f in fs]).rename(condition="f")
                band(picture, axis, runs.assign_coords(f=beside(fs, k)), colour, "", style=style, row=None)
    name_fans(axis)


def legend_of_grid() -> list[Line2D]:
    """Handles for the colours and the lines of the grid."""
    lines = [Line2D([], [], color=colour, label=f"K = {k}") for k, colour in COLOURS.items()]
    for n_hidden, style in SIZES.items():
        lines.append(Line2D([], [], marker=style[0], ls=style[1:], ms=3, color=GREY, label=f"$n_h$ = {n_hidden}"))
    return lines


def beside(fs: Sequence[float], k: int) -> list[float]:
    """Fan-ins, moved a little for each K, so that points do not hide each other."""
    return [f * 1.06 ** (e.KS.index(k) - 1.5) for f in fs]


def name_fans(axis: Axes) -> None:
    """Make the axis that of fan-ins."""
    log_scale(axis, "x")
    axis.set_xticks(e.FS, [f"{f:g}" for f in e.FS])
    axis.minorticks_off()
    axis.set_xlabel("fan-in f, part of the key that a unit sees")


def draw_steps(picture: Picture, r: Results) -> None:
    """Draw the steps to 0.99 against the fan-in, and record the whole grid."""
    axis = picture.axes[1, 0]
    end, steps = ended(r[e.GRID]), learnt_at(r[e.GRID])
    for k, colour in COLOURS.items():
        for place, style in ((e.WITHOUT, "s-"), (e.WITH, "o:")):
            fs = [f for f in e.FS if (k, f, 160, place) in e.CELLS]
            medians = [float(steps.sel(condition=e.cell(k, f, 160, place)).median()) for f in fs]
            axis.plot(beside(fs, k), np.where(np.isfinite(medians), medians, np.nan), style, ms=3, color=colour, lw=1.3)
    for k, f, n_hidden, place in e.CELLS:
        runs, at = (x.sel(condition=e.cell(k, f, n_hidden, place)).values for x in (end, steps))
        error = runs.std(ddof=1) / len(runs) ** 0.5 if len(runs) > 1 else np.nan
        numbers = {"accuracy": runs.mean(), "standard_error": error, "least": runs.min()}
        row = {"k": k, "fan_in": f, "n_hidden": n_hidden, "projections": place, **numbers}
        picture.record(
            {**row, "median_steps": float(np.median(at)), "learnt": int(np.isfinite(at).sum())}, table="-grid"
        )
    for name, colour in ((e.PUBLISHED, BLACK), (e.BOTH, BLUE)):
        level = float(learnt_at(r[e.CONTROLS]).sel(condition=name).median())
        if np.isfinite(level):
            axis.axhline(level, color=colour, lw=1)
            axis.annotate(f"one winner, {name}", (0.04, level), (0, 2), textcoords="offset points", fontsize=6.5)
    name_fans(axis)
    axis.plot([], [], "s-", ms=3, color=GREY, label="without projections")
    axis.plot([], [], "o:", ms=3, color=GREY, label="with projections")
    axis.set(ylim=(0, 700), ylabel="steps to 0.99, median")
    axis.legend(fontsize=6.5, loc="upper right", bbox_to_anchor=(1, 0.75))
    picture.panel(axis, "D", "speed, $n_h$ = 160")


def draw_storing(picture: Picture, data: xr.Dataset) -> None:
    """Draw how often an item is stored in a unit that holds another, along training."""
    axis = picture.axes[1, 1]
    for name, (colour, style) in STORED.items():
        runs = data["storage"].sel(measure="taken", case=name, drop=True)
        columns = ("step", "share_taken", "standard_error")
        row = {"case": name}
        band(picture, axis, runs, colour, name, style=style, row=row, columns=columns, table="-storing")
    axis.set(xlabel="training step", ylabel="winners that held another item", ylim=(-0.01, 0.5))
    axis.legend(fontsize=6.5, ncols=2, loc="upper left")
    picture.panel(axis, "E", "no projections, $n_h$ = 40")


def draw_sums(picture: Picture, data: xr.Dataset) -> None:
    """Draw the same before training, by the sum of the key's components."""
    axis = picture.axes[1, 2]
    taken, items = data["taken_in_bin"], data["in_bin"]
    for name in (e.WHOLE, e.THREE, e.PART):
        colour, style = STORED[name]
        of, n = taken.sel(case=name).values, items.sel(case=name).values
        known = (n > 0).sum(axis=0) > 1
        share = of.sum(axis=0)[known] / n.sum(axis=0)[known]
        error = [jackknife_error(without) for without in shares_without(of[:, known], n[:, known])]
        sums = data["sum"].values[known]
        axis.errorbar(sums, share, error, fmt=style, ms=3, lw=1.4, color=colour, label=name)
        columns = {"sum": sums, "share_taken": share, "standard_error": error}
        picture.record_columns(columns, table="-sums", case=name)
    axis.axvline(0, color=GREY, lw=0.8, ls=":")
    axis.set(xlabel=r"sum of the key's components, $\Sigma_j k_j$", ylabel="winners that held another item")
    axis.legend(fontsize=6.5)
    picture.panel(axis, "F", "before training")


def shares_without(of: Values, n: Values) -> Values:
    """Shares of each bin without each of the runs, (bin, run)."""
    rest = np.maximum(n.sum(axis=0) - n, 1)
    shares: Values = (of.sum(axis=0) - of) / rest
    return shares.T


def draw_variants(picture: Picture, data: xr.Dataset) -> None:
    """Draw how runs of all variants end."""
    axis, end, steps = picture.across(2), ended(data), learnt_at(data)
    jitter = np.random.default_rng(0)
    for i, label in enumerate(e.VARIANTS):
        for shift, (place, colour) in zip((-0.2, 0.2), PLACE_COLOURS.items(), strict=True):
            name = e.variant(label, place)
            runs = end.sel(condition=name).values
            around = i + shift + jitter.uniform(-0.1, 0.1, len(runs))
            axis.plot(
                around, runs, "o", ms=4, mew=0, color=colour, alpha=0.7, label=f"{place} projections" if not i else None
            )
            axis.hlines(np.median(runs), i + shift - 0.16, i + shift + 0.16, color="black", lw=2)
            row = {"variant": label, "projections": place, "median": float(np.median(runs)), "least": runs.min()}
            picture.record({**row, "median_steps": float(steps.sel(condition=name).median())}, table="-variants")
    name_places(axis, e.VARIANTS)
    axis.set(ylabel="accuracy at the end", xlim=(-0.5, len(e.VARIANTS) - 0.5))
    axis.axhline(1, color=GREY, lw=0.8, ls=":")
    axis.legend(loc="lower left", fontsize=7)
    picture.panel(axis, "G", "K = 3 thin winners, f = 0.1, $n_h$ = 50, 600 steps: key rules, and what is changed")
