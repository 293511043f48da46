"""Words of 32 bits, alone and eight side by side, against integers without end."""

import numba
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from slotfree.kernels.arithmetic.uint32 import counted, differing, folded, plus, put_scaled, times

WORDS = st.integers(0, 2**32 - 1)


@numba.njit
def alone(x, y, shift):
    return plus(x, y), times(x, y), differing(x, y), folded(x, shift)


@numba.njit
def eight(n, y, shift, out):
    x = counted(n)
    for row, words in enumerate((x, plus(x, y), times(x, y), differing(x, y), folded(x, shift))):
        put_scaled(out[row], 1, words, 1.0, 0.0)


@numba.njit
def put(out, scale, shift):
    put_scaled(out, 0, counted(np.uint32(2**32 - 4)), scale, shift)


def plain(x, y, shift):
    return (x + y) % 2**32, x * y % 2**32, x ^ y, x ^ (x >> shift)


def signed(x):
    return x if x < 2**31 else x - 2**32


@given(WORDS, WORDS, st.integers(0, 31))
def test_one_word(x, y, shift):
    assert alone(np.uint32(x), np.uint32(y), np.uint32(shift)) == plain(x, y, shift)


@given(WORDS, WORDS, st.integers(0, 31))
def test_eight_words(n, y, shift):
    out = np.full((5, 10), np.nan)
    eight(np.uint32(n), np.uint32(y), np.uint32(shift), out)
    counts = [(n + i) % 2**32 for i in range(8)]
    expected = np.transpose([(x, *plain(x, y, shift)) for x in counts])
    np.testing.assert_array_equal(out[:, 1:9], np.vectorize(signed)(expected))
    assert np.isnan(out[:, [0, 9]]).all()


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_scaled_words(scale, shift):
    out = np.empty(8)
    put(out, scale, shift)
    np.testing.assert_array_equal(out, np.arange(-4, 4) * scale + shift)
