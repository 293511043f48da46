"""Partial cues: patterns with some of their ones missing (paper, "Pattern completion")."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slotfree import checks
from slotfree.kernels.arithmetic.sampling import keep_ones


def partial_cues(patterns: ArrayLike, fraction: float, *, seed: checks.Seed) -> NDArray[np.uint8]:
    """Keep a random fraction c of each pattern's ones; the other bits are zero.

    Parameters
    ----------
    patterns : one pattern (n_visible,) or many (T, n_visible), of zeros and ones.
    fraction : c, from 0 to 1. c times the number of ones is rounded to an integer, halves upwards.
    seed : an integer, a SeedSequence or a Generator.

    Returns
    -------
    uint8 array of the same shape.

    Examples
    --------
    >>> int(partial_cues([1, 1, 1, 1, 0, 0], 0.5, seed=0).sum())
    2
    """
    rows = checks.binary_rows("patterns", patterns)
    fraction = checks.fraction("fraction", fraction, zero_allowed=True)
    cues = np.zeros_like(rows)
    keep_ones(checks.generator(seed, "cues"), rows, fraction, np.empty(rows.shape[1] + 1, np.uint32), cues)
    return cues.reshape(np.shape(patterns))
