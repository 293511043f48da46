"""Patterns with the similarity structure of a tree (paper, SI: TGCRP)."""

from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.available_memory import check_fits
from slotfree.display.html import card
from slotfree.kernels.arithmetic.bits import packed, unpacked
from slotfree.kernels.arithmetic.flips import grow_tree, room_for
from slotfree.patterns.random import random_patterns
from slotfree.patterns.similarity import similarity


@dataclass(frozen=True, eq=False)
class PatternTree:
    """A tree of patterns in which each child is its parent with b ones and b zeros flipped.

    Attributes
    ----------
    patterns : uint8 (n_nodes, n_visible), the pattern of each node; node 0 is the root.
    parent : int64 (n_nodes,), the parent of each node, −1 for the root; parent[i] < i.
    n_flips : b, ones switched off, and zeros switched on, from parent to child.

    Examples
    --------
    >>> tree = PatternTree.grow(n_nodes=50, n_flips=10, seed=0)
    >>> int((tree.patterns[0] & tree.patterns[1]).sum())
    90
    """

    patterns: NDArray[np.uint8]
    parent: NDArray[np.int64]
    n_flips: int

    @classmethod
    def grow(
        cls,
        *,
        n_nodes: int = 14_000,
        n_visible: int = 1000,
        k_visible: int = 100,
        n_flips: int = 10,
        seed: checks.Seed,
    ) -> "PatternTree":
        """Grow a tree by the tree-generating Chinese restaurant process (SI, algorithm 1).

        A new node walks down from the root. At node X, whose children C_l head subtrees of N_l nodes, it
        becomes a child of X with probability 1 / (1 + Σ N_j), else it goes on to C_l with N_l / (1 + Σ N_j).
        As 1 + Σ N_j is the size of the subtree at X, the product along any path telescopes: each of the i
        nodes there are becomes the parent with probability 1/i. So the parent is drawn at once, in constant
        time, and the tree has exactly the law of the algorithm.

        Parameters
        ----------
        n_nodes : num_data, nodes in all; about half of them are leaves.
        n_visible, k_visible : bits and ones of each pattern.
        n_flips : b, at most the number of ones and the number of zeros.
        seed : an integer, a SeedSequence or a Generator.
        """
        nodes, parent = grown(n_nodes, n_visible, k_visible, n_flips, seed)
        return cls(unpacked(nodes, n_visible), parent, n_flips)

    @property
    def leaves(self) -> NDArray[np.int64]:
        """The nodes without children, ascending."""
        return leaves_of(self.parent)

    @property
    def leaf_patterns(self) -> NDArray[np.uint8]:
        """The patterns of the leaves: what memories are trained and tested with."""
        return self.patterns[self.leaves]

    def similarity(self) -> NDArray[np.float32]:
        """Overlap over k_visible between all leaves, (n_leaves, n_leaves)."""
        return similarity(self.leaf_patterns)

    def __repr__(self) -> str:
        n_nodes, n_visible = self.patterns.shape
        k_visible = int(self.patterns[0].sum())
        return (
            f"PatternTree({n_nodes} nodes, {len(self.leaves)} leaves; n_visible={n_visible}, "
            f"k_visible={k_visible}, n_flips={self.n_flips})"
        )

    def _repr_html_(self) -> str:
        """Return the sizes, as a notebook shows them."""
        n_nodes, n_visible = self.patterns.shape
        rows = {"nodes": n_nodes, "leaves": len(self.leaves), "n_visible": n_visible}
        return card("PatternTree", rows | {"k_visible": int(self.patterns[0].sum()), "n_flips": self.n_flips})


def grown(
    n_nodes: int, n_visible: int, k_visible: int, n_flips: int, seed: checks.Seed, *, kept: int | None = None
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Grow a tree as ``PatternTree.grow`` does; return the patterns of its nodes as packed bits, and the parents.

    Of ``kept`` of the nodes, by default all, patterns are unpacked afterwards; there must be room for them, too.
    """
    n_nodes = checks.integer("n_nodes", n_nodes, 1, checks.MANY)
    n_visible = checks.integer("n_visible", n_visible, 1, checks.MANY)
    k_visible = checks.integer("k_visible", k_visible, 1, n_visible, "n_visible")
    n_flips = checks.flips(n_flips, n_visible, k_visible)
    rng = checks.generator(seed, "tree")
    needed = n_nodes * (n_visible // 8 + 16) + (n_nodes if kept is None else kept) * n_visible
    check_fits(f"a tree of {n_nodes:,} patterns of {n_visible:,} bits", needed)
    root = packed(random_patterns(1, n_visible=n_visible, k_visible=k_visible, seed=rng))
    patterns = np.empty((n_nodes, root.shape[1]), np.uint64)
    patterns[0] = root[0]
    parent = np.full(n_nodes, -1, np.int64)
    grow_tree(rng, room_for(n_visible, k_visible, n_flips), patterns, parent)
    return patterns, parent


def leaves_of(parent: NDArray[np.int64]) -> NDArray[np.int64]:
    """The nodes that are nobody's parent, ascending."""
    childless = np.ones(len(parent), bool)
    childless[parent[1:]] = False
    return np.flatnonzero(childless)


def tree_patterns(
    n_patterns: int,
    *,
    n_nodes: int = 14_000,
    n_visible: int = 1000,
    k_visible: int = 100,
    n_flips: int = 10,
    seed: checks.Seed,
) -> NDArray[np.uint8]:
    """Grow a new tree, shuffle its leaves, and return the patterns of the first ``n_patterns``.

    This is the stream of the paper's experiments with structured patterns: leaves of one tree in random order, each
    at most once.

    Parameters
    ----------
    n_patterns : how many; about n_nodes / 2 leaves are there.
    n_nodes, n_visible, k_visible, n_flips : as in ``PatternTree.grow``.
    seed : an integer, a SeedSequence or a Generator.

    Examples
    --------
    >>> tree_patterns(20, n_nodes=80, seed=0).shape
    (20, 1000)
    """
    n_patterns = checks.integer("n_patterns", n_patterns, 0, checks.MANY)
    rng = checks.generator(seed, "tree patterns")
    nodes, parent = grown(n_nodes, n_visible, k_visible, n_flips, rng, kept=n_patterns)
    leaves = leaves_of(parent)
    if n_patterns > len(leaves):
        raise ValueError(
            f"n_nodes must be larger, about {2.2 * n_patterns:.0f}: this tree of {n_nodes} nodes has {len(leaves)} "
            f"leaves, and n_patterns = {n_patterns}"
        )
    return unpacked(nodes[rng.permutation(leaves)[:n_patterns]], n_visible)


@dataclass(frozen=True)
class TreePatterns:
    """``tree_patterns`` as a source of patterns that can be compared, described and sent to any worker.

    Attributes
    ----------
    n_nodes : of each tree; None for as many as the patterns need.
    """

    n_flips: int
    n_nodes: int | None = 14_000
    n_visible: int = 1000
    k_visible: int = 100

    def __call__(self, n_patterns: int, /, *, seed: checks.Seed) -> NDArray[np.uint8]:
        """Return patterns of the leaves of a new tree."""
        n_nodes = nodes_for(n_patterns) if self.n_nodes is None else self.n_nodes
        size = {"n_visible": self.n_visible, "k_visible": self.k_visible}
        return tree_patterns(n_patterns, n_nodes=n_nodes, n_flips=self.n_flips, seed=seed, **size)


def nodes_for(n_patterns: int) -> int:
    """Nodes of a tree with enough leaves for this number of patterns; the paper's 14,000 for its 5,000."""
    return max(ceil(2.8 * n_patterns), ceil(2.2 * n_patterns) + 60)
