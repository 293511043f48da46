"""SI A.4: preprocessing that makes patterns less similar: conjunctions, Marr's codons, K-winner layers."""

from itertools import product

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from slotfree.drawing.bands import band
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, BLUE, GREY
from slotfree.forgetting.protocol import CUES
from slotfree.memory.base import Settings
from slotfree.memory.code_layer import CodeLayerSettings
from slotfree.memory.stacked import StackedSettings
from slotfree.paper.shared.codes import ALIKE, CODES, PAIRWISE, Coding, trees
from slotfree.paper.shared.memories import K_WINNER
from slotfree.patterns.tree import TreePatterns
from slotfree.study import Estimate, Experiment, Item, Results, Retention, estimate, measure
from slotfree.study.estimate import Values

FLIPS = (5, 10)  # b of trees whose leaves are very similar
LARGE = CodeLayerSettings(20_000, 2000, 0.02)
RECOVERY = Experiment("siA4-recovery", Coding(trees(*FLIPS), (LARGE,)), 10, few=2)


def on_leaves(name: str, memory: Settings, b: int) -> Experiment:
    """A memory of leaves; equal seeds, so that both memories store the same."""
    run = Retention(memory, TreePatterns(b, 4000), n_stored=1500, n_tested=300)
    return Experiment(f"siA4-{name}-{b}", run, 12, few=2, key=("siA4", str(b)))


PLAIN = {b: on_leaves("plain", K_WINNER.settings, b) for b in FLIPS}
STACKED = {b: on_leaves("stacked", StackedSettings(), b) for b in FLIPS}


@measure
def reductions(r: Results, code: str) -> Values:
    """By how much less codes share than patterns, at 10 % to 90 % shared ones, (run, shared)."""
    of_codes = r[PAIRWISE]["of_pairs"].sel(code=code, shared=slice(0.05, 0.95)).transpose("run", "shared")
    return np.asarray((of_codes["shared"] - of_codes).transpose("run", "shared").values)


@measure
def smallest_reduction(r: Results, code: str) -> Estimate:
    """Similarity of patterns minus that of codes, {code}: smallest at 10% to 90% shared ones."""
    return estimate.smallest_of(estimate.means(reductions(code)(r)))


@measure
def reduced_more_than_different(r: Results) -> Estimate:
    """How much more k winners and codons of equal activity reduce similarity than they differ; the smallest."""
    winners, codons = (reductions(code)(r) for code in ALIKE)
    return estimate.smallest_of(estimate.means(np.minimum(winners, codons) - np.abs(winners - codons)))


def largest_difference(r: Results) -> float:
    """Up to which k winners and codons of equal activity differ in the similarity of codes."""
    winners, codons = (reductions(code)(r).mean(axis=0) for code in ALIKE)
    return float(np.abs(winners - codons).max())


@measure
def of_leaves(r: Results, b: int, what: str) -> Values:
    """Similarity of leaves "before" and "after" a large code layer, or the share of ones "recovered", in each run."""
    values: Values = r[RECOVERY][what].sel(source=f"tree-{b}").values
    return values.reshape(len(values))


@measure
def discrimination(r: Results, e: Experiment, cue: float) -> Values:
    """Chance that a stored pattern is recalled better than one never stored (AUC), over all ages, in each run."""
    accuracy = r[e]["accuracy"].sel(cue=cue).transpose("run", "kind", "age")
    real, unseen = (accuracy.sel(kind=kind).values for kind in ("real", "pseudo"))
    above = np.sign(real[:, :, None] - unseen[:, None, :])
    areas: Values = (above.mean(axis=(1, 2)) + 1) / 2
    return areas


def draw(r: Results) -> Picture:
    """Draw similarity in and out (A), and memories with and without a code layer (B)."""
    picture = Picture(1, 2, width=8.5, height=3.4)
    similarity, memories = picture.axes[0]
    draw_similarity(picture, similarity, r[PAIRWISE]["of_pairs"])
    draw_memories(picture, memories, r)
    picture.panel(similarity, "A", "k winners and codons")
    picture.panel(memories, "B", "leaves of trees, stored")
    picture.legend_below(memories, 2, "A: mean ± 1 s.e.; B: 99% intervals; dotted: no change, chance")
    return picture


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
            found = estimate.mean(discrimination(experiments[b], cue)(r))
            label = None if i else name
            axis.errorbar(i + shift, found.value, found.reach, fmt="o", ms=5, color=colour, capsize=2, label=label)
            row = {"memory": name, "n_flips": b, "cue": cue}
            picture.record({**row, "auc": found.value, "low": found.low, "high": found.high})
    axis.axhline(0.5, color=GREY, ls=":", lw=1)
    axis.set_xticks(range(len(places)), [f"b = {b}\n{cue:.0%} cues" for b, cue in places], fontsize=8)
    axis.set(xlim=(-0.6, len(places) - 0.4), ylim=(0.45, 0.8))
    axis.set_ylabel("chance that a stored leaf\nis recalled better (AUC)")


ITEM = Item(
    name="siA4",
    number="SI A.4",
    title="Preprocessing that makes patterns less similar",
    text="A layer of k winners and a layer of Marr's codons make similar patterns less similar in much the same way. "
    "In front of a K-winner MHN such a layer helps to tell stored leaves of a tree from others if cues are whole, not "
    "if they are halves, and a large one gives every pattern back.",
    alt="Two panels. A: similarity of codes against similarity of patterns, for k winners and codons, both below the "
    "diagonal. B: how well a K-winner MHN tells stored leaves from others, with and without a code layer, for two "
    "kinds of trees and cue levels; with it is better for full cues only.",
    experiments=(PAIRWISE, RECOVERY, *PLAIN.values(), *STACKED.values()),
    draw=draw,
)
