"""The baseline: a minimal transformer, which keeps every item of the context in a slot (paper, section 3.2)."""

from dataclasses import dataclass
from typing import Any, Literal, NoReturn

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.attention.engine import Engine
from slotfree.attention.prediction import Transformer, only_query
from slotfree.attention.weights import NAMES, Weights, one_model, sizes_of, to_slow
from slotfree.display.html import card, settings
from slotfree.kernels.attention.baseline import (
    Slots,
    answer_slots,
    learn_slot_keys,
    learn_slots,
    present_slots,
    start_slots,
)
from slotfree.kernels.attention.key_rules import fixed
from slotfree.kernels.attention.training import KeyRules, Steps
from slotfree.kernels.attention.transformer import SlowWeights, State
from slotfree.tasks.base import Task
from slotfree.tasks.given_sequences import one_sequence

STEPS = Steps(start_slots, present_slots, answer_slots, learn_slots)
KEY_RULES = KeyRules(learn_slot_keys, fixed, fixed)


@dataclass(frozen=True)
class BaselineTrace:
    """What happens in one sequence.

    Attributes
    ----------
    keys, query : k_t of each item, (C, N), and q, (N,).
    attention : to each item, (C,).
    reinstated : x̃, (D,).
    output : ŷ, (n_outputs,).
    """

    keys: NDArray[np.float64]
    query: NDArray[np.float64]
    attention: NDArray[np.float64]
    reinstated: NDArray[np.float64]
    output: NDArray[np.float64]


@dataclass(frozen=True)
class BaselineTransformer(Transformer):
    """Softmax attention over the context.

    ŷ = Σ_t softmax_t(β qᵀ k_t) v_t, with q = W_Q x_q, k_t = W_K x_t, v_t = W_V x_t, trained by gradient descent on
    L = Σ_batch |ŷ − y|² (SI B.4).

    Parameters
    ----------
    key_dim : N, the size of keys and queries.
    beta : β; None is 1/√N.
    gradients : "exact", or "published": the output, and so the error ŷ − y, with β, but all else in the gradients as if
        β were 1. This is what gives the baseline rows of the paper's tables S1 to S3.

    Examples
    --------
    >>> import slotfree as sf
    >>> sf.BaselineTransformer(key_dim=16).inverse_temperature
    0.25
    """

    key_dim: int = 10
    beta: float | None = None
    gradients: Literal["exact", "published"] = "exact"

    def __post_init__(self) -> None:
        object.__setattr__(self, "key_dim", checks.integer("key_dim", self.key_dim, 1, checks.MANY))
        if self.beta is not None:
            object.__setattr__(self, "beta", checks.positive("beta", self.beta))
        checks.one_of("gradients", self.gradients, ("exact", "published"))

    @property
    def inverse_temperature(self) -> float:
        """β."""
        return float(self.key_dim**-0.5) if self.beta is None else self.beta

    @property
    def rates(self) -> dict[str, float]:
        """The paper's learning rates, for its task; those for others are in ``slotfree.attention.rates``."""
        return {"W_Q": 1e-3, "W_K": 1e-3, "W_V": 1e-3}

    @property
    def initial_spread(self) -> float:
        """Standard deviation of the entries of W_Q and W_K before training, 1/(4√N)."""
        return float(0.25 * self.key_dim**-0.5)

    @property
    def learned(self) -> tuple[str, ...]:
        """The names of the weights that can learn."""
        return NAMES

    def check(self, task: Task) -> None:
        """Any task will do."""

    @property
    def fan_in(self) -> float:
        """The part of a key that attention sees: all of it."""
        return 1.0

    def holds_only_items(self, task: Task) -> bool:
        """Whether what is reinstated is made of items of the context alone: yes."""
        return True

    def engine(self, task: Task, key: int, wiring: int = 0) -> "BaselineEngine":
        """Return what computes batches of a task; nothing in this model is random, so the numbers are not used."""
        return BaselineEngine(self, task)

    def inspect(self, weights: Weights, task: Task, context: Any, query: Any) -> BaselineTrace:
        """Run one sequence, given by names such as "bADc" and "d", and return what can be seen inside.

        A task without names takes numbers of tokens.
        """
        weights = one_model(weights, self, task)
        sequence = one_sequence(task, context, query)
        items, asked = sequence.items[0], only_query(sequence)
        engine = self.engine(task, 0)
        state = engine.state(to_slow(weights), items.shape[1])
        for step, item in enumerate(items):
            present_slots(state.slow, state.fast, state.activity, item, step, engine.setup)
        activity = engine.answer(state.slow, asked)
        keys = weights.W_K[:, items].sum(axis=2).T
        np.add.at(activity.x, items, activity.s[:, None])
        return BaselineTrace(keys, weights.W_Q[:, asked], activity.s, activity.x, activity.y_hat)

    def stream(self, weights: Weights, task: Task, *, seed: checks.Seed = 0) -> NoReturn:
        """There is none: this model needs a slot for each item of a stream."""
        raise TypeError(
            "a BaselineTransformer has no stream: it would need a slot for each item that was ever stored; "
            "a SlotFreeTransformer stores items in its fast weights"
        )

    def _repr_html_(self) -> str:
        """Return the settings, as a notebook shows them."""
        note = f"β is {self.inverse_temperature:.4g}; learns {', '.join(self.learned)}"
        return card("BaselineTransformer", settings(self), note=note)


class BaselineEngine(Engine):
    """What computes batches of one task: the slots grow with the tokens of an item."""

    def __init__(self, model: BaselineTransformer, task: Task) -> None:
        beta = model.inverse_temperature
        slots = Slots(
            np.zeros((task.context_length, 1), np.int64),
            np.zeros((task.n_outputs, task.context_length)),
            beta,
            1.0 if model.gradients == "published" else beta,
        )
        super().__init__(sizes_of(task.context_length, model.key_dim, task), STEPS, KEY_RULES, 0, slots, 0)

    def state(self, slow: SlowWeights, item_size: int = 1) -> State:
        """Everything that kernels read and change, for items with this number of tokens."""
        if self.fast.items.shape[1] != item_size:
            self.fast = self.fast._replace(items=np.zeros((len(self.fast.items), item_size), np.int64))
        return super().state(slow, item_size)
