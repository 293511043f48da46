"""Figure S6: sensitivity by age for structured patterns, from very similar (b = 5) to unstructured ones."""

from itertools import pairwise

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree.drawing import ages
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BARS, EVERY_AGE
from slotfree.paper.shared.memories import (
    K_WINNER,
    ONE_WINNER,
    TREE_FLIPS,
    Model,
    all_on_trees,
    on_more_trees,
    on_random,
    on_trees,
)
from slotfree.paper.shared.trees import draw_histogram, trained_similarity
from slotfree.patterns.random import random_patterns
from slotfree.patterns.similarity import mean_similarity
from slotfree.patterns.tree import TreePatterns
from slotfree.runs.seeds import seed_for
from slotfree.study import Estimate, Experiment, Item, Results, curves, estimate, measure
from slotfree.study.estimate import Values

CUE = 1.0
CASES: tuple[int | None, ...] = (*TREE_FLIPS, None)  # None: no structure
PAIR = (K_WINNER, ONE_WINNER)
EVERY = (1, 1000)
N_SHOWN = 2000  # patterns whose similarity an inset shows, as in the paper

Ages = tuple[int, int]


def experiments(model: Model, b: int | None) -> tuple[Experiment, ...]:
    """The experiments of a panel."""
    return (on_random(model),) if b is None else (on_trees(model, b), on_more_trees(model, b))


@measure
def d_prime(r: Results, model: Model, b: int | None) -> xr.DataArray:
    """d' of a memory in a panel, (sample, age)."""
    return curves.d_prime(r[on_random(model)] if b is None else all_on_trees(r, model, b), CUE)


def draw(r: Results) -> Picture:
    """Draw d' of both models for six kinds of patterns, each with a histogram of their similarity, 100% cues."""
    picture = Picture(2, 3, width=10.5, height=3.0, sharey=True)
    for axis, letter, b in zip(picture.axes.flat, "ABCDEF", CASES, strict=True):
        found = [(model, d_prime(model, b)(r)) for model in PAIR]
        ages.compared(picture, axis, found, row={"model": "", "n_flips": "none" if b is None else b})
        ages.age_axis(axis, found[0][1].sizes["age"], label=letter in "DEF")
        ages.d_prime_axis(axis, label=letter in "AD")
        patterns = sample(r.seed, b)
        similar = mean_similarity(patterns) if b is None else trained_similarity(r.seed, b).mean()
        name = "random" if b is None else f"b = {b}"
        picture.panel(axis, letter, f"{name}, mean similarity {similar:.2f} (inset)")
        inset = axis.inset_axes((0.68, 0.75, 0.28, 0.17))
        draw_histogram(inset, patterns)
        inset.set(yticks=[], xlim=(0, 1), xticks=[0, 0.5, 1])
        inset.tick_params(labelsize=7)
    picture.legend_below(picture.axes[0, 0], 2, f"{EVERY_AGE}; {BARS}")
    return picture


def sample(seed: int, b: int | None) -> NDArray[np.uint8]:
    """Patterns as memories are trained with, to show how similar they are."""
    source = random_patterns if b is None else TreePatterns(b)
    return source(N_SHOWN, seed=seed_for(seed, "similarity", *([] if b is None else [b])))


@measure
def leads(r: Results, b: int | None, window: Ages) -> Values:
    """Lead of the K-winner in d', mean over ages, in each sample."""
    k, one = (curves.over_ages(d_prime(model, b)(r), window) for model in PAIR)
    return k - one


@measure
def lead(r: Results, b: int | None, window: Ages) -> Estimate:
    """The same, its mean over samples."""
    return curves.lead(d_prime(K_WINNER, b)(r), d_prime(ONE_WINNER, b)(r), window)


@measure
def block_leads(r: Results, b: int) -> list[Estimate]:
    """The same in blocks of all ages, at a joint level of 1 %."""
    return curves.block_leads(d_prime(K_WINNER, b)(r), d_prime(ONE_WINNER, b)(r), EVERY)


@measure
def nearer_to_zero(r: Results, b: int, others: tuple[int, ...]) -> Estimate:
    """By how much the lead at one b, mean over all ages, is nearer to 0 than the nearest of those at others."""
    means = {each: leads(each, EVERY)(r) for each in (b, *others)}
    nearest = min(others, key=lambda each: abs(means[each].mean()))
    found, other = (means[each] * np.sign(means[each].mean()) for each in (b, nearest))
    return estimate.difference(other, found)


@measure
def smallest_growth(r: Results, window: Ages) -> Estimate:
    """Smallest growth of the lead, mean over ages, from one b to the next, and from the last to random patterns."""
    found = [leads(b, window)(r) for b in CASES]
    return estimate.smallest_of(estimate.difference(y, x) for x, y in pairwise(found))


@measure
def share_more_affected(r: Results) -> Estimate:
    """Share of ages at which the K-winner's d' differs more between the five b than the 1-winner's.

    From blocks of ages, at a joint level of 1 %: from the ages at which it reliably does to those at which it may.
    """
    parts = curves.blocks(*EVERY)
    found = [wider(r, part, among=len(parts)) for part in parts]
    if any(np.isnan(e.reach) for e in found):
        return Estimate(np.nan, np.nan, np.nan)
    sizes = np.array([last - first + 1 for first, last in parts])
    shares = [sizes[[getattr(e, end) > 0 for e in found]].sum() / sizes.sum() for end in ("value", "low", "high")]
    return Estimate(*map(float, shares))


def wider(r: Results, part: Ages, *, among: int) -> Estimate:
    """How much wider the range of the K-winner's d' over the five b is than that of the 1-winner's, in some ages.

    A jackknife over samples; ranges of means are too wide by what noise adds, in both alike.
    """
    levels = np.array([[curves.over_ages(d_prime(model, b)(r), part) for b in TREE_FLIPS] for model in PAIR])
    n = levels.shape[2]

    def gap(chosen: NDArray[np.int64]) -> float:
        spans = np.ptp(levels[:, :, chosen].mean(axis=2), axis=1)
        return float(spans[0] - spans[1])

    return estimate.jackknife(gap(np.arange(n)), [gap(np.delete(np.arange(n), i)) for i in range(n)], among=among)


def span(r: Results, model: Model, part: Ages) -> float:
    """Range of a memory's d' over the five b, in some ages."""
    return float(np.ptp([curves.over_ages(d_prime(model, b)(r), part).mean() for b in TREE_FLIPS]))


ITEM = Item(
    name="figS6",
    number="Figure S6",
    title="Sensitivity for structured patterns",
    text="From the most similar patterns (A) to unstructured ones (F), the K-winner MHN goes from worse than the "
    "1-winner MHN to clearly better, and draws level in B. Shared ensembles pay as long as patterns are not too much "
    "alike: where they are, memories interfere. The similarities are those of the trees of 14,000 nodes with which "
    "memories are trained; the paper gives those of trees of 4,000 nodes, 0.49, 0.28 and 0.17 for A, B and C.",
    alt="Six panels of sensitivity d' against memory age for the K-winner and the 1-winner MHN, 100% cues: trees with "
    "b = 5, 10, 15, 20 and 30, and random patterns. Insets: histograms of similarity.",
    experiments=tuple(each for b in CASES for model in PAIR for each in experiments(model, b)),
    draw=draw,
)
