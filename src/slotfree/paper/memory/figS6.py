"""Figure S6: sensitivity by age for structured patterns, from very similar (b = 5) to unstructured ones."""

from collections.abc import Iterator, Mapping
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from slotfree.drawing import ages
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BARS, EVERY_AGE
from slotfree.paper.memories import K_WINNER, ONE_WINNER, TREE_FLIPS, Model, on_random, on_trees
from slotfree.paper.memory.figS5 import draw_histogram, grow
from slotfree.patterns.random import random_patterns
from slotfree.patterns.similarity import mean_similarity
from slotfree.runs.seeds import seed_for
from slotfree.study import curves, estimate
from slotfree.study.claim import Claim, above, at_least, below, within
from slotfree.study.curves import OLDER
from slotfree.study.estimate import Estimate, Values
from slotfree.study.experiment import Experiment
from slotfree.study.item import Item
from slotfree.study.results import Results

CUE = 1.0
CASES: tuple[int | None, ...] = (*TREE_FLIPS, None)  # None: no structure
PAIR = (K_WINNER, ONE_WINNER)
AVERAGED = f"mean over ages {OLDER[0]} to {OLDER[1]}"

Levels = Mapping[int | None, Values]  # case → d' of older memories in each sample


def experiment(model: Model, b: int | None) -> Experiment:
    """The experiment of a panel."""
    return on_random(model) if b is None else on_trees(model, b)


def draw(r: Results) -> Picture:
    """Draw d' of both models for six kinds of patterns, each with a histogram of their similarity, 100% cues."""
    picture = Picture(2, 3, width=10.5, height=3.0, sharey=True)
    for axis, letter, b in zip(picture.axes.flat, "ABCDEF", CASES, strict=True):
        found = [(model, curves.d_prime(r[experiment(model, b)], CUE)) for model in PAIR]
        ages.compared(picture, axis, found, row={"model": "", "n_flips": "none" if b is None else b})
        ages.age_axis(axis, found[0][1].sizes["age"], label=letter in "DEF")
        ages.d_prime_axis(axis, label=letter in "AD")
        patterns = sample(r.seed, b)
        name = "random" if b is None else f"b = {b}"
        picture.panel(axis, letter, f"{name}, mean similarity {mean_similarity(patterns):.2f} (inset)")
        inset = axis.inset_axes((0.7, 0.7, 0.28, 0.18))
        draw_histogram(inset, patterns)
        inset.set(yticks=[], xlim=(0, 1), xticks=[0, 0.5, 1])
        inset.tick_params(labelsize=6)
    picture.legend_below(picture.axes[0, 0], 2, f"{EVERY_AGE}; {BARS}")
    return picture


def sample(seed: int, b: int | None) -> NDArray[np.uint8]:
    """Patterns of a source, to show how similar they are."""
    if b is not None:
        return grow(seed, b, 0).leaf_patterns
    return random_patterns(2000, seed=seed_for(seed, "similarity"))


def claims(r: Results) -> Iterator[Claim]:
    """What the main text says of similarity."""
    k, one = (
        {b: curves.over_ages(curves.d_prime(r[experiment(model, b)], CUE), OLDER) for b in CASES} for model in PAIR
    )
    yield from claims_on_leads(k, one)
    yield from claims_on_spans(k, one)


def claims_on_leads(k: Levels, one: Levels) -> Iterator[Claim]:
    """Who leads at which similarity."""
    for b, similar, words, limits in (
        (5, 0.49, "performs worse than", below(0)),
        (15, 0.17, "is clearly better than", above(0)),
    ):
        yield Claim(
            f"lead-{b}",
            f"At a mean similarity of {similar} (b = {b}) the K-winner {words} the 1-winner MHN: lead in d', "
            f"{AVERAGED}.",
            source="paper",
            paper=words,
            estimate=estimate.difference(k[b], one[b]),
            limits=limits,
        )
    yield Claim(
        "lead-10",
        "At a mean similarity of 0.28 (b = 10) the K-winner approximately matches the 1-winner MHN: lead in d', "
        f"{AVERAGED}, as a share of the 1-winner's own d' there, within a third.",
        source="paper",
        paper="approximately matches",
        estimate=estimate.bootstrap(lambda a, b: a / b - 1, k[10], one[10], of=_means),
        limits=within(-1 / 3, 1 / 3),
    )
    leads = [k[b] - one[b] for b in CASES]  # samples of independent memories, in pairs
    yield Claim(
        "grows",
        "The K-winner's advantage grows as similarity falls, b = 5 to unstructured: smallest step of its lead in d', "
        f"{AVERAGED}, from one case to the next.",
        source="paper",
        paper="growing",
        estimate=estimate.smallest_of(estimate.difference(y, x) for x, y in pairwise(leads)),
        limits=above(0),
    )


def claims_on_spans(k: Levels, one: Levels) -> Iterator[Claim]:
    """How much b matters to each memory."""
    yield Claim(
        "insensitive",
        f"The 1-winner MHN is largely insensitive to b: largest over smallest d' of the five b, {AVERAGED}, below 2.",
        source="paper",
        paper="insensitive",
        estimate=span(one),
        limits=below(2),
    )
    yield Claim(
        "affected",
        f"The K-winner MHN is strongly affected by b: largest over smallest d' of the five b, {AVERAGED}, at least 5.",
        source="paper",
        paper="strongly affected",
        estimate=span(k),
        limits=at_least(5),
    )


def span(levels: Levels) -> Estimate:
    """Largest over smallest mean of the five b; infinite if the smallest is not positive (bootstrap over samples)."""

    def ratio(*means: Values) -> Values:
        least, most = np.min(means, axis=0), np.max(means, axis=0)
        found: Values = np.where(least > 0, most / np.where(least > 0, least, 1), np.inf)
        return found

    return estimate.bootstrap(ratio, *(levels[b] for b in TREE_FLIPS), of=_means)


def _means(rows: Values) -> Values:
    means: Values = rows.mean(axis=1)
    return means


ITEM = Item(
    name="figS6",
    number="Figure S6",
    title="Sensitivity for structured patterns",
    text="From the most similar patterns (A) to unstructured ones (F), the K-winner MHN goes from worse than the "
    "1-winner MHN to clearly better, and draws level at a mean similarity near 0.28. Shared ensembles pay as long as "
    "patterns are not too much alike: where they are, memories interfere.",
    alt="Six panels of sensitivity d' against memory age for the K-winner and the 1-winner MHN, 100% cues: trees with "
    "b = 5, 10, 15, 20 and 30, and random patterns. Insets: histograms of similarity.",
    experiments=tuple(experiment(model, b) for b in CASES for model in PAIR),
    draw=draw,
    claims=claims,
)
