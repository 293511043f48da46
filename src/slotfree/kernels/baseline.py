"""The transformer with slots: one sequence, and its gradients."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.compile import leaf, part
from slotfree.kernels.fast_weights import forward, softmax
from slotfree.kernels.rules import credit, slot_key_rule, slot_query_rule, value_rule
from slotfree.kernels.sequences import SequenceArrays
from slotfree.kernels.transformer import Activity, SlowWeights, against

BaselineState = NamedTuple("BaselineState", [("slow", SlowWeights), ("gradient", SlowWeights), ("activity", Activity)])
Betas = NamedTuple("Betas", [("output", float), ("gradient", float)])


@leaf
def attend_slots(slow: SlowWeights, activity: Activity, context: NDArray[np.int64], query: int, beta: float) -> None:
    """The transformer: s = softmax(β k_tᵀ q), x̃ = Σ_t s_t x_t, ŷ = Σ_t s_t v_t."""
    C, T = context.shape
    for t in range(C):
        total = 0.0
        for i in range(T):
            for j in range(slow.K.shape[1]):
                total += slow.K[context[t, i], j] * slow.Q[query, j]
        activity.h[t] = total
    for o in range(len(slow.V)):
        for t in range(C):
            activity.outputs[o, t] = slow.V[o, context[t, 0]]
        for i in range(1, T):
            for t in range(C):
                activity.outputs[o, t] += slow.V[o, context[t, i]]
    softmax(activity.h, beta, activity.s)
    activity.x[:] = 0.0
    for t in range(C):
        for i in range(T):
            activity.x[context[t, i]] += activity.s[t]
    forward(activity.outputs, activity.s, activity.y_hat)


@part
def show_slots(state: BaselineState, sequences: SequenceArrays, i: int, b: int, number: int, betas: Betas) -> None:
    """Nothing is done with a context before the query: each item of it is kept."""


@part
def ask_slots(state: BaselineState, sequences: SequenceArrays, i: int, b: int, a: int, betas: Betas) -> None:
    """Query a of sequence b of batch i, and its gradients, to which every item of the context is needed.

    Exact gradients have the β of the output. The published numbers come from gradients with β = 1 in the attention and
    as a factor, while the error ŷ − y is that of the output.
    """
    slow, gradient, activity = state.slow, state.gradient, state.activity
    context, query = sequences.context[i, b], sequences.query[i, b, a]
    attend_slots(slow, activity, context, query, betas.output)
    against(sequences.target[i, b, a], activity.y_hat, activity.error)
    for o in range(activity.y_val.size):
        activity.y_val[o] = activity.y_hat[o]
    if betas.gradient != betas.output:
        attend_slots(slow, activity, context, query, betas.gradient)
    value_rule(activity.error, activity.x, gradient.V)
    credit(activity.s, activity.outputs, activity.y_hat, activity.error, betas.gradient, activity.c)
    slot_query_rule(slow.K, activity.c, context, query, gradient.Q)
    slot_key_rule(activity.c, slow.Q, query, context, gradient.K)


@part
def reply_slots(state: BaselineState, sequences: SequenceArrays, i: int, b: int, a: int, betas: Betas) -> None:
    """Query a of sequence b of batch i, without gradients."""
    activity = state.activity
    attend_slots(state.slow, activity, sequences.context[i, b], sequences.query[i, b, a], betas.output)
    for o in range(activity.y_val.size):
        activity.y_val[o] = activity.y_hat[o]
