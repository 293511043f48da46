"""Random integers below a limit: those of NumPy, without the array that Numba makes for each of them."""

from typing import Any

import numpy as np

from slotfree.kernels.compile import ZERO, lean

next_uint32: Any
try:
    from numba.np.random.generator_core import next_uint32
except ImportError:  # another Numba: the same numbers, ten times as slowly
    next_uint32 = None

LOW = np.uint64(0xFFFFFFFF)


def by_numpy(rng: np.random.Generator, n: int) -> Any:
    """Return a random integer from 0 to n - 1."""
    return rng.integers(0, n)


def by_lemire(rng: np.random.Generator, n: int) -> Any:
    """Return the same number, for n up to 2**32 - 1.

    It is the upper half of a random number of 32 bits times n, which is drawn again in the rare case in which it would
    make some numbers more likely than others.
    """
    if n <= 1:
        return ZERO
    product = np.uint64(next_uint32(rng.bit_generator)) * np.uint64(n)
    if product & LOW < np.uint64(n):
        while product & LOW < (LOW + np.uint64(1)) % np.uint64(n):
            product = np.uint64(next_uint32(rng.bit_generator)) * np.uint64(n)
    return np.int64(product >> np.uint64(32))


below = lean(by_numpy if next_uint32 is None else by_lemire)
