"""The slot-free transformer with a distributed context: its steps, and the key rules that read it.

The error is carried back to the items, W_Vᵀ(ŷ − y), before it meets the units, so that the cost of a query is that of
the tokens shown, not that of all outputs for each unit.
"""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.uniform import stream
from slotfree.kernels.attention.distributed_context import (
    ATTENDED,
    SEEN,
    Array,
    Context,
    add_key,
    attend,
    begin_context,
    choose,
    drives,
    hold,
    read_items,
    read_values,
)
from slotfree.kernels.attention.match_or_oldest import match_or_oldest
from slotfree.kernels.attention.sequences import item_row
from slotfree.kernels.attention.transformer import Activity, SlowWeights, against
from slotfree.kernels.compile import inner, leaf


@leaf
def start_distributed(fast: Context, key: np.uint64, number: int) -> None:
    """Begin the sequence with this number."""
    begin_context(fast, stream(key, number))


@leaf
def present_distributed(
    slow: SlowWeights, fast: Context, activity: Activity, item: NDArray[np.int64], step: int, key: np.uint64
) -> int:
    """Show one item of the context: the k winners of W_HK k + γ f P x store it, or the address rule's others.

    Return the first of them.
    """
    k = item_row(slow.K, item, activity.k)
    if fast.by_age:
        match_or_oldest(fast, k, activity.h)
    else:
        choose(fast, activity.h, drives(fast, k, item, activity.h))
    value_of(slow.V, item, fast.v)
    hold(fast, k, item)
    first: int = fast.winners[0]
    return first


@inner
def value_of(V: Array, item: NDArray[np.int64], v: Array) -> None:
    """v = W_V x."""
    for o in range(v.size):
        v[o] = V[o, item[0]]
        for i in range(1, item.size):
            v[o] += V[o, item[i]]


@leaf
def answer_distributed(slow: SlowWeights, fast: Context, activity: Activity, query: int) -> None:
    """The query step: s = softmax(β W_HK q), Z = g·s, x̃ = W_IH s/(f_out Z), ŷ = W_V x̃, ŷ_val = W_VH s/Z."""
    attend(fast, slow.Q[query], activity.h, activity.s)
    read_items(fast, activity.s, activity.x)
    read_values(fast, activity.s, activity.y_val)
    for o in range(len(slow.V)):
        total = 0.0
        for j in range(fast.count[SEEN]):
            total += slow.V[o, fast.seen[j]] * activity.x[fast.seen[j]]
        activity.y_hat[o] = total


@leaf
def learn_distributed(
    slow: SlowWeights, fast: Context, activity: Activity, query: int, target: int, gradient: SlowWeights
) -> None:
    """Add the gradients of W_V and W_Q.

    ∂L/∂W_V = 2 (ŷ − y) x̃ᵀ; ∂L/∂W_Q = δ_Q x_qᵀ with δ_Q = Σ_m c_m (W_HK)_m and the credit
    c_m = 2 β s_m/Z (ŷ − y)ᵀ (W_V W_IH,m / f_out − g_m ŷ), where g_m is 1 without normalisation.
    """
    against(target, activity.y_hat, activity.error)
    back, error = activity.back, activity.error
    for j in range(fast.count[SEEN]):
        back[fast.seen[j]] = 0.0
    agreement = 0.0
    for o in range(error.size):
        weight = 2.0 * error[o]
        for j in range(fast.count[SEEN]):
            d = fast.seen[j]
            gradient.V[o, d] += weight * activity.x[d]
            back[d] += error[o] * slow.V[o, d]
        agreement += error[o] * activity.y_hat[o]
    for j in range(activity.delta.size):
        activity.delta[j] = 0.0
    for i in range(fast.count[ATTENDED]):
        m = fast.attended[i]
        gain = 0.0
        for j in range(fast.count[SEEN]):
            gain += back[fast.seen[j]] * fast.items[m, fast.seen[j]]
        gain = gain / fast.fan_out - (fast.g[m] if fast.normalises else 1.0) * agreement
        activity.c[m] = 2.0 * fast.beta * activity.s[m] * gain
        add_key(fast, m, activity.c[m], activity.delta)
    for j in range(activity.delta.size):
        gradient.Q[query, j] += activity.delta[j]


@leaf
def mhn_distributed(
    slow: SlowWeights, fast: Context, activity: Activity, q: Array, target: int, gradient: Array
) -> None:
    """∂L_K/∂W_K = δ_K x̃ᵀ, by ŷ_K = W_VH s_K/Z_K with s_K = softmax(β W_HK W_K x̃), Z_K = g·s_K; x̃ is held.

    c_m = 2 β s_m/Z_K (ŷ_K − y)ᵀ (W_VH,m − g_m ŷ_K), and δ_K = Σ_m c_m (W_HK)_m.
    """
    key_of_reinstated(slow.K, fast, activity.x, activity.k)
    attend(fast, activity.k, activity.h, activity.s)
    read_values(fast, activity.s, activity.y_hat)  # ŷ_K
    against(target, activity.y_hat, activity.error)
    agreement = 0.0
    for o in range(activity.error.size):
        agreement += activity.error[o] * activity.y_hat[o]
    for j in range(activity.delta.size):
        activity.delta[j] = 0.0
    for i in range(fast.count[ATTENDED]):
        m = fast.attended[i]
        gain = 0.0
        for o in range(activity.error.size):
            gain += activity.error[o] * fast.values[m, o]
        gain -= (fast.g[m] if fast.normalises else 1.0) * agreement
        add_key(fast, m, 2.0 * fast.beta * activity.s[m] * gain, activity.delta)
    add_outer(fast, activity.x, activity.delta, gradient)


@leaf
def query_key_distributed(
    slow: SlowWeights, fast: Context, activity: Activity, q: Array, target: int, gradient: Array
) -> None:
    """∂L_K/∂W_K = 2 (W_K x̃ − q) x̃ᵀ: the delta rule towards the query, which is held."""
    key_of_reinstated(slow.K, fast, activity.x, activity.k)
    for j in range(q.size):
        activity.delta[j] = 2.0 * (activity.k[j] - q[j])
    add_outer(fast, activity.x, activity.delta, gradient)


@inner
def key_of_reinstated(K: Array, fast: Context, x: Array, k: Array) -> None:
    """k = W_K x̃, over the tokens shown."""
    for j in range(k.size):
        k[j] = 0.0
    for i in range(fast.count[SEEN]):
        weight = x[fast.seen[i]]
        for j in range(k.size):
            k[j] += weight * K[fast.seen[i], j]


@inner
def add_outer(fast: Context, x: Array, delta: Array, gradient: Array) -> None:
    """Add δ x̃ᵀ, with a row for each token shown."""
    for i in range(fast.count[SEEN]):
        weight = x[fast.seen[i]]
        for j in range(delta.size):
            gradient[fast.seen[i], j] += weight * delta[j]
