"""The slot-free transformer: items stored one by one, the query step, and its gradients."""

from typing import NamedTuple

import numpy as np

from slotfree.kernels.arithmetic.uniform import stream
from slotfree.kernels.attention.fast_weights import (
    Array,
    FastWeights,
    Integers,
    backward,
    begin,
    drive,
    forward,
    hold,
    printed_value,
    replace_value,
    softmax,
    winner,
)
from slotfree.kernels.attention.learning_rules import credit, query_rule, value_rule
from slotfree.kernels.attention.sequences import item_row
from slotfree.kernels.attention.transformer import Activity, SlowWeights, against
from slotfree.kernels.compile import inner, leaf

BY_DRIVE, BY_PROJECTION, BY_STEP = 0, 1, 2

Placement = NamedTuple(
    "Placement",
    [
        ("key", np.uint64),  # of the streams of initial fast weights
        ("high", float),  # upper end of W_HK before a sequence
        ("unit", int),  # how the unit that stores an item is found: BY_DRIVE, BY_PROJECTION or BY_STEP
        ("as_printed", bool),  # whether the value is stored by an equation that is misprinted
    ],
)


@leaf
def start(fast: FastWeights, placement: Placement, number: int) -> None:
    """Begin the sequence with this number: it has initial fast weights of its own."""
    begin(fast, stream(placement.key, number), placement.high)


@inner
def choose(fast: FastWeights, activity: Activity, k: Array, item: Integers, step: int, placement: Placement) -> int:
    """The unit that stores an item: the winner of W_HK k [+ W_HI x]; BY_STEP, item t is stored by unit t.

    W_HI is the identity on the first units, one for each token that items are made of.
    """
    if placement.unit == BY_STEP:
        return step
    drive(fast, k, activity.h)
    if placement.unit == BY_PROJECTION:
        for i in range(item.size):
            activity.h[item[i]] += 1.0
    return winner(activity.h)


@leaf
def present(
    slow: SlowWeights, fast: FastWeights, activity: Activity, item: Integers, step: int, placement: Placement
) -> int:
    """Show one item of the context: a unit is chosen and stores it. Return the unit."""
    k = item_row(slow.K, item, activity.k)
    m = choose(fast, activity, k, item, step, placement)
    hold(fast, m, k, item)
    if placement.as_printed:
        printed_value(fast.VH, m, slow.V, item)
    else:
        replace_value(fast.VH, m, slow.V, item)
    return m


@leaf
def answer(slow: SlowWeights, fast: FastWeights, activity: Activity, query: int) -> None:
    """The query step: s = softmax(W_HK q), x̃ = W_IH s, ŷ = W_V x̃, ŷ_val = W_VH s."""
    drive(fast, slow.Q[query], activity.h)
    softmax(activity.h, 1.0, activity.s)
    forward(fast.IH, activity.s, activity.x)
    forward(fast.VH, activity.s, activity.y_val)
    forward(slow.V, activity.x, activity.y_hat)


@leaf
def learn(
    slow: SlowWeights, fast: FastWeights, activity: Activity, query: int, target: int, gradient: SlowWeights
) -> None:
    """Add the gradients of W_V and W_Q, from what is there after ``answer``: nothing of the context is.

    The error is carried back to the items, W_Vᵀ(ŷ − y), and from there to the units, by W_IHᵀ.
    """
    against(target, activity.y_hat, activity.error)
    value_rule(activity.error, activity.x, gradient.V)
    backward(slow.V, activity.error, activity.back)
    backward(fast.IH, activity.back, activity.c)
    credit(activity.s, activity.y_hat, activity.error, 1.0, activity.c)
    query_rule(fast, activity.c, query, activity.delta, gradient.Q)
