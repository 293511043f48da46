"""k winners in each row of a matrix of drives."""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.sampling import positions
from slotfree.kernels.arithmetic.winners import MAX_BUCKETS, k_winners
from slotfree.kernels.compile import kernel


@kernel
def row_winners(drives: NDArray[np.float64], k: int, cues: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
    """Set the k winners of each row of drives to one in out (T, n), which holds zeros; the cue's ones decide ties.

    Drives are rounded to float32 first. What k_winners asks of drives then holds, and sums that differ only by the
    order of their additions tie.
    """
    n_rows, n = drives.shape
    active = np.empty(cues.shape[1] + 1, np.uint32)
    drive = np.empty(n, np.float64)
    winners = np.empty(n + 1, np.uint32)
    values = np.empty(n, np.float64)
    counts = np.empty(MAX_BUCKETS, np.int32)
    for t in range(n_rows):
        for i in range(n):
            drive[i] = np.float32(drives[t, i])
        k_winners(drive, k, active[: positions(cues[t], active)], winners, values, counts)
        for a in range(k):
            out[t, winners[a]] = 1
