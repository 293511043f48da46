"""Perfect storage: no item can overwrite another."""

from dataclasses import dataclass
from typing import ClassVar

from slotfree.attention.storages.base import StorageKernels
from slotfree.attention.storages.one_winner import ONE_UNIT, OneWinner
from slotfree.kernels.fast_weights import FastWeights, empty_fast_weights
from slotfree.kernels.slot_free import BY_STEP, Placement
from slotfree.kernels.transformer import Sizes
from slotfree.tasks.base import Task


@dataclass(frozen=True)
class Perfect:
    """Item t is stored by unit t, whatever the drives are.

    With n_h = C this is softmax attention with β = 1 (SI, lemma 8): a way to see what collisions in storage cost.
    """

    name: ClassVar[str] = "perfect"
    kernels: ClassVar[StorageKernels] = ONE_UNIT

    def check(self, n_hidden: int, input_projections: bool, task: Task) -> None:
        """Raise an error if there are fewer hidden units than items."""
        if n_hidden < task.context_length:
            raise ValueError(
                f"n_hidden must be at least context_length = {task.context_length} for perfect storage, not {n_hidden}"
            )

    def fast_weights(self, sizes: Sizes) -> FastWeights:
        """Return room for W_HK, W_VH and W_IH."""
        return empty_fast_weights(sizes)

    def setup(self, key: int, input_projections: bool) -> Placement:
        """Before a sequence, fast weights are as in the paper's storage."""
        return OneWinner().setup(key, input_projections)._replace(unit=BY_STEP)
