import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slotfree.kernels.arithmetic.bits import list_ones, pack, toggle, unpack, words_for

SIZES = (1, 63, 64, 65, 128, 1000)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 1.0])
def test_bits_are_packed_listed_and_unpacked(n, share):
    patterns = (np.random.default_rng(n).random((20, n)) < share).astype(np.uint8)
    words = np.zeros((20, words_for(n)), np.uint64)
    pack(patterns, words)
    assert sum(int(word).bit_count() for word in words.ravel()) == patterns.sum()
    again = np.full((20, n), 7, np.uint8)
    unpack(words, again)
    np.testing.assert_array_equal(again, patterns)
    for row, pattern in zip(words, patterns, strict=True):
        ones = np.empty(pattern.sum(), np.uint32)
        assert list_ones(row, ones) == len(ones)
        np.testing.assert_array_equal(ones, np.flatnonzero(pattern))


@given(st.integers(0, 2**64 - 1))
def test_bit_j_is_that_of_a_whole_number(number):
    ones = np.empty(64, np.uint32)
    n = list_ones(np.array([number], np.uint64), ones)
    assert sum(2 ** int(j) for j in ones[:n]) == number


@pytest.mark.parametrize("j", [0, 63, 64, 99])
def test_a_bit_is_switched_over(j):
    words = np.zeros(2, np.uint64)
    toggle(words, j)
    assert int(words[0]) + 2**64 * int(words[1]) == 2**j
    toggle(words, j)
    assert not words.any()
