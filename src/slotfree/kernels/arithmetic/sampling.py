"""Subsets without replacement, in time proportional to what is drawn."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.random_integers import below
from slotfree.kernels.compile import ZERO, lean


@lean
def shuffle_front(rng: np.random.Generator, items: NDArray[np.uint32], n_items: int, k: int) -> None:
    """Move a uniformly random k-subset of the first n_items items to the front (partial Fisher-Yates)."""
    for q in range(k):
        r = q + below(rng, n_items - q)
        items[q], items[r] = items[r], items[q]


@lean
def draw_subsets(rng: np.random.Generator, pool: NDArray[np.uint32], out: NDArray[np.unsignedinteger[Any]]) -> None:
    """Fill each row of out with a random subset of a pool of items, independently per row.

    The order of the pool is left as the previous row made it: a partial shuffle of any order is fair.
    """
    n_rows, k = out.shape
    for i in range(n_rows):
        shuffle_front(rng, pool, pool.size, k)
        for q in range(k):
            out[i, q] = pool[q]


@lean
def draw_patterns(rng: np.random.Generator, k: int, pool: NDArray[np.uint32], out: NDArray[np.uint8]) -> None:
    """Set k random ones in each row of out, which holds zeros; the pool has the places of a row."""
    for t in range(out.shape[0]):
        shuffle_front(rng, pool, pool.size, k)
        for q in range(k):
            out[t, pool[q]] = 1


@lean
def keep_ones(
    rng: np.random.Generator,
    patterns: NDArray[np.uint8],
    fraction: float,
    ones: NDArray[np.uint32],
    out: NDArray[np.uint8],
) -> None:
    """Copy a random fraction of each row's ones to out, which holds zeros; halves round up.

    ``ones`` is working room, for one more than a row has bits.
    """
    for t in range(patterns.shape[0]):
        n_ones = positions(patterns[t], ones)
        kept = min(int(np.floor(fraction * n_ones + 0.5)), n_ones)
        shuffle_front(rng, ones, n_ones, kept)
        for q in range(kept):
            out[t, ones[q]] = 1


@lean
def positions(x: NDArray[np.uint8], out: NDArray[np.uint32]) -> int:
    """Write the ascending positions of the ones of x to out, return how many.

    Without branches: random bits would be mispredicted. So out needs room for one more than x has.
    """
    n = ZERO
    for j in range(x.size):
        out[n] = j
        n += x[j] == 1
    return n
