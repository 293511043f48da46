"""Unstructured random patterns (paper, section 2.2.1)."""

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.available_memory import check_fits
from slotfree.kernels.arithmetic.sampling import draw_patterns


def random_patterns(
    n_patterns: int, *, n_visible: int = 1000, k_visible: int = 100, seed: checks.Seed
) -> NDArray[np.uint8]:
    """Draw patterns uniformly from all binary patterns with exactly ``k_visible`` ones.

    Parameters
    ----------
    n_patterns : how many patterns.
    n_visible : n_v, bits per pattern.
    k_visible : k_v = s_v n_v, ones per pattern.
    seed : an integer, a SeedSequence or a Generator.

    Returns
    -------
    uint8 array (n_patterns, n_visible) of zeros and ones.

    Examples
    --------
    >>> random_patterns(3, n_visible=50, k_visible=5, seed=0).sum(axis=1).tolist()
    [5, 5, 5]
    """
    n_patterns = checks.integer("n_patterns", n_patterns, 0, checks.MANY)
    n_visible = checks.integer("n_visible", n_visible, 1, checks.MANY)
    k_visible = checks.integer("k_visible", k_visible, 1, n_visible, "n_visible")
    rng = checks.generator(seed, "patterns")
    check_fits(f"an array of {n_patterns:,} patterns of {n_visible:,} bits", n_patterns * n_visible)
    patterns = np.zeros((n_patterns, n_visible), np.uint8)
    draw_patterns(rng, k_visible, np.arange(n_visible, dtype=np.uint32), patterns)
    return patterns
