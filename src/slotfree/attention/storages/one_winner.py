"""The paper's storage: the unit with the largest drive replaces its weights by the item (section 3.3, SI B.2)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.attention.storages.base import Matrix, WeightArrays, put, put_listed
from slotfree.kernels.attention import slot_free
from slotfree.kernels.attention.fast_weights import FastWeights, empty_fast_weights
from slotfree.kernels.attention.slot_free import BY_DRIVE, BY_PROJECTION, Placement
from slotfree.kernels.attention.training import Steps
from slotfree.kernels.attention.transformer import Sizes
from slotfree.tasks.base import Task, n_item_tokens

ONE_UNIT = Steps(slot_free.start, slot_free.present, slot_free.answer, slot_free.learn)


class OneUnit:
    """What storages share in which one unit stores each item, and every unit has all connections."""

    kernels: ClassVar[Steps] = ONE_UNIT
    key_rules: ClassVar[None] = None
    is_wired: ClassVar[bool] = False
    fan_in: ClassVar[float] = 1.0

    def check(self, n_hidden: int, input_projections: bool, task: Task) -> None:
        """Raise an error if there are fewer hidden units than projections."""
        tokens = n_item_tokens(task)
        if input_projections and n_hidden < tokens:
            raise ValueError(
                f"n_hidden must be at least {tokens} with input projections, one unit for each token of an item, "
                f"not {n_hidden}"
            )

    def holds_only_items(self, n_hidden: int, task: Task) -> bool:
        """Units that stored nothing have random weights, and take part."""
        return False

    def fast_weights(self, sizes: Sizes, task: Task, input_projections: bool, wiring: int) -> FastWeights:
        """Return room for W_HK, W_VH and W_IH."""
        return empty_fast_weights(sizes)

    def stored(self, fast: FastWeights) -> WeightArrays:
        """Return copies of the fast weights."""
        return WeightArrays(fast.HK.copy(), fast.VH.copy(), fast.IH.copy())

    def winners(self, fast: FastWeights, unit: int) -> NDArray[np.int64]:
        """The unit that stored the last item, ()."""
        return np.array(unit)

    def strength(self, fast: FastWeights, before: Matrix, winners: NDArray[np.int64]) -> Matrix:
        """1 for units that have stored an item, whose weights are those of the last."""
        after = before.copy()
        after[winners] = 1.0
        return after

    def kept(self, fast: FastWeights) -> dict[str, NDArray[Any]]:
        """W_HK, W_VH, W_IH, and the units whose row of W_HK is not 0."""
        return {"HK": fast.HK, "VH": fast.VH, "IH": fast.IH, "live": fast.live[: fast.n_live[0]]}

    def restore(self, fast: FastWeights, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Make fast weights what was kept."""
        for name in ("HK", "VH", "IH"):
            put(name, getattr(fast, name), arrays[name])
        fast.n_live[0] = put_listed("live", fast.live, arrays["live"])
        others = np.delete(fast.HK, arrays["live"], axis=0)
        if others.any():
            raise ValueError("live lacks units whose weights are not 0")

    def attention(self, fast: FastWeights, q: Matrix, s: Matrix) -> Matrix:
        """The softmax over all units."""
        return s.copy()


@dataclass(frozen=True)
class OneWinner(OneUnit):
    """Item t is stored by the winner of σ(W_HK k_t [+ W_HI x_t]), whose weights become k_t, v_t and x_t.

    W_HI, the input projections, gives each token of an item a hidden unit of its own.

    Parameters
    ----------
    initial_keys : a, W_HK ~ U[0, a) before a sequence. None is as the paper trains: 0.5, or no weights, W_HK = 0, with
        input projections. Its theorem on W_V (SI, theorem 7) has a ≪ 1 with them.
    """

    name: ClassVar[str] = "winner"

    initial_keys: float | None = None

    def __post_init__(self) -> None:
        if self.initial_keys is not None:
            object.__setattr__(self, "initial_keys", checks.positive("initial_keys", self.initial_keys))

    def setup(self, key: int, input_projections: bool) -> Placement:
        """Return how wide W_HK is before a sequence, and whether projections take part in the choice of a unit."""
        high = self.initial_keys
        if high is None:
            high = 0.0 if input_projections else 0.5
        return Placement(np.uint64(key), high, BY_PROJECTION if input_projections else BY_DRIVE, as_printed=False)
