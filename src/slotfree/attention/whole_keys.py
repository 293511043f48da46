"""Storing and reading pairs where every unit sees whole keys: drives are products of matrices."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.attention.whole_keys import Floats, Whole, store_whole

AT_A_TIME = 2**20  # drives, of one memory or several
MOST_PAIRS = 64  # at a time: of one block, each pair looks back at all others


def store_pairs(fast: Whole, stored: int, rows: NDArray[np.float64], values: NDArray[np.float64]) -> None:
    """Store pairs, (B, T, N) and (B, T, n_outputs), in their order, after so many others."""
    for b, t in blocks(rows.shape, fast.g.shape[1], MOST_PAIRS):
        part = of_members(fast, b)
        n = n_units = fast.g.shape[1]
        if fast.by_age:  # the others hold nothing, and no pair of this block is in them
            n = min(int(part.held.max()) + (t.stop - t.start) * fast.k, n_units)
        some, held = np.ascontiguousarray(rows[b, t]), np.ascontiguousarray(values[b, t])
        k = some.astype(fast.keys.dtype, copy=False)
        H = np.matmul(k, part.keys[:, :n].transpose(0, 2, 1))
        G = np.matmul(k, k.transpose(0, 2, 1)) if k.shape[1] > 1 else k
        store_whole(part, stored + t.start, some, some.view(np.uint64), held, H, G)


def read_values(fast: Whole, queries: NDArray[np.float64], beta: NDArray[np.float64], normalises: bool) -> Floats:
    """W_VH s/Z, with Z = g·s, or 1, at queries (B, T, N)."""
    out = np.empty((*queries.shape[:2], fast.values.shape[2]), fast.values.dtype)
    for b, t in blocks(queries.shape, fast.g.shape[1], AT_A_TIME):
        part = of_members(fast, b)
        raised = attended(part, queries[b, t], beta[b], normalises)
        n = raised.shape[2]
        if normalises and fast.rate < 1:
            total = np.matmul(raised, part.g[:, :n, None])
        else:
            total = np.add.reduce(raised, axis=2, keepdims=True)
        np.divide(np.matmul(raised, part.values[:, :n]), total, out=out[b, t])
    return out


def attention(fast: Whole, queries: NDArray[np.float64], beta: NDArray[np.float64], normalises: bool) -> Floats:
    """s at queries (B, T, N), (B, T, n_h)."""
    out = np.zeros((*queries.shape[:2], fast.g.shape[1]), fast.keys.dtype)
    for b, t in blocks(queries.shape, fast.g.shape[1], AT_A_TIME):
        raised = attended(of_members(fast, b), queries[b, t], beta[b], normalises)
        np.divide(raised, raised.sum(axis=2, keepdims=True), out=out[b, t, : raised.shape[2]])
    return out


def attended(fast: Whole, queries: NDArray[np.float64], beta: NDArray[np.float64], normalises: bool) -> Floats:
    """exp(β W_HK q), but for a factor, (B, T, n) for the first n units; 0 in those that hold nothing, with Z."""
    held: list[int] = fast.held.tolist()
    n = max(held) if fast.by_age and normalises else fast.g.shape[1]
    sharp = (queries * beta[:, None, None]).astype(fast.keys.dtype, copy=False)
    H = np.matmul(sharp, fast.keys[:, :n].transpose(0, 2, 1))
    if normalises and min(held) < n:
        np.copyto(H, -np.inf, where=fast.g[:, None, :n] == 0)
    H -= np.maximum.reduce(H, axis=2, keepdims=True)  # as max, without its wrapper
    np.exp(H, out=H)
    return np.asarray(H)


def blocks(shape: tuple[int, ...], n_units: int, most: int) -> Iterator[tuple[slice, slice]]:
    """Some memories and some of their keys at a time, so that there are not too many drives."""
    B, T, _ = shape
    size = min(max(AT_A_TIME // n_units, 1), most, max(T, 1))
    members = max(AT_A_TIME // (n_units * size), 1)
    for b in range(0, B, members):
        for t in range(0, T, size):
            yield slice(b, b + members), slice(t, t + size)


def of_members(fast: Whole, b: slice) -> Whole:
    """Some memories of the batch."""
    if b.start == 0 and b.stop >= len(fast.keys):
        return fast
    arrays = ("keys", "values", "g", "when", "held", "lengths", "longest")
    return fast._replace(**{name: getattr(fast, name)[b] for name in arrays})
