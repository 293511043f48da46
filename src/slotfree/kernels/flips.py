"""Copies of patterns with b ones switched off and b zeros switched on."""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.below import below
from slotfree.kernels.compile import kernel
from slotfree.kernels.sampling import positions, shuffle_front


@kernel
def flip_bits(rng: np.random.Generator, x: NDArray[np.uint8], n_flips: int, room: NDArray[np.uint32]) -> None:
    """Switch n_flips random ones of x off and n_flips random zeros on, in place."""
    n_ones = positions(x, 1, room[0])
    n_zeros = positions(x, 0, room[1])
    shuffle_front(rng, room[0], n_ones, n_flips)
    shuffle_front(rng, room[1], n_zeros, n_flips)
    for q in range(n_flips):
        x[room[0, q]] = 0
        x[room[1, q]] = 1


@kernel
def flipped_copies(
    rng: np.random.Generator,
    originals: NDArray[np.uint8],
    source: NDArray[np.int64],
    n_flips: int,
    out: NDArray[np.uint8],
) -> None:
    """Row t of out becomes originals[source[t]] with n_flips bits flipped each way."""
    room = np.empty((2, originals.shape[1] + 1), np.uint32)
    for t in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[t, j] = originals[source[t], j]
        flip_bits(rng, out[t], n_flips, room)


@kernel
def grow_tree(rng: np.random.Generator, n_flips: int, patterns: NDArray[np.uint8], parent: NDArray[np.int64]) -> None:
    """Grow a random tree from its root, patterns[0]: node i becomes a flipped copy of a random earlier node."""
    room = np.empty((2, patterns.shape[1] + 1), np.uint32)
    for i in range(1, patterns.shape[0]):
        parent[i] = below(rng, i)
        for j in range(patterns.shape[1]):
            patterns[i, j] = patterns[parent[i], j]
        flip_bits(rng, patterns[i], n_flips, room)
