"""Patterns of zeros and ones as packed bits, and back."""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.bits import pack, unpack, words_for


def packed(patterns: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Return patterns (T, n_visible) of zeros and ones as packed bits, (T, words)."""
    words = np.zeros((len(patterns), words_for(patterns.shape[1])), np.uint64)
    pack(patterns, words)
    return words


def unpacked(words: NDArray[np.uint64], n_visible: int) -> NDArray[np.uint8]:
    """Return patterns (T, n_visible) of zeros and ones from packed bits, (T, words)."""
    patterns = np.empty((len(words), n_visible), np.uint8)
    unpack(words, patterns)
    return patterns
