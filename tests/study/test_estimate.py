"""Intervals against SciPy's formulas, against simulation, and by laws."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from slotfree.study import Estimate, above, below, estimate

values = st.lists(st.floats(-1e6, 1e6).map(lambda x: round(x, 3)), min_size=2, max_size=30)


def ends(found):
    return [found.low, found.high]


def test_mean_is_that_of_students_t():
    x = np.random.default_rng(0).normal(3, 2, 12)
    found = estimate.mean(x)
    assert found.value == x.mean()
    np.testing.assert_allclose(ends(found), stats.ttest_1samp(x, 0).confidence_interval(0.99))


def test_difference_is_that_of_welchs_t():
    rng = np.random.default_rng(0)
    x, y = rng.normal(3, 2, 12), rng.normal(1, 5, 7)
    found = estimate.difference(x, y)
    assert found.value == x.mean() - y.mean()
    np.testing.assert_allclose(ends(found), stats.ttest_ind(x, y, equal_var=False).confidence_interval(0.99))


def test_among_several_the_level_is_divided():
    rng = np.random.default_rng(0)
    x, y = rng.normal(3, 2, 12), rng.normal(1, 5, 7)
    level = 1 - 0.01 / 20
    np.testing.assert_allclose(ends(estimate.mean(x, among=20)), stats.ttest_1samp(x, 0).confidence_interval(level))
    expected = stats.ttest_ind(x, y, equal_var=False).confidence_interval(level)
    np.testing.assert_allclose(ends(estimate.difference(x, y, among=20)), expected)
    without = [np.delete(x, i).mean() for i in range(len(x))]
    np.testing.assert_allclose(ends(estimate.jackknife(x.mean(), without, among=20)), ends(estimate.mean(x, among=20)))


@pytest.mark.parametrize(("count", "of"), [(0, 10), (3, 10), (10, 10), (1, 1), (150, 2000)])
def test_share_is_that_of_clopper_and_pearson(count, of):
    found = estimate.share(count, of)
    assert found.value == count / of
    np.testing.assert_allclose(ends(found), stats.binomtest(count, of).proportion_ci(0.99, method="exact"))


def test_normal_and_exact():
    np.testing.assert_allclose(ends(estimate.normal(2, 0.5)), stats.norm.interval(0.99, 2, 0.5))
    assert estimate.exact(np.float64(2)) == Estimate(2.0, 2.0, 2.0)


def test_jackknife_of_a_mean_is_the_mean():
    """The jackknife's standard error of a mean is s/√n, as in the textbook."""
    x = np.random.default_rng(0).exponential(2, 9)
    without = [np.delete(x, i).mean() for i in range(9)]
    np.testing.assert_allclose(estimate.jackknife_error(without), stats.sem(x))
    found, mean = estimate.jackknife(x.mean(), without), estimate.mean(x)
    np.testing.assert_allclose([found.value, *ends(found)], [mean.value, *ends(mean)])


def test_resampled_percentiles():
    """Of 1000 resamples, 5 lie below the interval and 5 above, unless too few of them are known."""
    resampled = np.random.default_rng(0).permutation(1000.0 + np.arange(1000))
    found = estimate.resampled_estimate(1400, resampled)
    assert (found.value, (resampled < found.low).sum(), (resampled > found.high).sum()) == (1400, 4, 5)
    resampled[:100] = np.nan
    assert not math.isnan(estimate.resampled_estimate(1400, resampled).low)
    resampled[100] = np.nan
    assert math.isnan(estimate.resampled_estimate(1400, resampled).low)
    assert math.isnan(estimate.resampled_estimate(1400, np.full(10, np.nan)).high)


def test_infinite_resamples_are_known():
    """An age that is never reached is infinite in some resamples: the interval is then open above."""
    found = estimate.resampled_estimate(30, [20] * 900 + [np.inf] * 100)
    assert (found.low, found.high) == (20, np.inf)
    both = estimate.median_difference([np.inf] * 5, [np.inf] * 5)
    assert np.isnan([both.value, both.low, both.high]).all()
    assert estimate.median_difference([np.inf] * 5, [100.0] * 5) == Estimate(np.inf, np.inf, np.inf)


def test_bootstrap_combines_statistics_of_groups():
    """The ratio of two means, each resampled by itself; a plain loop over resamples gives the same."""
    rng = np.random.default_rng(1)
    x, y = rng.normal(6, 1, 40), rng.normal(3, 1, 25)
    found = estimate.bootstrap(lambda a, b: a / b, x, y, of=lambda rows: rows.mean(axis=1), seed=2)
    again = np.random.default_rng(3)
    ratios = [again.choice(x, 40).mean() / again.choice(y, 25).mean() for _ in range(4000)]
    assert found.value == x.mean() / y.mean()
    np.testing.assert_allclose(ends(found), np.quantile(ratios, [0.005, 0.995]), rtol=0.04)
    assert found == estimate.bootstrap(lambda a, b: a / b, x, y, of=lambda rows: rows.mean(axis=1), seed=2)
    assert found != estimate.bootstrap(lambda a, b: a / b, x, y, of=lambda rows: rows.mean(axis=1), seed=3)


def misses(make, truth, trials, seed):
    """How many of the intervals of simulated data do not hold the truth."""
    rng = np.random.default_rng(seed)
    found = [make(rng) for _ in range(trials)]
    return sum(not e.low <= truth <= e.high for e in found)


@pytest.mark.parametrize(
    ("make", "truth", "trials"),
    [
        (lambda rng: estimate.mean(rng.normal(5, 2, 6)), 5, 2000),
        (lambda rng: estimate.jackknife(*jackknifed(rng.normal(5, 2, 8))), 5, 2000),
        (lambda rng: estimate.normal(rng.normal(5, 2), 2), 5, 2000),
        (lambda rng: estimate.deviation(rng.normal(5, 2, 7)), 2, 2000),
        (lambda rng: estimate.difference(rng.normal(5, 2, 9), rng.normal(1, 4, 15)), 4, 2000),
    ],
    ids=["mean", "jackknife", "normal", "deviation", "difference"],
)
def test_99_of_100_intervals_hold_the_truth(make, truth, trials):
    """Misses are binomial with probability 1 %; the bounds leave out one in a million on each side."""
    low, high = stats.binom.ppf([1e-6, 1 - 1e-6], trials, 0.01)
    assert low <= misses(make, truth, trials, seed=0) <= high


def jackknifed(x):
    return x.mean(), [np.delete(x, i).mean() for i in range(len(x))]


@pytest.mark.parametrize(
    ("make", "truth"),
    [
        (lambda rng: estimate.share(rng.binomial(40, 0.2), 40), 0.2),
        (lambda rng: estimate.median(rng.exponential(1, 60)), math.log(2)),
        (lambda rng: estimate.median_difference(rng.exponential(2, 60), rng.exponential(1, 60)), math.log(2)),
    ],
    ids=["share", "median", "median_difference"],
)
def test_nearly_99_of_100_intervals_hold_the_truth(make, truth):
    """Discrete intervals miss rarely and resampled ones a little too often: at most 6 of 150 (p < 0.001 for 1 %)."""
    assert misses(make, truth, 150, seed=1) <= 6


@given(values)
def test_an_interval_holds_its_value(x):
    for found in (estimate.mean(x), estimate.median(x), estimate.difference(x, x[::-1]), estimate.share(1, len(x))):
        assert found.low <= found.value <= found.high
        assert found.reach >= 0


@given(values, values)
def test_a_difference_turned_round_changes_its_sign(x, y):
    there, back = estimate.difference(x, y), -estimate.difference(y, x)
    np.testing.assert_allclose([there.value, *ends(there)], [back.value, *ends(back)], atol=1e-6)
    np.testing.assert_allclose(ends(-estimate.mean(x)), ends(estimate.mean(-np.array(x))), atol=1e-6)


@given(values, st.floats(0.01, 100), st.floats(-1e5, 1e5))
def test_intervals_scale_and_shift_with_the_data(x, factor, shift):
    for make in (estimate.mean, estimate.median):
        before, after = make(x), make(factor * np.array(x) + shift)
        expected = [factor * end + shift for end in (before.value, *ends(before))]
        np.testing.assert_allclose([after.value, *ends(after)], expected, rtol=1e-9, atol=1e-3)


@pytest.mark.parametrize("count", [0, 1])
def test_too_few_values_have_no_interval(count):
    x = [3.0] * count
    for found in (
        estimate.mean(x),
        estimate.deviation(x),
        estimate.difference(x, [1.0, 2.0]),
        estimate.median(x),
        estimate.median_difference([1.0, 2.0], x),
        estimate.jackknife(3.0, x),
    ):
        assert math.isnan(found.low)
        assert math.isnan(found.high)
    assert math.isnan(estimate.mean(x).value) is (count == 0)
    assert math.isnan(estimate.median(x).value) is (count == 0)
    assert math.isnan(estimate.share(0, 0).value)


def test_equal_values_leave_no_doubt():
    assert estimate.mean([2.0] * 4) == estimate.median([2.0] * 4) == Estimate(2, 2, 2)
    assert estimate.difference([2.0] * 4, [1.0] * 3) == Estimate(1, 1, 1)


@pytest.mark.parametrize(("x", "y", "chance"), [([3, 4], [1, 2], 1.0), ([1, 2], [3, 4], 0.0), ([1, 1], [1, 1], 0.0)])
def test_chance_above_where_it_is_certain(x, y, chance):
    found = estimate.chance_above(x, y)
    assert found.value == found.low == found.high == chance


def test_chance_above_by_counting_pairs():
    found = estimate.chance_above([1.0, 3.0], [2.0, 0.0])
    assert found.value == 0.75
    assert found.low < 0.75 < found.high


def test_chance_above_covers_one_half_for_equal_distributions():
    rng = np.random.default_rng(0)
    found = [estimate.chance_above(rng.normal(size=30), rng.normal(size=30), seed=seed) for seed in range(40)]
    assert (
        sum(each.low <= 0.5 <= each.high for each in found) >= 37
    )  # of 40 intervals of 99 %: fewer happen less than once in 1,000 times


def test_members_of_a_group_stay_together():
    """A statistic of several columns is resampled by row: what is equal in all rows has no error."""
    start = np.arange(20.0)
    pairs = np.stack([start, start + 1], axis=1)
    found = estimate.bootstrap(lambda middle: middle[..., 1] - middle[..., 0], pairs, of=estimate.medians)
    assert found.value == found.low == found.high == 1.0


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
    """Intervals that hold together: 600 times 12 means of 10 numbers without a difference."""
    rng = np.random.default_rng(0)
    found = [estimate.clearest_of([estimate.mean(x, among=12) for x in rng.normal(size=(12, 10))]) for _ in range(600)]
    assert 1 <= sum(not each.low <= 0 <= each.high for each in found) <= 16  # 6 ± 4 standard deviations
