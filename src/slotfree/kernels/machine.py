"""Two steps of the machine that Numba has no words for. Neither changes a result by a bit.

The array is C-ordered, and an index is counted from its beginning; ``make bounds`` does not see them.
"""

from collections.abc import Callable
from typing import Any, TypeAlias, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

Eight: TypeAlias = tuple[float, float, float, float, float, float, float, float]


def _eight(_: Any, array: Any, first: Any) -> Any:
    def written(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lanes = ir.VectorType(ir.FloatType(), 8)
        pointer = builder.bitcast(_pointer(context, builder, signature, arguments), lanes.as_pointer())
        wide = builder.fpext(builder.load(pointer, align=4), ir.VectorType(ir.DoubleType(), 8))
        numbers = [builder.extract_element(wide, ir.IntType(32)(lane)) for lane in range(8)]
        return context.make_tuple(builder, signature.return_type, numbers)

    eight_numbers = types.UniTuple(types.float64, 8)  # type: ignore[no-untyped-call]
    return eight_numbers(array, types.intp), written


def _prefetch(_: Any, array: Any, index: Any) -> Any:
    def written(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [address, number, number, number])
        ask = builder.module.declare_intrinsic("llvm.prefetch", [address], kind)
        pointer = builder.bitcast(_pointer(context, builder, signature, arguments), address)
        builder.call(ask, [pointer, number(0), number(3), number(1)])  # to read, to be kept, data
        return context.get_dummy_value()

    return types.void(array, types.intp), written


def _pointer(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    return builder.gep(array.data, [arguments[1]])


# array[first], ..., array[first + 7] as float64: read and widened at once, where one by one takes a third longer
eight: Callable[[NDArray[np.float32], int], Eight] = cast(Any, intrinsic(_eight))

# ask for array[index] before it is needed; it may lie beyond the end
prefetch: Callable[[NDArray[Any], int], None] = cast(Any, intrinsic(_prefetch))
