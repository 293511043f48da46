"""The slot-free transformer: items stored one by one, the query step, and its gradients."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.uniform import stream
from slotfree.kernels.attention.fast_weights import (
    FastWeights,
    backward,
    begin,
    drive,
    forward,
    hold,
    replace_value,
    softmax,
    winner,
)
from slotfree.kernels.attention.key_rules import fixed as key_rule
from slotfree.kernels.attention.learning_rules import credit, query_rule, value_rule
from slotfree.kernels.attention.sequences import SequenceArrays, item_row
from slotfree.kernels.attention.transformer import Activity, SlowWeights, against
from slotfree.kernels.compile import part

BY_DRIVE, BY_PROJECTION, BY_STEP = 0, 1, 2

SlotFreeState = NamedTuple(
    "SlotFreeState",
    [("slow", SlowWeights), ("gradient", SlowWeights), ("activity", Activity), ("fast", Any)],  # as the storage has it
)

Placement = NamedTuple(
    "Placement",
    [
        ("key", np.uint64),  # of the streams of initial fast weights
        ("high", float),  # upper end of W_HK before a sequence
        ("unit", int),  # how the unit that stores an item is found: BY_DRIVE, BY_PROJECTION or BY_STEP
    ],
)


@part
def start(fast: FastWeights, placement: Placement, number: int) -> None:
    """Begin the sequence with this number: it has initial fast weights of its own."""
    begin(fast, stream(placement.key, number), placement.high)


@part
def present(
    slow: SlowWeights,
    fast: FastWeights,
    activity: Activity,
    item: NDArray[np.int64],
    step: int,
    placement: Placement,
) -> int:
    """Show one item of the context: a unit wins and stores it. Return the unit.

    a = σ(W_HK k [+ W_HI x]). W_HI is the identity on the first units, one for each token that items are made of.
    BY_STEP, item t is stored by unit t.
    """
    k = item_row(slow.K, item, activity.k)
    if placement.unit == BY_STEP:
        m = step
    else:
        drive(fast, k, activity.h)
        if placement.unit == BY_PROJECTION:
            for i in range(item.size):
                activity.h[item[i]] += 1.0
        m = winner(activity.h)
    hold(fast, m, k, item)
    replace_value(fast.VH, m, slow.V, item)
    return m


@part
def answer(slow: SlowWeights, fast: FastWeights, activity: Activity, query: int) -> None:
    """The query step: s = softmax(W_HK q), x̃ = W_IH s, ŷ = W_V x̃, ŷ_val = W_VH s."""
    drive(fast, slow.Q[query], activity.h)
    softmax(activity.h, 1.0, activity.s)
    forward(fast.IH, activity.s, activity.x)
    forward(fast.VH, activity.s, activity.y_val)
    forward(slow.V, activity.x, activity.y_hat)


@part
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


def show(state: Any, sequences: SequenceArrays, i: int, b: int, number: int, setup: Any) -> None:
    """The context of sequence b of batch i: each item is stored. What is stored stays, if sequences are a stream.

    The number of the sequence chooses its initial fast weights. A template, in which ``start`` begins a sequence, and
    ``present`` stores an item.
    """
    if sequences.reset or number == 0:
        start(state.fast, setup, number)
    for t in range(sequences.context.shape[2]):
        present(state.slow, state.fast, state.activity, sequences.context[i, b, t], t, setup)


def ask(state: Any, sequences: SequenceArrays, i: int, b: int, a: int, setup: Any) -> None:
    """Query a after this context, and its gradients.

    A template, in which ``answer`` is the query step, ``learn`` the rule for W_V and W_Q, and ``key_rule`` that for
    W_K.
    """
    slow, gradient, activity, fast = state.slow, state.gradient, state.activity, state.fast
    query, target = sequences.query[i, b, a], sequences.target[i, b, a]
    answer(slow, fast, activity, query)
    learn(slow, fast, activity, query, target, gradient)
    key_rule(slow, fast, activity, slow.Q[query], target, gradient.K)


def reply(state: Any, sequences: SequenceArrays, i: int, b: int, a: int, setup: Any) -> None:
    """Query a after this context, without gradients. A template, in which ``answer`` is the query step."""
    answer(state.slow, state.fast, state.activity, sequences.query[i, b, a])
