"""Figure S6: sensitivity by age for structured patterns, from very similar (b = 5) to unstructured ones."""

from itertools import pairwise

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree.paper import comparison, drawing
from slotfree.paper.claims import Claims
from slotfree.paper.figS5 import draw_histogram, grow, mean_similarity
from slotfree.paper.items import Context, Item, Output
from slotfree.paper.models import K_WINNER, ONE_WINNER, Model
from slotfree.paper.retention_runs import TREE_FLIPS, RetentionRuns, structured, unstructured
from slotfree.patterns.random import random_patterns
from slotfree.runs.seeds import seed_for

CASES: tuple[int | None, ...] = (*TREE_FLIPS, None)
OLDER = (30, 300)


def experiment(model: Model, b: int | None) -> RetentionRuns:
    """The experiment of a panel; None is the unstructured case."""
    return unstructured(model) if b is None else structured(model, b)


def make(context: Context) -> Output:
    """Draw d' of both models for six kinds of patterns, each with a histogram of their similarity, 100% cues."""
    figure, axes = drawing.new_figure(2, 3, context.scale, width=10.5, height=3.0, sharey=True)
    curves = {}
    for axis, letter, b in zip(axes.flat, "ABCDEF", CASES, strict=True):
        k, one = (comparison.d_prime(context, experiment(model, b).name, 1.0) for model in (K_WINNER, ONE_WINNER))
        for model, samples in ((K_WINNER, k), (ONE_WINNER, one)):
            drawing.by_age(axis, samples, model.colour, model.label)
            curves[model.name, "none" if b is None else str(b)] = samples
        drawing.lead_marks(axis, k, K_WINNER.colour, one, ONE_WINNER.colour)
        drawing.age_axis(axis, context.scale.n_tested, label=letter in "DEF")
        drawing.d_prime_axis(axis)
        patterns = sample(context, b)
        name = "random" if b is None else f"b = {b}"
        drawing.panel(axis, letter, f"{name}, mean similarity {mean_similarity(patterns):.2f} (inset)")
        inset = axis.inset_axes((0.7, 0.7, 0.28, 0.18))
        draw_histogram(inset, patterns)
        inset.set(yticks=[], xlim=(0, 1), xticks=[0, 0.5, 1])
        inset.tick_params(labelsize=6)
    for row in axes:
        row[0].set_ylabel("sensitivity d'")
    drawing.legend_below(figure, axes[0, 0], 2, f"{drawing.EVERY_AGE}; {drawing.BARS}")
    return Output(figure, judge(context), {"figS6": comparison.curve_table(curves, ["model", "n_flips"])})


def sample(context: Context, b: int | None) -> NDArray[np.uint8]:
    """Patterns of a source, to show how similar they are."""
    if b is not None:
        return grow(context, b, 0).leaf_patterns
    return random_patterns(2000, seed=seed_for(context.seed, "similarity"))


def judge(context: Context) -> Claims:
    """Judge the main text's sentences about similarity."""
    claims = context.claims("figS6")

    def d(model: Model, b: int | None) -> xr.DataArray:
        return comparison.d_prime(context, experiment(model, b).name, 1.0)

    leads = {b: comparison.lead_over_ages(d(K_WINNER, b), d(ONE_WINNER, b), *OLDER) for b in CASES}
    ages = f"mean over ages {OLDER[0]} to {OLDER[1]}"
    for b, similar, words, verdict in (
        (5, 0.49, "performs worse than", leads[5][1][1] < 0),
        (15, 0.17, "is clearly better than", leads[15][1][0] > 0),
    ):
        lead, interval = leads[b]
        claims.add(
            f"lead-{b}",
            f"At a mean similarity of {similar} (b = {b}) the K-winner {words} the 1-winner MHN: lead in d', "
            f"{ages} (99%).",
            paper=words,
            measured=lead,
            interval=interval,
            holds=verdict,
        )
    lead, interval = leads[10]
    level = float(comparison.over_ages(d(ONE_WINNER, 10), *OLDER).mean())
    claims.within(
        "lead-10",
        f"At a mean similarity of 0.28 (b = 10) the K-winner approximately matches the 1-winner MHN: lead in d', "
        f"{ages} (limits: a third of the 1-winner's own d' there, {level:.2f}).",
        paper="approximately matches",
        measured=lead,
        low=-level / 3,
        high=level / 3,
    )
    order = [leads[b][0] for b in CASES]
    claims.add(
        "grows",
        f"The K-winner's advantage grows as similarity falls, b = 5 to unstructured: leads in d', {ages}, in order.",
        paper="growing",
        measured=", ".join(f"{lead:.2f}" for lead in order),
        holds=all(a < b for a, b in pairwise(order)),
    )
    spans = {}
    for model in (K_WINNER, ONE_WINNER):
        levels = [float(comparison.over_ages(d(model, b), *OLDER).mean()) for b in TREE_FLIPS]
        spans[model.name] = max(levels) / min(levels) if min(levels) > 0 else np.inf
    claims.within(
        "insensitive",
        f"The 1-winner MHN is largely insensitive to b: largest over smallest d' of the five b, {ages}, below 2.",
        paper="insensitive",
        measured=spans[ONE_WINNER.name],
        low=1.0,
        high=2.0,
    )
    claims.within(
        "affected",
        f"The K-winner MHN is strongly affected by b: largest over smallest d' of the five b, {ages}, above 5.",
        paper="strongly affected",
        measured=spans[K_WINNER.name],
        low=5.0,
        high=np.inf,
    )
    return claims


ITEM = Item(
    "figS6",
    "d' by age for patterns of falling similarity, K-winner against 1-winner MHN, 100% cues",
    tuple(experiment(model, b) for b in CASES for model in (K_WINNER, ONE_WINNER)),
    make,
    seconds=10,
)
