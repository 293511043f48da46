"""One sequence, one batch, one block of training steps, for the slot-free models and for the baseline.

The slow weights are ``Q`` (D, N), ``K`` (D, N) and ``V`` (2, D): W_Q and W_K transposed, so that the key of a token is
a row, and W_V.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.compile import lean, part
from slotfree.kernels.fast_weights import Array, FastWeights, backward, begin, drive, forward, replace, softmax, winner
from slotfree.kernels.rules import (
    credit,
    mhn_key_rule,
    query_key_rule,
    query_rule,
    slot_key_rule,
    slot_query_rule,
    value_rule,
)
from slotfree.kernels.sequences import SequenceArrays
from slotfree.kernels.uniform import stream

FIXED, MHN, QUERY_KEY = 0, 1, 2
BY_DRIVE, BY_PROJECTION, BY_STEP = 0, 1, 2

Slow = NamedTuple("Slow", [("Q", Array), ("K", Array), ("V", Array)])

Storage = NamedTuple(
    "Storage",
    [
        ("key", np.uint64),  # of the streams of initial fast weights
        ("high", float),  # upper end of W_HK before a sequence
        ("allocation", int),  # how the unit that stores an item is found
    ],
)

Room = NamedTuple(
    "Room",
    [
        ("h", Array),  # (n_h,) drives
        ("s", Array),  # (n_h,) attention
        ("c", Array),  # (n_h,) credit
        ("outputs", Array),  # (2, n_h) what each unit alone would put out
        ("x", Array),  # (D,) reinstated input x̃
        ("k", Array),  # (N,) reinstated key
        ("delta", Array),  # (N,) gradient in the key layer
        ("error", Array),  # (2,) ŷ − y
        ("y_hat", Array),  # (2,) output that is trained
        ("y_val", Array),  # (2,) output that is reported
    ],
)


def empty_room(n_units: int, key_dim: int, n_tokens: int) -> Room:
    """Return working room. Units are hidden units, or the slots of the transformer: one for each item."""
    units = (n_units, n_units, n_units, (2, n_units))
    layers = (n_tokens, key_dim, key_dim, 2, 2, 2)
    return Room(*(np.zeros(size) for size in (*units, *layers)))


def empty_slow(key_dim: int, n_tokens: int) -> Slow:
    """Return weights, or gradients, of 0."""
    return Slow(np.zeros((n_tokens, key_dim)), np.zeros((n_tokens, key_dim)), np.zeros((2, n_tokens)))


@part
def present(slow: Slow, fast: FastWeights, room: Room, token: int, step: int, allocation: int) -> int:
    """Show one item of the context: a unit wins and stores it. Return the unit.

    a = σ(W_HK k [+ W_HI x]). W_HI is the identity on the first 2L units; BY_STEP, item t is stored by unit t.
    """
    if allocation == BY_STEP:
        m = step
    else:
        drive(fast, slow.K[token], room.h)
        if allocation == BY_PROJECTION:
            room.h[token] += 1.0
        m = winner(room.h)
    replace(fast, m, slow.K[token], slow.V[:, token], token)
    return m


@part
def answer(slow: Slow, fast: FastWeights, room: Room, query: int) -> None:
    """The query step: s = softmax(W_HK q), x̃ = W_IH s, ŷ = W_V x̃, ŷ_val = W_VH s."""
    drive(fast, slow.Q[query], room.h)
    softmax(room.h, 1.0, room.s)
    forward(fast.IH, room.s, room.x)
    forward(fast.VH, room.s, room.y_val)
    forward(slow.V, room.x, room.y_hat)


@part
def against(target: int, y_hat: Array, error: Array) -> None:
    """error = ŷ − y, with the one-hot y of the target."""
    for o in range(error.size):
        error[o] = y_hat[o]
    error[target] -= 1.0


@part
def learn(slow: Slow, fast: FastWeights, room: Room, query: int, target: int, rule: int, gradient: Slow) -> None:
    """Add the gradients of one sequence, from what is there after ``answer``: nothing of the context is."""
    against(target, room.y_hat, room.error)
    value_rule(room.error, room.x, gradient.V)
    for o in range(2):
        backward(fast.IH, slow.V[o], room.outputs[o])  # W_V W_IH
    credit(room.s, room.outputs, room.y_hat, room.error, 1.0, room.c)
    query_rule(fast, room.c, query, room.delta, gradient.Q)
    if rule == FIXED:
        return
    backward(slow.K, room.x, room.k)  # W_K x̃
    if rule == QUERY_KEY:
        query_key_rule(room.k, slow.Q[query], room.x, room.delta, gradient.K)
    else:
        drive(fast, room.k, room.h)
        softmax(room.h, 1.0, room.s)
        forward(fast.VH, room.s, room.y_hat)  # ŷ_K
        against(target, room.y_hat, room.error)
        credit(room.s, fast.VH, room.y_hat, room.error, 1.0, room.c)
        mhn_key_rule(fast, room.c, room.x, room.delta, gradient.K)


@part
def attend_slots(slow: Slow, room: Room, context: NDArray[np.int64], query: int, beta: float) -> None:
    """The transformer: s = softmax(β k_tᵀ q), x̃ = Σ_t s_t x_t, ŷ = Σ_t s_t v_t."""
    for t in range(context.size):
        total = 0.0
        for j in range(slow.K.shape[1]):
            total += slow.K[context[t], j] * slow.Q[query, j]
        room.h[t] = total
        for o in range(2):
            room.outputs[o, t] = slow.V[o, context[t]]
    softmax(room.h, beta, room.s)
    room.x[:] = 0.0
    for t in range(context.size):
        room.x[context[t]] += room.s[t]
    forward(room.outputs, room.s, room.y_hat)


@part
def baseline(
    slow: Slow,
    room: Room,
    context: NDArray[np.int64],
    query: int,
    target: int,
    beta: float,
    gradient_beta: float,
    gradient: Slow,
) -> None:
    """One sequence of the transformer and its gradients, to which every item of the context is needed.

    Exact gradients have the β of the output. The published numbers come from gradients with β = 1 in the attention and
    as a factor, while the error ŷ − y is that of the output.
    """
    attend_slots(slow, room, context, query, beta)
    against(target, room.y_hat, room.error)
    for o in range(2):
        room.y_val[o] = room.y_hat[o]
    if gradient_beta != beta:
        attend_slots(slow, room, context, query, gradient_beta)
    value_rule(room.error, room.x, gradient.V)
    credit(room.s, room.outputs, room.y_hat, room.error, gradient_beta, room.c)
    slot_query_rule(slow.K, room.c, context, query, gradient.Q)
    slot_key_rule(room.c, slow.Q, query, context, gradient.K)


@part
def score(y_val: Array, target: int) -> tuple[float, float]:
    """Return whether the reported output is right (1 or 0; a tie counts as lowercase), and its squared error."""
    right = (y_val[1] > y_val[0]) == (target == 1)
    wrong, other = y_val[target] - 1.0, y_val[1 - target]
    return (1.0 if right else 0.0), wrong * wrong + other * other


@part
def descend(slow: Slow, gradient: Slow, rates: NDArray[np.float64]) -> None:
    """W ← W − η ∂L/∂W for W_Q, W_K, W_V, each with its own η; then the gradients are 0.

    Without rates nothing is done: the gradients are left for the caller.
    """
    if rates.size == 0:
        return
    for n, (W, G) in enumerate(((slow.Q, gradient.Q), (slow.K, gradient.K), (slow.V, gradient.V))):
        for row in range(W.shape[0]):
            for column in range(W.shape[1]):
                W[row, column] -= rates[n] * G[row, column]
                G[row, column] = 0.0


@lean
def train_slotfree(
    slow: Slow,
    gradient: Slow,
    fast: FastWeights,
    room: Room,
    sequences: SequenceArrays,
    storage: Storage,
    rule: int,
    first: int,
    rates: NDArray[np.float64],
    accuracy: NDArray[np.float64],
    loss: NDArray[np.float64],
) -> int:
    """Train on a block of batches, (steps, B, C); return how many were done before a loss was not finite.

    Each sequence has fast weights of its own, numbered from first on.
    """
    steps, size, C = sequences.context.shape
    for i in range(steps):
        right, lost = 0.0, 0.0
        for b in range(size):
            query, target = sequences.query[i, b], sequences.target[i, b]
            begin(fast, stream(storage.key, first + i * size + b), storage.high)
            for t in range(C):
                present(slow, fast, room, sequences.context[i, b, t], t, storage.allocation)
            answer(slow, fast, room, query)
            learn(slow, fast, room, query, target, rule, gradient)
            r, e = score(room.y_val, target)
            right += r
            lost += e
        accuracy[i], loss[i] = right / size, lost / size
        if not np.isfinite(loss[i]):
            return i
        descend(slow, gradient, rates)
    return len(loss)


@lean
def train_baseline(
    slow: Slow,
    gradient: Slow,
    room: Room,
    sequences: SequenceArrays,
    beta: float,
    gradient_beta: float,
    rates: NDArray[np.float64],
    accuracy: NDArray[np.float64],
    loss: NDArray[np.float64],
) -> int:
    """Train on a block of batches, (steps, B, C); return how many were done before a loss was not finite."""
    steps, size, _ = sequences.context.shape
    for i in range(steps):
        right, lost = 0.0, 0.0
        for b in range(size):
            query, target = sequences.query[i, b], sequences.target[i, b]
            baseline(slow, room, sequences.context[i, b], query, target, beta, gradient_beta, gradient)
            r, e = score(room.y_val, target)
            right += r
            lost += e
        accuracy[i], loss[i] = right / size, lost / size
        if not np.isfinite(loss[i]):
            return i
        descend(slow, gradient, rates)
    return len(loss)
