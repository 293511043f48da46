"""A layer that recodes patterns: up by k winners or by a threshold (Marr's codons), down by the same connections.

Forward and return weights are equal, at first all 1. They may learn slowly, and stay equal.
"""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.sampling import positions
from slotfree.kernels.arithmetic.winners import collect, group_maxima
from slotfree.kernels.compile import kernel
from slotfree.kernels.memory.kwinner import Workspace, code_pattern, drive_hidden, recall_pattern, workspace
from slotfree.kernels.memory.synapses import Synapses


@kernel
def encode(synapses: Synapses, k: int, threshold: int, x: NDArray[np.uint8], room: Workspace) -> int:
    """Leave the active units of one pattern's code in room.z, return how many: k winners, or all at the threshold."""
    if threshold == 0:
        code_pattern(synapses, k, x, room)
        return k
    drive_hidden(synapses, room.active[: positions(x, room.active)], room.h)
    group_maxima(room.h, room.values)
    return collect(room.h, room.values, threshold, room.z)


@kernel
def encode_patterns(
    synapses: Synapses, k: int, threshold: int, patterns: NDArray[np.uint8], out: NDArray[np.uint8]
) -> None:
    """Write the code of each pattern to out (T, units), which holds zeros."""
    room = workspace(synapses)
    for t in range(patterns.shape[0]):
        for a in range(encode(synapses, k, threshold, patterns[t], room)):
            out[t, room.z[a]] = 1


@kernel
def decode_patterns(synapses: Synapses, k_v: int, codes: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
    """Write the k_v winners that each code drives to out (T, n_v), which holds zeros."""
    room = workspace(synapses)
    for t in range(codes.shape[0]):
        recall_pattern(synapses, room.z[: positions(codes[t], room.z)], k_v, room)
        for a in range(k_v):
            out[t, room.x_out[a]] = 1


@kernel
def learn_slowly(
    synapses: Synapses,
    k: int,
    threshold: int,
    k_v: int,
    rate: np.float32,
    contrastive: bool,
    patterns: NDArray[np.uint8],
) -> None:
    """Learn to restore each pattern x from its code z, in order; x' is what z restores, z' the code of x'.

    W_ij += rate (z_i x_j - z_i x'_j), or with ``contrastive`` W_ij += rate (z_i x_j - z'_i x'_j), but not below 0.
    """
    room = workspace(synapses)
    restored = np.zeros(patterns.shape[1], np.uint8)
    z = np.empty(room.z.size, np.uint32)
    for t in range(patterns.shape[0]):
        n = encode(synapses, k, threshold, patterns[t], room)
        for a in range(n):
            z[a] = room.z[a]
        recall_pattern(synapses, z[:n], k_v, room)
        restored[:] = 0
        for a in range(k_v):
            restored[room.x_out[a]] = 1
        n_restored = encode(synapses, k, threshold, restored, room) if contrastive else n
        add(synapses, z[:n], rate, patterns[t])
        add(synapses, room.z[:n_restored] if contrastive else z[:n], -rate, restored)


@kernel
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
