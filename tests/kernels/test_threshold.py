"""Thresholds against plain NumPy."""

import numpy as np
import pytest
from scipy import special

from slotfree.kernels.theory.threshold import above_threshold, overlaps


@pytest.mark.parametrize("above", [0.001, 0.2, 0.7])
def test_the_share_above_the_threshold_is_the_one_asked_for(above):
    rng = np.random.default_rng(0)
    mean, width, share = rng.random(20), rng.uniform(0.5, 1, 20), rng.random(20)
    share /= share.sum()
    out = np.empty(20)
    above_threshold(mean, width, share, above, 11.0, out)
    assert share @ out == pytest.approx(above, rel=1e-5)
    theta = mean - width * special.ndtri(out)
    np.testing.assert_allclose(theta, theta[0])


@pytest.mark.parametrize("k", [1, 7, 30, 59])
def test_overlap_of_the_units_with_the_largest_drive(k):
    rng = np.random.default_rng(1)
    drives, sizes = rng.random((6, 3, 40)), np.array([10, 20, 30])
    drives[2, :, 10:] = 0.0  # all drives are small
    drives[3, :2, :30] = 0.0  # the pattern has the largest
    drives /= drives.sum(axis=2, keepdims=True)
    out = np.empty(6)
    overlaps(drives, sizes, float(k), out)
    for c in range(6):
        at = sizes[:, None] * drives[c]
        above = np.cumsum(at[:, ::-1], axis=1)[:, ::-1] - at / 2
        total, pattern = above.sum(axis=0)[::-1], above[:2].sum(axis=0)[::-1]
        assert out[c] == pytest.approx(np.interp(k, total, pattern) / k)
