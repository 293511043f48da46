"""Several numbers side by side, which processors add and multiply at a time: a type that Numba does not have.

Only kernels see it, in ``lanes`` and ``uint32``. Code for a vector that a processor does not have is made of shorter
ones, to the same bits.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import extending, types
from numba.core.cgutils import get_item_pointer, get_or_insert_function

FOR_READING, EVERY_CACHE, DATA = 0, 3, 1  # the arguments of a prefetch


def instruction(function: Callable[..., Any]) -> Any:
    """Let kernels call what a function of the types of its arguments returns the signature and the code of."""
    return extending.intrinsic(function)


class Vector(types.Type):
    """Some numbers of one type."""

    def __init__(self, element: Any, count: int) -> None:
        super().__init__(f"Vector({element}, {count})")
        self.element, self.count = element, count


@extending.register_model(Vector)
class _Model(extending.models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Vector) -> None:
        vector = ir.VectorType(manager[kind.element].get_value_type(), kind.count)
        super().__init__(manager, kind, vector)  # type: ignore[no-untyped-call]


def splat(builder: Any, number: Any, count: int) -> Any:
    """Code for a vector of the same number."""
    index = ir.IntType(32)
    one = builder.insert_element(ir.Constant(ir.VectorType(number.type, count), ir.Undefined), number, index(0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(index, count), [0] * count))


def place(context: Any, builder: Any, kind: Any, array: Any, first: Any, count: int) -> Any:
    """Code for where some elements of an array (n,) are, as a vector; ``NUMBA_BOUNDSCHECK`` has the last checked."""
    record = context.make_array(kind)(context, builder, array)
    last = [builder.add(first, first.type(count - 1))]
    options = {"wraparound": False, "boundscheck": context.enable_boundscheck}
    end = get_item_pointer(context, builder, kind, record, last, **options)  # type: ignore[no-untyped-call]
    begin = builder.gep(end, [first.type(1 - count)])
    return builder.bitcast(begin, ir.VectorType(context.get_data_type(kind.dtype), count).as_pointer())


@instruction
def eight(_: Any, array: Any, first: Any) -> Any:
    """array[first], …, array[first + 7] of float32 as float64: read and widened at once, a third faster than singly."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        numbers_of, begin = arguments
        pointer = place(context, builder, signature.args[0], numbers_of, begin, 8)
        wide = builder.fpext(builder.load(pointer, align=4), ir.VectorType(ir.DoubleType(), 8))
        numbers = [builder.extract_element(wide, ir.IntType(32)(lane)) for lane in range(8)]
        return context.make_tuple(builder, signature.return_type, numbers)

    return types.UniTuple(types.float64, 8)(array, types.intp), code  # type: ignore[no-untyped-call]


@instruction
def prefetch(_: Any, array: Any, n: Any) -> Any:
    """Let the line of memory with array[n] be brought into the caches; nothing else happens, whatever n is."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        record = context.make_array(signature.args[0])(context, builder, arguments[0])
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        address = builder.bitcast(builder.gep(record.data, [arguments[1]]), byte)
        shape = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        hint = get_or_insert_function(builder.module, shape, "llvm.prefetch.p0i8")  # type: ignore[no-untyped-call]
        builder.call(hint, [address, number(FOR_READING), number(EVERY_CACHE), number(DATA)])
        return context.get_dummy_value()

    return types.void(array, types.int64), code
