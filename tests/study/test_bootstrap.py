"""Estimates by bootstrap, where the answer is known."""

import numpy as np
import pytest

from slotfree.study.estimate import bootstrap, chance_above, median_difference, medians


def test_medians_of_runs_that_never_learn():
    never = np.full(5, np.inf)
    unknown = median_difference(never, never)
    assert np.isnan([unknown.value, unknown.low, unknown.high]).all()
    later = median_difference(never, np.full(5, 100.0))
    assert later.value == later.low == later.high == np.inf


@pytest.mark.parametrize(("x", "y", "chance"), [([3, 4], [1, 2], 1.0), ([1, 2], [3, 4], 0.0), ([1, 1], [1, 1], 0.0)])
def test_chance_above_where_it_is_certain(x, y, chance):
    found = chance_above(x, y)
    assert found.value == found.low == found.high == chance


def test_chance_above_by_counting_pairs():
    found = chance_above([1.0, 3.0], [2.0, 0.0])
    assert found.value == 0.75
    assert found.low < 0.75 < found.high


def test_chance_above_covers_one_half_for_equal_distributions():
    rng = np.random.default_rng(0)
    covered = 0
    for seed in range(40):
        found = chance_above(rng.normal(size=30), rng.normal(size=30), seed=seed)
        covered += found.low <= 0.5 <= found.high
    assert covered >= 37  # of 40 intervals of 99 %: fewer happen less than once in 1,000 times


def test_members_of_a_group_stay_together():
    """A statistic of several columns is resampled by row: what is equal in all rows has no error."""
    start = np.arange(20.0)
    pairs = np.stack([start, start + 1], axis=1)
    found = bootstrap(lambda middle: middle[..., 1] - middle[..., 0], pairs, of=medians)
    assert found.value == found.low == found.high == 1.0
