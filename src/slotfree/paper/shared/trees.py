"""Trees of patterns as the paper grows them (TGCRP), and how similar their leaves are."""

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from slotfree.drawing.style import BLUE
from slotfree.patterns.similarity import mean_similarity, similarity
from slotfree.patterns.tree import PatternTree
from slotfree.runs.seeds import seed_for
from slotfree.study.estimate import Values

N_TREES = 10
SHOWN_NODES = 4000  # of the trees whose similarity Figure S5 shows
TRAINED_NODES = 14_000  # of the trees whose leaves memories store


def grow(seed: int, b: int, index: int, n_nodes: int = SHOWN_NODES) -> PatternTree:
    """Grow one of several trees."""
    return PatternTree.grow(n_nodes=n_nodes, n_flips=b, seed=seed_for(seed, "similarity", b, index))


def trained_similarity(seed: int, b: int) -> Values:
    """Mean similarity of the leaves of ten trees of the size with which memories are trained, (tree,)."""
    trees = (grow(seed, b, i, TRAINED_NODES) for i in range(N_TREES))
    return np.array([mean_similarity(tree.leaf_patterns) for tree in trees])


def shares_of_pairs(patterns: NDArray[np.uint8]) -> Values:
    """Which share of all pairs of different patterns has 0, 1, … k of their k ones in common, (k + 1,)."""
    k = int(patterns[0].sum())
    shared = np.rint(similarity(patterns) * k).astype(np.int64)
    counts = np.bincount(shared.ravel(), minlength=k + 1)
    counts[k] -= len(patterns)  # each with itself
    return np.asarray(counts / counts.sum())


def draw_histogram(axis: Axes, patterns: NDArray[np.uint8]) -> None:
    """Draw which share of all pairs has 0, 1, … k ones in common."""
    shares = shares_of_pairs(patterns)
    k = len(shares) - 1
    axis.stairs(shares, (np.arange(k + 2) - 0.5) / k, fill=True, color=BLUE)
