"""What a storage is: fast weights, and the kernels that fill and read them."""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, runtime_checkable

from slotfree.kernels.transformer import Sizes
from slotfree.tasks.base import Task


class StorageKernels(NamedTuple):
    """The steps of a sequence. ``setup`` is what ``Storage.setup`` returned.

    Attributes
    ----------
    start : (fast, setup, number) begins the sequence with this number.
    present : (slow, fast, activity, item, step, setup) stores an item; returns the unit that did.
    answer : (slow, fast, activity, query) is the query step.
    sequence : (state, sequences, i, b, setup) is a whole sequence with its gradients: a template, in which ``present``
        is the one above, and ``key_rule`` that of the model.
    """

    start: Callable[..., None]
    present: Callable[..., int]
    answer: Callable[..., None]
    sequence: Callable[..., None]


@runtime_checkable
class Storage(Protocol):
    """A frozen description of how items are stored."""

    @property
    def name(self) -> str:
        """What it is called in messages and in results."""

    @property
    def kernels(self) -> StorageKernels:
        """The steps of a sequence."""

    def check(self, n_hidden: int, input_projections: bool, task: Task) -> None:
        """Raise an error if a hidden layer is too small for a task."""

    def fast_weights(self, sizes: Sizes) -> Any:
        """Return room for the fast weights of one sequence."""

    def setup(self, key: int, input_projections: bool) -> Any:
        """Return what the kernels need to know; initial fast weights are drawn under the key."""
