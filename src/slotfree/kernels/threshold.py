"""The threshold above which a given share of units lies."""

import math

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.compile import kernel

Floats = NDArray[np.float64]

BISECTIONS = 26


@kernel
def above_threshold(mean: Floats, width: Floats, share: Floats, above: float, out: Floats) -> None:
    """out_i = Φ((mean_i − θ)/width_i), with the threshold θ for which Σ_i share_i out_i is ``above``, by bisection."""
    low, high = -10.0, 10.0 + mean.max()
    for _ in range(BISECTIONS):
        theta, total = (low + high) / 2, 0.0
        for i in range(out.size):
            out[i] = 0.5 * math.erfc((theta - mean[i]) / (width[i] * math.sqrt(2.0)))
            total += share[i] * out[i]
        low, high = (theta, high) if total > above else (low, theta)
