"""The panels of the figure on preprocessing."""

from itertools import product

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from numpy.typing import NDArray

from slotfree.drawing.bands import band
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, BLUE, GREY, VERMILION
from slotfree.forgetting.protocol import CUES
from slotfree.paper.memory.siA4.codes import ALIKE, CODES, PAIRWISE
from slotfree.paper.memory.siA4.example import EXAMPLE, PAIRS, N, pair_layer
from slotfree.paper.memory.siA4.experiments import FLIPS, PLAIN, STACKED
from slotfree.paper.memory.siA4.measures import discrimination
from slotfree.study import estimate
from slotfree.study.results import Results

COLOURS = ListedColormap(["#E8E8E8", BLUE, VERMILION])


def draw(r: Results) -> Picture:
    """Draw the worked example (A, B), similarity in and out (C), and memories with and without a code layer (D)."""
    picture = Picture(2, 2, width=8.5, height=2.6, width_ratios=(6, 7), height_ratios=(1, 2.4))
    (patterns, codes), (similarity, memories) = picture.axes
    units = [str(i + 1) for i in range(N)]
    draw_units(picture, patterns, "A", "patterns", units, EXAMPLE)
    draw_units(picture, codes, "B", "codes", [f"{i + 1}{j + 1}" for i, j in PAIRS], pair_layer().encode(EXAMPLE))
    patterns.set_xlabel("unit (orange: active in both)", fontsize=8)
    codes.set_xlabel("unit 12: active if inputs 1 and 2 are", fontsize=8)
    draw_similarity(picture, similarity, r[PAIRWISE]["of_pairs"])
    draw_memories(picture, memories, r)
    picture.panel(similarity, "C", "k winners and codons")
    picture.panel(memories, "D", "leaves of trees, stored")
    picture.legend_below(memories, 2, "D: 99% intervals; dotted: chance")
    return picture


def draw_units(
    picture: Picture, axis: Axes, letter: str, title: str, labels: list[str], two: NDArray[np.uint8]
) -> None:
    """Draw which units are active in the first of two patterns or codes, in the second, and in both."""
    shared = two[0] & two[1]
    axis.imshow(np.where(two == 1, 1 + shared, 0), cmap=COLOURS, vmin=0, vmax=2, aspect="equal")
    axis.set_xticks(range(len(labels)), labels, fontsize=7)
    axis.set_yticks([0, 1], ["first", "second"])
    axis.set_xticks(np.arange(len(labels) + 1) - 0.5, minor=True)
    axis.set_yticks([-0.5, 0.5, 1.5], minor=True)
    axis.grid(which="minor", color="white", lw=2)
    axis.tick_params(which="both", length=0)
    for spine in axis.spines.values():
        spine.set_visible(False)
    picture.panel(axis, letter, f"{title}: {shared.sum()} of {two[0].sum()} shared")
    for which, active in enumerate(two, 1):
        picture.record_columns({"unit": labels, "active": active}, kind=title, which=which)


def draw_similarity(picture: Picture, axis: Axes, of_pairs: xr.DataArray) -> None:
    """Draw how much of their codes two patterns share that share some of their ones."""
    for name in ALIKE:
        _, colour, style = CODES[name]
        columns = ("similarity_in", "similarity_out", "standard_error")
        runs = of_pairs.sel(code=name, drop=True)
        band(picture, axis, runs, colour, name, style=style, row={"code": name}, columns=columns, table="-pairs")
    axis.plot([0, 1], [0, 1], ":", color=GREY, lw=1)
    axis.set(xlim=(0, 1), ylim=(0, 1.02), xlabel="similarity of two patterns", ylabel="similarity of their codes")
    axis.legend(loc="upper left")


def draw_memories(picture: Picture, axis: Axes, r: Results) -> None:
    """Draw how well memories tell stored leaves from others, with and without a code layer."""
    places = list(product(FLIPS, CUES))
    for shift, name, experiments, colour in (
        (-0.08, "K-winner MHN", PLAIN, BLACK),
        (0.08, "with a code layer", STACKED, BLUE),
    ):
        for i, (b, cue) in enumerate(places):
            found = estimate.mean(discrimination(r[experiments[b]], cue))
            label = None if i else name
            axis.errorbar(i + shift, found.value, found.reach, fmt="o", ms=5, color=colour, capsize=2, label=label)
            row = {"memory": name, "n_flips": b, "cue": cue}
            picture.record({**row, "auc": found.value, "low": found.low, "high": found.high}, table="-memories")
    axis.axhline(0.5, color=GREY, ls=":", lw=1)
    axis.set_xticks(range(len(places)), [f"b = {b}\n{cue:.0%} cues" for b, cue in places], fontsize=8)
    axis.set(xlim=(-0.6, len(places) - 0.4), ylim=(0.45, 0.8))
    axis.set_ylabel("chance that a stored leaf\nis recalled better (AUC)")
