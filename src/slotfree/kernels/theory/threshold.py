"""The threshold above which a given number of units lies, and which they are."""

import math

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.compile import lean

Floats = NDArray[np.float64]

BISECTIONS = 26


@lean
def above_threshold(mean: Floats, width: Floats, share: Floats, above: float, high: float, out: Floats) -> None:
    """out_i = Φ((mean_i − θ)/width_i), with the θ for which Σ_i share_i out_i is ``above``, from −10 to high."""
    low = -10.0
    for _ in range(BISECTIONS):
        theta, total = (low + high) / 2, 0.0
        for i in range(out.size):
            out[i] = 0.5 * math.erfc((theta - mean[i]) / (width[i] * math.sqrt(2.0)))
            total += share[i] * out[i]
        low, high = (theta, high) if total > above else (low, theta)


@lean
def overlaps(drives: Floats, sizes: NDArray[np.int64], k: float, out: Floats) -> None:
    """The share of the pattern among the k units with the largest drive, for each case (first dimension).

    drives are probabilities on a lattice, for units of each kind (second dimension); the last kind is not of the
    pattern. At each place of the lattice, the numbers of units above count half of those at it; between places, they
    are interpolated.
    """
    n_kinds, last = drives.shape[1], drives.shape[2] - 1
    for c in range(drives.shape[0]):
        after = pattern_after = 0.0
        total = pattern = 0.0  # above the place n, and half of those at it
        for n in range(last, -1, -1):
            of_pattern = 0.0
            for d in range(n_kinds - 1):
                of_pattern += sizes[d] * drives[c, d, n]
            here = of_pattern + sizes[n_kinds - 1] * drives[c, n_kinds - 1, n]
            before, pattern_before = total + here / 2, pattern + of_pattern / 2
            if n < last and (before > k or n == 0):
                part = min(max((before - k) / max(before - after, 1e-300), 0.0), 1.0)
                out[c] = (pattern_before + part * (pattern_after - pattern_before)) / k
                break
            after, pattern_after = before, pattern_before
            total += here
            pattern += of_pattern
