"""The k winners of a layer, for callers that keep no working room."""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.compile import kernel
from slotfree.kernels.winners import MAX_BUCKETS, k_winners


@kernel
def largest(drive: NDArray[np.float64], k: int, inputs: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return the ascending indices of the k units with the largest drives; the layer's active inputs decide ties."""
    winners = np.empty(drive.size + 1, np.uint32)
    k_winners(drive, k, inputs, winners, np.empty(drive.size, np.float64), np.empty(MAX_BUCKETS, np.int32))
    return winners[:k]
