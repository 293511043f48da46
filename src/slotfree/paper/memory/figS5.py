"""Figure S5: the similarity of patterns from trees, for five numbers of flipped bits b."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from math import sqrt
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.image import AxesImage
from numpy.typing import NDArray
from scipy import stats

from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLUE, VERMILION
from slotfree.paper.shared.memories import TREE_FLIPS
from slotfree.patterns.random import random_patterns
from slotfree.patterns.similarity import mean_similarity, paired_similarity, similarity
from slotfree.patterns.tree import PatternTree, TreePatterns
from slotfree.runs.seeds import seed_for
from slotfree.study import estimate
from slotfree.study.claim import Claim, Printed, above, equal_to, of_paper, within
from slotfree.study.item import Item
from slotfree.study.results import Results

N_TREES = 10
PRINTED = {5: 0.49, 10: 0.28, 15: 0.17}
RANDOM = 0.1  # mean similarity of random patterns
RANDOM_SPREAD = float(stats.hypergeom(1000, 100, 100).std()) / 100  # and its standard deviation
SUFFICIENT = 90  # flips of 100 ones after which a child shares with its parent what random patterns share
STEP = 4  # every 4th leaf is seen in a matrix
BRIGHTEST = 0.8  # similarity of the brightest colour: few pairs have more

TRAINED_NODES = 14_000  # of the trees of the experiments
N_STORED, N_PSEUDO = 4000, 200  # leaves that are stored there, and some that are not
HIGH = (5, 10)  # b of "higher levels of similarity"

Similarities = Mapping[int, NDArray[np.float64]]  # b → mean similarity in each tree


class Trees(NamedTuple):
    """Of each of several trees: mean and standard deviation of similarity, and the means of some pairs of leaves.

    Attributes
    ----------
    neighbours : of leaves that stand next to each other in tree order.
    siblings : of leaves with one parent.
    """

    mean: NDArray[np.float64]
    neighbours: NDArray[np.float64]
    spread: NDArray[np.float64]
    siblings: NDArray[np.float64]


class Nearest(NamedTuple):
    """Of each of several trees, the mean similarity of patterns never stored and the most similar stored leaf.

    Attributes
    ----------
    leaves, random : of patterns that are leaves of the tree, and of random ones.
    share : of the leaves that are more similar to theirs than any of the random patterns is.
    """

    leaves: NDArray[np.float64]
    random: NDArray[np.float64]
    share: NDArray[np.float64]


def draw(r: Results) -> Picture:
    """Draw similarity matrices of leaves, in the order of the tree, and histograms."""
    picture = Picture(2, len(TREE_FLIPS), width=10.5, height=2.2, height_ratios=(1.2, 1))
    found = measured(r.seed)
    for b, (top, bottom) in zip(TREE_FLIPS, picture.axes.T, strict=True):
        letters = ("A", "B") if b == TREE_FLIPS[0] else ("", "")
        tree = grow(r.seed, b, 0)
        patterns = tree.patterns[in_tree_order(tree)]
        image = draw_matrix(top, patterns)
        picture.panel(top, letters[0], f"b = {b}")
        draw_histogram(bottom, of_leaves(r.seed, b))
        mean = mean_similarity(patterns)
        bottom.axvline(mean, color=VERMILION, lw=1.2)
        picture.panel(bottom, letters[1])
        bottom.set_title(f"mean {mean:.3f}", color=VERMILION)
        bottom.set(xlim=(0, 1), ylim=(0, 0.14), xlabel="similarity")
        bottom.label_outer(remove_inner_ticks=False)
        picture.record_columns({"tree": range(N_TREES), "mean_similarity": found[b].mean}, n_flips=b)
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


def draw_histogram(axis: Axes, shares: NDArray[np.float64]) -> None:
    """Draw which share of all pairs has 0, 1, … k ones in common."""
    k = len(shares) - 1
    axis.stairs(shares, (np.arange(k + 2) - 0.5) / k, fill=True, color=BLUE)


def shares_of_pairs(patterns: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Which share of all pairs of different patterns has 0, 1, … k of their k ones in common, (k + 1,)."""
    k = int(patterns[0].sum())
    shared = np.rint(similarity(patterns) * k).astype(np.int64)
    counts = np.bincount(shared.ravel(), minlength=k + 1)
    counts[k] -= len(patterns)  # each with itself
    return np.asarray(counts / counts.sum())


@cache  # drawn here and in Figure S6
def of_leaves(seed: int, b: int) -> NDArray[np.float64]:
    """The same for the leaves of the tree that is shown."""
    return shares_of_pairs(grow(seed, b, 0).leaf_patterns)


@cache  # drawn and judged
def measured(seed: int) -> Mapping[int, Trees]:
    """What is measured of ten trees for each b, those of the figure and a very large one."""
    return {b: measure(grow(seed, b, i) for i in range(N_TREES)) for b in (*TREE_FLIPS, SUFFICIENT)}


def measure(trees: Iterable[PatternTree]) -> Trees:
    """Measure each of several trees."""
    columns = zip(*map(measure_one, trees), strict=True)
    return Trees(*(np.array(column) for column in columns))


def measure_one(tree: PatternTree) -> tuple[float, float, float, float]:
    """Measure one tree: what ``Trees`` holds."""
    leaves = tree.patterns[in_tree_order(tree)]
    neighbours = paired_similarity(leaves[:-1], leaves[1:]).mean()
    seen = similarity(leaves[::STEP])
    spread = seen[np.triu_indices(len(seen), 1)].std()
    return mean_similarity(leaves), float(neighbours), float(spread), siblings(tree)


def siblings(tree: PatternTree) -> float:
    """Mean similarity of leaves that have one parent, each with the next."""
    leaves = tree.leaves[np.argsort(tree.parent[tree.leaves], kind="stable")]
    one, other = leaves[:-1], leaves[1:]
    same = tree.parent[one] == tree.parent[other]
    return float(paired_similarity(tree.patterns[one[same]], tree.patterns[other[same]]).mean())


@cache
def similarities_of_stored(seed: int) -> Mapping[int, NDArray[np.float64]]:
    """Mean similarity of the leaves of ten trees of the size with which memories are trained, for the printed b."""
    sized = {b: [grow(seed, b, i, n_nodes=TRAINED_NODES) for i in range(N_TREES)] for b in PRINTED}
    return {b: np.array([mean_similarity(tree.leaf_patterns) for tree in trees]) for b, trees in sized.items()}


@cache
def nearest_stored(seed: int) -> Mapping[int, Nearest]:
    """How similar patterns never stored are to what is stored, in ten trees, for the highest levels of similarity."""
    return {b: Nearest(*np.transpose([nearest_in_one(seed, b, i) for i in range(N_TREES)])) for b in HIGH}


def nearest_in_one(seed: int, b: int, index: int) -> tuple[float, float, float]:
    """What ``Nearest`` has, of one tree."""
    root = seed_for(seed, "nearest", b, index)
    patterns = TreePatterns(b)(N_STORED + N_PSEUDO, seed=root)
    stored, pseudo = patterns[:N_STORED], patterns[N_STORED:]
    leaves = similarity(pseudo, stored).max(axis=1)
    random = similarity(random_patterns(N_PSEUDO, seed=root), stored).max(axis=1)
    return float(leaves.mean()), float(random.mean()), float((leaves > random.max()).mean())


def grow(seed: int, b: int, index: int, n_nodes: int = 4000) -> PatternTree:
    """Grow the trees whose similarity is shown, or larger ones."""
    return PatternTree.grow(n_nodes=n_nodes, n_flips=b, seed=seed_for(seed, "similarity", b, index))


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
    """What the paper says of similarity."""
    found = measured(r.seed)
    yield from claims_on_means({b: trees.mean for b, trees in found.items()})
    yield from claims_on_structure(found)
    yield from claims_on_size({b: found[b].mean for b in PRINTED}, similarities_of_stored(r.seed))
    yield from claims_on_nearest(nearest_stored(r.seed))


def claims_on_means(found: Similarities) -> Iterator[Claim]:
    """The printed means, and how they fall."""
    for b, printed in PRINTED.items():
        yield of_paper(
            f"mean-{b}",
            f"“Mean … similarity is {printed}” (b = {b}): mean similarity of two leaves of a tree, mean of "
            f"{N_TREES} trees.",
            paper=printed,
            estimate=estimate.mean(found[b]),
            limits=Printed(printed, rounding=0.005, spread=sqrt(N_TREES)),  # that of one tree
        )
    for b, words, paper, limits in (
        (5, "“patterns with ∼ 50% similarity”, 45 to 55%", 0.5, within(0.45, 0.55)),
        (30, "“patterns with close to 10% similarity”, 5 to 15%", 0.1, within(0.05, 0.15)),
    ):
        yield of_paper(
            f"about-{b}",
            f"b = {b} corresponds to {words}: mean of {N_TREES} trees.",
            paper=paper,
            estimate=estimate.mean(found[b]),
            limits=limits,
        )
    first, *_, last = pairwise(TREE_FLIPS)
    falls = [(found[a] - found[b]) / (b - a) for a, b in (first, last)]
    yield of_paper(
        "nonlinear",
        f"“The parameter b has a nonlinear effect”: fall of similarity per flipped bit from b = {first[0]} to "
        f"{first[1]} minus that from {last[0]} to {last[1]}.",
        paper="nonlinear",
        estimate=abs(estimate.difference(*falls)),
        limits=above(0),
    )
    steps = [estimate.difference(found[a], found[b]) for a, b in pairwise(TREE_FLIPS)]
    yield of_paper(
        "falls",
        "“As b is increased … the distribution of these entries tends to decrease to baseline”: smallest step of the "
        "mean from one b to the next, and from the last to 0.1.",
        paper="falling",
        estimate=estimate.smallest_of([*steps, estimate.mean(found[TREE_FLIPS[-1]] - RANDOM)]),
        limits=above(0),
    )


def claims_on_structure(found: Mapping[int, Trees]) -> Iterator[Claim]:
    """The blocks of the matrices."""
    neighbours, spreads = ([getattr(found[b], name) for b in TREE_FLIPS] for name in ("neighbours", "spread"))
    yield of_paper(
        "blocks",
        "“Decreasing b … causes interspersed rectangular blocks of high similarity to appear”: mean similarity of "
        f"leaves that stand next to each other in tree order, {listed(reversed(neighbours))} for b = 30 to 5; smallest "
        "step.",
        paper="appear",
        estimate=estimate.smallest_of(estimate.difference(x, y) for x, y in pairwise(neighbours)),
        limits=above(0),
    )
    sufficient = found[SUFFICIENT]
    yield of_paper(
        "structure",
        "“Increasing b sufficiently removes off-diagonal similarity structure (effectively bringing us back to the "
        f"case of random i.i.d. patterns)”: standard deviation of similarity for b = {SUFFICIENT} minus that of random "
        f"patterns, {RANDOM_SPREAD:.4f}; 0 if none is left. Leaves next to each other in tree order have a similarity "
        f"of {sufficient.neighbours.mean():.3f}, random patterns of {RANDOM}.",
        paper="removes",
        estimate=estimate.mean(sufficient.spread - RANDOM_SPREAD),
        limits=equal_to(0),
    )
    yield Claim(
        "structure-30",
        "Of the b of the figure, 30 leaves least structure, though some: standard deviation of similarity, "
        f"{listed(spreads)} for b = 5 to 30, {RANDOM_SPREAD:.3f} for random patterns; how much smaller it is for b = "
        "30 than for any other b.",
        paper="removes",
        estimate=estimate.smallest_of(estimate.difference(x, spreads[-1]) for x in spreads[:-1]),
        limits=above(0),
    )
    yield Claim(
        "siblings",
        f"Structure is left at b = {TREE_FLIPS[-1]}: similarity of leaves with one parent minus 0.1, that of random "
        "patterns.",
        paper="effectively … random i.i.d. patterns",
        estimate=estimate.mean(found[TREE_FLIPS[-1]].siblings - RANDOM),
        limits=above(0),
    )


def listed(values: Iterable[NDArray[np.float64]]) -> str:
    """The mean of each, in words."""
    return ", ".join(f"{value.mean():.3f}" for value in values)


def claims_on_size(small: Similarities, large: Similarities) -> Iterator[Claim]:
    """How the trees of this figure differ from those with which memories are trained."""
    for b in PRINTED:
        yield Claim(
            f"trained-{b}",
            f"The trees of {TRAINED_NODES:,} nodes with which memories are trained have a mean similarity of "
            f"{large[b].mean():.2f} for b = {b}, less than the {small[b].mean():.2f} of these trees of 4,000 nodes: by "
            "how much.",
            paper=PRINTED[b],
            estimate=estimate.difference(small[b], large[b]),
            limits=above(0),
        )


def claims_on_nearest(found: Mapping[int, Nearest]) -> Iterator[Claim]:
    """That there is something similar among what is stored."""
    for b, nearest in found.items():
        yield of_paper(
            f"similar-stored-{b}",
            f"A pseudo-pattern of the tree “is likely to be similar to a pattern already stored” (b = {b}): share of "
            f"those that have more in common with one of {N_STORED} stored leaves than any random pattern has, more "
            f"often than not; similarity to the nearest is {nearest.leaves.mean():.3f}, for random patterns "
            f"{nearest.random.mean():.3f}.",
            paper="likely",
            estimate=estimate.mean(nearest.share),
            limits=above(0.5),
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
