"""Slot-free transformers: the context lives in the fast weights of a hetero-associative MHN (paper, section 3.3)."""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.attention.key_rules import KEY_RULES, KeyRule, key_rule
from slotfree.attention.registry import name_if_known
from slotfree.attention.storages.base import Storage
from slotfree.attention.storages.named import STORAGES, storage
from slotfree.attention.weights import NAMES, Weights, one_model, sizes_of, to_slow
from slotfree.kernels.slot_free import SlotFreeState
from slotfree.kernels.training import compiled
from slotfree.kernels.transformer import Activity, SlowWeights, empty_activity, empty_slow
from slotfree.tasks.base import Task, one_sequence

Matrix: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class SlotFreeTrace:
    """What happens in one sequence.

    Attributes
    ----------
    winners : the hidden unit that stored each item, (C,). A unit that occurs twice has lost its first item.
    W_HK, W_VH, W_IH : the fast weights before the context and after each item, (C + 1, n_h, N),
        (C + 1, n_outputs, n_h) and (C + 1, D, n_h).
    attention : a_q, of all hidden units, used or not, (n_h,).
    reinstated : x̃ = W_IH a_q, (D,).
    output : ŷ = W_V x̃, which is trained, (n_outputs,).
    stored_output : ŷ_val = W_VH a_q, which is reported, (n_outputs,).
    """

    winners: NDArray[np.int64]
    W_HK: NDArray[np.float64]
    W_VH: NDArray[np.float64]
    W_IH: NDArray[np.float64]
    attention: NDArray[np.float64]
    reinstated: NDArray[np.float64]
    output: NDArray[np.float64]
    stored_output: NDArray[np.float64]


@dataclass(frozen=True)
class SlotFreeTransformer:
    """A transformer whose context is stored, item by item, in fast weights, and that learns by local rules.

    For each item the unit with the largest drive, a = σ(W_HK k_t [+ W_HI x_t]), replaces its weights by k_t, v_t and
    x_t. At the query, a_q = softmax(W_HK q), x̃ = W_IH a_q, ŷ = W_V x̃. Gradients pass through the fast weights within
    the query step only (SI B.2, B.4).

    Parameters
    ----------
    key_rule : how W_K learns. "fixed": it does not. "mhn": by ŷ_K = W_VH softmax(W_HK W_K x̃) against the target.
        "query-key": by the delta rule (W_K x̃ − q) x̃ᵀ. Or a ``KeyRule`` of your own.
    input_projections : whether each token of an item also drives a hidden unit of its own while the context is stored.
    key_dim : N, the size of keys and queries.
    n_hidden : n_h; None is the paper's, 10 with fixed keys and 16 else. Input projections need one unit for each token
        that items are made of: two for each letter.
    storage : how items are stored: "winner", as above, or "perfect", where item t is stored by unit t whatever the
        drives are; or an object, such as ``OneWinner(initial_keys=0.1)`` (``slotfree.attention.storages``).
    """

    key_rule: Literal["fixed", "mhn", "query-key"] | KeyRule = "query-key"
    input_projections: bool = True
    key_dim: int = 50
    n_hidden: int | None = None
    storage: Literal["winner", "perfect"] | Storage = "winner"

    def __post_init__(self) -> None:
        object.__setattr__(self, "key_rule", name_if_known(key_rule(self.key_rule), KEY_RULES))
        object.__setattr__(self, "storage", name_if_known(storage(self.storage), STORAGES))
        if not isinstance(self.input_projections, bool):
            raise TypeError(f"input_projections must be True or False, not {checks.shown(self.input_projections)}")
        object.__setattr__(self, "key_dim", checks.whole("key_dim", self.key_dim, 1, checks.MANY))
        n_hidden = self.rule.n_hidden if self.n_hidden is None else self.n_hidden
        object.__setattr__(self, "n_hidden", checks.whole("n_hidden", n_hidden, 1, checks.MANY))

    @property
    def rule(self) -> KeyRule:
        """The key rule as an object, however it was given."""
        return key_rule(self.key_rule)

    @property
    def context_storage(self) -> Storage:
        """The storage as an object, however it was given."""
        return storage(self.storage)

    @property
    def rates(self) -> dict[str, float]:
        """The learning rates of the paper, or of a key rule of your own."""
        return dict(zip(NAMES, self.rule.rates, strict=True))

    @property
    def learned(self) -> tuple[str, ...]:
        """The names of the weights that can learn."""
        return NAMES if self.rule.learns else ("W_Q", "W_V")

    @property
    def initial_spread(self) -> float:
        """Standard deviation of the entries of W_Q and W_K before training, 1/√N."""
        return float(self.key_dim**-0.5)

    @property
    def units(self) -> int:
        """n_h as a number, whether it was given or not."""
        return int(self.n_hidden or 0)

    def check(self, task: Task) -> None:
        """Raise an error if the hidden layer is too small for a task."""
        self.context_storage.check(self.units, self.input_projections, task)

    def engine(self, task: Task, key: int) -> "SlotFreeEngine":
        """Return what computes batches of a task; initial fast weights are drawn under the key."""
        self.check(task)
        return SlotFreeEngine(self, task, key)

    def inspect(
        self, weights: Weights, task: Task, context: Any, query: Any, *, seed: checks.Seed = 0
    ) -> SlotFreeTrace:
        """Run one sequence step by step, given by names such as "bADc" and "d", and return what can be seen inside.

        A task without names takes numbers of tokens. The seed draws the fast weights that are there before the context.
        """
        slow = to_slow(one_model(weights, self.key_dim, task))
        sequence = one_sequence(task, context, query)
        engine = self.engine(task, fast_key(checks.generator(seed, "fast weights")))
        fast_weights = [engine.start(0)]
        winners = []
        for step, item in enumerate(sequence.items[0]):
            winners.append(engine.present(slow, item, step))
            fast_weights.append(engine.copy())
        activity = engine.answer(slow, int(sequence.query[0]))
        by_step = (np.array(parts) for parts in zip(*fast_weights, strict=True))
        outcome = (activity.s, activity.x, activity.y_hat, activity.y_val)
        return SlotFreeTrace(np.array(winners), *by_step, *(part.copy() for part in outcome))


class SlotFreeEngine:
    """What computes batches of one task: fast weights, room for activity, and kernels."""

    def __init__(self, model: SlotFreeTransformer, task: Task, key: int) -> None:
        sizes = sizes_of(model.units, model.key_dim, task)
        stored = model.context_storage
        self.fast = stored.fast_weights(sizes)
        self.activity = empty_activity(sizes)
        self.gradient = empty_slow(sizes)
        self.setup = stored.setup(key, model.input_projections)
        self.steps = stored.kernels
        self.train = compiled(stored.kernels.sequence, present=self.steps.present, key_rule=model.rule.kernel)

    def state(self, slow: SlowWeights) -> SlotFreeState:
        """Everything that ``train`` reads and changes."""
        return SlotFreeState(slow, self.gradient, self.activity, self.fast)

    def start(self, number: int) -> tuple[Matrix, Matrix, Matrix]:
        """Draw the fast weights of the sequence with this number; return copies of W_HK, W_VH and W_IH."""
        self.steps.start(self.fast, self.setup, number)
        return self.copy()

    def present(self, slow: SlowWeights, item: NDArray[np.int64], step: int) -> int:
        """Store one item, given by its tokens, (T,); return the unit that did."""
        return self.steps.present(slow, self.fast, self.activity, item, step, self.setup)

    def answer(self, slow: SlowWeights, query: int) -> Activity:
        """The query step; return the activity, which the next step will change."""
        self.steps.answer(slow, self.fast, self.activity, query)
        return self.activity

    def copy(self) -> tuple[Matrix, Matrix, Matrix]:
        """The fast weights as they are now, W_HK, W_VH and W_IH."""
        return self.fast.HK.copy(), self.fast.VH.copy(), self.fast.IH.copy()


def fast_key(rng: np.random.Generator) -> int:
    """Draw a key for the streams of initial fast weights."""
    return int(rng.integers(0, 2**64, dtype=np.uint64))
