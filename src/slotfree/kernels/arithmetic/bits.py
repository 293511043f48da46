"""Patterns as packed bits: bit j of a pattern is bit j mod 64 of its word j // 64, lowest first."""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.compile import ZERO, lean

WORD = 64
ONE = np.uint64(1)
# 64 bits in which every six that follow each other are another number: from the place of a single bit times this
# number, its upper six bits tell the place (de Bruijn).
SEQUENCE = np.uint64(0x03F79D71B4CB0A89)
PLACE = np.argsort([(SEQUENCE << np.uint64(place)) >> np.uint64(58) for place in range(WORD)]).astype(np.uint8)


def words_for(n: int) -> int:
    """Return how many words n bits take."""
    return -(-n // WORD)


@lean
def list_ones(words: NDArray[np.uint64], out: NDArray[np.uint32]) -> int:
    """Write the ascending places of the ones of a pattern to out, return how many."""
    n = ZERO
    for w in range(words.size):
        rest = words[w]
        while rest:
            lowest = rest & (~rest + ONE)
            out[n] = WORD * w + PLACE[(lowest * SEQUENCE) >> np.uint64(58)]
            n += 1
            rest ^= lowest
    return n


@lean
def toggle(words: NDArray[np.uint64], j: int) -> None:
    """Switch bit j over."""
    words[j // WORD] ^= ONE << np.uint64(j % WORD)


@lean
def unpack(words: NDArray[np.uint64], out: NDArray[np.uint8]) -> None:
    """Write patterns, (T, words), as zeros and ones to out, (T, n)."""
    n_rows, n = out.shape
    whole = n // WORD
    for t in range(n_rows):
        for w in range(whole):
            word = words[t, w]
            for j in range(WORD):
                out[t, WORD * w + j] = (word >> np.uint64(j)) & ONE
        for j in range(WORD * whole, n):
            out[t, j] = (words[t, whole] >> np.uint64(j % WORD)) & ONE


@lean
def pack(patterns: NDArray[np.uint8], out: NDArray[np.uint64]) -> None:
    """Write patterns of zeros and ones, (T, n), as packed bits to out, (T, words), which holds zeros."""
    for t in range(patterns.shape[0]):
        for j in range(patterns.shape[1]):
            out[t, j // WORD] |= np.uint64(patterns[t, j]) << np.uint64(j % WORD)


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
