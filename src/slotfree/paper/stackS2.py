"""Stack 2: similarity in against similarity out of a code layer, for k winners and for Marr's codons."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from slotfree.memory.code_layer import CodeLayerSettings
from slotfree.paper import drawing
from slotfree.paper.claims import Claims
from slotfree.paper.figS5 import mean_similarity
from slotfree.paper.items import Context, Item, Output
from slotfree.paper.retention_runs import TREE_FLIPS
from slotfree.paper.stacks import CODE, STACKED, layer, mean_and_error, some_patterns
from slotfree.patterns.cues import partial_cues
from slotfree.patterns.random import random_patterns
from slotfree.runs.seeds import seed_for

Shares: TypeAlias = dict[str, NDArray[np.float64]]

N_UNITS, FAN_IN = 5000, 0.02
SHARED = np.arange(0, 101, 10)
CUES = np.arange(0.1, 1.01, 0.1)
PAIRS = 100
DENSE = "codons, 3 of 20"
CODES = {
    "1% winners": (CodeLayerSettings(N_UNITS, 50, FAN_IN), "#56B4E9", "-"),
    "3% winners": (CodeLayerSettings(N_UNITS, 150, FAN_IN), "#009E73", "-"),
    "10% winners": (CodeLayerSettings(N_UNITS, 500, FAN_IN), "#0072B2", "-"),
    "4.3% winners": (CodeLayerSettings(N_UNITS, 216, FAN_IN), "#E69F00", "-"),
    "codons, 5 of 20": (CodeLayerSettings(N_UNITS, 216, FAN_IN, threshold=5), "#D55E00", "--"),
    DENSE: (CodeLayerSettings(N_UNITS, 1600, FAN_IN, threshold=3), "#CC79A7", "--"),
}


def make(context: Context) -> Output:
    """Draw the share of common ones of two codes against that of the patterns, of trees, and of partial cues."""
    shared, kept, trees = measure(context)
    figure, axes = drawing.new_figure(1, 3, context.scale, width=10.5, height=3.4)
    pairs_axis, trees_axis, cues_axis = axes[0]
    rows: list[list[object]] = []
    for name, (_, colour, style) in CODES.items():
        for axis, what, at, values in (
            (pairs_axis, "pair", SHARED / 100, shared[name]),
            (cues_axis, "cue", CUES, kept[name]),
        ):
            mean, error = np.array([np.round(mean_and_error(row), 5) for row in values]).T
            axis.fill_between(at, mean - error, mean + error, color=colour, alpha=0.25, lw=0)
            axis.plot(at, mean, style, color=colour, label=name)
            for place, m, e in zip(at.tolist(), mean.tolist(), error.tolist(), strict=True):
                rows.append([what, name, round(place, 2), m, e])
    for b, (before, after) in trees.items():
        if b != 20:  # too close to the next
            below = -9 if b < 30 else -12
            trees_axis.annotate(f"b = {b}", (before, after), (5, below), textcoords="offset points", fontsize=7)
        rows.append(["tree", "10% winners", before, after, 0.0])
    trees_axis.plot(*zip(*trees.values(), strict=True), "o-", color=STACKED.colour, label="10% winners")
    for axis, letter, title, label in (
        (pairs_axis, "A", "two patterns", "similarity of the patterns"),
        (trees_axis, "B", "leaves of trees, mean over pairs", "similarity of the patterns"),
        (cues_axis, "C", "a pattern and part of it", "cue level c"),
    ):
        axis.plot([0, 1], [0, 1], ":", color="#999999", lw=1)
        axis.set(xlim=(0, 1), ylim=(0, 1.02), xlabel=label, ylabel="similarity of the codes")
        drawing.panel(axis, letter, title)
    drawing.legend_below(figure, pairs_axis, 6, f"{N_UNITS} units of 20 connections; mean ± 1 s.e. over {PAIRS} pairs")
    table = (["what", "code", "similarity_in", "similarity_out", "standard_error"], rows)
    return Output(figure, judge(context.claims("stackS2"), shared, kept, trees), {"stackS2": table})


def measure(context: Context) -> tuple[Shares, Shares, dict[int, tuple[float, float]]]:
    """Shares of ones that codes have in common: of two patterns, of a pattern and its cue, both by code; of trees."""
    shared, kept = {}, {}
    x = random_patterns(PAIRS, seed=seed_for(context.seed, "stackS2"))
    others = [_with_overlap(x, k, context.seed) for k in SHARED.tolist()]
    cues = [partial_cues(x, c, seed=seed_for(context.seed, "stackS2", c)) for c in CUES]
    for name, (settings, _, _) in CODES.items():
        coder = layer(context, settings)
        codes = coder.encode(x)
        shared[name] = np.array([_shared(codes, coder.encode(y)) for y in others])
        kept[name] = np.array([_shared(codes, coder.encode(y)) for y in cues])
    coder = layer(context, CODE)
    trees = {}
    for b in TREE_FLIPS:
        patterns = some_patterns(context, 300, b)
        trees[b] = mean_similarity(patterns), mean_similarity(coder.encode(patterns))
    return shared, kept, trees


def judge(claims: Claims, shared: Shares, kept: Shares, trees: dict[int, tuple[float, float]]) -> Claims:
    """Judge what codes do to similarity, and the price."""
    sparse = {name: values for name, values in shared.items() if name != DENSE}
    below = all((values[2:-1].mean(axis=1) < SHARED[2:-1] / 100).all() for values in sparse.values())
    claims.add(
        "below",
        "Codes that are no denser than the patterns make them less similar, k winners and codons alike: at 20% to 90% "
        "shared ones, codes share less.",
        paper="reduce their overlap",
        measured=", ".join(f"{name}: {values[5].mean():.2f} at 0.5" for name, values in sparse.items()),
        holds=below,
    )
    claims.within(
        "dense",
        f"A codon that asks for too little does not: {DENSE}, a third of which are active, at half of the ones shared.",
        paper="not in the paper",
        measured=float(shared[DENSE][5].mean()),
        low=0.5,
        high=1.0,
    )
    order = [float(shared[name][5].mean()) for name in ("1% winners", "3% winners", "10% winners")]
    claims.add(
        "sparser",
        "The sparser the code, the better it separates: similarity of codes at half of the ones shared, for 1%, 3%, "
        "10% winners, in order.",
        paper="conjunctive coding (not measured in the paper)",
        measured=", ".join(f"{value:.3f}" for value in order),
        holds=order[0] < order[1] < order[2],
    )
    gap = np.abs(shared["4.3% winners"].mean(axis=1) - shared["codons, 5 of 20"].mean(axis=1)).max()
    claims.within(
        "alike",
        "k winners and codons of the same expected activity separate alike (4.3% winners against 5 of 20): largest "
        "difference in the similarity of codes, below 0.06.",
        paper="performed similarly",
        measured=float(gap),
        low=0.0,
        high=0.06,
    )
    for b, limit in ((5, 0.35), (10, 0.2)):
        claims.within(
            f"tree-{b}",
            f"Leaves of trees with b = {b}, of a mean similarity of {trees[b][0]:.2f}, have codes of a mean similarity "
            f"of at most {limit} (10% winners).",
            paper="further differentiated",
            measured=trees[b][1],
            low=0.0,
            high=limit,
        )
    half = float(kept["10% winners"][4].mean())
    claims.within(
        "half-cue",
        "The price: half of a pattern has a code that shares less than half of the ones of the whole pattern's code "
        "(10% winners).",
        paper="not in the paper",
        measured=half,
        low=0.0,
        high=0.5,
    )
    return claims


def _with_overlap(x: NDArray[np.uint8], shared: int, seed: int) -> NDArray[np.uint8]:
    """Patterns that share a number of ones with each of x, and have as many."""
    rng = np.random.default_rng(seed_for(seed, "stackS2", "overlap", shared))
    others = np.zeros_like(x)
    for row, other in zip(x, others, strict=True):
        ones, zeros = np.flatnonzero(row), np.flatnonzero(row == 0)
        other[rng.choice(ones, shared, replace=False)] = 1
        other[rng.choice(zeros, len(ones) - shared, replace=False)] = 1
    return others


def _shared(a: NDArray[np.uint8], b: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The share of the ones of each code a that b has too."""
    share: NDArray[np.float64] = (a & b).sum(axis=1) / np.maximum(a.sum(axis=1), 1)
    return share


ITEM = Item("stackS2", "Similarity of codes against that of patterns, for k winners and codons", (), make, seconds=5)
