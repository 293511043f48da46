"""Storage by the printed equations, one of which is a misprint (SI B.2.1)."""

from dataclasses import dataclass
from typing import ClassVar

from slotfree.attention.storages.one_winner import ONE_UNIT, OneUnit, OneWinner
from slotfree.kernels.attention.fast_weights import Array, FastWeights, Integers, hold
from slotfree.kernels.attention.sequences import item_row
from slotfree.kernels.attention.slot_free import Placement, choose
from slotfree.kernels.attention.training import Steps
from slotfree.kernels.attention.transformer import Activity, SlowWeights
from slotfree.kernels.compile import leaf, lean


@lean
def printed_value(VH: Array, m: int, V: Array, item: Integers) -> None:
    """W_VH += (a − W_VH) v: each row moves towards the one-hot a of the winner m, by its entry of v = W_V x."""
    for o in range(len(V)):
        v = V[o, item[0]]
        for i in range(1, item.size):
            v += V[o, item[i]]
        for unit in range(VH.shape[1]):
            VH[o, unit] -= VH[o, unit] * v
        VH[o, m] += v


@leaf
def present_as_printed(
    slow: SlowWeights, fast: FastWeights, activity: Activity, item: Integers, step: int, placement: Placement
) -> int:
    """Store an item as the paper does, but for its value."""
    k = item_row(slow.K, item, activity.k)
    m = choose(fast, activity, k, item, step, placement)
    hold(fast, m, k, item)
    printed_value(fast.VH, m, slow.V, item)
    return m


@dataclass(frozen=True)
class AsPrinted(OneUnit):
    """The paper's storage with the update of W_VH as it is printed: W_VH += (a − W_VH) v, with the one-hot a.

    The text says that the winner's column is replaced by the value, W_VH += (v − W_VH) aᵀ. With the printed equation
    each row of W_VH moves towards a, in all units, by its entry of v: where that is 1, what other units held is erased.
    """

    name: ClassVar[str] = "as printed"
    kernels: ClassVar[Steps] = ONE_UNIT._replace(present=present_as_printed)

    def setup(self, key: int, input_projections: bool) -> Placement:
        """Before a sequence, fast weights are as in the paper's storage."""
        return OneWinner().setup(key, input_projections)
