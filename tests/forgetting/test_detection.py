"""Signal detection of familiarities whose distribution is known."""

from itertools import pairwise

import numpy as np
import pytest
import xarray as xr
from scipy.stats import norm

from slotfree.forgetting.detection import detection, jackknifed, statistics, without_each, z_slope


def made_up(mean, spread, runs=20, ages=500, seed=0):
    """Normal familiarities: new ones of mean 0 and spread 1."""
    rng = np.random.default_rng(seed)
    values = np.stack([mean + spread * rng.standard_normal((runs, ages)), rng.standard_normal((runs, ages))], axis=1)
    at = {"run": np.arange(runs), "kind": ["real", "pseudo"], "age": np.arange(1, ages + 1)}
    return xr.Dataset({"familiarity": (("run", "kind", "age"), values)}, at)


@pytest.mark.parametrize(("mean", "spread"), [(1.0, 1.0), (1.5, 1.4), (0.0, 1.0)])
def test_statistics_of_normal_familiarities(mean, spread):
    """10,000 pairs: four standard errors are about 0.05 of d', and 0.02 of shares."""
    found = detection(made_up(mean, spread), [(1, 500)]).isel(band=0)
    middle = np.sqrt((1 + spread**2) / 2)
    expected = {
        "d_prime": (mean / middle, 0.06),
        "d_prime_paper": (mean / middle / np.sqrt(2), 0.05),
        "auc": (norm.cdf(mean / np.sqrt(1 + spread**2)), 0.02),
        "two_choice": (norm.cdf(mean / np.sqrt(1 + spread**2)), 0.02),
        "z_slope": (1 / spread, 0.05),
    }
    for name, (value, error) in expected.items():
        assert abs(found[name].sel(bound="value").item() - value) < error, name
        assert found[name].sel(bound="low") < found[name].sel(bound="value") < found[name].sel(bound="high")
    rates = found[["hits", "false_alarms"]].sel(bound="value")
    assert (np.diff(rates["hits"]) > 0).all()
    criteria = norm.isf(rates["false_alarms"])
    np.testing.assert_allclose(rates["hits"], norm.sf((criteria - mean) / spread), atol=0.03)
    confidence = (rates["hits"] + rates["false_alarms"]) / 2
    np.testing.assert_allclose(confidence, np.arange(1, 6) / 6, atol=1e-3)


def test_intervals_hold_the_truth_about_as_often_as_they_say():
    """Of 200 intervals of 90 %, 180 ± 4 · 4.2 hold it."""
    held = 0
    for seed in range(200):
        data = made_up(1.0, 1.0, runs=8, ages=20, seed=seed)["familiarity"].values
        _, low, high = jackknifed(data[:, 0], data[:, 1], level=0.9)[0]
        held += low < norm.cdf(1 / np.sqrt(2)) < high
    assert abs(held - 180) < 17


@pytest.mark.parametrize("levels", [None, 2, 7])
@pytest.mark.parametrize("criteria", [1, 5])
@pytest.mark.parametrize(("runs", "ages"), [(2, 1), (3, 8), (7, 5)])
def test_what_is_left_without_a_run_is_as_if_it_had_not_been_there(levels, criteria, runs, ages):
    """With few levels of familiarity there are many ties, also with the criteria."""
    rng = np.random.default_rng(0)
    drawn = rng.random((2, runs, ages)) if levels is None else rng.integers(0, levels, (2, runs, ages)) / levels
    old, new = drawn
    expected = [statistics(np.delete(old, i, 0), np.delete(new, i, 0), criteria) for i in range(runs)]
    np.testing.assert_allclose(without_each(old, new, criteria), expected, rtol=1e-12, atol=1e-12)


def test_ties_count_half_and_nothing_is_made_of_no_spread():
    old, new = np.array([[1.0, 1.0, 0.0]]), np.array([[1.0, 0.0, 0.0]])
    auc, pairs, *_ = statistics(old, new)
    assert auc == pytest.approx((2 * (2 + 0.5) + 2 * 0.5) / 9)
    assert pairs == pytest.approx((0.5 + 1 + 0.5) / 3)
    perfect = statistics(np.ones((1, 4)), np.zeros((1, 4)))
    assert perfect[:2].tolist() == [1, 1]
    assert np.isinf(perfect[2:4]).all()
    assert np.isnan(perfect[4]), "no slope without rates between 0 and 1"


def test_the_slope_of_published_rates():
    """Six levels of confidence of 459 people, whose slope is given as 0.76."""
    false_alarms, hits = np.array([[0.072, 0.153, 0.252, 0.425, 0.707], [0.476, 0.621, 0.722, 0.817, 0.930]])
    assert z_slope(hits, false_alarms) == pytest.approx(0.76, abs=0.02)


def test_bands():
    data = made_up(1.0, 1.0, ages=60)
    found = detection(data)
    edges = list(zip(found["first"].values.tolist(), found["last"].values.tolist(), strict=True))
    assert edges[-1] == (1, 60)
    assert edges[0][0] == 1
    assert all(a[1] + 1 == b[0] for a, b in pairwise(edges[:-1]))
    reversed_ages = detection(data.isel(age=slice(None, None, -1)), [(1, 10)])
    xr.testing.assert_equal(reversed_ages, detection(data, [(1, 10)]))
    for bands in ([(0, 5)], [(5, 4)], [(1, 61)]):
        with pytest.raises(ValueError, match="bands must be ages from 1 to 60, the oldest, in order, not"):
            detection(data, bands)
    for bands in ([5], ["ab"], [(1, 2, 3)], [None]):
        with pytest.raises(TypeError, match=r"bands must be pairs of ages such as \(1, 10\), not"):
            detection(data, bands)
    for bands in (5, "1-10"):
        with pytest.raises(TypeError, match=r"bands must be pairs of ages such as \[\(1, 10\), \(11, 100\)\], not"):
            detection(data, bands)
    for bands in ([(1.9, 3.2)], [(1, 3.0)], [("1", "3")]):
        with pytest.raises(TypeError, match="bands must be pairs of ages, which are integers, not"):
            detection(data, bands)
    assert detection(data, np.array([[1, 10]])).sizes["band"] == 1
    with pytest.raises(ValueError, match="bands must be at least one pair of ages"):
        detection(data, [])
    with pytest.raises(ValueError, match=r"data must hold familiarity \(run, kind, age\)"):
        detection(data.rename(familiarity="accuracy"))
    with pytest.raises(ValueError, match="data must hold the kinds real and pseudo, not"):
        detection(data.sel(kind=["real"]))
    single = detection(data.isel(run=[0]), [(1, 60)])
    assert single["auc"].isnull().values.tolist() == [[False, True, True]]


def test_ages_that_are_left_have_bands():
    data = made_up(1.0, 1.0, runs=3, ages=60)
    some = data.sel(age=slice(5, 40))
    found = detection(some)
    assert (found["first"].values[-1], found["last"].values[-1]) == (5, 40)
    assert np.isfinite(found["auc"]).all()
    with pytest.raises(ValueError, match=r"bands must be ages from 5 to 40, the oldest, in order, not \(1, 4\)"):
        detection(some, [(1, 4)])
    with pytest.raises(ValueError, match="data must hold finite familiarities"):
        detection(data.where(data["age"] > 1))
