"""A hint to the processor that a number will soon be read, so that it waits for less of it then."""

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

FOR_READING, EVERY_CACHE, DATA = 0, 3, 1  # what LLVM is told of it


def _instruction(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Write it."""
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
    address = builder.bitcast(builder.gep(array.data, [arguments[1]]), byte)
    shape = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
    hint = cgutils.get_or_insert_function(builder.module, shape, "llvm.prefetch.p0i8")  # type: ignore[no-untyped-call]
    builder.call(hint, [address, number(FOR_READING), number(EVERY_CACHE), number(DATA)])
    return context.get_dummy_value()


def _prefetch(_typing: Any, array: Any, _n: Any) -> Any:
    """Let the line of memory with ``array[n]`` be brought into the caches; nothing else happens, whatever n is."""
    return types.void(array, types.int64), _instruction


prefetch: Any = intrinsic(_prefetch)  # in a kernel: prefetch(array, n)
