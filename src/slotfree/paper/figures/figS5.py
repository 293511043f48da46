"""Figure S5: the similarity of patterns from trees, for five numbers of flipped bits b."""

from itertools import pairwise
from math import sqrt

import numpy as np
from matplotlib.axes import Axes
from matplotlib.image import AxesImage
from numpy.typing import NDArray
from scipy import stats

from slotfree.drawing.picture import Picture
from slotfree.drawing.style import VERMILION
from slotfree.paper.shared.memories import TREE_FLIPS
from slotfree.paper.shared.trees import N_TREES, draw_histogram, grow, trained_similarity
from slotfree.patterns.random import random_patterns
from slotfree.patterns.similarity import mean_similarity, paired_similarity, similarity
from slotfree.patterns.tree import PatternTree, TreePatterns
from slotfree.runs.seeds import seed_for
from slotfree.study import Estimate, Item, Results, estimate, measure, printed
from slotfree.study.estimate import Values

PRINTED = {5: 0.49, 10: 0.28, 15: 0.17}
ONE_TREE = sqrt(N_TREES)  # standard deviation of the similarity of one tree, in those of a mean of ten
RANDOM = 0.1  # mean similarity of random patterns
RANDOM_SPREAD = float(stats.hypergeom(1000, 100, 100).std()) / 100  # and its standard deviation
SUFFICIENT = 90  # flips of 100 ones after which a child shares with its parent what random patterns share
STEP = 4  # every 4th leaf is seen in a matrix
BRIGHTEST = 0.8  # similarity of the brightest colour: few pairs have more
N_STORED, N_PSEUDO = 4000, 200  # leaves that are stored, and some that are not


def draw(r: Results) -> Picture:
    """Draw similarity matrices of leaves, in the order of the tree, and histograms."""
    picture = Picture(2, len(TREE_FLIPS), width=10.5, height=2.2, height_ratios=(1.2, 1))
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
        bottom.set(xlim=(0, 1), ylim=(0, 0.14), xlabel="similarity")
        bottom.label_outer(remove_inner_ticks=False)
        picture.record_columns({"tree": range(N_TREES), "mean_similarity": similar(b)(r)}, n_flips=b)
    picture.figure.colorbar(image, ax=picture.axes[0].tolist(), label="similarity", shrink=0.8, extend="max")
    picture.axes[0, 0].set_ylabel(f"every {STEP}th leaf,\nin tree order")
    picture.axes[1, 0].set_ylabel("share of pairs")
    return picture


def draw_matrix(axis: Axes, patterns: NDArray[np.uint8]) -> AxesImage:
    """Draw how similar patterns are to each other, thinned to a size that can be seen."""
    image = axis.imshow(similarity(patterns[::STEP]), vmin=0, vmax=BRIGHTEST, cmap="viridis", interpolation="nearest")
    axis.set_xticks([])
    axis.set_yticks([])
    return image


@measure
def trees(r: Results, b: int) -> tuple[Values, ...]:
    """What ``of_one`` measures, of each of ten trees of the figure's size."""
    return tuple(np.transpose([of_one(grow(r.seed, b, i)) for i in range(N_TREES)]))


def of_one(tree: PatternTree) -> tuple[float, float, float]:
    """Of one tree, the mean similarity of leaves, that of neighbours in tree order, and the standard deviation."""
    leaves = tree.patterns[in_tree_order(tree)]
    neighbours = paired_similarity(leaves[:-1], leaves[1:]).mean()
    seen = similarity(leaves[::STEP])
    spread = seen[np.triu_indices(len(seen), 1)].std()
    return mean_similarity(leaves), float(neighbours), float(spread)


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


@measure
def similar(r: Results, b: int) -> Values:
    """Mean similarity of two leaves, in each of the figure's trees."""
    return trees(b)(r)[0]


@measure
def neighbours(r: Results, b: int) -> Values:
    """Mean similarity of leaves that stand next to each other in tree order, in each of these trees."""
    return trees(b)(r)[1]


@measure
def similar_in_training(r: Results, b: int) -> Values:
    """Mean similarity of two leaves, in each of several trees of the size with which memories are trained."""
    return trained_similarity(r.seed, b)


@measure
def bend(r: Results) -> Estimate:
    """Fall of similarity per flipped bit from b = 5 to 10 minus that from 20 to 30."""
    first, *_, last = pairwise(TREE_FLIPS)
    falls = [(similar(a)(r) - similar(b)(r)) / (b - a) for a, b in (first, last)]
    return abs(estimate.difference(*falls))


@measure
def smallest_fall(r: Results) -> Estimate:
    """Fall of mean similarity from one b to the next, and from the last to 0.1: smallest."""
    steps = [estimate.difference(similar(a)(r), similar(b)(r)) for a, b in pairwise(TREE_FLIPS)]
    return estimate.smallest_of([*steps, estimate.mean(similar(TREE_FLIPS[-1])(r) - RANDOM)])


@measure
def smallest_rise_of_blocks(r: Results) -> Estimate:
    """Smallest rise of the similarity of leaves next to each other in tree order, from one b to the next smaller."""
    steps = pairwise(TREE_FLIPS)
    return estimate.smallest_of(estimate.difference(neighbours(a)(r), neighbours(b)(r)) for a, b in steps)


@measure
def structure_left(r: Results, b: int = SUFFICIENT) -> Values:
    """Standard deviation of similarity for b = {b} minus that of random patterns."""
    return trees(b)(r)[2] - RANDOM_SPREAD


@measure
def nearest(r: Results, b: int, kind: str) -> Values:
    """Similarity of leaves never stored, or of random patterns, to the most similar stored leaf, in each of ten trees.

    ``kind`` is "leaves" or "random".
    """
    return np.array([nearest_in_one(r.seed, b, i, kind) for i in range(N_TREES)])


def nearest_in_one(seed: int, b: int, index: int, kind: str) -> float:
    """The same for one tree."""
    root = seed_for(seed, "nearest", b, index)
    patterns = TreePatterns(b)(N_STORED + N_PSEUDO, seed=root)
    probed = patterns[N_STORED:] if kind == "leaves" else random_patterns(N_PSEUDO, seed=root)
    return float(similarity(probed, patterns[:N_STORED]).max(axis=1).mean())


MEANS, TRAINED = (
    {
        b: printed(
            f"figS5.{name}-{b}",
            measured(b),
            value,
            f"mean similarity of two leaves, b = {b}, trees of {size} nodes",
            rounding=0.005,
            spread=ONE_TREE,
        )
        for b, value in PRINTED.items()
    }
    for name, measured, size in (("mean", similar, "4,000"), ("trained", similar_in_training, "14,000"))
)
ITEM = Item(
    name="figS5",
    number="Figure S5",
    title="How alike structured patterns are",
    text="The number b of bits moved from parent to child sets how alike the leaves of a tree are: about half of their "
    "active bits are shared for b = 5, and hardly more than by chance for b = 30. The blocks along the diagonals are "
    "families of patterns, which the histograms below do not show. The trees have 4,000 nodes, as in the paper; the "
    "larger ones with which memories are trained are less alike.",
    alt="Five columns for b = 5, 10, 15, 20 and 30. Upper row: matrices of similarity between leaves, ever darker as b "
    "grows. Lower row: histograms of the similarity of pairs with their means, moving towards 0.1.",
    experiments=(),
    draw=draw,
    claims=tuple(MEANS.values()),
)
