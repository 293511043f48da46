"""How long ago a query's item was shown."""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.compile import kernel

Integers = NDArray[np.int64]


@kernel
def fill_lags(
    items: Integers, queries: Integers, query_of: Integers, n_tokens: int, reset: bool, out: Integers
) -> None:
    """Fill out (n, A) with the number of items after the latest one that each query asks for; −1 if there is none.

    An item of items (n, C, T) is asked for by the queries of its tokens, of which there are n_tokens at most. If reset,
    only items of the same sequence count, else those of all before too.
    """
    latest = np.empty(n_tokens, np.int64)  # the number of the latest item that a query asks for
    for token in range(n_tokens):
        latest[token] = -1
    n, C, T = items.shape
    for i in range(n):
        for t in range(C):
            for k in range(T):
                token = query_of[items[i, t, k]]
                if token >= 0:
                    latest[token] = i * C + t
        first = i * C if reset else 0
        for a in range(queries.shape[1]):
            shown = latest[queries[i, a]]
            out[i, a] = (i + 1) * C - 1 - shown if shown >= first else -1
