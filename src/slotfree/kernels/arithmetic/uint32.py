"""Integers numbers of 32 bits, alone or eight side by side, with arithmetic modulo 2³².

Numba makes all integers 64 bits wide before it adds or multiplies them, and a vector holds half as many of these.
Each operation here takes a word, ``np.uint32``, or eight, and with them one word for all.
"""

from typing import Any

from llvmlite import ir
from numba import types

from slotfree.kernels.arithmetic.vectors import Vector, instruction, place, splat

EIGHT = 8
words = Vector(types.uint32, EIGHT)


@instruction
def counted(_: Any, n: Any) -> Any:
    """The words n, …, n + 7."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        first = splat(builder, arguments[0], EIGHT)
        return builder.add(first, ir.Constant(first.type, list(range(EIGHT))))

    return words(types.uint32), code


def _operation(name: str) -> Any:
    """What makes the code of an operation between words and one word for all."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        x, y = arguments
        return getattr(builder, name)(x, splat(builder, y, EIGHT) if signature.args[0] == words else y)

    return code


@instruction
def plus(_: Any, x: Any, y: Any) -> Any:
    """x + y."""
    return x(x, types.uint32), _operation("add")


@instruction
def times(_: Any, x: Any, y: Any) -> Any:
    """x y."""
    return x(x, types.uint32), _operation("mul")


@instruction
def differing(_: Any, x: Any, y: Any) -> Any:
    """The bits in which x and y differ, x ⊕ y."""
    return x(x, types.uint32), _operation("xor")


@instruction
def folded(_: Any, x: Any, shift: Any) -> Any:
    """x ⊕ ⌊x/2^shift⌋."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.xor(arguments[0], _operation("lshr")(context, builder, signature, arguments))

    return x(x, types.uint32), code


@instruction
def put_scaled(_: Any, out: Any, n: Any, x: Any, scale: Any, shift: Any) -> Any:
    """Write scale · x + shift for eight words x, read as signed numbers, to out[n], …, out[n + 7]."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        out, n, x, scale, shift = arguments
        scale, shift = (splat(builder, number, EIGHT) for number in (scale, shift))
        values = builder.fadd(builder.fmul(builder.sitofp(x, scale.type), scale), shift)
        builder.store(values, place(context, builder, signature.args[0], out, n, EIGHT), align=8)
        return context.get_dummy_value()

    return types.none(out, types.intp, words, types.float64, types.float64), code
