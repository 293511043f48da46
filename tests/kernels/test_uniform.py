"""Uniform numbers by counting, against a plain twin in integers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from slotfree.kernels.arithmetic.uniform import fill_uniform, stream

KEYS = st.integers(0, 2**64 - 1)


def plain_stream(key, n):
    """SplitMix64, as published: its n-th output from a state."""
    z = (key + (n + 1) * 0x9E3779B97F4A7C15) % 2**64
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
    return z ^ (z >> 31)


def plain_uniform(key, high, size):
    """The hash of each count, in integers; those from 2³¹ on make the lower half of the interval."""
    second, first = divmod(key, 2**32)
    values = []
    for n in range(size):
        x = (n * 0x9E3779B9 + first) % 2**32
        x = (x ^ (x >> 16)) * 0x7FEB352D % 2**32 ^ second
        x = (x ^ (x >> 15)) * 0x846CA68B % 2**32
        x ^= x >> 16
        values.append((x if x < 2**31 else x - 2**32) * (2**-32 * high) + 0.5 * high)
    return values


def drawn(key, size, high=1.0):
    out = np.full((1, size), np.nan)
    fill_uniform(np.uint64(key), high, out)
    return out[0]


def test_known_outputs_of_splitmix64():
    """The first outputs from the state 0, as in other implementations."""
    expected = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC, 0x1B39896A51A8749B]
    assert [stream(np.uint64(0), n) for n in range(5)] == expected


@settings(max_examples=200)
@given(KEYS, st.integers(0, 2**40))
def test_streams_are_those_of_the_twin(key, n):
    assert stream(np.uint64(key), n) == plain_stream(key, n)


@settings(max_examples=200)
@given(KEYS, st.sampled_from([1.0, 0.5, 0.1, 3.7]), st.integers(0, 9), st.integers(0, 9))
def test_numbers_are_those_of_the_twin(key, high, rows, columns):
    """Of even and odd size, row by row."""
    out = np.full((rows, columns), np.nan)
    fill_uniform(np.uint64(key), high, out)
    np.testing.assert_array_equal(out.ravel(), plain_uniform(key, high, rows * columns))


@settings(max_examples=30)
@given(KEYS, st.integers(0, 20))
def test_a_shorter_matrix_has_the_first_numbers_of_a_longer_one(key, size):
    np.testing.assert_array_equal(drawn(key, size), drawn(key, 21)[:size])


@pytest.mark.parametrize("high", [1.0, 0.5, 0.1])
def test_uniform_below_high(high):
    """A smaller p-value is found by chance once in 1000 times; the mean lies within 4 of its standard errors."""
    values = drawn(1, 100_001, high)
    assert (values >= 0).all()
    assert (values < high).all()
    assert stats.kstest(values, stats.uniform(0, high).cdf).pvalue > 0.001
    assert abs(values.mean() - high / 2) < 4 * high / np.sqrt(12 * values.size)


def test_the_ends_of_the_interval():
    """The whole interval is used: of 100,000 numbers, the chance that none comes so near an end is 5e-5."""
    values = drawn(1, 100_000)
    assert 0 <= values.min() < 1e-4
    assert 1 - 1e-4 < values.max() < 1


def test_neighbours_are_unrelated():
    """Within a stream, and at the same place of streams in a row; correlations within 4 standard errors of 0."""
    values = drawn(2, 100_001)
    for lag in (1, 2, 3):
        assert abs(np.corrcoef(values[:-lag], values[lag:])[0, 1]) < 4 / np.sqrt(values.size - lag)
    streams = np.array([drawn(stream(np.uint64(2), n), 50) for n in range(2001)])
    assert abs(np.corrcoef(streams[:-1].ravel(), streams[1:].ravel())[0, 1]) < 4 / np.sqrt(streams[1:].size)


def test_pairs_of_neighbours_fill_the_square():
    """64 cells, 781 expected in each: chi-square, by chance below once in 1000 times."""
    values = drawn(3, 100_000).reshape(-1, 2)
    counts = np.histogram2d(*values.T, bins=8, range=[[0, 1], [0, 1]])[0]
    assert stats.chisquare(counts.ravel()).pvalue > 0.001


def test_different_streams_differ():
    keys = {stream(np.uint64(key), n) for key in range(20) for n in range(500)}
    assert len(keys) == 20 * 500
    first = [drawn(stream(np.uint64(7), n), 4).tobytes() for n in range(500)]
    assert len(set(first)) == 500
