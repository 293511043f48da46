"""Items stored as the equation of SI B.2.1 for W_VH is printed, with activity and value exchanged."""

from slotfree.kernels.compile import lean, part, with_kernels
from slotfree.kernels.fast_weights import Array, Whole
from slotfree.kernels.slot_free import present


@lean
def printed_value(VH: Array, m: int, V: Array, item: Whole) -> None:
    """W_VH += (a − W_VH) v: each row moves towards the one-hot a of the winner m, by its entry of v = W_V x."""
    for o in range(len(V)):
        v = V[o, item[0]]
        for i in range(1, item.size):
            v += V[o, item[i]]
        for unit in range(VH.shape[1]):
            VH[o, unit] -= VH[o, unit] * v
        VH[o, m] += v


present_as_printed = with_kernels(present.py_func, part, replace_value=printed_value)  # type: ignore[attr-defined]
