"""Uniform random numbers by counting: the n-th pair of a stream is a hash of the stream's key and of n.

So a stream can begin anywhere, nothing is shared between streams, and the loop over n has no chain of dependence.
The hash is the finaliser of SplitMix64 (Steele, Lea and Flood, 2014); each half of it is a number, a multiple of 2⁻³².
"""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.compile import kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
STEP = 2.0**-32


@kernel
def scrambled(z: np.uint64) -> np.uint64:
    """Return a hash of 64 bits; different numbers have different ones."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def stream(key: np.uint64, n: int) -> np.uint64:
    """Return the key of the n-th stream under a key."""
    return scrambled(key + np.uint64(n + 1) * GOLDEN)


@kernel
def fill_uniform(key: np.uint64, high: float, out: NDArray[np.float64]) -> None:
    """Fill a matrix with the first numbers of a stream, uniform in [0, high).

    The halves are read as signed numbers, which processors convert faster, and shifted.
    """
    values = out.reshape(out.size)
    size = values.size
    for n in range(size // 2):
        bits = stream(key, n)
        values[2 * n] = (np.int32(bits >> np.uint64(32)) * STEP + 0.5) * high
        values[2 * n + 1] = (np.int32(bits & np.uint64(0xFFFFFFFF)) * STEP + 0.5) * high
    if size % 2:
        values[size - 1] = (np.int32(stream(key, size // 2) >> np.uint64(32)) * STEP + 0.5) * high
