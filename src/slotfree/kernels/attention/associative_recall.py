"""Random pairs of keys and values, and queries for them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.compile import kernel, leaf

Integers = NDArray[np.int64]

Pairs = NamedTuple("Pairs", [("n_keys", int), ("n_values", int), ("repeats", bool), ("absent", float)])


@leaf
def take(pool: Integers, place: Integers, at: int, other: int) -> int:
    """Exchange the keys at two places of the pool; return the one that came to the first."""
    key: int = pool[other]
    moved = pool[at]
    pool[at], pool[other] = key, moved
    place[key], place[moved] = at, other
    return key


@kernel
def draw_pairs(rng: np.random.Generator, pairs: Pairs, context: Integers, query: Integers, target: Integers) -> None:
    """Fill context (n, C, 2), query (n, A) and target (n, A) with random sequences.

    The pool holds all keys, those of the context in front. A query takes one of them, or one of the others with the
    probability ``absent``; a key is taken again only when all keys of its kind have been.
    """
    L, V = pairs.n_keys, pairs.n_values
    pool, place, latest = np.empty(L, np.int64), np.empty(L, np.int64), np.empty(L, np.int64)
    n, C = context.shape[:2]
    for i in range(n):
        for key in range(L):  # anew each time: a sequence depends on its own draws only
            pool[key] = key
            place[key] = key
        n_shown = 0
        for t in range(C):
            if pairs.repeats:
                key = int(rng.random() * L)
                if place[key] >= n_shown:
                    take(pool, place, n_shown, place[key])
                    n_shown += 1
            else:
                key = take(pool, place, t, t + int(rng.random() * (L - t)))
                n_shown += 1
            latest[key] = int(rng.random() * V)
            context[i, t, 0] = key
            context[i, t, 1] = L + latest[key]
        n_present, n_absent = 0, 0
        for a in range(query.shape[1]):
            is_absent = rng.random() < pairs.absent
            if is_absent:
                first, size, number = n_shown, L - n_shown, n_absent % (L - n_shown)
                n_absent += 1
            else:
                first, size, number = 0, n_shown, n_present % n_shown
                n_present += 1
            key = take(pool, place, first + number, first + number + int(rng.random() * (size - number)))
            query[i, a] = L + V + key
            target[i, a] = V if is_absent else latest[key]
