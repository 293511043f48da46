import numpy as np
import pytest
import xarray as xr

from slotfree.forgetting.binned import bin_sizes, binned_d_prime, binned_merits, leave_one_out, settling
from slotfree.forgetting.merit import age_edges, bin_ages, bin_means
from slotfree.memory.kwinner import KWinnerSettings

LAST, BETA = 1000, 0.01
CURVE = 0.2 + 0.6 * np.exp(-BETA * np.arange(LAST))


@pytest.fixture
def data():
    """Three runs that decay exactly, one lower and one higher than the other; single patterns vary by 0.1."""
    accuracy = bin_means(CURVE, LAST) + np.array([-0.01, 0.0, 0.01])[:, None]
    square = bin_means(CURVE**2, LAST) + 0.01 + np.zeros((3, 1))
    arrays = {"accuracy": accuracy, "square": square}
    runs = xr.Dataset({name: (("run", "age"), array) for name, array in arrays.items()}, {"age": bin_ages(LAST)})
    return runs.assign(baseline=("run", np.full(3, 0.2)), baseline_square=("run", np.full(3, 0.04 + 0.01)))


def test_merits_of_runs_that_decay_exactly(data):
    found, without = leave_one_out(data, binned_merits)
    np.testing.assert_allclose(found["half_life"], np.log(2) / BETA, rtol=0.02)
    np.testing.assert_allclose(found["area"], (CURVE - 0.2).sum())
    np.testing.assert_allclose(without["area"] - found["area"], [0.005 * LAST, 0, -0.005 * LAST], atol=1e-9)


def test_d_prime_of_single_patterns(data):
    np.testing.assert_allclose(binned_d_prime(data.mean("run"))[0], 0.6 / np.sqrt(0.02))


@pytest.mark.parametrize("last", [1, 2, 50, 333, 1000])
def test_sizes_of_bins_follow_from_their_mean_ages(last):
    np.testing.assert_array_equal(bin_sizes(bin_ages(last)), np.diff(age_edges(last)))


def test_each_unit_has_won_often_enough_to_settle():
    assert settling(KWinnerSettings(n_hidden=2000, k_hidden=50, learning_rate=0.1)) == 4 / 0.1 * 2000 / 50
    assert settling(KWinnerSettings(n_hidden=100, k_hidden=50, learning_rate=1.0)) == 1000
