"""Random permutations of 2^b numbers, b up to 16, that are computed both ways and stored nowhere.

    π(p) = r₃(s(r₂(s(r₁(p))))),    r(x) = (a x + c) mod 2^b,    s(x) = x ⊕ ⌊x / 8⌋

with odd a. All of it is arithmetic of 16 bits, which processors do for sixteen numbers at a time. Both steps can be
undone: r by the inverse of a modulo 2^b, s by s⁻¹(x) = x ⊕ x/8 ⊕ x/64 ⊕ … A permutation has 93 random bits. Two
numbers differ by about as much before as they would after a fair shuffle; with two rounds that is not so.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.compile import leaf

Halves: TypeAlias = NDArray[np.uint16]

ONE, THREE, SIX, TWELVE = np.uint16(1), np.uint16(3), np.uint16(6), np.uint16(12)

# Some permutations, undone: π⁻¹(i) of the t-th takes i back through its three rounds.
Inverses = NamedTuple(
    "Inverses", [("a1", Halves), ("c1", Halves), ("a2", Halves), ("c2", Halves), ("a3", Halves), ("c3", Halves)]
)


@leaf
def images(first: np.uint64, second: np.uint64, mask: np.uint16, low: int, n: int, out: Halves) -> None:
    """Write π(low), … π(low + n - 1) to out, of the permutation of mask + 1 numbers with these random bits."""
    a1, c1 = np.uint16(first) | ONE, np.uint16(first >> np.uint64(16))
    a2, c2 = np.uint16(first >> np.uint64(32)) | ONE, np.uint16(first >> np.uint64(48))
    a3, c3 = np.uint16(second) | ONE, np.uint16(second >> np.uint64(16))
    c1 = np.uint16(np.uint16(low) * a1 + c1)
    for t in range(n):
        x = np.uint16(np.uint16(t) * a1 + c1) & mask
        x = np.uint16(x ^ (x >> THREE))
        x = np.uint16(x * a2 + c2) & mask
        x = np.uint16(x ^ (x >> THREE))
        out[t] = np.uint16(x * a3 + c3) & mask


@leaf
def undo(first: np.uint64, second: np.uint64, t: int, inverses: Inverses) -> None:
    """Make the permutation with these random bits the t-th of those undone."""
    inverses.a1[t] = inverse(np.uint16(first) | ONE)
    inverses.c1[t] = np.uint16(first >> np.uint64(16))
    inverses.a2[t] = inverse(np.uint16(first >> np.uint64(32)) | ONE)
    inverses.c2[t] = np.uint16(first >> np.uint64(48))
    inverses.a3[t] = inverse(np.uint16(second) | ONE)
    inverses.c3[t] = np.uint16(second >> np.uint64(16))


@leaf
def inverse(a: np.uint16) -> np.uint16:
    """Return the inverse of an odd number modulo 2^16: each step of Newton's method doubles the bits that are right."""
    x = a  # right in three bits
    x = np.uint16(x * np.uint16(2 - x * a))
    x = np.uint16(x * np.uint16(2 - x * a))
    return np.uint16(x * np.uint16(2 - x * a))


@leaf
def origins(unit: int, mask: np.uint16, n: int, inverses: Inverses, out: Halves) -> None:
    """Write where each of the first n permutations has a unit, π⁻¹(unit), to out."""
    i = np.uint16(unit)
    for t in range(n):
        x = np.uint16(np.uint16(i - inverses.c3[t]) * inverses.a3[t]) & mask
        x = np.uint16(x ^ (x >> THREE))
        x = np.uint16(x ^ (x >> SIX))
        x = np.uint16(x ^ (x >> TWELVE))
        x = np.uint16(np.uint16(x - inverses.c2[t]) * inverses.a2[t]) & mask
        x = np.uint16(x ^ (x >> THREE))
        x = np.uint16(x ^ (x >> SIX))
        x = np.uint16(x ^ (x >> TWELVE))
        out[t] = np.uint16(np.uint16(x - inverses.c1[t]) * inverses.a1[t]) & mask
