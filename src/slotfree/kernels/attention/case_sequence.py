"""How sequences of the Case Sequence Task are drawn."""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.compile import kernel


@kernel
def make_sequences(
    draws: NDArray[np.float64],
    n_letters: int,
    context: NDArray[np.int64],
    query: NDArray[np.int64],
    target: NDArray[np.int64],
) -> None:
    """Fill context (n, C), query (n,) and target (n,) with valid sequences, uniformly random if the draws are.

    A context holds C different letters in random order, each in a random case; the query names one of them. Sequence i
    is made of draws[i], (1 + 2C,), uniform in [0, 1).
    """
    letters = np.empty(n_letters, np.int64)
    n, C = context.shape
    for i in range(n):
        for letter in range(n_letters):  # anew each time: a sequence depends on its own draws only
            letters[letter] = letter
        for t in range(C):
            other = t + int(draws[i, 1 + 2 * t] * (n_letters - t))
            letters[t], letters[other] = letters[other], letters[t]
            context[i, t] = letters[t] + int(draws[i, 2 + 2 * t] * 2) * n_letters
        asked = int(draws[i, 0] * C)
        query[i] = letters[asked] + 2 * n_letters
        target[i] = context[i, asked] >= n_letters
