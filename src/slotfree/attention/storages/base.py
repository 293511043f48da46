"""What a storage is: fast weights, and the kernels that fill and read them."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from slotfree.attention.key_rules import KEY_RULES, KeyRule
from slotfree.kernels.attention.key_rules import fixed
from slotfree.kernels.attention.training import KeyRules, Steps
from slotfree.kernels.attention.transformer import Sizes
from slotfree.tasks.base import Task

Matrix = NDArray[np.float64]

MOST_STORED = 2**53  # items of a stream in a file: a million in each second for 285 years


class WeightArrays(NamedTuple):
    """Fast weights as the equations have them, copied.

    Attributes
    ----------
    W_HK, W_VH, W_IH : (n_h, N), (n_outputs, n_h) and (D, n_h); 0 where there is no connection.
    """

    W_HK: Matrix
    W_VH: Matrix
    W_IH: Matrix


@runtime_checkable
class Storage(Protocol):
    """A frozen description of how items are stored."""

    @property
    def name(self) -> str:
        """What it is called in messages and in results."""

    @property
    def kernels(self) -> Steps:
        """The steps of a sequence."""

    @property
    def key_rules(self) -> Mapping[Callable[..., None], Callable[..., None]] | None:
        """Kernels in the place of those of key rules, which are written for fast weights as ``OneWinner`` has them.

        None if they are laid out so.
        """

    @property
    def is_wired(self) -> bool:
        """Whether connections are drawn at random: then they belong to the weights of a model."""

    @property
    def fan_in(self) -> float:
        """The part of a key that each unit sees."""

    def holds_only_items(self, n_hidden: int, task: Task) -> bool:
        """Whether what is reinstated is made of items of the context alone, or also of random initial weights."""

    def check(self, n_hidden: int, input_projections: bool, task: Task) -> None:
        """Raise an error if a hidden layer is too small for a task."""

    def fast_weights(self, sizes: Sizes, task: Task, input_projections: bool, wiring: int) -> Any:
        """Return room for the fast weights of one sequence; connections are drawn under the number ``wiring``."""

    def setup(self, key: int, input_projections: bool) -> Any:
        """Return what the kernels need to know; initial fast weights are drawn under the key."""

    def stored(self, fast: Any) -> WeightArrays:
        """Return copies of the fast weights as the equations have them."""

    def winners(self, fast: Any, unit: int) -> NDArray[np.int64]:
        """The units that stored the last item, of which ``present`` returned one; () if it is one, else (k,)."""

    def strength(self, fast: Any, before: Matrix, winners: NDArray[np.int64]) -> Matrix:
        """How much each unit has stored, (n_h,), after an item that these units stored; before it, 0 or this."""

    def kept(self, fast: Any) -> Mapping[str, NDArray[Any]]:
        """All of the fast weights that later items and queries depend on, connections excepted, for a file."""

    def restore(self, fast: Any, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Make fast weights what ``kept`` returned, from a file; ValueError if that is not what arrays can be."""

    def attention(self, fast: Any, q: Matrix, s: Matrix) -> Matrix:
        """The softmax over all units, (n_h,), at the query q; s is what the kernels left of it."""


def rule_kernels(storage: Storage, rule: KeyRule) -> tuple[KeyRules, int]:
    """Return kernels of key rules with a storage, and which of them is that of a rule; or raise an error if none is.

    Rules of the paper are compiled together, if the storage has kernels for all of them; any other one by itself.
    """
    own = storage.key_rules or {}

    def has(each: KeyRule) -> bool:
        return storage.key_rules is None or not each.reads_fast or each.kernel in own

    if not has(rule):
        raise ValueError(
            f"key_rule {rule.name!r} reads fast weights of one winner, which this storage does not have; "
            "fixed, mhn and query-key have kernels for it"
        )
    together = [known.kernel for known in KEY_RULES.values()]
    if rule.kernel not in together or not all(has(known) for known in KEY_RULES.values()):
        return KeyRules(own.get(rule.kernel, rule.kernel), fixed, fixed), 0
    return KeyRules(*(own.get(kernel, kernel) for kernel in together)), together.index(rule.kernel)


def put(name: str, room: NDArray[Any], values: NDArray[Any]) -> None:
    """Copy what a file holds; ValueError if it is of another shape or type, or not finite."""
    if values.shape != room.shape or values.dtype != room.dtype:
        raise ValueError(f"{name} is {values.dtype} of the shape {values.shape}, not {room.dtype} of {room.shape}")
    if not np.isfinite(values).all():
        raise ValueError(f"{name} holds what is not a finite number")
    room[...] = values


def put_listed(name: str, room: NDArray[np.int64], numbers: NDArray[Any]) -> int:
    """Copy different numbers of units or tokens to the front of a list; return how many; ValueError as in ``put``."""
    fine = numbers.dtype == np.int64 and numbers.ndim == 1 and numbers.size <= room.size
    if not fine or len(np.unique(numbers)) < numbers.size or not ((numbers >= 0) & (numbers < room.size)).all():
        raise ValueError(f"{name} does not hold different integers from 0 to {room.size - 1}")
    room[: numbers.size] = numbers
    return numbers.size
