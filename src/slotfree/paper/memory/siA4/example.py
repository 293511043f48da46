"""The worked example of conjunctive coding: two patterns of six units, and their codes over all pairs of units."""

from itertools import combinations

import numpy as np

from slotfree.memory.code_layer import CodeLayer, CodeLayerSettings

N, ONES = 6, 3
PAIRS = list(combinations(range(N), 2))
EXAMPLE = np.array([[1, 1, 1, 0, 0, 0], [0, 1, 1, 1, 0, 0]], np.uint8)
ALL = np.array([[i in chosen for i in range(N)] for chosen in combinations(range(N), ONES)], np.uint8)
SHARED_CODES = (0, 0, 1)  # ones that the codes of two patterns share which share 0, 1, 2 ones


def pair_layer() -> CodeLayer:
    """All conjunctions of two of six inputs: codons that need both of their two connections."""
    settings = CodeLayerSettings(len(PAIRS), ONES, 2 / N, threshold=2)
    return CodeLayer.from_weights(N, ONES, settings, np.array(PAIRS, np.uint16), np.ones((len(PAIRS), 2), np.float32))
