"""Pairs of a key and a value, which k units of a distributed context store; and what queries read of them."""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.uniform import stream
from slotfree.kernels.attention.distributed_context import (
    ATTENDED,
    Array,
    Context,
    Integers,
    approach,
    attend,
    choose,
    draw_units,
    drives,
    hold,
    read_values,
    squared_length,
)
from slotfree.kernels.attention.match_or_oldest import match_or_oldest
from slotfree.kernels.compile import ZERO, inner, kernel, lean

LEAST_DRIVE = 1e-300  # of a projection: a key of length 0 has units of its own too

Bits = NDArray[np.uint64]


@kernel
def store_pairs(context: Context, keys: Array, bits: Bits, values: Array, no_item: Integers, lengths: Array) -> None:
    """Store pairs in their order, each in the k winners of h = W_HK k + γ f |k|² P k, or in those that match or oldest.

    Parameters
    ----------
    keys, bits : (T, N), and the same memory read as integers.
    values : (T, n_outputs).
    no_item : (0,) the tokens of a pair: none.
    lengths : (1,) to which |k|² is added.
    """
    h = np.zeros(len(context.g))
    projected = np.zeros(context.winners.size, np.int64)
    for t in range(len(keys)):
        if context.by_age:
            match_or_oldest(context, keys[t], h)
        else:
            n = drives(context, keys[t], no_item, h)
            draw_units(stream_of(context.key[0], bits[t]), h.size, projected)
            choose(context, h, project(context, keys[t], projected, h, n))
        for o in range(context.v.size):
            context.v[o] = values[t, o]
        hold(context, keys[t], no_item)
        lengths[0] += squared_length(keys[t])


@lean
def stream_of(key: np.uint64, bits: Bits) -> np.uint64:
    """The stream under a key that belongs to some bits: equal bits have the same, others most likely another."""
    code = key
    for j in range(bits.size):
        code = stream(code ^ bits[j], ZERO)
    return code


@inner
def project(context: Context, k: Array, projected: Integers, h: Array, n: int) -> int:
    """Add γ f |k|² to the drives of some units, which may win then; return how many may."""
    gain = max(context.gain * squared_length(k), LEAST_DRIVE)
    for a in range(projected.size):
        n = approach(context, h, projected[a], n)
        h[projected[a]] += gain
    return n


@kernel
def read_rows(context: Context, queries: Array, out: Array) -> None:
    """Write W_VH s/Z at each query, (T, n_outputs); 0 if nothing was stored."""
    h = np.zeros(len(context.g))
    s = np.zeros(len(context.g))
    for t in range(len(queries)):
        attend(context, queries[t], h, s)
        read_values(context, s, out[t])


@kernel
def attend_rows(context: Context, queries: Array, out: Array) -> None:
    """Write s at each query, (T, n_h), which holds zeros: a softmax over the units that are attended."""
    h = np.zeros(len(context.g))
    s = np.zeros(len(context.g))
    for t in range(len(queries)):
        attend(context, queries[t], h, s)
        total = 0.0
        for i in range(context.count[ATTENDED]):
            total += s[context.attended[i]]
        for i in range(context.count[ATTENDED]):
            out[t, context.attended[i]] = s[context.attended[i]] / total
