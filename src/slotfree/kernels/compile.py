"""The compile flags of all kernels, in one place.

No ``fastmath``: it would let the compiler reorder additions, and results would differ between machines.
``nogil``: kernels run in parallel in ordinary threads. ``cache``: compiled once per installation and type of argument,
not per process; where nothing can be written, once per process.

Numba compiles a kernel anew when its own file changes, but not when a kernel it calls in another file does: after a
change, delete ``*.nb[ic]`` beside these files. The Makefile does.
"""

from collections.abc import Callable
from typing import TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., object])


def kernel(function: F) -> F:
    """Compile a function of arrays and numbers to machine code."""
    try:
        return _compiled(function, cache=True)
    except RuntimeError:  # no directory to keep compiled code in
        return _compiled(function, cache=False)


def _compiled(function: F, cache: bool) -> F:
    return cast(F, numba.njit(nogil=True, error_model="numpy", cache=cache)(function))
