"""Decay without touching what decays: increments grow instead, by 1/(1 − λ) per pattern.

All numbers are then too large by the same factor, which changes no comparison between them. Before they grow out of
range they are brought back; what is then too small to matter in any sum becomes 0.
"""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.compile import lean

LARGE, TINY = 2.0**100, 2.0**-200


@lean
def fade(values: NDArray[np.float64], factor: float) -> None:
    """Multiply values, none of them negative, by a factor."""
    for p in range(values.size):
        value = values[p] * factor
        values[p] = value if value >= TINY else 0.0
