"""A layer that recodes patterns: up by k winners or by a threshold (Marr's codons), down by the same connections.

Forward and return weights are equal, at first all 1. They may learn slowly, and stay equal.
"""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.sampling import positions
from slotfree.kernels.arithmetic.winners import Room, collect, group_maxima
from slotfree.kernels.compile import lean
from slotfree.kernels.memory.kwinner import code_pattern, drive_hidden, recall_pattern
from slotfree.kernels.memory.synapses import Synapses


@lean
def encode(synapses: Synapses, k: int, threshold: int, x: NDArray[np.uint8], room: Room) -> int:
    """Leave a pattern's active units in room.winners: k winners, or all at the threshold. Return how many."""
    if threshold == 0:
        code_pattern(synapses, k, x, room)
        return k
    h = room.drive[: synapses.inputs.shape[0]]
    drive_hidden(synapses, room.active[: positions(x, room.active)], h)
    group_maxima(h, room.values)
    return collect(h, room.values, threshold, room.winners)


@lean
def encode_patterns(
    synapses: Synapses, k: int, threshold: int, patterns: NDArray[np.uint8], out: NDArray[np.uint8], room: Room
) -> None:
    """Write the code of each pattern to out (T, units), which holds zeros."""
    for t in range(patterns.shape[0]):
        for a in range(encode(synapses, k, threshold, patterns[t], room)):
            out[t, room.winners[a]] = 1


@lean
def decode_patterns(synapses: Synapses, k_v: int, codes: NDArray[np.uint8], out: NDArray[np.uint8], room: Room) -> None:
    """Write the k_v winners that each code drives to out (T, n_v), which holds zeros."""
    for t in range(codes.shape[0]):
        recall_pattern(synapses, room.winners[: positions(codes[t], room.winners)], k_v, room)
        for a in range(k_v):
            out[t, room.active[a]] = 1


@lean
def learn_slowly(
    synapses: Synapses,
    k: int,
    threshold: int,
    k_v: int,
    rate: np.float32,
    contrastive: bool,
    patterns: NDArray[np.uint8],
    restored: NDArray[np.uint8],
    z: NDArray[np.uint32],
    room: Room,
) -> None:
    """Learn to restore each pattern x from its code z, in order; x' is what z restores, z' the code of x'.

    W_ij += rate (z_i x_j - z_i x'_j), or with ``contrastive`` W_ij += rate (z_i x_j - z'_i x'_j), but not below 0.
    restored (n_v) and z (units) are working room.
    """
    for t in range(patterns.shape[0]):
        n = encode(synapses, k, threshold, patterns[t], room)
        for a in range(n):
            z[a] = room.winners[a]
        recall_pattern(synapses, z[:n], k_v, room)
        for j in range(restored.size):
            restored[j] = 0
        for a in range(k_v):
            restored[room.active[a]] = 1
        n_restored = encode(synapses, k, threshold, restored, room) if contrastive else n
        add(synapses, z[:n], rate, patterns[t])
        add(synapses, room.winners[:n_restored] if contrastive else z[:n], -rate, restored)


@lean
def add(synapses: Synapses, z: NDArray[np.uint32], amount: np.float32, x: NDArray[np.uint8]) -> None:
    """Add an amount to the weights between the units z and the ones of x, but do not go below 0."""
    for a in range(z.size):
        inputs = synapses.inputs[z[a]]
        place = synapses.place[z[a]]
        back = synapses.back[z[a]]
        for q in range(inputs.size):
            if x[inputs[q]]:
                back[q] = max(back[q] + amount, np.float32(0))
                synapses.forward[place[q]] = back[q]
