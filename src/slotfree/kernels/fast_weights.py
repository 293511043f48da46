"""Fast weights: a hetero-associative 1-winner MHN that is filled anew by each sequence (paper, SI B.2).

``HK`` (n_h, N), ``VH`` (n_outputs, n_h) and ``IH`` (D, n_h) are W_HK, W_VH and W_IH: from keys to hidden units, and
from these to values and items. ``live[: n_live[0]]`` are the units whose row of W_HK is not 0, in the order in which
they became so: with input projections all rows are 0 at first, and what is 0 need not be multiplied.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.compile import leaf, lean
from slotfree.kernels.transformer import Sizes
from slotfree.kernels.uniform import fill_uniform, stream

Array = NDArray[np.float64]
Whole = NDArray[np.int64]
FastWeights = NamedTuple(
    "FastWeights", [("HK", Array), ("VH", Array), ("IH", Array), ("live", Whole), ("n_live", Whole)]
)


def empty_fast_weights(sizes: Sizes) -> FastWeights:
    """Return room for the fast weights of one sequence; its size does not depend on the length of the context."""
    n_hidden, key_dim, n_tokens, n_outputs = sizes
    weights = (np.zeros((n_hidden, key_dim)), np.zeros((n_outputs, n_hidden)), np.zeros((n_tokens, n_hidden)))
    return FastWeights(*weights, np.arange(n_hidden), np.zeros(1, np.int64))


@leaf
def begin(fast: FastWeights, key: np.uint64, high: float) -> None:
    """Start a sequence: W_VH, W_IH ~ U[0, 1), W_HK ~ U[0, high), or 0 if high is 0."""
    fill_uniform(stream(key, 0), 1.0, fast.VH)
    fill_uniform(stream(key, 1), 1.0, fast.IH)
    if high > 0:
        fill_uniform(stream(key, 2), high, fast.HK)
        fast.n_live[0] = fast.live.size
        for m in range(fast.live.size):
            fast.live[m] = m
    else:
        fast.HK[:] = 0.0
        fast.n_live[0] = 0


@leaf
def drive(fast: FastWeights, k: Array, h: Array) -> None:
    """h = W_HK k.

    Four units at a time, as the additions of one have to wait for each other.
    """
    HK, live, n = fast.HK, fast.live, fast.n_live[0]
    if n < h.size:
        for m in range(h.size):
            h[m] = 0.0
    for i in range(0, n - 3, 4):
        m0, m1, m2, m3 = live[i], live[i + 1], live[i + 2], live[i + 3]
        a = b = c = d = 0.0
        for j in range(k.size):
            a += HK[m0, j] * k[j]
            b += HK[m1, j] * k[j]
            c += HK[m2, j] * k[j]
            d += HK[m3, j] * k[j]
        h[m0], h[m1], h[m2], h[m3] = a, b, c, d
    for i in range(n - n % 4, n):
        a = 0.0
        for j in range(k.size):
            a += HK[live[i], j] * k[j]
        h[live[i]] = a


@leaf
def through_keys(fast: FastWeights, c: Array, delta: Array) -> None:
    """δ = W_HKᵀ c."""
    for j in range(delta.size):
        delta[j] = 0.0
    for i in range(fast.n_live[0]):
        m = fast.live[i]
        weight = c[m]
        for j in range(delta.size):
            delta[j] += weight * fast.HK[m, j]


@lean
def forward(W: Array, x: Array, out: Array) -> None:
    """out = W x."""
    for m in range(out.size):
        total = 0.0
        for j in range(x.size):
            total += W[m, j] * x[j]
        out[m] = total


@lean
def winner(h: Array) -> int:
    """The unit with the largest drive; the first, if several tie."""
    best = 0
    for m in range(1, h.size):
        if h[m] > h[best]:
            best = m
    return best


@leaf
def hold(fast: FastWeights, m: int, k: Array, item: Whole) -> None:
    """Store an item in unit m: its row of W_HK and its column of W_IH become the key and the item.

    This is W_HK += a (k − W_HK)ᵀ and W_IH += (x − W_IH) aᵀ with the one-hot a of the winner.
    """
    for j in range(k.size):
        fast.HK[m, j] = k[j]
    n = fast.n_live[0]
    for i in range(n):
        if fast.live[i] == m:
            break
    else:
        fast.live[n] = m
        fast.n_live[0] = n + 1
    for d in range(len(fast.IH)):
        fast.IH[d, m] = 0.0
    for i in range(item.size):
        fast.IH[item[i], m] += 1.0


@lean
def replace_value(VH: Array, m: int, V: Array, item: Whole) -> None:
    """The column of W_VH of unit m becomes the value: W_VH += (v − W_VH) aᵀ.

    The value is v = W_V x, the sum of the item's columns of W_V.
    """
    for o in range(len(V)):
        VH[o, m] = V[o, item[0]]
        for i in range(1, item.size):
            VH[o, m] += V[o, item[i]]


@lean
def softmax(h: Array, beta: float, s: Array) -> None:
    """s = softmax(β h)."""
    largest = h[0]
    for m in range(1, h.size):
        largest = max(largest, h[m])
    total = 0.0
    for m in range(h.size):
        s[m] = np.exp(beta * (h[m] - largest))
        total += s[m]
    for m in range(h.size):
        s[m] /= total


@lean
def backward(W: Array, e: Array, out: Array) -> None:
    """out = Wᵀ e."""
    out[:] = 0.0
    for m in range(e.size):
        weight = e[m]
        for j in range(out.size):
            out[j] += weight * W[m, j]
