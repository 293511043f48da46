"""Sequences as kernels take them, in batches of equal size."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.compile import part

Array = NDArray[np.float64]
Whole = NDArray[np.int64]

SequenceArrays = NamedTuple(
    "SequenceArrays",
    [
        ("context", Whole),  # (steps, B, C, T) the T tokens of each item
        ("query", Whole),  # (steps, B) the token that asks
        ("target", Whole),  # (steps, B) the output that is right
        ("first", int),  # number of the first sequence: it chooses the stream of its initial fast weights
    ],
)


@part
def item_row(W: Array, item: Whole, room: Array) -> Array:
    """Σ_tokens W[token], W x of an item with the rows of W for tokens; of a single token, its row itself."""
    if item.size == 1:
        row: Array = W[item[0]]
        return row
    room[:] = 0.0
    for token in item:
        for j in range(room.size):
            room[j] += W[token, j]
    return room
