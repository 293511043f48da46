"""Perfect storage: no item can overwrite another."""

from dataclasses import dataclass
from typing import ClassVar

from slotfree.attention.storages.one_winner import OneUnit, OneWinner
from slotfree.kernels.attention.slot_free import BY_STEP, Placement
from slotfree.tasks.base import Task


@dataclass(frozen=True)
class Perfect(OneUnit):
    """Item t is stored by unit t, whatever the drives are.

    With n_h = C this is softmax attention with β = 1 (SI, lemma 8): a way to see what collisions in storage cost.
    """

    name: ClassVar[str] = "perfect"

    def check(self, n_hidden: int, input_projections: bool, task: Task) -> None:
        """Raise an error if there are fewer hidden units than items."""
        if n_hidden < task.context_length:
            raise ValueError(
                f"n_hidden must be at least context_length = {task.context_length} for perfect storage, not {n_hidden}"
            )

    def holds_only_items(self, n_hidden: int, task: Task) -> bool:
        """If there are no more units than items."""
        return n_hidden == task.context_length

    def setup(self, key: int, input_projections: bool) -> Placement:
        """Before a sequence, fast weights are as in the paper's storage."""
        return OneWinner().setup(key, input_projections)._replace(unit=BY_STEP)
