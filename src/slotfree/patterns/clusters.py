"""Clustered patterns: prototypes with flipped bits, a one-level structure to compare with trees."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.available_memory import check_fits
from slotfree.display.html import card
from slotfree.kernels.arithmetic.bits import packed, unpacked
from slotfree.kernels.arithmetic.flips import flipped_copies, room_for
from slotfree.patterns.random import random_patterns
from slotfree.patterns.similarity import similarity


@dataclass(frozen=True, eq=False)
class PatternClusters:
    """Patterns around random prototypes, each with b ones and b zeros of its prototype flipped.

    Two patterns of one cluster share (1 − b/k_v)² k_v ones and a few by chance; patterns of different
    clusters are as unrelated as random ones.

    Attributes
    ----------
    patterns : uint8 (n_patterns, n_visible).
    cluster : int64 (n_patterns,), the prototype of each pattern, drawn uniformly.
    prototypes : uint8 (n_clusters, n_visible).
    n_flips : b.

    Examples
    --------
    >>> PatternClusters.draw(20, n_clusters=3, seed=0).prototypes.shape
    (3, 1000)
    """

    patterns: NDArray[np.uint8]
    cluster: NDArray[np.int64]
    prototypes: NDArray[np.uint8]
    n_flips: int

    @classmethod
    def draw(
        cls,
        n_patterns: int,
        *,
        n_clusters: int = 100,
        n_visible: int = 1000,
        k_visible: int = 100,
        n_flips: int = 10,
        seed: checks.Seed,
    ) -> "PatternClusters":
        """Draw prototypes, a prototype for each pattern, and the flips.

        Parameters
        ----------
        n_patterns : how many patterns.
        n_clusters : how many prototypes.
        n_visible, k_visible : bits and ones of each pattern.
        n_flips : b, at most the number of ones and the number of zeros.
        seed : an integer, a SeedSequence or a Generator.
        """
        n_patterns = checks.integer("n_patterns", n_patterns, 0, checks.MANY)
        n_clusters = checks.integer("n_clusters", n_clusters, 1, checks.MANY)
        n_visible = checks.integer("n_visible", n_visible, 1, checks.MANY)
        k_visible = checks.integer("k_visible", k_visible, 1, n_visible, "n_visible")
        n_flips = checks.flips(n_flips, n_visible, k_visible)
        rng = checks.generator(seed, "clusters")
        needed = n_patterns * (n_visible + n_visible // 8 + 16) + n_clusters * n_visible
        check_fits(f"an array of {n_patterns:,} patterns of {n_visible:,} bits in {n_clusters:,} clusters", needed)
        prototypes = random_patterns(n_clusters, n_visible=n_visible, k_visible=k_visible, seed=rng)
        cluster = rng.integers(0, n_clusters, n_patterns)
        originals = packed(prototypes)
        copies = np.empty((n_patterns, originals.shape[1]), np.uint64)
        flipped_copies(rng, originals, cluster, room_for(n_visible, k_visible, n_flips), copies)
        return cls(unpacked(copies, n_visible), cluster, prototypes, n_flips)

    def similarity(self) -> NDArray[np.float32]:
        """Overlap over k_visible between all patterns, (n_patterns, n_patterns)."""
        return similarity(self.patterns)

    def __repr__(self) -> str:
        n_patterns, n_visible = self.patterns.shape
        k_visible = int(self.prototypes[0].sum())
        return (
            f"PatternClusters({n_patterns} patterns, {len(self.prototypes)} clusters; n_visible={n_visible}, "
            f"k_visible={k_visible}, n_flips={self.n_flips})"
        )

    def _repr_html_(self) -> str:
        """Return the sizes, as a notebook shows them."""
        n_patterns, n_visible = self.patterns.shape
        rows = {"patterns": n_patterns, "clusters": len(self.prototypes), "n_visible": n_visible}
        return card("PatternClusters", rows | {"k_visible": int(self.prototypes[0].sum()), "n_flips": self.n_flips})


@dataclass(frozen=True)
class ClusterPatterns:
    """``PatternClusters`` as a source of patterns that can be compared, described and sent to any worker."""

    n_flips: int
    n_clusters: int
    n_visible: int = 1000
    k_visible: int = 100

    def __call__(self, n_patterns: int, /, *, seed: checks.Seed) -> NDArray[np.uint8]:
        """Return patterns of new clusters."""
        size = {"n_visible": self.n_visible, "k_visible": self.k_visible}
        clusters = PatternClusters.draw(n_patterns, n_clusters=self.n_clusters, n_flips=self.n_flips, seed=seed, **size)
        return clusters.patterns
