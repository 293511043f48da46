"""The k winners of a layer, for callers that keep no working room."""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.winners import MAX_BUCKETS, hash_inputs, k_winners, turn
from slotfree.kernels.compile import kernel


@kernel
def largest(drive: NDArray[np.float64], k: int, inputs: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return the ascending indices of the k units with the largest drives; the layer's active inputs decide ties."""
    winners = np.empty(drive.size + 1, np.uint32)
    k_winners(drive, k, inputs, winners, np.empty(drive.size, np.float64), np.empty(MAX_BUCKETS, np.int32))
    return winners[:k]


@kernel
def turns(units: NDArray[np.uint32], inputs: NDArray[np.uint32]) -> NDArray[np.float64]:
    """Return where units stand in a tie, largest first, given the layer's active inputs."""
    code = hash_inputs(inputs)
    out = np.empty(units.size)
    for a in range(units.size):
        out[a] = turn(code, units[a])
    return out
