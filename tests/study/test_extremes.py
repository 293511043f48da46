"""The smallest and the largest of several estimates, and estimates without their sign."""

import numpy as np
import pytest

from slotfree.study import estimate
from slotfree.study.claim import above, below
from slotfree.study.estimate import Estimate


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (Estimate(2, 1, 3), Estimate(2, 1, 3)),
        (Estimate(-2, -3, -1), Estimate(2, 1, 3)),
        (Estimate(-1, -4, 2), Estimate(1, 0, 4)),
    ],
)
def test_without_sign(found, expected):
    assert abs(found) == expected


def test_smallest_and_largest_are_certain_only_if_all_are():
    some = [Estimate(3, 2, 4), Estimate(2, -1, 5), Estimate(4, 3.5, 4.5)]
    assert estimate.smallest_of(some) == Estimate(2, -1, 4)
    assert estimate.largest_of(some) == Estimate(4, 3.5, 5)
    assert above(0).judge(estimate.smallest_of(some)) == "inconclusive"
    assert above(0).judge(estimate.smallest_of([some[0], some[2]])) == "confirmed"
    assert below(3).judge(estimate.largest_of(some)) == "contradicted"


def test_what_is_unknown_stays_unknown():
    found = estimate.smallest_of([Estimate(1, 0, 2), Estimate(2, np.nan, np.nan)])
    assert found.value == 1
    assert np.isnan([found.low, found.high]).all()
