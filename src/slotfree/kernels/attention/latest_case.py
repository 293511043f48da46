"""Random streams of letters whose case changes."""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.compile import kernel


@kernel
def draw_stream(
    rng: np.random.Generator,
    n_letters: int,
    reset: bool,
    context: NDArray[np.int64],
    query: NDArray[np.int64],
    target: NDArray[np.int64],
) -> None:
    """Fill context (n, C), query (n,) and target (n,) with sequences that follow each other.

    Letters are drawn with replacement, each in a random case; a query names one of those seen since the beginning, or
    since the sequence began if reset, and its target is the case in which it came last.
    """
    latest = np.empty(n_letters, np.int64)
    seen = np.empty(n_letters, np.int64)
    n_seen = 0
    for letter in range(n_letters):
        latest[letter] = -1
    n, C = context.shape
    for i in range(n):
        if reset:
            for k in range(n_seen):
                latest[seen[k]] = -1
            n_seen = 0
        for t in range(C):
            letter = int(rng.random() * n_letters)
            upper = int(rng.random() * 2)
            if latest[letter] < 0:
                seen[n_seen] = letter
                n_seen += 1
            latest[letter] = upper
            context[i, t] = letter + upper * n_letters
        asked = seen[int(rng.random() * n_seen)]
        query[i] = asked + 2 * n_letters
        target[i] = latest[asked]
