"""Figure S5: the similarity of patterns from trees, for five numbers of flipped bits b."""

from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes
from matplotlib.image import AxesImage
from numpy.typing import NDArray
from scipy import stats

from slotfree.paper import drawing
from slotfree.paper.items import Context, Item, Output
from slotfree.paper.retention_runs import TREE_FLIPS
from slotfree.patterns.similarity import similarity
from slotfree.patterns.tree import PatternTree
from slotfree.runs.seeds import seed_for

N_TREES = 10
PRINTED = {5: 0.49, 10: 0.28, 15: 0.17}


def make(context: Context) -> Output:
    """Draw similarity matrices of leaves, in the order of the tree, and histograms; judge the mean similarities."""
    claims = context.claims("figS5")
    figure, axes = drawing.new_figure(2, len(TREE_FLIPS), context.scale, width=10.5, height=2.3)
    rows: list[list[object]] = []
    all_means: list[float] = []
    for column, b in enumerate(TREE_FLIPS):
        trees = [grow(context, b, i) for i in range(N_TREES)]
        image = draw(axes[:, column], trees[0], b)
        means = [mean_similarity(tree.leaf_patterns) for tree in trees]
        mean, spread = float(np.mean(means)), float(np.std(means, ddof=1))
        all_means.append(mean)
        rows += [[b, i, value] for i, value in enumerate(means)]
        # The printed number is that of one tree; its distance from our mean of ten has both spreads.
        reach = float(stats.t.isf(0.005, N_TREES - 1) * spread * np.sqrt(1 + 1 / N_TREES)) + 0.005
        if b in PRINTED:
            claims.add(
                f"mean-{b}",
                f"Mean similarity of patterns for b = {b}: mean of {N_TREES} trees (interval: 99% for one tree).",
                paper=PRINTED[b],
                measured=mean,
                interval=(mean - reach, mean + reach),
                holds=abs(mean - PRINTED[b]) <= reach,
            )
        if b == 30:
            claims.within(
                "mean-30",
                "b = 30 gives a mean similarity close to 0.1, that of random patterns: mean of ten trees, within 0.02.",
                paper=0.1,
                measured=mean,
                low=0.08,
                high=0.12,
            )
    claims.add(
        "falls",
        "Similarity falls with b towards 0.1: means of ten trees, in order.",
        paper="falling",
        measured=", ".join(f"{mean:.3f}" for mean in all_means),
        holds=all(a > b for a, b in pairwise(all_means)) and all_means[-1] > 0.1,
    )
    figure.colorbar(image, ax=axes[0, :].tolist(), label="similarity", shrink=0.8)
    axes[0, 0].set_ylabel("every 4th leaf,\nin tree order")
    axes[1, 0].set_ylabel("share of pairs")
    drawing.panel(axes[0, 0], "A", axes[0, 0].get_title())
    drawing.panel(axes[1, 0], "B", axes[1, 0].get_title())
    return Output(figure, claims, {"figS5": (["n_flips", "tree", "mean_similarity"], rows)})


def draw(axes: NDArray[np.object_], tree: PatternTree, b: int) -> AxesImage:
    """Draw one matrix, thinned to a size that can be seen, and its histogram."""
    top, bottom = axes
    patterns = tree.patterns[in_tree_order(tree)]
    step = 4
    image: AxesImage = top.imshow(similarity(patterns[::step]), vmin=0, vmax=1, cmap="viridis", interpolation="nearest")
    top.set_title(f"b = {b}")
    top.set_xticks([])
    top.set_yticks([])
    draw_histogram(bottom, patterns)
    mean = mean_similarity(patterns)
    bottom.axvline(mean, color="#D55E00", lw=1.2)
    bottom.set_title(f"mean {mean:.3f}", color="#D55E00")
    bottom.set(xlim=(0, 1), xlabel="similarity")
    return image


def draw_histogram(axis: Axes, patterns: NDArray[np.uint8]) -> None:
    """Draw how many pairs of different patterns share how many of their k ones."""
    k = int(patterns[0].sum())
    shared = np.rint(similarity(patterns) * k).astype(np.int64)
    counts = np.bincount(shared.ravel(), minlength=k + 1)
    counts[k] -= len(patterns)  # each with itself
    axis.stairs(counts / counts.sum(), (np.arange(k + 2) - 0.5) / k, fill=True, color="#0072B2")


def mean_similarity(patterns: NDArray[np.uint8]) -> float:
    """Mean similarity of different patterns, Σ_a≠b x_a · x_b / (n (n − 1) k), from how often each unit is on."""
    n, k = len(patterns), int(patterns[0].sum())
    often = patterns.sum(axis=0, dtype=float)
    return float(((often**2).sum() - n * k) / (n * (n - 1) * k))


def grow(context: Context, b: int, index: int) -> PatternTree:
    """Grow the trees whose similarity is shown."""
    return PatternTree.grow(n_nodes=4000, n_flips=b, seed=seed_for(context.seed, "similarity", b, index))


def in_tree_order(tree: PatternTree) -> NDArray[np.int64]:
    """Return the leaves as a walk through the tree meets them, so that relatives stand together."""
    children: list[list[int]] = [[] for _ in tree.parent]
    for node in range(1, len(tree.parent)):
        children[tree.parent[node]].append(node)
    leaves, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        waiting += reversed(children[node])
        if not children[node]:
            leaves.append(node)
    return np.array(leaves)


ITEM = Item("figS5", "Similarity matrices and histograms of tree patterns for five b", (), make, seconds=4)
