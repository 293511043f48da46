"""The compile flags of all kernels, in one place.

No ``fastmath``: it would let the compiler reorder additions, and results would differ between machines.
``nogil``: kernels run in parallel in ordinary threads. ``cache``: compiled once per machine, not per process.
"""

from collections.abc import Callable
from typing import TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., object])


def kernel(function: F) -> F:
    """Compile a function of arrays and numbers to machine code."""
    return cast(F, numba.njit(nogil=True, cache=True, error_model="numpy")(function))
