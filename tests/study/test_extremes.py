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


def test_several_means_are_the_means_of_columns():
    rows = np.random.default_rng(0).normal(size=(6, 2, 3))
    assert estimate.means(rows) == [estimate.mean(rows[:, i, j]) for i in range(2) for j in range(3)]


def test_the_choice_of_the_largest_widens_its_interval():
    one, many = (estimate.chosen_largest(np.zeros(n), np.ones(n)) for n in (1, 100))
    assert one == estimate.normal(0, 1)
    assert many.low < one.low < one.high < many.high
    assert estimate.chosen_largest([3.0, 5.0], [0.0, 0.0]) == estimate.exact(5)


def test_the_largest_of_equal_numbers_is_rarely_called_larger():
    found = [estimate.chosen_largest(x, np.ones(20)) for x in np.random.default_rng(0).normal(size=(2000, 20))]
    assert sum(e.low > 0 for e in found) <= 25  # expected: 10, half of 1 %


@pytest.mark.parametrize(
    ("errors", "expected"),
    [([0, 0, 0, 0], (0.5, 0.5, 0.5)), ([9, 9, 9, 9], (0.5, 0, 1)), ([1, 1, 1, 1], (0.5, 0.25, 0.75))],
)
def test_the_share_of_positive_numbers(errors, expected):
    assert estimate.share_positive([5.0, 1.0, -1.0, -5.0], errors) == Estimate(*expected)
