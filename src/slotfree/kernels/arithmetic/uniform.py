"""Uniform random numbers by counting: the n-th number of a stream is a hash of the stream's key and of n.

So a stream can begin anywhere, nothing is shared between streams, and the loop over n has no chain of dependence. Keys
are made by the finaliser of SplitMix64 (Steele, Lea and Flood, 2014). Numbers are made of 32 bits, which processors
can multiply several at a time, by a hash with the multipliers of lowbias32 (Wellons, 2018); the two halves of the key
enter before and between them.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.uint32 import EIGHT, counted, differing, folded, plus, put_scaled, times
from slotfree.kernels.compile import leaf, lean

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
STEP = 2.0**-32


@lean
def stream(key: np.uint64, n: int) -> np.uint64:
    """Return the key of the n-th stream under a key; different n have different ones."""
    z = key + np.uint64(n + 1) * GOLDEN
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@leaf
def hashed(count: Any, first: np.uint32, second: np.uint32) -> Any:
    """The hash of a count, or of eight, under the two halves of a key."""
    x = plus(times(count, np.uint32(0x9E3779B9)), first)
    x = differing(times(folded(x, np.uint32(16)), np.uint32(0x7FEB352D)), second)
    return folded(times(folded(x, np.uint32(15)), np.uint32(0x846CA68B)), np.uint32(16))


@lean
def fill_uniform(key: np.uint64, high: float, out: NDArray[np.float64]) -> None:
    """Fill a matrix with the first numbers of a stream, uniform in [0, high), multiples of high · 2⁻³².

    The bits are read as a signed number, which processors convert faster, and shifted.
    """
    values = out.reshape(out.size)
    first, second = np.uint32(key), np.uint32(key >> np.uint64(32))
    step, middle = STEP * high, 0.5 * high
    whole = values.size - values.size % EIGHT
    for n in range(0, whole, EIGHT):
        put_scaled(values, n, hashed(counted(np.uint32(n)), first, second), step, middle)
    for n in range(whole, values.size):
        values[n] = np.int32(hashed(np.uint32(n), first, second)) * step + middle


@leaf
def fill_integers(key: np.uint64, out: NDArray[np.unsignedinteger[Any]]) -> None:
    """Fill an array with the first numbers of a stream, uniform over all numbers of its type."""
    first, second = np.uint32(key), np.uint32(key >> np.uint64(32))
    shift = np.uint32(32 - 8 * out.itemsize)
    for n in range(out.size):
        out[n] = hashed(np.uint32(n), first, second) >> shift
