"""Fast weights: a hetero-associative 1-winner MHN that is filled anew by each sequence (paper, SI B.2).

``HK`` (n_h, N), ``VH`` (2, n_h) and ``IH`` (D, n_h) are W_HK, W_VH and W_IH: from keys to hidden units, and from these
to values and items.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.compile import kernel, part
from slotfree.kernels.uniform import fill_uniform, stream

Array = NDArray[np.float64]
FastWeights = NamedTuple("FastWeights", [("HK", Array), ("VH", Array), ("IH", Array)])


def empty_fast_weights(n_hidden: int, key_dim: int, n_tokens: int) -> FastWeights:
    """Return room for the fast weights of one sequence; its size does not depend on the length of the context."""
    return FastWeights(np.zeros((n_hidden, key_dim)), np.zeros((2, n_hidden)), np.zeros((n_tokens, n_hidden)))


@part
def begin(fast: FastWeights, key: np.uint64, high: float) -> None:
    """Start a sequence: W_VH, W_IH ~ U[0, 1), W_HK ~ U[0, high), or 0 if high is 0."""
    fill_uniform(stream(key, 0), 1.0, fast.VH)
    fill_uniform(stream(key, 1), 1.0, fast.IH)
    if high > 0:
        fill_uniform(stream(key, 2), high, fast.HK)
    else:
        fast.HK[:] = 0.0


@kernel
def forward(W: Array, x: Array, out: Array) -> None:
    """out = W x.

    Eight rows at a time, as the additions of one have to wait for each other.
    """
    n, N = W.shape
    for m in range(0, n - 7, 8):
        a = b = c = d = e = f = g = h = 0.0
        for j in range(N):
            a += W[m, j] * x[j]
            b += W[m + 1, j] * x[j]
            c += W[m + 2, j] * x[j]
            d += W[m + 3, j] * x[j]
            e += W[m + 4, j] * x[j]
            f += W[m + 5, j] * x[j]
            g += W[m + 6, j] * x[j]
            h += W[m + 7, j] * x[j]
        out[m], out[m + 1], out[m + 2], out[m + 3] = a, b, c, d
        out[m + 4], out[m + 5], out[m + 6], out[m + 7] = e, f, g, h
    for m in range(n - n % 8, n):
        a = 0.0
        for j in range(N):
            a += W[m, j] * x[j]
        out[m] = a


@kernel
def winner(h: Array) -> int:
    """The unit with the largest drive; the first, if several tie."""
    best = 0
    for m in range(1, h.size):
        if h[m] > h[best]:
            best = m
    return best


@part
def replace(fast: FastWeights, m: int, k: Array, v: Array, token: int) -> None:
    """Store an item in unit m: its row of W_HK and its columns of W_VH, W_IH become the key, the value, the item.

    This is W_HK += a (k − W_HK), W_VH += (v − W_VH) aᵀ, W_IH += (x − W_IH) aᵀ with the one-hot a of the winner.
    """
    for j in range(k.size):
        fast.HK[m, j] = k[j]
    for o in range(v.size):
        fast.VH[o, m] = v[o]
    for d in range(len(fast.IH)):
        fast.IH[d, m] = 0.0
    fast.IH[token, m] = 1.0


@kernel
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


@kernel
def backward(W: Array, e: Array, out: Array) -> None:
    """out = Wᵀ e."""
    out[:] = 0.0
    for m in range(e.size):
        weight = e[m]
        for j in range(out.size):
            out[j] += weight * W[m, j]
