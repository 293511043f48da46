import itertools

import numpy as np

from slotfree.kernels.arithmetic.sampling import draw_subsets


def test_every_subset_is_equally_likely():
    """Ten 2-subsets of five, 20,000 draws: chi-square with 9 degrees of freedom."""
    rows = np.empty((20_000, 2), np.uint32)
    draw_subsets(np.random.default_rng(0), np.arange(5, dtype=np.uint32), rows)
    rows.sort(axis=1)
    counts = [np.all(rows == pair, axis=1).sum() for pair in itertools.combinations(range(5), 2)]
    assert sum(counts) == len(rows), "a subset with a repeated element"
    assert sum((n - 2000) ** 2 / 2000 for n in counts) < 27.9, "exceeded by chance once in 1000 times"


def test_rows_are_independent():
    """The pool keeps its order from row to row; consecutive rows must still overlap only by chance."""
    rows = np.empty((20_000, 3), np.uint32)
    draw_subsets(np.random.default_rng(0), np.arange(10, dtype=np.uint32), rows)
    shared = np.array([len(set(a) & set(b)) for a, b in itertools.pairwise(rows.tolist())])
    # The overlap of two 3-subsets of 10 has mean 0.9 and variance 0.49; consecutive overlaps are independent.
    assert abs(shared.mean() - 0.9) < 4 * np.sqrt(0.49 / len(shared))
