"""How many ones patterns share."""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.compile import lean


@lean
def count_shared(x: NDArray[np.uint8], y: NDArray[np.uint8], out: NDArray[np.uint32]) -> None:
    """Write to out how many ones each row of x, (T, n), has in common with the same row of y."""
    n_rows, n = x.shape
    for t in range(n_rows):
        ones = np.uint32(0)
        for j in range(n):
            ones = np.uint32(ones + np.uint32(x[t, j] & y[t, j]))
        out[t] = ones
