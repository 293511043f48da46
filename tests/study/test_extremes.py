"""The smallest and the largest of several estimates, and estimates without their sign."""

import numpy as np
import pytest

from slotfree.study import estimate
from slotfree.study.claim import Printed, above, below
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


def test_the_clearest_difference_is_the_one_farthest_from_none_for_its_width():
    some = [Estimate(3, -1, 7), Estimate(-2, -3, -1), Estimate(0.5, 0.4, 0.6)]
    assert estimate.clearest_of(some) is some[2]
    assert estimate.clearest_of(some[:2]) is some[1]
    assert estimate.clearest_of([Estimate(0, 0, 0), Estimate(1e-9, 1e-9, 1e-9), some[2]]).value == 1e-9
    assert np.isnan(estimate.clearest_of([some[0], Estimate(2, np.nan, np.nan)]).value)


def test_of_many_differences_that_are_not_there_one_is_found_once_in_a_hundred_times():
    """Intervals that hold together: 2000 times 12 means of 10 numbers without a difference."""
    rng = np.random.default_rng(0)
    found = 0
    for _ in range(2000):
        every = [estimate.mean(x, among=12) for x in rng.normal(size=(12, 10))]
        found += Printed(0, rounding=0, spread=0).judge(estimate.clearest_of(every)) == "contradicted"
    assert 5 <= found <= 37  # 20 ± 4 standard deviations
