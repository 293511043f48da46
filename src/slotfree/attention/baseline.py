"""The baseline: a minimal transformer, which keeps every item of the context in a slot (paper, section 3.2)."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.attention.weights import Weights, one_model, to_slow
from slotfree.kernels.transformer import Slow, attend_slots, empty_room, empty_slow, train_baseline
from slotfree.tasks.case_sequence import CaseSequenceTask, Sequences


@dataclass(frozen=True)
class BaselineTrace:
    """What happens in one sequence: attention to each item (C,), the reinstated input x̃ (D,), the output ŷ (2,)."""

    keys: NDArray[np.float64]
    query: NDArray[np.float64]
    attention: NDArray[np.float64]
    reinstated: NDArray[np.float64]
    output: NDArray[np.float64]


@dataclass(frozen=True)
class BaselineTransformer:
    """Softmax attention over the context.

    ŷ = Σ_t softmax_t(β qᵀ k_t) v_t, with q = W_Q x_q, k_t = W_K x_t, v_t = W_V x_t, trained by gradient descent on
    L = Σ_batch |ŷ − y|² (SI B.4).

    Parameters
    ----------
    key_dim : N, the size of keys and queries.
    beta : β; None is 1/√N.
    gradients : "exact", or "published": the output, and so the error ŷ − y, with β, but all else in the gradients as if
        β were 1. This is what gives the baseline rows of the paper's tables S1 to S3.
    """

    key_dim: int = 10
    beta: float | None = None
    gradients: Literal["exact", "published"] = "exact"

    def __post_init__(self) -> None:
        object.__setattr__(self, "key_dim", checks.whole("key_dim", self.key_dim, 1, checks.MANY))
        if self.beta is not None:
            object.__setattr__(self, "beta", checks.positive("beta", self.beta))
        checks.one_of("gradients", self.gradients, ("exact", "published"))

    @property
    def inverse_temperature(self) -> float:
        """β."""
        return float(self.key_dim**-0.5) if self.beta is None else self.beta

    @property
    def rates(self) -> dict[str, float]:
        """The paper's learning rates."""
        return {"W_Q": 1e-3, "W_K": 1e-3, "W_V": 1e-3}

    @property
    def initial_spread(self) -> float:
        """Standard deviation of the entries of W_Q and W_K before training, 1/(4√N)."""
        return float(0.25 * self.key_dim**-0.5)

    def check(self, task: CaseSequenceTask) -> None:
        """Any task will do."""

    def engine(self, task: CaseSequenceTask, key: int) -> "BaselineEngine":
        """Return what computes batches of a task; nothing in this model is random, so the key is not used."""
        return BaselineEngine(self, task)

    def inspect(self, weights: Weights, task: CaseSequenceTask, context: str, query: str) -> BaselineTrace:
        """Run one sequence, given by names such as "bADc" and "d", and return what can be seen inside."""
        weights = one_model(weights, self.key_dim, task.n_tokens)
        sequence = task.sequence(context, query)
        engine = self.engine(task, 0)
        tokens, room = sequence.context[0], engine.room
        attend_slots(to_slow(weights), room, tokens, int(sequence.query[0]), self.inverse_temperature)
        return BaselineTrace(
            weights.W_K[:, tokens].T, weights.W_Q[:, sequence.query[0]], room.s.copy(), room.x.copy(), room.y_hat.copy()
        )


class BaselineEngine:
    """Working room for batches of one task."""

    def __init__(self, model: BaselineTransformer, task: CaseSequenceTask) -> None:
        beta = model.inverse_temperature
        self.betas = (beta, 1.0 if model.gradients == "published" else beta)
        self.room = empty_room(task.context_length, model.key_dim, task.n_tokens)
        self.gradient = empty_slow(model.key_dim, task.n_tokens)

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

        Without rates, the weights stay, and ``gradient`` holds the sum of all gradients.
        """
        state = (slow, self.gradient, self.room)
        return train_baseline(*state, sequences.arrays, *self.betas, rates, accuracy, loss)
