"""Storing and reading pairs where every unit sees whole keys: drives are products of matrices."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.attention.whole_keys import Floats, Whole, store_whole

AT_A_TIME = 2**18  # drives: they stay in the processor's cache
MOST_PAIRS = 64  # at a time: of one block, each pair looks back at all others


def store_pairs(fast: Whole, stored: int, rows: NDArray[np.float64], values: NDArray[np.float64]) -> None:
    """Store pairs, (B, T, N) and (B, T, n_outputs), in their order, after so many others."""
    n_units, first = fast.g.shape[1], 0
    while first < rows.shape[1]:
        n = int(fast.held.max()) + MOST_PAIRS * fast.k if fast.by_age else n_units
        n = min(n, n_units)
        size = min(max(AT_A_TIME // (n * len(rows)), 1), MOST_PAIRS)
        part = slice(first, first + size)
        some, held = np.ascontiguousarray(rows[:, part]), np.ascontiguousarray(values[:, part])
        k = some.astype(fast.keys.dtype, copy=False)
        H, G = np.matmul(k, fast.keys[:, :n].transpose(0, 2, 1)), np.matmul(k, k.transpose(0, 2, 1))
        store_whole(fast, stored + first, some, some.view(np.uint64), held, H, G)
        first += size


def read_values(fast: Whole, queries: Floats, beta: Floats, normalises: bool) -> Floats:
    """W_VH s/Z, with Z = g·s, or 1, at queries (B, T, N)."""
    out = np.empty((*queries.shape[:2], fast.values.shape[2]), fast.values.dtype)
    for part, raised in blocks(fast, queries, beta, normalises):
        n = raised.shape[2]
        total = np.matmul(raised, fast.g[:, :n, None]) if normalises else raised.sum(axis=2, keepdims=True)
        np.divide(np.matmul(raised, fast.values[:, :n]), total, out=out[:, part])
    return out


def attention(fast: Whole, queries: Floats, beta: Floats, normalises: bool) -> Floats:
    """s at queries (B, T, N), (B, T, n_h)."""
    out = np.zeros((*queries.shape[:2], fast.g.shape[1]), fast.keys.dtype)
    for part, raised in blocks(fast, queries, beta, normalises):
        np.divide(raised, raised.sum(axis=2, keepdims=True), out=out[:, part, : raised.shape[2]])
    return out


def blocks(fast: Whole, queries: Floats, beta: Floats, normalises: bool) -> Iterator[tuple[slice, Floats]]:
    """exp(β W_HK q) of some queries at a time, but for a factor, (B, size, n); 0 in units that hold nothing, with Z."""
    n_units = fast.g.shape[1]
    n = int(fast.held.max()) if fast.by_age and normalises else n_units
    hidden = fast.g[:, None, :n] == 0 if normalises and fast.held.min() < n else None
    size = max(AT_A_TIME // (n * len(queries)), 1)
    for first in range(0, queries.shape[1], size):
        part = slice(first, first + size)
        sharp = (queries[:, part] * beta[:, None, None]).astype(fast.keys.dtype, copy=False)
        H = np.matmul(sharp, fast.keys[:, :n].transpose(0, 2, 1))
        if hidden is not None:
            np.copyto(H, -np.inf, where=hidden)
        H -= H.max(axis=2, keepdims=True)
        yield part, np.exp(H, out=H)
