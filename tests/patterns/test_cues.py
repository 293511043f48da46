import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import slotfree as sf


@given(st.floats(0, 1), st.integers(0, 20), st.integers(0, 999))
def test_a_cue_keeps_its_share_of_the_ones(fraction, k, seed):
    pattern = np.zeros(20, np.uint8)
    pattern[:k] = 1
    cue = sf.partial_cues(pattern, fraction, seed=seed)
    assert cue.shape == pattern.shape
    assert cue.sum() == np.floor(fraction * k + 0.5)
    assert (cue <= pattern).all()


def test_each_one_is_kept_equally_often():
    patterns = np.tile(np.array([1, 0, 1, 1, 0, 1], np.uint8), (20_000, 1))
    kept = sf.partial_cues(patterns, 0.5, seed=0).mean(axis=0)
    np.testing.assert_array_equal(kept[[1, 4]], 0)
    assert abs(kept[[0, 2, 3, 5]] - 0.5).max() < 4 * 0.5 / np.sqrt(20_000)


def test_whole_cues_are_the_patterns_themselves_and_nothing_is_changed():
    patterns = sf.random_patterns(9, n_visible=50, k_visible=5, seed=0)
    before = patterns.copy()
    np.testing.assert_array_equal(sf.partial_cues(patterns, 1.0, seed=1), patterns)
    half = sf.partial_cues(patterns, 0.5, seed=1)
    np.testing.assert_array_equal(patterns, before)
    np.testing.assert_array_equal(half, sf.partial_cues(patterns.astype(bool), 0.5, seed=1))


@pytest.mark.parametrize(
    ("patterns", "fraction", "error", "message"),
    [
        ([0, 1], 1.5, ValueError, r"fraction must be a number in \[0, 1\], not 1.5"),
        ([0, 1], -0.1, ValueError, r"fraction must be a number in \[0, 1\], not -0.1"),
        ([0, 1], float("nan"), ValueError, r"fraction must be a number in \[0, 1\], not nan"),
        ([0, 1], "half", TypeError, r"fraction must be a number in \[0, 1\], not 'half'"),
        ([0, 2], 0.5, ValueError, r"patterns must hold only 0 and 1, not patterns\[1\] = 2"),
        ([0, 1], 10**400, ValueError, r"fraction must be a number in \[0, 1\], not 1000"),
        ([[0, 1], [1]], 0.5, ValueError, r"patterns must have the shape .* not rows of different lengths"),
        (3, 0.5, ValueError, r"patterns must have the shape \(n_visible,\) or \(T, n_visible\), not \(\)"),
        (["a"], 0.5, TypeError, "patterns must hold numbers 0 and 1, not <U1"),
    ],
)
def test_wrong_arguments(patterns, fraction, error, message):
    with pytest.raises(error, match=message):
        sf.partial_cues(patterns, fraction, seed=0)
    with pytest.raises(TypeError, match="seed must be an integer"):
        sf.partial_cues([0, 1], 0.5, seed=None)
