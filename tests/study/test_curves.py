import numpy as np
import pytest
import xarray as xr
from scipy import stats

from slotfree.forgetting import metrics
from slotfree.forgetting.fits import exponential_fit
from slotfree.forgetting.protocol import labelled
from slotfree.study import curves


def samples(values):
    return xr.DataArray(np.asarray(values, float), {"age": np.arange(1, np.shape(values)[1] + 1)}, ("sample", "age"))


def test_lead_by_hand():
    a, b = samples([[0, 5, 7], [0, 5, 9]]), samples([[9, 1, 1], [9, 3, 3]])
    found = curves.lead(a, b, (2, 3))
    assert found.value == 4.5  # the means over ages 2 and 3 are 6, 7 and 1, 3
    expected = stats.ttest_ind([6, 7], [1, 3], equal_var=False).confidence_interval(0.99)
    np.testing.assert_allclose([found.low, found.high], expected)


@pytest.mark.parametrize(("first", "last"), [(1, 1000), (16, 1000), (450, 550), (300, 301), (7, 7)])
def test_blocks_hold_every_age_once(first, last):
    every = [age for a, b in curves.blocks(first, last) for age in range(a, b + 1)]
    assert every == list(range(first, last + 1))


def test_leads_of_blocks_hold_together():
    rng = np.random.default_rng(0)
    a, b = (samples(rng.normal(size=(10, 30))) for _ in range(2))
    found = curves.block_leads(a, b, (3, 30))
    for lead, part in zip(found, curves.blocks(3, 30), strict=True):
        alone = curves.lead(a, b, part)
        assert lead.value == alone.value
        assert lead.low < alone.low < alone.high < lead.high


def test_means_over_ages_leave_infinite_values_out():
    assert curves.over_ages(samples([[1.0, np.inf, 3.0]]), (1, 3)).tolist() == [2.0]
    assert np.isnan(curves.over_ages(samples([[1.0, np.inf, 3.0]]), (2, 2))).all()


def test_ages_that_are_not_there_have_no_mean_and_no_lead():
    a = samples([[1.0, 2.0], [1.0, 3.0], [2.0, 3.0]])
    assert np.isnan(curves.over_ages(a, (5, 9))).all()
    for found in (curves.lead(a, a, (5, 9)), curves.share_of_lead(a, a, (5, 9)), curves.crossing(a, a, 1, seed=0)):
        assert np.isnan([found.value, found.low, found.high]).all()


def test_d_prime_is_computed_as_in_the_paper():
    """Samples of 20 runs, mean over population standard deviation, no correction: what recorded verdicts rest on."""
    rng = np.random.default_rng(0)
    values = rng.random((40, 1, 2, 3))
    found = curves.d_prime(labelled({"accuracy": values}, (0.5,), ("real", "pseudo")), 0.5)
    delta = (values[:, 0, 0] - values[:, 0, 1]).reshape(2, 20, 3)
    np.testing.assert_allclose(found, delta.mean(axis=1) / delta.std(axis=1))


def test_auc_d_prime_of_samples_of_20_runs():
    rng = np.random.default_rng(0)
    data = labelled({"accuracy": rng.random((40, 2, 2, 3))}, (1.0, 0.5), ("real", "pseudo"))
    found = curves.auc_d_prime(data, 0.5)
    assert found.sizes == {"sample": 2, "age": 3}
    for i in range(2):
        runs = data.sel(cue=0.5).isel(run=slice(20 * i, 20 * i + 20))
        np.testing.assert_array_equal(found.isel(sample=i), metrics.auc_d_prime(runs))


def test_crossing():
    ages = np.arange(1, 1001)
    a = samples(np.exp(-0.002 * ages) * [[1.0], [1.02], [0.98]])
    b = samples(2.2255 * np.exp(-0.004 * ages) * [[1.0], [1.02], [0.98]])
    found = curves.crossing(a, b, 100, seed=0)
    assert abs(found.value - 400) <= 2
    assert found.low < found.value < found.high
    assert np.isnan(curves.crossing(b * 0, a, 100, seed=0).value)


def test_share_of_ages_with_a_reliable_lead():
    rng = np.random.default_rng(0)
    a, b = (samples(rng.normal(0, 1, (10, 400))) for _ in range(2))
    a[:, :100] += 50
    found = curves.share_of_lead(a, b, (1, 400))
    assert 0.25 <= found.value < 0.28  # the ages that lead, and one in a hundred of the others
    assert 0.2 < found.low <= found.value <= found.high < 0.35
    certain = curves.share_of_lead(a, b, (1, 100))
    assert (certain.value, certain.low, certain.high) == (1, 1, 1)


def made_up(noise, seed, runs=200):
    rng = np.random.default_rng(seed)
    accuracy = rng.normal(0.2, noise, (runs, 1, 2, 200))
    accuracy[:, :, 0] += 0.6 * np.exp(-0.01 * np.arange(200))
    return labelled({"accuracy": accuracy}, (1.0,), ("real", "pseudo"))


def test_constants_of_a_fit_are_within_their_intervals():
    for seed in range(3):
        found = curves.constants(exponential_fit(made_up(0.2, seed), 1.0))
        assert found["C"].low < 0.6 < found["C"].high
        assert found["beta"].low < 0.01 < found["beta"].high
        assert found["C"].reach < 0.03


def test_r_squared_is_that_of_the_fit_and_its_interval_is_what_other_data_give():
    data = made_up(0.15, 0)
    found = curves.r_squared(data, 1.0)
    assert found.value == pytest.approx(exponential_fit(data, 1.0).r_squared)
    others = [exponential_fit(made_up(0.15, seed), 1.0, resamples=0).r_squared for seed in range(1, 40)]
    assert found.low < np.mean(others) < found.high
    assert 1 < found.reach / (2.6 * np.std(others)) < 2.5  # never too narrow; the logarithm makes it too wide
