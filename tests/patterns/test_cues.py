import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import slotfree as sf
from slotfree.patterns import cues


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


SHARES = st.floats(0, 0.74)  # of 12 ones among 40 places


def some(seed=0, n=6):
    return sf.random_patterns(n, n_visible=40, k_visible=12, seed=seed)


@given(SHARES, st.integers(0, 999))
def test_what_each_kind_keeps_and_adds(share, seed):
    patterns, m = some(seed), int(np.floor(share * 12 + 0.5))
    counts = {"noisy": (12 - m, m), "occluded": (12 - m, 0), "cluttered": (12, m)}
    for kind, (kept, added) in counts.items():
        made = cues.KINDS[kind](patterns, share, seed=seed)
        assert made.dtype == np.uint8
        np.testing.assert_array_equal((made & patterns).sum(axis=1), kept, kind)
        np.testing.assert_array_equal((made & ~patterns & 1).sum(axis=1), added, kind)
        one = cues.KINDS[kind](patterns[0], share, seed=seed)
        assert one.shape == (40,)


@given(SHARES, st.integers(0, 999))
def test_what_is_hidden_is_one_run_of_ones(share, seed):
    patterns = some(seed)
    for x, cue in zip(patterns, sf.occluded_cues(patterns, share, seed=seed), strict=True):
        hidden = np.flatnonzero(cue[x == 1] == 0)
        assert len(hidden) == 0 or len(hidden) == hidden[-1] - hidden[0] + 1


def test_the_part_that_is_hidden_begins_anywhere():
    x = np.tile(np.repeat([1, 0], [5, 3]).astype(np.uint8), (6000, 1))
    first = sf.occluded_cues(x, 0.4, seed=0).argmin(axis=1)
    counts = np.bincount(first, minlength=4)
    assert len(counts) == 4
    assert abs(counts - 1500).max() < 4 * np.sqrt(6000 * 0.25 * 0.75)


def test_every_place_is_as_likely_to_gain_or_lose_a_one():
    x = np.tile(np.repeat([1, 0], [4, 6]).astype(np.uint8), (20_000, 1))
    mean = sf.noisy_cues(x, 0.5, seed=0).mean(axis=0)
    expected = np.repeat([0.5, 2 / 6], [4, 6])
    assert (abs(mean - expected) < 4 * np.sqrt(expected * (1 - expected) / 20_000)).all()


def test_a_blend_has_ones_of_both_patterns_and_of_no_other():
    patterns, others = some(1), some(2)
    made = cues.blended_cues(patterns, 0.25, others=others, seed=0)
    assert (made <= (patterns | others)).all()
    assert ((made & patterns).sum(axis=1) >= 9).all()
    assert ((made & others).sum(axis=1) >= 3).all()
    each_other = cues.blended_cues(np.eye(4, dtype=np.uint8).repeat(2, axis=1), 0.5, seed=0)
    np.testing.assert_array_equal(each_other.reshape(4, 4, 2).sum(axis=2).sum(axis=1), 2)
    assert (each_other.reshape(4, 4, 2).sum(axis=2).max(axis=1) == 1).all(), "none is blended with itself"


@pytest.mark.parametrize(
    ("kind", "patterns", "share", "message"),
    [
        ("noisy", [1, 1, 0, 0], 1.0, "share=1 leaves nothing of a pattern with 2 active bits; use < 0.75"),
        ("occluded", [[1, 1], [0, 1]], 0.5, "share=0.5 leaves nothing of a pattern with 1 active bits; use < 0.5"),
        ("occluded", [0, 0], 0.5, "share=0.5 leaves nothing of a pattern with 0 active bits; a pattern needs"),
        ("noisy", [1, 1, 1, 0], 0.7, r"share must be smaller: patterns\[0\] would need 2 zeros of its own, and has 1"),
        (
            "cluttered",
            [1, 1, 1, 0],
            1,
            r"share must be smaller: patterns\[0\] would need 3 zeros of its own, and has 1",
        ),
        ("noisy", [1, 0], 1.5, r"share must be a number in \[0, 1\], not 1.5"),
        ("blended", [1, 1, 0], 0.5, "patterns must be at least 2 to be blended with each other, not 1"),
    ],
)
def test_cues_that_cannot_be(kind, patterns, share, message):
    with pytest.raises(ValueError, match=message):
        cues.KINDS[kind](patterns, share, seed=0)
