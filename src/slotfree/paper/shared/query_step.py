"""The query step of a small slot-free transformer, forwards and backwards, for the diagrams of the paper (SI B.4)."""

from dataclasses import dataclass

import numpy as np

from slotfree.attention.slot_free import SlotFreeTrace, SlotFreeTransformer
from slotfree.attention.weights import Weights
from slotfree.paper.shared.diagrams import trained
from slotfree.paper.shared.numeric import Matrix, Vector, softmax
from slotfree.tasks.case_sequence import CaseSequenceTask
from slotfree.tasks.sequences import Sequences

TASK, CONTEXT, QUERY = CaseSequenceTask(2, 2), "bA", "a"
FIXED, MHN, QUERY_KEY = (SlotFreeTransformer(rule, key_dim=4, n_hidden=5) for rule in ("fixed", "mhn", "query-key"))
HALF_TRAINED = {FIXED: 1000, MHN: 60, QUERY_KEY: 60}  # steps: there is an error to send back


@dataclass(frozen=True)
class QueryStep:
    """One sequence in a slot-free transformer: its weights, what is seen inside, the query and the target."""

    weights: Weights
    trace: SlotFreeTrace
    asked: Vector
    target: Vector

    @property
    def W_HK(self) -> Matrix:
        """Keys, as they are stored when the query comes, (n_h, N)."""
        found: Matrix = self.trace.W_HK[-1]
        return found

    @property
    def W_VH(self) -> Matrix:
        """Values, as they are stored, (2, n_h)."""
        found: Matrix = self.trace.W_VH[-1]
        return found

    @property
    def W_IH(self) -> Matrix:
        """Items, as they are stored, (D, n_h)."""
        found: Matrix = self.trace.W_IH[-1]
        return found

    @property
    def query(self) -> Vector:
        """q = W_Q x_q."""
        return self.weights.W_Q @ self.asked

    @property
    def value_delta(self) -> Vector:
        """δ_V = 2(ŷ − y): with x̃, the gradient of W_V."""
        return 2 * (self.trace.output - self.target)

    @property
    def query_delta(self) -> Vector:
        """δ_Q: with x_q, the gradient of W_Q."""
        outputs = self.weights.W_V @ self.W_IH
        return self._through_softmax(self.trace.attention, outputs, self.trace.output)

    @property
    def reinstated_key(self) -> Vector:
        """k̃ = W_K x̃."""
        return self.weights.W_K @ self.trace.reinstated

    @property
    def key_attention(self) -> Vector:
        """s_K = softmax(W_HK k̃)."""
        return softmax(self.W_HK @ self.reinstated_key)

    @property
    def key_output(self) -> Vector:
        """ŷ_K = W_VH s_K."""
        return self.W_VH @ self.key_attention

    @property
    def mhn_delta(self) -> Vector:
        """δ_K of training W_K via the MHN."""
        return self._through_softmax(self.key_attention, self.W_VH, self.key_output)

    @property
    def alignment_delta(self) -> Vector:
        """δ_K of query–key alignment, 2(k̃ − q)."""
        return 2 * (self.reinstated_key - self.query)

    def _through_softmax(self, s: Vector, outputs: Matrix, output: Vector) -> Vector:
        """2(ŷ − y)ᵀ Σ_m s_m (outputs_m − ŷ) (W_HK)_m."""
        error = 2 * (output - self.target)
        found: Vector = self.W_HK.T @ (s * (error @ (outputs - output[:, None])))
        return found


def sequence() -> Sequences:
    """The sequence that is drawn."""
    return TASK.sequence(CONTEXT, QUERY)


def query_step(model: SlotFreeTransformer, seed: int) -> QueryStep:
    """Run a half trained model on a sequence."""
    weights = trained(model, TASK, HALF_TRAINED[model], seed)
    trace = model.inspect(weights, TASK, CONTEXT, QUERY, seed=seed)
    asked, target = TASK.one_hot(sequence().query[0]), np.eye(TASK.n_outputs)[sequence().target[0]]
    return QueryStep(weights, trace, asked, target)
