"""How sequences of the Case Sequence Task are drawn."""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.compile import kernel


@kernel
def draw_sequences(
    rng: np.random.Generator,
    n_letters: int,
    context: NDArray[np.int64],
    query: NDArray[np.int64],
    target: NDArray[np.int64],
) -> None:
    """Fill context (n, C), query (n,) and target (n,) with uniformly random valid sequences.

    A context holds C different letters in random order, each in a random case; the query names one of them. Whole
    numbers are made of uniform ones in [0, 1), 2⁻⁵³ apart, ten times as fast as ``rng.integers``.
    """
    letters = np.empty(n_letters, np.int64)
    n, C = context.shape
    for i in range(n):
        for letter in range(n_letters):  # anew each time: a sequence depends on its own draws only
            letters[letter] = letter
        asked = int(rng.random() * C)
        for t in range(C):
            other = t + int(rng.random() * (n_letters - t))
            letters[t], letters[other] = letters[other], letters[t]
            upper = int(rng.random() * 2)
            context[i, t] = letters[t] + upper * n_letters
            if t == asked:
                query[i] = letters[t] + 2 * n_letters
                target[i] = upper
