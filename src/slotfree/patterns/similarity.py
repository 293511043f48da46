"""How much patterns have in common."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slotfree import checks


def similarity(patterns: ArrayLike, others: ArrayLike | None = None) -> NDArray[np.float32]:
    """Return overlaps as a fraction of the ones: S_ab = x_a · y_b / (ones of x_a).

    Parameters
    ----------
    patterns : the x, (A, n_visible).
    others : the y, (B, n_visible); the patterns themselves if left out. Then, for patterns that all have
        k_visible ones, S is symmetric with ones on its diagonal, and random patterns have a mean of s_v.

    Returns
    -------
    float32 array (A, B).

    Examples
    --------
    >>> similarity([[1, 1, 0], [0, 1, 1]]).tolist()
    [[1.0, 0.5], [0.5, 1.0]]
    """
    x = checks.binary_rows("patterns", patterns)
    y = x if others is None else checks.binary_rows("others", others, x.shape[1])
    n_ones = x.sum(axis=1, dtype=np.float32)
    if not n_ones.all():
        empty = int(np.flatnonzero(n_ones == 0)[0])
        raise ValueError(f"patterns must have at least one 1 each, but patterns[{empty}] has none")
    # Overlaps are integers below 2**24: exact in float32, whatever the order of additions.
    shares: NDArray[np.float32] = x.astype(np.float32) @ y.astype(np.float32).T / n_ones[:, None]
    return shares


def paired_similarity(patterns: NDArray[np.uint8], others: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Similarity of each pattern and its partner, x_a · y_a / (ones of x_a), (A,); 0 for a pattern without ones."""
    shares: NDArray[np.float64] = (patterns & others).sum(axis=1) / np.maximum(patterns.sum(axis=1), 1)
    return shares


def mean_similarity(patterns: NDArray[np.uint8]) -> float:
    """Mean similarity of different patterns, Σ_a≠b x_a · x_b / (n (n − 1) k), from how often each unit is on."""
    n, k = len(patterns), int(patterns[0].sum())
    often = patterns.sum(axis=0, dtype=float)
    return float(((often**2).sum() - n * k) / (n * (n - 1) * k))
