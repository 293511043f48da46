"""The compile flags of all kernels, in one place.

No ``fastmath``: it would let the compiler reorder additions, and results would differ between machines.
``nogil``: kernels run in parallel in ordinary threads. ``cache``: compiled once per installation and type of argument,
not per process; where nothing can be written, once per process.

Numba compiles a kernel anew when its own file changes, but not when a kernel it calls in another file does: after a
change, delete ``*.nb[ic]`` beside these files. The Makefile does.

A kernel may be an argument of another one: it is known when the other is compiled, and so costs nothing to choose.
Numba keeps compiled code by the types of arguments, and the type of a kernel is the kernel itself, by an identifier
that is random in each process. Here it is the kernel's name, and what one process compiled the next one finds. Code for
records of a class of others is not kept: a process that cannot import the class could not read what is beside it.

The first use of a kernel waits for its compilation, so this is kept short. Arrays are copied element by element, since
``a[:] = b`` compiles a check of shapes and the text of its message, three seconds; counters that are passed on begin as
``ZERO``, since for a plain 0 the function called is compiled twice; and a step that only kernels call is ``inner``.
Set ``NUMBA_BOUNDSCHECK=1`` to compile with a check of every index (``make
bounds``).
"""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core.registry import cpu_target

from slotfree.first_use import tell_first_use

F = TypeVar("F", bound=Callable[..., object])

ZERO = cast(int, np.int64(0))  # typed: for a plain 0, Numba also compiles what it is passed to for that very number

NO_C: dict[str, Any] = {"no_cfunc_wrapper": True}  # nobody calls kernels from C: a sixth of compiling

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


def inner(function: F) -> F:
    """Compile a leaf that only kernels can call: without a way in from Python there is a third less to compile."""
    return _lean(function, forceinline=True, no_cpython_wrapper=True)


def with_steps(function: F, *steps: Callable[..., object]) -> F:
    """Return a kernel as it may be called with steps, which are kernels too, as arguments.

    If all are of this package, that is the kernel itself. Steps of others may make arrays, and may change: with them it
    is compiled anew in each process.
    """
    return cast(F, _with_foreign_steps(function)) if any(is_foreign(step) for step in steps) else function


@cache
def _with_foreign_steps(function: Callable[..., object]) -> Callable[..., object]:
    return numba.njit(nogil=True, error_model="numpy")(function.py_func)  # type: ignore[attr-defined]


def is_foreign(kernel: Callable[..., object]) -> bool:
    """Whether a kernel is not of this package."""
    return not kernel.__module__.startswith("slotfree.")


def _lean(function: F, **options: Any) -> F:
    counts = is_foreign(function) or not hasattr(cpu_target.options, "_nrt")
    return _compiled(function, **options, **({} if counts else {"_nrt": False}))


def _compiled(function: F, **options: Any) -> F:
    def compiled(cache: bool) -> F:
        made = numba.njit(nogil=True, error_model="numpy", cache=cache, **options, **NO_C)(function)
        if cache and hasattr(made, "_set_uuid"):  # so that the next process knows a step that was an argument
            made._set_uuid(f"{function.__module__}.{function.__qualname__}")
        if cache and hasattr(made, "_cache"):
            _keep_own_records(made._cache)
        return cast(F, made)

    if is_foreign(function):
        return compiled(cache=False)
    try:
        return compiled(cache=True)
    except RuntimeError:  # no directory to keep compiled code in
        return compiled(cache=False)


def _keep_own_records(cache: Any) -> None:
    """Let a cache on disk leave out what is compiled for records of a class that is not of this package."""
    save = cache.save_overload

    def save_own(signature: Any, compiled: Any) -> None:
        if not any(_is_of_others(argument) for argument in getattr(signature, "args", signature)):
            save(signature, compiled)

    cache.save_overload = save_own


def _is_of_others(kind: Any) -> bool:
    """Whether a type of Numba is a named tuple of a class that is not of this package, or holds one."""
    named = getattr(kind, "instance_class", None)
    return (named is not None and is_foreign(named)) or any(_is_of_others(each) for each in getattr(kind, "types", ()))
