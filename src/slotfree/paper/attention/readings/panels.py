"""The figure of the readings: accuracies, statistics and gradients, as taken at their word and as they are meant."""

from collections.abc import Mapping, Sequence

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from slotfree.attention.measures import ending
from slotfree.attention.weights import letter_blocks
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, BLUE, GREY, ORANGE, VERMILION
from slotfree.drawing.training import name_places
from slotfree.paper.attention import tableS1
from slotfree.paper.attention.readings.claims import printed_end
from slotfree.paper.attention.readings.equations import EQUATIONS
from slotfree.paper.attention.readings.experiments import (
    AVERAGED,
    GRADIENTS,
    SWAPPED,
    VALUES,
    VARIANCE,
    VARIANCE_KEYS,
)
from slotfree.paper.shared.similarity import WORDS, statistics
from slotfree.paper.shared.transformers import FIXED, MHN_IP, PUBLISHED, Transformer, training
from slotfree.study.experiment import Experiment
from slotfree.study.results import Results
from slotfree.study.training import weights_at

MEANT, AT_ITS_WORD = BLUE, ORANGE
AGREES = 1e-6
LABELS = (  # of EQUATIONS
    "baseline, $W_V$",
    "… summed over $b$",
    "baseline, $W_K$",
    "baseline, $W_Q$",
    "slot-free, $W_V$",
    "slot-free, $W_Q$",
    r"… with the baseline's $\hat{y}$",
    "MHN, $W_K$",
    r"… with $W_Q$ in $\hat{y}_K$",
    "QK, $W_K$",
)


def draw(r: Results) -> Picture:
    """Draw averaged gradients (A), misprinted updates (B), N(0, s) both ways (C), and gradient equations (D)."""
    picture = Picture(2, 2, width=10.5, height=3.5)
    (first, second), (third, fourth) = picture.axes
    draw_ends(picture, first, r, "averaged gradients", {t.label: (t, AVERAGED[t]) for t in AVERAGED})
    misprints = {f"{t.label}:\n$W_{{VH}}$ update": (t, VALUES[t]) for t in VALUES}
    misprints[f"{MHN_IP.label}:\n$W_Q$ in $\\hat{{y}}_K$"] = (MHN_IP, SWAPPED)
    draw_ends(picture, second, r, "misprinted updates", misprints)
    draw_spreads(picture, third, r)
    draw_gradients(picture, fourth, r)
    picture.panel(first, "A", "Gradients averaged over the batch")
    picture.panel(second, "B", "Updates as printed")
    picture.panel(third, "C", "N(0, s) with the variance s")
    picture.panel(fourth, "D", "Gradient equations")
    first.plot([], [], "o", color=MEANT, label="as it is meant: summed, replacing, $W_K$, standard deviation")
    first.plot([], [], "o", color=AT_ITS_WORD, label="the panel's reading")
    first.plot([], [], "D", mfc="none", mec=VERMILION, ms=8, label="printed")
    picture.legend_below(first, 3, "A, B: dots are runs. C: means over runs, bars: standard deviation over runs")
    return picture


def draw_ends(
    picture: Picture, axis: Axes, r: Results, reading: str, pairs: Mapping[str, tuple[Transformer, Experiment]]
) -> None:
    """Draw the accuracy of each run at the end, in a reading and as it is meant."""
    jitter = np.random.default_rng(0)
    for place, (transformer, experiment) in enumerate(pairs.values()):
        axis.plot(place, printed_end(transformer)[1], "D", mfc="none", mec=VERMILION, ms=8)
        for shift, which, colour in ((-0.16, training(transformer), MEANT), (0.16, experiment, AT_ITS_WORD)):
            ends = ending(r[which]["accuracy"])
            axis.plot(place + shift + jitter.uniform(-0.08, 0.08, len(ends)), ends, "o", ms=3.5, mew=0, color=colour)
            kind = "as it is meant" if colour == MEANT else reading
            for run, end in enumerate(ends):
                picture.record({"model": transformer.name, "reading": kind, "run": run, "ending_accuracy": float(end)})
    name_places(axis, list(pairs))
    axis.axhline(0.5, color=GREY, lw=0.6)
    axis.set(ylabel="ending accuracy (last fifth)", ylim=(0.45, 1.03))


def draw_spreads(picture: Picture, axis: Axes, r: Results) -> None:
    """Draw what table S1 prints for the transformer and for fixed keys, and what both meanings of N(0, s) give."""
    places: list[str] = []
    for transformer, by_variance in (
        (PUBLISHED, statistics(letter_blocks(weights_at(r[VARIANCE]))["key-key"])),
        (FIXED, r[VARIANCE_KEYS]["statistics"].values),
    ):
        meant = tableS1.TABLE.measured(transformer, r)
        for column in (1, 3):
            printed = tableS1.TABLE.rows[transformer.row][column]
            place = len(places)
            axis.plot(printed, place, "D", mfc="none", mec=VERMILION, ms=8)
            for kind, values, colour in (("deviation", meant, MEANT), ("variance", by_variance, AT_ITS_WORD)):
                mean, spread = values[:, column].mean(), values[:, column].std()
                at = place + (0.12 if colour == AT_ITS_WORD else -0.12)
                axis.errorbar(mean, at, xerr=spread, fmt="o", ms=4, lw=1.2, color=colour)
                row = {"model": transformer.name, "statistic": WORDS[column], "printed": printed, "s_is": kind}
                picture.record({**row, "mean": float(mean), "deviation": float(spread)}, table="-spread")
            places.append(f"{transformer.label},\n{WORDS[column].removesuffix(' range')}")
    axis.set_yticks(range(len(places)), places, fontsize=7)
    axis.invert_yaxis()
    axis.set(xlabel="range of key–key dot products within a run (table S1)", xlim=(0, None))


def draw_gradients(picture: Picture, axis: Axes, r: Results) -> None:
    """Draw how far each gradient equation is from finite differences."""
    found: xr.DataArray = r[GRADIENTS]["distance"]
    largest: Sequence[float] = found.values.max(axis=0).tolist()
    for place, (words, value) in enumerate(zip(EQUATIONS.values(), largest, strict=True)):
        axis.plot(value, place, "o", ms=5, color=BLACK if value < AGREES else AT_ITS_WORD)
        axis.axhline(place, color=GREY, lw=0.3, zorder=0)
        picture.record({"equation": words, "largest_distance": value}, table="-gradients")
    axis.set_yticks(range(len(EQUATIONS)), LABELS, fontsize=8)
    axis.invert_yaxis()
    axis.set(xscale="log", xlim=(1e-12, 10), xlabel="relative distance from finite differences")
