"""The figure: recency with ideal slow weights (A, B), trained (D, E), and why training finds more (C, F)."""

from collections.abc import Sequence

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from slotfree.beyond.contextC2 import experiments as e
from slotfree.beyond.contextC2.claims import CEILING
from slotfree.beyond.contextC2.experiments import IDEAL, LONG, SHORT, TRAINED, overall, units
from slotfree.beyond.contextC2.measures import newest, voted
from slotfree.drawing.bands import band
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION
from slotfree.study import estimate
from slotfree.study.results import Results
from slotfree.study.trainings import Condition

COLUMNS = ("lag", "accuracy", "standard_error")
ACCURACY = "accuracy (mean ± 1 s.e.)"
TOGETHER = 4  # neighbouring lags that are averaged, of the long contexts

FULL = ((e.ONE, BLACK), (e.ONE_GRADED, VERMILION), (e.THIN, BLUE), (e.SHARED, SKY), (e.K2, GREEN), (e.K3, PURPLE))
BOTH = (
    (e.WIDE_KEYS, GREY),
    (e.THIN_BOTH, BLUE),
    (e.SHARED_BOTH, SKY),
    (e.K2_BOTH, GREEN),
    (e.K3_BOTH, PURPLE),
    (e.TOO_THIN, ORANGE),
)
SITU = (
    (e.T_ONE, BLACK),
    (e.T_GRADED, VERMILION),
    (e.T_SMALLER, ORANGE),
    (e.T_THIN, BLUE),
    (e.T_SHARED, SKY),
    (e.T_K2, GREEN),
    (e.T_K3, PURPLE),
)
PAIRS = (  # trained with projections that stay, and with redrawn ones
    ("one winner", e.T_ONE, e.R_ONE),
    ("ε = 0.3", e.T_GRADED, e.REDRAWN),
    ("ε = 0.1", e.T_SMALLER, e.R_SMALLER),
    ("thin", e.T_THIN, e.R_THIN),
    ("thin, ε = 0.3", e.T_THIN_GRADED, e.R_THIN_GRADED),
    ("k = 2, ε = 0.3", e.T_K2_GRADED, e.R_K2_GRADED),
    ("shared mask", e.T_SHARED, None),
    ("k = 2", e.T_K2, None),
    ("k = 3", e.T_K3, None),
    ("too thin", e.T_TOO_THIN, None),
    ("too thin, k = 3", e.T_TOO_THIN_K3, None),
)


def draw(r: Results) -> Picture:
    """Draw all six panels."""
    picture = Picture(2, 3, width=12.0, height=3.9)
    (full, both, why), (situ, steps, pairs) = picture.axes
    draw_recency(picture, full, r[IDEAL], FULL)
    draw_laws(full)
    control = f"{e.ONE.name}, n = {units(e.ONE)}"
    band(picture, both, curve(r[IDEAL], e.ONE), BLACK, control, row=None)  # as in A
    draw_recency(picture, both, r[IDEAL], BOTH)
    draw_recency(picture, situ, r[TRAINED], SITU)
    draw_steps(picture, steps, r[TRAINED])
    draw_pairs(picture, pairs, r[TRAINED])
    draw_why(picture, why, r[TRAINED])
    for axis, letter, title in (
        (full, "A", f"ideal slow weights, L = C = {LONG}"),
        (both, "B", "the same; thin items too"),
        (why, "C", f"what training uses (L = C = {SHORT}, ε = 0.3)"),
        (situ, "D", f"trained, L = C = {SHORT}"),
        (steps, "E", "training"),
        (pairs, "F", "trained, over all lags"),
    ):
        picture.panel(axis, letter, title)
    runs = tuple(r[experiment].sizes["run"] for experiment in (IDEAL, TRAINED))
    note = (
        f"A, B: about {e.MANY_WEIGHTS} fast weights, {runs[0]} runs, {TOGETHER} lags together. "
        f"C–F: about {e.FEW_WEIGHTS} fast weights, {runs[1]} runs. n: units. Mean ± 1 s.e.; C and F: 99% intervals."
    )
    picture.figure.supxlabel(note, fontsize=7)
    return picture


def curve(data: xr.Dataset, each: Condition) -> xr.DataArray:
    """Accuracy by lag, (run, lag); of long contexts, of several lags together."""
    one = data[["right", "asked"]].sel(condition=each.name, drop=True)
    if one.sizes["lag"] > SHORT:
        one = one.coarsen(lag=TOGETHER).sum().assign_coords(lag=np.arange(0, LONG, TOGETHER) + (TOGETHER - 1) / 2)
    return one["right"] / one["asked"]


def draw_recency(picture: Picture, axis: Axes, data: xr.Dataset, shown: Sequence[tuple[Condition, str]]) -> None:
    """Draw accuracy against lag."""
    weights = "trained" if data.sizes["lag"] == SHORT else "ideal"
    for each, colour in shown:
        name = f"{each.name.removesuffix(', both')}, n = {units(each)}"
        row = {"weights": weights, "condition": each.name, "n_hidden": units(each)}
        band(picture, axis, curve(data, each), colour, name, row=row, columns=COLUMNS)
    axis.set(ylim=(0.48, 1.02), xlabel="lag (0 = newest item)", ylabel=ACCURACY)
    axis.legend(loc="lower left", fontsize=6, ncols=2, columnspacing=0.8, handlelength=1.2)


def draw_laws(axis: Axes) -> None:
    """Draw what one winner does by formula."""
    n = units(e.ONE)
    axis.plot(np.arange(LONG), newest(n, LONG), "--", color=BLACK, lw=1)
    axis.axhline(voted(n, LONG), ls="--", color=VERMILION, lw=1)
    axis.text(LONG - 1, voted(n, LONG) + 0.008, "formula: vote", color=VERMILION, fontsize=7, ha="right")
    axis.text(9, 0.965, "formula: newest (dashed)", color=BLACK, fontsize=7)


def draw_steps(picture: Picture, axis: Axes, data: xr.Dataset) -> None:
    """Draw accuracy against steps of training, with projections that stay (lines) and redrawn ones (dotted)."""
    columns = ("iteration", "accuracy", "standard_error")
    for each, colour, style in (
        (e.T_ONE, BLACK, "-"),
        (e.R_ONE, BLACK, ":"),
        (e.T_GRADED, VERMILION, "-"),
        (e.REDRAWN, VERMILION, ":"),
        (e.LETTER, VERMILION, "--"),
        (e.T_K2_GRADED, GREEN, "-"),
        (e.R_K2_GRADED, GREEN, ":"),
    ):
        runs = data["accuracy"].sel(condition=each.name, drop=True)
        row = {"condition": each.name}
        band(picture, axis, runs, colour, each.name, style=style, row=row, columns=columns, table="-training")
    ceiling(axis)
    axis.set(ylim=(0.48, 1.02), xlabel="step of training", ylabel=ACCURACY)
    axis.legend(loc="lower right", fontsize=6.5)


def ceiling(axis: Axes) -> None:
    """Draw what a vote in each unit of the one-winner store can do."""
    axis.axhline(CEILING, color=GREY, ls="--", lw=1, label=f"vote in each of {units(e.T_ONE)} units")


def draw_pairs(picture: Picture, axis: Axes, data: xr.Dataset) -> None:
    """Draw accuracy over all lags of all trained conditions."""
    for i, (_, stays, redrawn) in enumerate(PAIRS):
        for each, colour, marker, shift in ((stays, BLUE, "o", -0.12), (redrawn, ORANGE, "s", 0.12)):
            if each is not None:
                place(picture, axis, i + shift, overall(data, each), colour, marker, each, "as trained")
    axis.plot([], [], "o", color=BLUE, label="projections stay")
    axis.plot([], [], "s", color=ORANGE, label="redrawn for each sequence")
    ceiling(axis)
    axis.set(ylim=(0.53, 1.12), ylabel="accuracy (99% interval)", yticks=np.arange(0.6, 1.01, 0.1))
    axis.set_xticks(range(len(PAIRS)), [name for name, *_ in PAIRS], rotation=90, fontsize=7)
    axis.legend(loc="upper right", fontsize=7)


def draw_why(picture: Picture, axis: Axes, data: xr.Dataset) -> None:
    """Draw what becomes of accuracy if trained weights are changed, or units wired anew."""
    shown = (("by token", e.T_GRADED), ("by letter", e.LETTER), ("redrawn", e.REDRAWN))
    ways = (
        ("as trained", BLUE, "o", -0.2),
        ("same key for both cases", VERMILION, "v", 0.0),
        ("units wired anew", PURPLE, "D", 0.2),
    )
    for i, (_, each) in enumerate(shown):
        one = data.sel(condition=each.name)
        found = (overall(data, each), one["one_key"], one["rewired"])
        for (name, colour, marker, shift), runs in zip(ways, found, strict=True):
            place(picture, axis, i + shift, runs, colour, marker, each, name)
        wrong = float(one["other_case"].mean())
        axis.text(i, 0.5, f"{wrong:.0%} of values\nsay the other case", ha="center", fontsize=7, color=GREY)
    for name, colour, marker, _ in ways:
        axis.plot([], [], marker, color=colour, label=name)
    ceiling(axis)
    axis.set(xlim=(-0.6, 2.6), ylim=(0.48, 1.15), ylabel="accuracy (99% interval)", xlabel="input projections")
    axis.set_xticks(range(len(shown)), [name for name, _ in shown])
    axis.legend(loc="upper right", fontsize=7)


def place(
    picture: Picture, axis: Axes, x: float, runs: xr.DataArray, colour: str, marker: str, each: Condition, how: str
) -> None:
    """Draw and record a mean with its 99 % interval."""
    found = estimate.mean(runs.values)
    error = np.array([[found.value - found.low], [found.high - found.value]])
    axis.errorbar(x, found.value, error, fmt=marker, color=colour, capsize=2, ms=4)
    numbers = {"accuracy": found.value, "low": found.low, "high": found.high}
    picture.record({"condition": each.name, "n_hidden": units(each), "how": how, **numbers}, table="-trained")
