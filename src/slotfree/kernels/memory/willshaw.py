"""Willshaw's network: weights that are 0 or 1, and become 1 between units that were active together."""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.sampling import positions
from slotfree.kernels.arithmetic.winners import Room, k_winners
from slotfree.kernels.compile import lean
from slotfree.kernels.memory.synapses import Recurrent


@lean
def store_clipped(
    net: Recurrent, W: NDArray[np.uint8], patterns: NDArray[np.uint8], active: NDArray[np.uint32]
) -> None:
    """W_ij ← max(W_ij, x_i x_j) for the rows of patterns; active is working room for one more than they have bits."""
    for row in range(patterns.shape[0]):
        x = patterns[row]
        for a in range(positions(x, active)):
            for p in range(net.start[active[a]], net.start[active[a] + 1]):
                W[p] |= x[net.targets[p]]


@lean
def retrieve_clipped(
    net: Recurrent, W: NDArray[np.uint8], m: int, k: int, cues: NDArray[np.uint8], out: NDArray[np.uint8], room: Room
) -> None:
    """Write the k best units of each cue to out, which holds zeros.

    An active input counts 1 where W = 1, and −(m + 1) where W = 0: of at most m inputs, one of the latter outweighs
    all of the former.
    """
    for row in range(cues.shape[0]):
        active = room.active[: positions(cues[row], room.active)]
        for i in range(room.drive.size):
            room.drive[i] = 0.0
        for a in range(active.size):
            for p in range(net.start[active[a]], net.start[active[a] + 1]):
                room.drive[net.targets[p]] += W[p] * (m + 2.0) - (m + 1.0)
        k_winners(room.drive, k, active, room.winners, room.values, room.counts)
        for a in range(k):
            out[row, room.winners[a]] = 1
