"""Sums and products in four lanes: as fast as a processor's vectors allow, and the same bits on all of them.

In a sum of one chain each addition waits for the one before, and without ``fastmath`` the compiler may not change the
order. Here the order is stated: lane l adds the terms l, l + 4, l + 8, …; the lanes are added as (0 + 2) + (1 + 3);
what is left over, fewer than four terms, is added to that one by one. Loops in which no number waits for another have
lanes too: the compiler would make vectors of them, but of more numbers than short rows have.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.vectors import Vector, instruction, place, splat
from slotfree.kernels.compile import leaf

Array = NDArray[np.float64]

LANES = 4
lanes = Vector(types.float64, LANES)


@instruction
def zeros(_: Any) -> Any:
    """Four zeros."""
    return lanes(), lambda *_: ir.Constant(ir.VectorType(ir.DoubleType(), LANES), [0.0] * LANES)


@instruction
def load(_: Any, x: Any, j: Any) -> Any:
    """x[j], …, x[j + 3]."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        x, j = arguments
        return builder.load(place(context, builder, signature.args[0], x, j, LANES), align=8)

    return lanes(x, types.intp), code


@instruction
def store(_: Any, x: Any, j: Any, values: Any) -> Any:
    """x[j], …, x[j + 3] become the values."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        x, j, values = arguments
        builder.store(values, place(context, builder, signature.args[0], x, j, LANES), align=8)
        return context.get_dummy_value()

    return types.none(x, types.intp, lanes), code


@instruction
def all_lanes(_: Any, number: Any) -> Any:
    """Four times the same number."""
    return lanes(types.float64), lambda context, builder, signature, arguments: splat(builder, arguments[0], LANES)


@instruction
def add_product(_: Any, total: Any, x: Any, y: Any) -> Any:
    """total + x y in each lane, rounded twice as the same with numbers is."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        total, x, y = arguments
        return builder.fadd(total, builder.fmul(x, y))

    return lanes(lanes, lanes, lanes), code


@instruction
def joined(_: Any, x: Any) -> Any:
    """(x[0] + x[2]) + (x[1] + x[3])."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        index = ir.IntType(32)
        pairs = [ir.Constant(ir.VectorType(index, 2), pair) for pair in ([0, 1], [2, 3])]
        two = builder.fadd(*(builder.shuffle_vector(arguments[0], arguments[0], pair) for pair in pairs))
        return builder.fadd(*(builder.extract_element(two, index(n)) for n in (0, 1)))

    return types.float64(lanes), code


@leaf
def dot(w: Array, x: Array) -> float:
    """Σ_j w_j x_j."""
    whole = x.size - x.size % LANES
    a = zeros()
    for j in range(0, whole, LANES):
        a = add_product(a, load(w, j), load(x, j))
    total: float = joined(a)
    for j in range(whole, x.size):
        total += w[j] * x[j]
    return total


@leaf
def four_dots(w0: Array, w1: Array, w2: Array, w3: Array, x: Array) -> tuple[float, float, float, float]:
    """The same for four w at a time, to the same bits: their additions need not wait for each other."""
    whole = x.size - x.size % LANES
    a = b = c = d = zeros()
    for j in range(0, whole, LANES):
        k = load(x, j)
        a, b = add_product(a, load(w0, j), k), add_product(b, load(w1, j), k)
        c, d = add_product(c, load(w2, j), k), add_product(d, load(w3, j), k)
    p, q, r, s = joined(a), joined(b), joined(c), joined(d)
    for j in range(whole, x.size):
        p, q, r, s = p + w0[j] * x[j], q + w1[j] * x[j], r + w2[j] * x[j], s + w3[j] * x[j]
    return p, q, r, s


@leaf
def add_scaled(w: Array, e: float, out: Array) -> None:
    """out += e w."""
    whole = out.size - out.size % LANES
    every = all_lanes(e)
    for j in range(0, whole, LANES):
        store(out, j, add_product(load(out, j), every, load(w, j)))
    for j in range(whole, out.size):
        out[j] += e * w[j]


@leaf
def add_four_scaled(
    w0: Array, w1: Array, w2: Array, w3: Array, e0: float, e1: float, e2: float, e3: float, out: Array
) -> None:
    """The same for four w, one after the other, with out read and written once."""
    whole = out.size - out.size % LANES
    every0, every1, every2, every3 = all_lanes(e0), all_lanes(e1), all_lanes(e2), all_lanes(e3)
    for j in range(0, whole, LANES):
        total = add_product(load(out, j), every0, load(w0, j))
        total = add_product(total, every1, load(w1, j))
        total = add_product(total, every2, load(w2, j))
        store(out, j, add_product(total, every3, load(w3, j)))
    for j in range(whole, out.size):
        out[j] = out[j] + e0 * w0[j] + e1 * w1[j] + e2 * w2[j] + e3 * w3[j]
