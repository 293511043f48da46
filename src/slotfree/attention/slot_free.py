"""Slot-free transformers: the context lives in the fast weights of a hetero-associative MHN (paper, section 3.3)."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.attention.weights import Weights, one_model, to_slow
from slotfree.kernels import transformer as kernels
from slotfree.kernels.fast_weights import begin, empty_fast_weights
from slotfree.kernels.transformer import Slow, Storage, empty_room, empty_slow, train_slotfree
from slotfree.kernels.uniform import stream
from slotfree.tasks.case_sequence import CaseSequenceTask, Sequences

Matrix: TypeAlias = NDArray[np.float64]

KEY_RULES = {"fixed": kernels.FIXED, "mhn": kernels.MHN, "query-key": kernels.QUERY_KEY}
RATES = {"fixed": (1e-3, 1e-3, 1e-3), "mhn": (5e-3, 5e-3, 5e-3), "query-key": (5e-3, 1e-4, 5e-3)}


@dataclass(frozen=True)
class SlotFreeTrace:
    """What happens in one sequence.

    Attributes
    ----------
    winners : the hidden unit that stored each item, (C,). A unit that occurs twice has lost its first item.
    W_HK, W_VH, W_IH : the fast weights before the context and after each item, (C + 1, n_h, N), (C + 1, 2, n_h) and
        (C + 1, D, n_h).
    attention : a_q, of all hidden units, used or not, (n_h,).
    reinstated : x̃ = W_IH a_q, (D,).
    output : ŷ = W_V x̃, which is trained, (2,).
    stored_output : ŷ_val = W_VH a_q, which is reported, (2,).
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
        "query-key": by the delta rule (W_K x̃ − q) x̃ᵀ.
    input_projections : whether each letter also drives a hidden unit of its own while the context is stored.
    key_dim : N, the size of keys and queries.
    n_hidden : n_h; None is the paper's, 10 with fixed keys and 16 else. Projections need two for each letter.
    storage : "winner"; or "perfect", where item t is stored by unit t whatever the drives are. With n_h = C this is
        softmax attention with β = 1 (SI, lemma 1): a way to see what collisions in storage cost.
    """

    key_rule: Literal["fixed", "mhn", "query-key"] = "query-key"
    input_projections: bool = True
    key_dim: int = 50
    n_hidden: int | None = None
    storage: Literal["winner", "perfect"] = "winner"

    def __post_init__(self) -> None:
        checks.one_of("key_rule", self.key_rule, tuple(KEY_RULES))
        checks.one_of("storage", self.storage, ("winner", "perfect"))
        if not isinstance(self.input_projections, bool):
            raise TypeError(f"input_projections must be True or False, not {checks.shown(self.input_projections)}")
        object.__setattr__(self, "key_dim", checks.whole("key_dim", self.key_dim, 1, checks.MANY))
        n_hidden = (10 if self.key_rule == "fixed" else 16) if self.n_hidden is None else self.n_hidden
        object.__setattr__(self, "n_hidden", checks.whole("n_hidden", n_hidden, 1, checks.MANY))

    @property
    def rates(self) -> dict[str, float]:
        """The paper's learning rates."""
        return dict(zip(("W_Q", "W_K", "W_V"), RATES[self.key_rule], strict=True))

    @property
    def initial_spread(self) -> float:
        """Standard deviation of the entries of W_Q and W_K before training, 1/√N."""
        return float(self.key_dim**-0.5)

    @property
    def units(self) -> int:
        """n_h as a number, whether it was given or not."""
        return int(self.n_hidden or 0)

    def check(self, task: CaseSequenceTask) -> None:
        """Raise an error if the hidden layer is too small for a task."""
        if self.storage == "perfect":
            if self.units < task.context_length:
                raise ValueError(
                    f"n_hidden must be at least context_length = {task.context_length} for perfect storage, "
                    f"not {self.n_hidden}"
                )
        elif self.input_projections and self.units < 2 * task.n_letters:
            raise ValueError(
                f"n_hidden must be at least 2 · n_letters = {2 * task.n_letters} with input projections, "
                f"not {self.n_hidden}"
            )

    @property
    def allocation(self) -> int:
        """How kernels find the unit that stores an item."""
        if self.storage == "perfect":
            return kernels.BY_STEP
        return kernels.BY_PROJECTION if self.input_projections else kernels.BY_DRIVE

    @property
    def initial_keys(self) -> float:
        """Upper end of W_HK before a sequence: 0.5, or 0 with input projections."""
        return 0.0 if self.input_projections else 0.5

    def engine(self, task: CaseSequenceTask, key: int) -> "SlotFreeEngine":
        """Return what computes batches of a task; initial fast weights are drawn under the key."""
        self.check(task)
        return SlotFreeEngine(self, task, key)

    def inspect(
        self, weights: Weights, task: CaseSequenceTask, context: str, query: str, *, seed: checks.Seed = 0
    ) -> SlotFreeTrace:
        """Run one sequence step by step, given by names such as "bADc" and "d", and return what can be seen inside.

        The seed draws the fast weights that are there before the context.
        """
        weights = one_model(weights, self.key_dim, task.n_tokens)
        sequence = task.sequence(context, query)
        engine = self.engine(task, fast_key(checks.generator(seed, "fast weights")))
        slow, room = to_slow(weights), engine.room
        fast_weights = [engine.start(0)]
        winners = []
        for step, token in enumerate(sequence.context[0]):
            winners.append(engine.present(slow, int(token), step))
            fast_weights.append(engine.copy())
        kernels.answer(slow, engine.fast, room, int(sequence.query[0]))
        by_step = (np.array(parts) for parts in zip(*fast_weights, strict=True))
        outcome = (room.s, room.x, room.y_hat, room.y_val)
        return SlotFreeTrace(np.array(winners), *by_step, *(part.copy() for part in outcome))


class SlotFreeEngine:
    """Fast weights and working room for batches of one task."""

    def __init__(self, model: SlotFreeTransformer, task: CaseSequenceTask, key: int) -> None:
        sizes = (model.units, model.key_dim, task.n_tokens)
        self.fast = empty_fast_weights(*sizes)
        self.room = empty_room(*sizes)
        self.gradient = empty_slow(model.key_dim, task.n_tokens)
        self.storage = Storage(np.uint64(key), model.initial_keys, model.allocation)
        self.rule = KEY_RULES[model.key_rule]

    def start(self, number: int) -> tuple[Matrix, Matrix, Matrix]:
        """Draw the fast weights of the sequence with this number; return copies of W_HK, W_VH and W_IH."""
        begin(self.fast, np.uint64(stream(self.storage.key, number)), self.storage.high)
        return self.copy()

    def present(self, slow: Slow, token: int, step: int) -> int:
        """Store one item; return the unit that did."""
        return kernels.present(slow, self.fast, self.room, token, step, self.storage.allocation)

    def copy(self) -> tuple[Matrix, Matrix, Matrix]:
        """The fast weights as they are now, W_HK, W_VH and W_IH."""
        return self.fast.HK.copy(), self.fast.VH.copy(), self.fast.IH.copy()

    def train(
        self,
        slow: Slow,
        sequences: Sequences,
        first: int,
        rates: NDArray[np.float64],
        accuracy: NDArray[np.float64],
        loss: NDArray[np.float64],
    ) -> int:
        """Train on a block of batches, (steps, B, C); return how many were done before a loss was not finite.

        Without rates, the weights stay, and ``gradient`` holds the sum of all gradients. The sequences have the initial
        fast weights numbered from first on.
        """
        state = (slow, self.gradient, self.fast, self.room)
        return train_slotfree(*state, sequences.arrays, self.storage, self.rule, first, rates, accuracy, loss)


def fast_key(rng: np.random.Generator) -> int:
    """Draw a key for the streams of initial fast weights."""
    return int(rng.integers(0, 2**64, dtype=np.uint64))
