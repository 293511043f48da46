"""The transformer with slots: one sequence, and its gradients."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.lanes import dot
from slotfree.kernels.attention.fast_weights import softmax
from slotfree.kernels.attention.learning_rules import credit, slot_key_rule, slot_query_rule, slot_value_rule
from slotfree.kernels.attention.sequences import SequenceArrays
from slotfree.kernels.attention.transformer import Activity, Array, SlowWeights, against
from slotfree.kernels.compile import leaf, part

BaselineState = NamedTuple(
    "BaselineState",
    [
        ("slow", SlowWeights),
        ("gradient", SlowWeights),
        ("activity", Activity),
        ("values", Array),  # (n_outputs, C) v_t of each slot
    ],
)
Betas = NamedTuple("Betas", [("output", float), ("gradient", float)])


@leaf
def fill_slots(slow: SlowWeights, activity: Activity, values: Array, context: NDArray[np.int64], query: int) -> None:
    """The drive k_tᵀ q and the value v_t = W_V x_t of each slot."""
    C, T = context.shape
    for t in range(C):
        total = 0.0
        for i in range(T):
            total += dot(slow.K[context[t, i]], slow.Q[query])
        activity.h[t] = total
        for o in range(len(slow.V)):
            values[o, t] = slow.V[o, context[t, 0]]
            for i in range(1, T):
                values[o, t] += slow.V[o, context[t, i]]


@leaf
def attend_slots(activity: Activity, values: Array, beta: float) -> None:
    """The transformer: s = softmax(β k_tᵀ q), ŷ = Σ_t s_t v_t."""
    softmax(activity.h, beta, activity.s)
    for o in range(len(values)):
        total = 0.0
        for t in range(activity.s.size):
            total += values[o, t] * activity.s[t]
        activity.y_hat[o] = total


@part
def show_slots(state: BaselineState, sequences: SequenceArrays, i: int, b: int, number: int, betas: Betas) -> None:
    """Nothing is done with a context before the query: each item of it is kept."""


@part
def reply_slots(state: BaselineState, sequences: SequenceArrays, i: int, b: int, a: int, betas: Betas) -> None:
    """Query a of sequence b of batch i, without gradients."""
    activity = state.activity
    fill_slots(state.slow, activity, state.values, sequences.context[i, b], sequences.query[i, b, a])
    attend_slots(activity, state.values, betas.output)
    for o in range(activity.y_val.size):
        activity.y_val[o] = activity.y_hat[o]


@part
def ask_slots(state: BaselineState, sequences: SequenceArrays, i: int, b: int, a: int, betas: Betas) -> None:
    """Query a of sequence b of batch i, and its gradients, to which every item of the context is needed.

    Exact gradients have the β of the output. The published numbers come from gradients with β = 1 in the attention and
    as a factor, while the error ŷ − y is that of the output.
    """
    slow, gradient, activity, values = state.slow, state.gradient, state.activity, state.values
    context, query = sequences.context[i, b], sequences.query[i, b, a]
    reply_slots(state, sequences, i, b, a, betas)
    against(sequences.target[i, b, a], activity.y_hat, activity.error)
    if betas.gradient != betas.output:
        attend_slots(activity, values, betas.gradient)
    slot_value_rule(activity.error, activity.s, context, gradient.V)
    for t in range(activity.c.size):
        activity.c[t] = activity.error[0] * values[0, t]
        for o in range(1, len(values)):
            activity.c[t] += activity.error[o] * values[o, t]
    credit(activity.s, activity.y_hat, activity.error, betas.gradient, activity.c)
    slot_query_rule(slow.K, activity.c, context, query, gradient.Q)
    slot_key_rule(activity.c, slow.Q, query, context, gradient.K)
