"""Fast weights: a hetero-associative 1-winner MHN that is filled anew by each sequence (paper, SI B.2).

``HK`` (n_h, N), ``VH`` (n_outputs, n_h) and ``IH`` (D, n_h) are W_HK, W_VH and W_IH: from keys to hidden units, and
from these to values and items. ``live[: n_live[0]]`` are the units whose row of W_HK is not 0, in the order in which
they became so: with input projections all rows are 0 at first, and what is 0 need not be multiplied.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.elementary import exponential
from slotfree.kernels.arithmetic.lanes import add_four_scaled, add_scaled, dot, four_dots
from slotfree.kernels.arithmetic.uniform import fill_uniform, stream
from slotfree.kernels.attention.transformer import Sizes
from slotfree.kernels.compile import inner, lean

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
FastWeights = NamedTuple(
    "FastWeights", [("HK", Array), ("VH", Array), ("IH", Array), ("live", Integers), ("n_live", Integers)]
)


def empty_fast_weights(sizes: Sizes) -> FastWeights:
    """Return room for the fast weights of one sequence; its size does not depend on the length of the context."""
    n_hidden, key_dim, n_tokens, n_outputs = sizes
    weights = (np.zeros((n_hidden, key_dim)), np.zeros((n_outputs, n_hidden)), np.zeros((n_tokens, n_hidden)))
    return FastWeights(*weights, np.arange(n_hidden), np.zeros(1, np.int64))


@inner
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
        for i in range(fast.n_live[0]):
            for j in range(fast.HK.shape[1]):
                fast.HK[fast.live[i], j] = 0.0
        fast.n_live[0] = 0


@inner
def drive(fast: FastWeights, k: Array, h: Array) -> None:
    """h = W_HK k."""
    HK, live, n = fast.HK, fast.live, fast.n_live[0]
    if n < h.size:
        for m in range(h.size):
            h[m] = 0.0
    for i in range(0, n - 3, 4):
        m0, m1, m2, m3 = live[i], live[i + 1], live[i + 2], live[i + 3]
        h[m0], h[m1], h[m2], h[m3] = four_dots(HK[m0], HK[m1], HK[m2], HK[m3], k)
    for i in range(n - n % 4, n):
        h[live[i]] = dot(HK[live[i]], k)


@inner
def through_keys(fast: FastWeights, c: Array, delta: Array) -> None:
    """δ = W_HKᵀ c."""
    HK, live, n = fast.HK, fast.live, fast.n_live[0]
    for j in range(delta.size):
        delta[j] = 0.0
    for i in range(0, n - 3, 4):
        m0, m1, m2, m3 = live[i], live[i + 1], live[i + 2], live[i + 3]
        add_four_scaled(HK[m0], HK[m1], HK[m2], HK[m3], c[m0], c[m1], c[m2], c[m3], delta)
    for i in range(n - n % 4, n):
        add_scaled(HK[live[i]], c[live[i]], delta)


@lean
def forward(W: Array, x: Array, out: Array) -> None:
    """out = W x."""
    n = out.size
    for m in range(0, n - 3, 4):
        out[m], out[m + 1], out[m + 2], out[m + 3] = four_dots(W[m], W[m + 1], W[m + 2], W[m + 3], x)
    for m in range(n - n % 4, n):
        out[m] = dot(W[m], x)


@lean
def backward(W: Array, e: Array, out: Array) -> None:
    """out = Wᵀ e."""
    n = e.size
    for j in range(out.size):
        out[j] = 0.0
    for m in range(0, n - 3, 4):
        add_four_scaled(W[m], W[m + 1], W[m + 2], W[m + 3], e[m], e[m + 1], e[m + 2], e[m + 3], out)
    for m in range(n - n % 4, n):
        add_scaled(W[m], e[m], out)


@lean
def winner(h: Array) -> int:
    """The unit with the largest drive; the first, if several tie."""
    best = 0
    for m in range(1, h.size):
        if h[m] > h[best]:
            best = m
    return best


@inner
def hold(fast: FastWeights, m: int, k: Array, item: Integers) -> None:
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
def replace_value(VH: Array, m: int, V: Array, item: Integers) -> None:
    """The column of W_VH of unit m becomes the value: W_VH += (v − W_VH) aᵀ.

    The value is v = W_V x, the sum of the item's columns of W_V.
    """
    for o in range(len(V)):
        VH[o, m] = V[o, item[0]]
        for i in range(1, item.size):
            VH[o, m] += V[o, item[i]]


@lean
def printed_value(VH: Array, m: int, V: Array, item: Integers) -> None:
    """W_VH += (a − W_VH) v, as it is misprinted: each row moves towards the one-hot a of unit m, by its entry of v."""
    for o in range(len(V)):
        v = V[o, item[0]]
        for i in range(1, item.size):
            v += V[o, item[i]]
        for unit in range(VH.shape[1]):
            VH[o, unit] -= VH[o, unit] * v
        VH[o, m] += v


@lean
def softmax(h: Array, beta: float, s: Array) -> None:
    """s = softmax(β h)."""
    largest = h[0]
    for m in range(1, h.size):
        largest = max(largest, h[m])
    for m in range(h.size):
        s[m] = exponential(beta * (h[m] - largest))
    total = 0.0
    for m in range(h.size):
        total += s[m]
    for m in range(h.size):
        s[m] /= total
