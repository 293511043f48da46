"""A stream: items that are stored one after the other, without end, and queries at any time.

Templates, in which ``present`` stores an item, and ``answer`` is the query step, of a storage.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.attention.slot_free import SlotFreeState, answer, present
from slotfree.kernels.compile import lean, once, with_kernels

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


def store(state: SlotFreeState, items: Integers, first: int, setup: Any, units: Integers) -> None:
    """Store items, (n, T), the first of which has the number ``first``; write the unit of each to units, (n,)."""
    for t in range(len(items)):
        units[t] = present(state.slow, state.fast, state.activity, items[t], first + t, setup)


def ask(state: SlotFreeState, queries: Integers, out: Array) -> None:
    """Write the reported output for each query, (n,), to out, (n, n_outputs)."""
    for n in range(queries.size):
        answer(state.slow, state.fast, state.activity, queries[n])
        for o in range(out.shape[1]):
            out[n, o] = state.activity.y_val[o]


def play(
    state: SlotFreeState,
    items: Integers,
    first: int,
    setup: Any,
    units: Integers,
    queries: Integers,
    after: Integers,
    out: Integers,
) -> None:
    """Store items, as ``store`` does, and ask query n when item ``after[n]`` of them has been; ``after`` ascends.

    Write the number of the largest output to out, (n,): of equal ones the first; −1 if outputs are not numbers.
    """
    n = 0
    for t in range(len(items)):
        units[t] = present(state.slow, state.fast, state.activity, items[t], first + t, setup)
        while n < queries.size and after[n] == t:
            answer(state.slow, state.fast, state.activity, queries[n])
            out[n] = largest_output(state.activity.y_val)
            n += 1


@lean
def largest_output(y: Array) -> int:
    """The number of the largest output, of equal ones the first; −1 if one is not a finite number."""
    best = 0
    for o in range(y.size):
        if not np.isfinite(y[o]):
            return -1
        if y[o] > y[best]:
            best = o
    return best


class Streaming(NamedTuple):
    """The templates above, compiled for one storage."""

    store: Any
    ask: Any
    play: Any


@once
def streaming(present: Callable[..., int], answer: Callable[..., None]) -> Streaming:
    """Return the templates with the kernels of a storage; always the same for the same kernels."""
    return Streaming(
        with_kernels(store, lean, present=present),
        with_kernels(ask, lean, answer=answer),
        with_kernels(play, lean, present=present, answer=answer),
    )
