"""The query step of a small slot-free transformer, forwards and backwards, for the diagrams of the paper (SI B.4)."""

from dataclasses import dataclass

import numpy as np
from scipy.special import softmax

from slotfree.attention.slot_free import SlotFreeTrace, SlotFreeTransformer
from slotfree.attention.weights import Weights
from slotfree.paper.shared.diagrams import Matrix, Vector, trained
from slotfree.tasks.case_sequence import CaseSequenceTask
from slotfree.tasks.sequences import Sequences

TASK, CONTEXT, QUERY = CaseSequenceTask(2, 2), "bA", "a"
FIXED, MHN, QUERY_KEY = (SlotFreeTransformer(rule, key_dim=4, n_hidden=5) for rule in ("fixed", "mhn", "query-key"))
HALF_TRAINED = {FIXED: 1000, MHN: 60, QUERY_KEY: 60}  # steps: there is an error to send back


@dataclass(frozen=True)
class QueryStep:
    """One sequence in a slot-free transformer.

    Attributes
    ----------
    weights, trace : the slow weights, and what is seen inside.
    asked, target : x_q and y.
    query, reinstated_key : q = W_Q x_q and k̃ = W_K x̃.
    key_attention, key_output : s_K = softmax(W_HK k̃) and ŷ_K = W_VH s_K.
    value_delta, query_delta : δ_V and δ_Q: with x̃ and x_q, the gradients of W_V and W_Q.
    mhn_delta, alignment_delta : δ_K of both key rules: with x̃, the gradient of W_K.
    """

    weights: Weights
    trace: SlotFreeTrace
    asked: Vector
    target: Vector
    query: Vector
    reinstated_key: Vector
    key_attention: Vector
    key_output: Vector
    value_delta: Vector
    query_delta: Vector
    mhn_delta: Vector
    alignment_delta: Vector


def sequence() -> Sequences:
    """The sequence that is drawn."""
    return TASK.sequence(CONTEXT, QUERY)


def query_step(model: SlotFreeTransformer, seed: int) -> QueryStep:
    """Run a half trained model on a sequence."""
    weights = trained(model, TASK, HALF_TRAINED[model], seed)
    trace = model.inspect(weights, TASK, CONTEXT, QUERY, seed=seed)
    W_HK, W_VH, W_IH = trace.W_HK[-1], trace.W_VH[-1], trace.W_IH[-1]
    x_q, y = TASK.one_hot(sequence().query[0]), np.eye(TASK.n_outputs)[sequence().target[0]]
    q, k = weights.W_Q @ x_q, weights.W_K @ trace.reinstated
    s_K = softmax(W_HK @ k)
    y_K = W_VH @ s_K

    def through_softmax(s: Vector, outputs: Matrix, output: Vector) -> Vector:
        """2(ŷ − y)ᵀ Σ_m s_m (outputs_m − ŷ) (W_HK)_m."""
        return np.asarray(W_HK.T @ (s * (2 * (output - y) @ (outputs - output[:, None]))))

    delta_V, delta_Q = 2 * (trace.output - y), through_softmax(trace.attention, weights.W_V @ W_IH, trace.output)
    deltas = delta_V, delta_Q, through_softmax(s_K, W_VH, y_K), 2 * (k - q)
    return QueryStep(weights, trace, x_q, y, q, k, s_K, y_K, *deltas)
