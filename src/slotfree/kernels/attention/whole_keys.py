"""Pairs stored by units that see whole keys: matrix products have computed the drives, and are followed item by item.

Products of matrices round as they like. So a drive decides only where it is further from others than rounding goes;
where it is not, drives are summed anew in the order of the components, as ``unit_drive`` has it. What is stored does
not depend on how many pairs are stored at a time.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.uniform import stream
from slotfree.kernels.attention.distributed_context import (
    TIES,
    Array,
    Integers,
    draw_units,
    largest,
    left_of,
    squared_length,
)
from slotfree.kernels.attention.key_value import LEAST_DRIVE, Bits, stream_of
from slotfree.kernels.attention.match_or_oldest import ABOVE, first_units, oldest
from slotfree.kernels.compile import ZERO, inner, kernel, lean

ROUNDINGS = 8.0  # of a product, at most, for each component

Floats = NDArray[Any]  # of 32 or of 64 bits

Whole = NamedTuple(
    "Whole",
    [
        # fast weights of B memories
        ("keys", Floats),  # (B, n_h, N) W_HK
        ("values", Floats),  # (B, n_h, n_outputs) W_VH, transposed
        ("g", Floats),  # (B, n_h)
        ("when", Integers),  # (B, n_h) the number of the pair that a unit stored last; 0 is never
        ("held", Integers),  # (B,) units that hold something
        ("lengths", Array),  # (B,) Σ |k|² of all keys
        ("longest", Array),  # (B,) the largest |k|
        # numbers
        ("key", np.uint64),  # of ties and projections
        ("k", int),
        ("rate", float),  # ε
        ("gain", float),  # γ
        ("by_age", bool),  # whether pairs go to the units that match, or else to the oldest
        ("epsilon", float),  # of the numbers
    ],
)

Room = NamedTuple("Room", [("winners", Integers), ("leading", Integers), ("near", Integers), ("drives", Array)])


@kernel
def store_whole(whole: Whole, stored: int, rows: Array, bits: Bits, values: Array, H: Floats, G: Floats) -> None:
    """Store pairs in their order, in each of B memories.

    Parameters
    ----------
    stored : pairs that were stored before.
    rows, bits, values : (B, T, N) keys, the same memory read as integers, and (B, T, n_outputs).
    H : (B, T, n) drives of the first n units as they are now; it is used up. The others hold nothing.
    G : (B, T, T) products of the keys.
    """
    n, units = H.shape[2], whole.g.shape[1]
    room = Room(np.zeros(whole.k, np.int64), np.zeros(whole.k + 1, np.int64), np.empty(n, np.int64), np.empty(units))
    projected = np.zeros(whole.k, np.int64)
    for b in range(len(rows)):
        for t in range(rows.shape[1]):
            square = squared_length(rows[b, t])
            whole.lengths[b] += square
            whole.longest[b] = max(whole.longest[b], np.sqrt(square))
            if whole.by_age:
                match_whole(whole, b, rows[b, t], square, H[b, t], room)
            else:
                draw_units(stream_of(whole.key, bits[b, t]), n, projected)
                project_whole(whole, b, rows[b, t], square, H[b, t], projected, stored + t, room)
            hold_whole(whole, b, rows[b, t], values[b, t], stored + t + 1, room.winners)
            for later in range(t + 1, rows.shape[1]):
                for a in range(whole.k):
                    m = room.winners[a]
                    H[b, later, m] = (1.0 - whole.rate) * H[b, later, m] + whole.rate * G[b, later, t]


@inner
def project_whole(
    whole: Whole, b: int, k: Array, square: float, h: Floats, projected: Integers, number: int, room: Room
) -> None:
    """Choose the units with the largest h = W_HK k + γ |k|² P k."""
    gain = max(whole.gain * square, LEAST_DRIVE)
    for a in range(projected.size):
        h[projected[a]] += gain
    n = contenders(whole, b, square, h, h.size, room)
    if n > whole.k:
        for i in range(n):
            m = room.near[i]
            room.drives[m] = exact_drive(whole.keys[b, m], k)
            for a in range(projected.size):
                if projected[a] == m:
                    room.drives[m] += gain
        tie = stream(stream(whole.key, TIES), number)
        largest(room.drives, room.near, n, whole.k, tie, room.winners)


@inner
def match_whole(whole: Whole, b: int, k: Array, square: float, h: Floats, room: Room) -> None:
    """Choose the units with the largest h = W_HK k, if their mean exceeds γ ε |k|², else the oldest."""
    held = whole.held[b]
    if held > 0:
        n = contenders(whole, b, square, h, held, room)
        if n > whole.k:
            for m in range(held):
                room.drives[m] = -np.inf
            for i in range(n):
                room.drives[room.near[i]] = exact_drive(whole.keys[b, room.near[i]], k)
            first_units(room.drives, held, room.winners)
        total = 0.0
        for a in range(whole.k):
            total += exact_drive(whole.keys[b, room.winners[a]], k)
        if total / whole.k > ABOVE * whole.gain * whole.rate * square:
            return
    oldest(whole.when[b], held, room.drives, room.winners)


@inner
def contenders(whole: Whole, b: int, square: float, h: Floats, n: int, room: Room) -> int:
    """Write the winners of the first n units, and return k; or list all units that may be, if more than k may."""
    k, N = whole.k, whole.keys.shape[2]
    first_units(h, n, room.leading)
    for a in range(k):
        room.winners[a] = room.leading[a]
    apart = ROUNDINGS * N * whole.epsilon * np.sqrt(square) * whole.longest[b]
    least = h[room.leading[k - 1]] - apart
    if n == k or h[room.leading[k]] < least:
        return k
    found = ZERO
    for m in range(n):
        if h[m] >= least:
            room.near[found] = m
            found += 1
    return found


@lean
def exact_drive(w: Floats, k: Array) -> float:
    """w·k, in the order of the components."""
    total = 0.0
    for j in range(k.size):
        total += w[j] * k[j]
    return total


@inner
def hold_whole(whole: Whole, b: int, k: Array, v: Array, number: int, winners: Integers) -> None:
    """Store in the winners, as ``hold`` does."""
    rate, kept = whole.rate, 1.0 - whole.rate
    for a in range(winners.size):
        m = winners[a]
        whole.held[b] += whole.g[b, m] == 0.0
        whole.when[b, m] = number
        for j in range(k.size):
            whole.keys[b, m, j] = left_of(whole.keys[b, m, j], kept) + rate * k[j]
        for o in range(v.size):
            whole.values[b, m, o] = left_of(whole.values[b, m, o], kept) + rate * v[o]
        whole.g[b, m] = kept * whole.g[b, m] + rate
