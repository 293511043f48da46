"""Figure S5: the similarity of patterns from trees, for five numbers of flipped bits b."""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from math import sqrt

import numpy as np
from matplotlib.axes import Axes
from matplotlib.image import AxesImage
from numpy.typing import NDArray

from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLUE, VERMILION
from slotfree.paper.memories import TREE_FLIPS
from slotfree.patterns.similarity import mean_similarity, similarity
from slotfree.patterns.tree import PatternTree
from slotfree.runs.seeds import seed_for
from slotfree.study import estimate
from slotfree.study.claim import Claim, Printed, above, within
from slotfree.study.item import Item
from slotfree.study.results import Results

N_TREES = 10
PRINTED = {5: 0.49, 10: 0.28, 15: 0.17}
RANDOM = 0.1  # mean similarity of random patterns
STEP = 4  # every 4th leaf is seen in a matrix

Similarities = Mapping[int, NDArray[np.float64]]  # b → mean similarity in each tree


def draw(r: Results) -> Picture:
    """Draw similarity matrices of leaves, in the order of the tree, and histograms."""
    picture = Picture(2, len(TREE_FLIPS), width=10.5, height=2.3)
    found = similarities(r.seed)
    for b, (top, bottom) in zip(TREE_FLIPS, picture.axes.T, strict=True):
        letters = ("A", "B") if b == TREE_FLIPS[0] else ("", "")
        tree = grow(r.seed, b, 0)
        patterns = tree.patterns[in_tree_order(tree)]
        image = draw_matrix(top, patterns)
        picture.panel(top, letters[0], f"b = {b}")
        draw_histogram(bottom, patterns)
        mean = mean_similarity(patterns)
        bottom.axvline(mean, color=VERMILION, lw=1.2)
        picture.panel(bottom, letters[1])
        bottom.set_title(f"mean {mean:.3f}", color=VERMILION)
        bottom.set(xlim=(0, 1), xlabel="similarity")
        picture.record_columns({"tree": range(N_TREES), "mean_similarity": found[b]}, n_flips=b)
    picture.figure.colorbar(image, ax=picture.axes[0].tolist(), label="similarity", shrink=0.8)
    picture.axes[0, 0].set_ylabel(f"every {STEP}th leaf,\nin tree order")
    picture.axes[1, 0].set_ylabel("share of pairs")
    return picture


def draw_matrix(axis: Axes, patterns: NDArray[np.uint8]) -> AxesImage:
    """Draw how similar patterns are to each other, thinned to a size that can be seen."""
    image = axis.imshow(similarity(patterns[::STEP]), vmin=0, vmax=1, cmap="viridis", interpolation="nearest")
    axis.set_xticks([])
    axis.set_yticks([])
    return image


def draw_histogram(axis: Axes, patterns: NDArray[np.uint8]) -> None:
    """Draw how many pairs of different patterns share how many of their k ones."""
    k = int(patterns[0].sum())
    shared = np.rint(similarity(patterns) * k).astype(np.int64)
    counts = np.bincount(shared.ravel(), minlength=k + 1)
    counts[k] -= len(patterns)  # each with itself
    axis.stairs(counts / counts.sum(), (np.arange(k + 2) - 0.5) / k, fill=True, color=BLUE)


@cache  # drawn and judged
def similarities(seed: int) -> Similarities:
    """Mean similarity of the leaves of ten trees for each b."""
    return {b: np.array([mean_similarity(grow(seed, b, i).leaf_patterns) for i in range(N_TREES)]) for b in TREE_FLIPS}


def grow(seed: int, b: int, index: int) -> PatternTree:
    """Grow the trees whose similarity is shown."""
    return PatternTree.grow(n_nodes=4000, n_flips=b, seed=seed_for(seed, "similarity", b, index))


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


def claims(r: Results) -> Iterator[Claim]:
    """What the paper prints of mean similarities."""
    yield from claims_on(similarities(r.seed))


def claims_on(found: Similarities) -> Iterator[Claim]:
    """The printed means, and their order."""
    for b, printed in PRINTED.items():
        yield Claim(
            f"mean-{b}",
            f"Mean similarity of patterns for b = {b}: mean of {N_TREES} trees.",
            source="paper",
            paper=printed,
            estimate=estimate.mean(found[b]),
            limits=Printed(printed, rounding=0.005, spread=sqrt(N_TREES)),  # that of one tree
        )
    yield Claim(
        "mean-30",
        "b = 30 gives a mean similarity close to 0.1, that of random patterns: mean of ten trees, within 0.02.",
        source="paper",
        paper=RANDOM,
        estimate=estimate.mean(found[30]),
        limits=within(RANDOM - 0.02, RANDOM + 0.02),
    )
    steps = [estimate.difference(found[a], found[b]) for a, b in pairwise(TREE_FLIPS)]
    yield Claim(
        "falls",
        "Similarity falls with b towards 0.1: smallest step from one b to the next, and from the last to 0.1.",
        source="paper",
        paper="falling",
        estimate=estimate.smallest_of([*steps, estimate.mean(found[TREE_FLIPS[-1]] - RANDOM)]),
        limits=above(0),
    )


ITEM = Item(
    name="figS5",
    number="Figure S5",
    title="How alike structured patterns are",
    text="The number b of bits moved from parent to child sets how alike the leaves of a tree are: about half of their "
    "active bits are shared for b = 5, and hardly more than by chance for b = 30. The blocks along the diagonals are "
    "families of patterns, which the histograms below do not show.",
    alt="Five columns for b = 5, 10, 15, 20 and 30. Upper row: matrices of similarity between leaves, ever darker as b "
    "grows. Lower row: histograms of the similarity of pairs with their means, moving towards 0.1.",
    experiments=(),
    draw=draw,
    claims=claims,
)
