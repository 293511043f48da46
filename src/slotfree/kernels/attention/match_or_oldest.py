"""Match or oldest: an item goes to the units that hold what is most like it, else to those written longest ago.

``when[m]`` is the number of the item that unit m stored last, counted from 1; 0 is never. Units are first used in the
order of their numbers, so that those below ``count[WRITTEN]`` are the ones that were.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.attention.distributed_context import (
    STORED,
    WRITTEN,
    Array,
    Context,
    Integers,
    squared_length,
    unit_drive,
)
from slotfree.kernels.compile import lean

ABOVE = 1 + 1e-5  # times the threshold: what is as large but for rounding, also in single precision, is no match


@lean
def match_or_oldest(context: Context, k: Array, h: Array) -> None:
    """Choose the k units with the largest h = W_HK k, if their mean exceeds γ f ε |k|², else the oldest.

    Of equal drives, and of equal ages, the unit with the lowest number comes first.
    """
    written = context.count[WRITTEN]
    for m in range(written):
        h[m] = unit_drive(context, m, k)
    keep_winners(context, h, context.match * squared_length(k))


@lean
def keep_winners(context: Context, h: Array, threshold: float) -> None:
    """Choose by the drives of the units that were written; note that the next item is the last that they store."""
    winners, when, written = context.winners, context.when, context.count[WRITTEN]
    first_units(h, written, winners)
    if not (written > 0 and mean_drive(h, winners) > ABOVE * threshold):
        oldest(when, written, h, winners)
    for a in range(winners.size):
        when[winners[a]] = context.count[STORED] + 1
        context.count[WRITTEN] = max(context.count[WRITTEN], winners[a] + 1)


@lean
def mean_drive(h: Array, units: Integers) -> float:
    """The mean drive of some units."""
    total = 0.0
    for a in range(units.size):
        total += h[units[a]]
    return total / units.size


@lean
def oldest(when: Integers, written: int, h: Array, out: Integers) -> None:
    """Write the units that were written longest ago to out: the next ones, as long as there are; h is used up."""
    if written + out.size <= when.size:
        for a in range(out.size):
            out[a] = written + a
        return
    for m in range(when.size):
        h[m] = -when[m]
    first_units(h, when.size, out)


@lean
def first_units(h: NDArray[Any], n: int, out: Integers) -> None:
    """Write those of the first n units with the largest drives to out, the largest first; of equal ones, the first.

    If there are fewer than out has room for, the rest of it stays as it is.
    """
    last = out.size - 1
    least = -np.inf  # the drive of the last one, where the list is full
    for m in range(n):
        if h[m] > least or m <= last:
            place = min(m, last)
            while place > 0 and h[m] > h[out[place - 1]]:
                out[place] = out[place - 1]
                place -= 1
            out[place] = m
            if m >= last:
                least = h[out[last]]
