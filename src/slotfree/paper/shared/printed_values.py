"""Storage by the printed equations, one of which is a misprint (SI B.2.1)."""

from dataclasses import dataclass
from typing import ClassVar

from slotfree.attention.storages.one_winner import OneUnit, OneWinner
from slotfree.kernels.attention.slot_free import Placement


@dataclass(frozen=True)
class AsPrinted(OneUnit):
    """The paper's storage with the update of W_VH as it is printed: W_VH += (a − W_VH) v, with the one-hot a.

    The text says that the winner's column is replaced by the value, W_VH += (v − W_VH) aᵀ. With the printed equation
    each row of W_VH moves towards a, in all units, by its entry of v: where that is 1, what other units held is erased.
    """

    name: ClassVar[str] = "as printed"

    def setup(self, key: int, input_projections: bool) -> Placement:
        """Before a sequence, fast weights are as in the paper's storage."""
        return OneWinner().setup(key, input_projections)._replace(as_printed=True)
