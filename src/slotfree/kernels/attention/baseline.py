"""The transformer with slots: each item of the context is kept, and attended at a query."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.lanes import dot
from slotfree.kernels.attention.fast_weights import softmax
from slotfree.kernels.attention.learning_rules import credit, slot_key_rule, slot_query_rule, slot_value_rule
from slotfree.kernels.attention.transformer import Activity, Array, SlowWeights, against
from slotfree.kernels.compile import inner, leaf

Integers = NDArray[np.int64]

Slots = NamedTuple(
    "Slots",
    [
        ("items", Integers),  # (C, T) the tokens of each item
        ("values", Array),  # (n_outputs, C) v_t of each slot
        ("beta", float),
        ("gradient_beta", float),
    ],
)


@leaf
def start_slots(slots: Slots, setup: int, number: int) -> None:
    """A sequence begins: its items replace those of the one before."""


@leaf
def present_slots(slow: SlowWeights, slots: Slots, activity: Activity, item: Integers, step: int, setup: int) -> int:
    """Item t is kept in slot t."""
    for i in range(item.size):
        slots.items[step, i] = item[i]
    return step


@inner
def attend_slots(activity: Activity, values: Array, beta: float) -> None:
    """The transformer: s = softmax(β k_tᵀ q), ŷ = Σ_t s_t v_t."""
    softmax(activity.h, beta, activity.s)
    for o in range(len(values)):
        total = 0.0
        for t in range(activity.s.size):
            total += values[o, t] * activity.s[t]
        activity.y_hat[o] = total


@leaf
def answer_slots(slow: SlowWeights, slots: Slots, activity: Activity, query: int) -> None:
    """The drive k_tᵀ q and the value v_t = W_V x_t of each slot, and the output."""
    C, T = slots.items.shape
    for t in range(C):
        total = 0.0
        for i in range(T):
            total += dot(slow.K[slots.items[t, i]], slow.Q[query])
        activity.h[t] = total
        for o in range(len(slow.V)):
            slots.values[o, t] = slow.V[o, slots.items[t, 0]]
            for i in range(1, T):
                slots.values[o, t] += slow.V[o, slots.items[t, i]]
    attend_slots(activity, slots.values, slots.beta)
    for o in range(activity.y_val.size):
        activity.y_val[o] = activity.y_hat[o]


@leaf
def learn_slots(
    slow: SlowWeights, slots: Slots, activity: Activity, query: int, target: int, gradient: SlowWeights
) -> None:
    """Add the gradients of W_V and W_Q, to which every item of the context is needed.

    Exact gradients have the β of the output. The published numbers come from gradients with β = 1 in the attention and
    as a factor, while the error ŷ − y is that of the output.
    """
    values = slots.values
    against(target, activity.y_hat, activity.error)
    if slots.gradient_beta != slots.beta:
        attend_slots(activity, values, slots.gradient_beta)
    slot_value_rule(activity.error, activity.s, slots.items, gradient.V)
    for t in range(activity.c.size):
        activity.c[t] = activity.error[0] * values[0, t]
        for o in range(1, len(values)):
            activity.c[t] += activity.error[o] * values[o, t]
    credit(activity.s, activity.y_hat, activity.error, slots.gradient_beta, activity.c)
    slot_query_rule(slow.K, activity.c, slots.items, query, gradient.Q)


@leaf
def learn_slot_keys(
    slow: SlowWeights, slots: Slots, activity: Activity, q: Array, target: int, gradient: Array
) -> None:
    """Add the gradient of W_K, to which every item is needed too."""
    slot_key_rule(activity.c, q, slots.items, gradient)
