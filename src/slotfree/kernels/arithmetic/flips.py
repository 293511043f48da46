"""Copies of patterns, as packed bits, with b ones switched off and b zeros switched on."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.bits import list_ones, toggle
from slotfree.kernels.arithmetic.random_integers import below
from slotfree.kernels.compile import lean

# The working room for patterns of n bits with k ones: the ones of a pattern, and the zeros before each of them (k);
# 0, 1, 2, … (n) to draw from; and what is drawn, as many as are flipped each way.
Room = NamedTuple(
    "Room",
    [
        ("ones", NDArray[np.uint32]),
        ("zeros_before", NDArray[np.int32]),
        ("ranks", NDArray[np.uint32]),
        ("drawn", NDArray[np.uint32]),
    ],
)


def room_for(n: int, k: int, n_flips: int) -> Room:
    """Allocate the working room."""
    return Room(
        np.empty(k, np.uint32), np.empty(k, np.int32), np.arange(n, dtype=np.uint32), np.empty(n_flips, np.uint32)
    )


@lean
def draw_ranks(rng: np.random.Generator, ranks: NDArray[np.uint32], n_items: int, out: NDArray[np.uint32]) -> None:
    """Fill out with a random subset of 0..n_items-1: what ``shuffle_front`` draws from items in ascending order.

    ranks holds 0, 1, 2, …, and does so again afterwards: a place that was changed is one whose rank was drawn.
    """
    for q in range(out.size):
        r = q + below(rng, n_items - q)
        out[q] = ranks[r]
        ranks[r] = ranks[q]
    for q in range(out.size):
        ranks[out[q]] = out[q]


@lean
def nth_zero(zeros_before: NDArray[np.int32], n: int) -> int:
    """Return the place of the n-th zero of a pattern, from 0 on: n plus the ones that have at most n zeros before them.

    They are counted, in 32 bits: processors compare eight at a time, where a search has to wait for every comparison.
    """
    ones, last = np.int32(0), np.int32(n)
    for i in range(zeros_before.size):
        ones = np.int32(ones + np.int32(zeros_before[i] <= last))
    return n + np.int64(ones)  # type: ignore[return-value]


@lean
def flip(rng: np.random.Generator, x: NDArray[np.uint64], room: Room, out: NDArray[np.uint64]) -> None:
    """Write the pattern x to out, with as many ones switched off, and zeros switched on, as there is room to draw."""
    k = list_ones(x, room.ones)
    for i in range(k):
        room.zeros_before[i] = room.ones[i] - i
    for w in range(x.size):
        out[w] = x[w]
    draw_ranks(rng, room.ranks, k, room.drawn)
    for q in range(room.drawn.size):
        toggle(out, room.ones[room.drawn[q]])
    draw_ranks(rng, room.ranks, room.ranks.size - k, room.drawn)
    for q in range(room.drawn.size):
        toggle(out, nth_zero(room.zeros_before, room.drawn[q]))


@lean
def flipped_copies(
    rng: np.random.Generator,
    originals: NDArray[np.uint64],
    source: NDArray[np.int64],
    room: Room,
    out: NDArray[np.uint64],
) -> None:
    """Row t of out becomes originals[source[t]], with as many bits flipped each way as there is room to draw."""
    for t in range(out.shape[0]):
        flip(rng, originals[source[t]], room, out[t])


@lean
def grow_tree(rng: np.random.Generator, room: Room, patterns: NDArray[np.uint64], parent: NDArray[np.int64]) -> None:
    """Grow a random tree from its root, patterns[0]: node i becomes a flipped copy of any earlier one."""
    for i in range(1, patterns.shape[0]):
        parent[i] = below(rng, i)
        flip(rng, patterns[parent[i]], room, patterns[i])
