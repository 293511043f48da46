"""Sequences as kernels take them, in batches of equal size."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.compile import part

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

SequenceArrays = NamedTuple(
    "SequenceArrays",
    [
        ("context", Integers),  # (steps, B, C, T) the T tokens of each item
        ("query", Integers),  # (steps, B, A) the tokens that ask, one after the other, after one context
        ("target", Integers),  # (steps, B, A) the outputs that are right
        ("first", int),  # number of the first sequence: it chooses the stream of its initial fast weights
        ("reset", bool),  # whether each sequence begins with such weights, or only number 0
    ],
)


@part
def item_row(W: Array, item: Integers, room: Array) -> Array:
    """Σ_tokens W[token], W x of an item with the rows of W for tokens; of a single token, its row itself."""
    if item.size == 1:
        row: Array = W[item[0]]
        return row
    room[:] = 0.0
    for i in range(item.size):
        for j in range(room.size):
            room[j] += W[item[i], j]
    return room
