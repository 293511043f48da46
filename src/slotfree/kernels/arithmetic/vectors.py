"""Several numbers side by side, which processors add and multiply at a time: a type that Numba does not have.

Only kernels see it, in ``lanes`` and ``words``. Code for a vector that a processor does not have is made of shorter
ones, to the same bits.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import extending, types
from numba.core.cgutils import get_item_pointer


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
