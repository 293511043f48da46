"""The compile flags of all kernels, in one place.

No ``fastmath``: it would let the compiler reorder additions, and results would differ between machines.
``nogil``: kernels run in parallel in ordinary threads. ``cache``: compiled once per installation and type of argument,
not per process; where nothing can be written, once per process.

Numba compiles a kernel anew when its own file changes, but not when a kernel it calls in another file does: after a
change, delete ``*.nb[ic]`` beside these files. The Makefile does.

The first use of a kernel waits for its compilation, so this is kept short. Arrays are copied element by element, since
``a[:] = b`` compiles a check of shapes and the text of its message, three seconds; counters that are passed on begin as
``ZERO``, since for a plain 0 the function called is compiled twice; and steps that one kernel alone calls are
``part`` of it. Set ``NUMBA_BOUNDSCHECK=1`` to compile with a check of every index (``make bounds``).
"""

from collections.abc import Callable
from functools import cache, wraps
from threading import Lock
from types import FunctionType
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core.registry import cpu_target

from slotfree.first_use import tell_first_use

F = TypeVar("F", bound=Callable[..., object])

ZERO = cast(int, np.int64(0))  # typed: for a plain 0, Numba also compiles what it is passed to for that very number

tell_first_use()


def kernel(function: F) -> F:
    """Compile a function of arrays and numbers to machine code."""
    return _compiled(function)


def lean(function: F) -> F:
    """Compile a kernel that makes no array and returns none, so that references to arrays need not be counted.

    In short steps, counting takes a third of the time. The option is not public; a Numba without it counts. Kernels of
    others, which may make arrays, are counted for.
    """
    return _lean(function)


def part(function: F) -> F:
    """Compile a kernel that is written into those that call it.

    For steps that one kernel alone calls, which are not compiled by themselves then; and for short steps that take
    records of arrays: each call would otherwise count a reference to every one of them, which can take as long as the
    step.
    """
    return _compiled(function, inline="always")


def leaf(function: F) -> F:
    """Compile a step that takes records of arrays, makes none, and calls lean kernels at most.

    It is written into those that call it as late as machine code is made: it costs them nothing, and what Numba does
    before that is done once, where it does so for a ``part`` in each of them.
    """
    return _lean(function, forceinline=True)


def with_kernels(template: F, compiler: Callable[[F], F], **kernels: Callable[..., object]) -> F:
    """Compile a template: a plain function that calls kernels by global names, with the kernels that these names mean.

    The kernels are known when it is compiled, and so cost nothing to choose. Numba keeps compiled code by a function's
    name, and each choice has a name of its own. If a kernel is not one of this package, nothing is kept: Numba would
    not notice a change of it.
    """
    copy = FunctionType(template.__code__, {**template.__globals__, **kernels}, template.__name__)
    copy.__qualname__ = "_".join([template.__name__, *(kernel.__qualname__ for kernel in kernels.values())])
    copy.foreign = any(is_foreign(kernel) for kernel in kernels.values())  # type: ignore[attr-defined]
    return compiler(cast(F, copy))


def once(function: F) -> F:
    """Let a function that compiles do so once for the same arguments, also if several threads ask for it at a time."""
    kept, lock = cache(function), Lock()

    @wraps(function)
    def guarded(*arguments: Any, **parts: Any) -> object:
        with lock:
            return kept(*arguments, **parts)

    return cast(F, guarded)


def is_foreign(kernel: Callable[..., object]) -> bool:
    """Whether a kernel, or one that its template was compiled with, is not of this package."""
    return not kernel.__module__.startswith("slotfree.") or getattr(kernel, "foreign", False)


def _lean(function: F, **options: Any) -> F:
    counts = is_foreign(function) or not hasattr(cpu_target.options, "_nrt")
    return _compiled(function, **options, **({} if counts else {"_nrt": False}))


def _compiled(function: F, **options: Any) -> F:
    def compiled(cache: bool) -> F:
        return cast(F, numba.njit(nogil=True, error_model="numpy", cache=cache, **options)(function))

    if is_foreign(function):
        return compiled(cache=False)
    try:
        return compiled(cache=True)
    except RuntimeError:  # no directory to keep compiled code in
        return compiled(cache=False)
