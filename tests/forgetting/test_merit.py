import numpy as np
import pytest
import xarray as xr

import slotfree as sf
from slotfree.forgetting import merit
from slotfree.forgetting.protocol import labelled


def curve(raw, ages, baseline=0.2):
    raw = np.atleast_2d(raw)
    return xr.Dataset(
        {
            "accuracy": (("cue", "age"), raw + baseline),
            "baseline": (("cue",), np.full(len(raw), baseline)),
            "raw_difference": (("cue", "age"), raw),
        },
        {"cue": np.linspace(1, 0.5, len(raw)), "age": ages},
    )


@pytest.mark.parametrize("beta", [0.002, 0.01, 0.1])
def test_an_exact_exponential(beta):
    ages = np.arange(1, 5001)
    found = merit.merits(curve(0.6 * np.exp(-beta * (ages - 1)), ages), criterion=0.15)
    np.testing.assert_allclose(found["initial_accuracy"], 0.8)
    np.testing.assert_allclose(found["half_life"], np.log(2) / beta, rtol=1e-3)
    np.testing.assert_allclose(found["memories"], 1 + np.log(4) / beta, rtol=1e-3)
    np.testing.assert_allclose(found["area"], 0.6 / -np.expm1(-beta), rtol=1e-3)


def exponential_runs(runs, noise, n=1):
    """R.D. = 0.5 exp(−0.01 (age − 1)) in n cues, with noise of each age and a fifth of it shared by a run's ages."""
    rng, size = np.random.default_rng(0), (runs, n, 2, 400)
    mean = 0.2 + np.array([[0.5], [0]]) * np.exp(-0.01 * np.arange(400))
    shared = 0.2 * rng.standard_normal((runs, n, 2, 1))
    return labelled({"accuracy": mean + noise * (shared + rng.standard_normal(size))}, range(n), ("real", "pseudo"))


@pytest.mark.parametrize(("noise", "runs"), [(0.05, 1), (0.1, 1), (0.1, 5)])
def test_merits_of_noisy_curves_are_unbiased(noise, runs):
    """The mean of many is off by less than a third of the error of one; first crossings were off by 2 to 5 errors."""
    found = merit.merits(exponential_runs(runs, noise, 100))
    for name, true in (("half_life", 69.3), ("memories", 92.6)):
        assert abs(found[name].mean() - true) < found[name].std() / 3, name


def test_intervals_of_merits_hold_the_truth():
    true = {"initial_accuracy": 0.7, "baseline": 0.2, "half_life": 69.3, "area": 49.3, "memories": 92.6}
    found = merit.intervals(exponential_runs(10, 0.1, 40), resamples=100)
    assert set(found) == set(merit.MERITS)
    for name, value in true.items():
        low, high = found[name]
        # Of 40 intervals of 95 %, fewer than 34 have p < 0.01.
        assert ((low <= value) & (value <= high)).sum() >= 34, name
        assert (low < high).all(), name


def test_intervals_are_those_of_merits_and_may_be_infinite():
    data = exponential_runs(3, 0.0).isel(age=slice(50))
    found, same = merit.intervals(data, area_ages=20, criterion=0.4, resamples=5), merit.merits(data, area_ages=20)
    assert found.sel(bound="low")["half_life"].item() == np.inf
    np.testing.assert_allclose(found["area"].sel(bound="high"), same["area"])
    np.testing.assert_allclose(found["memories"], 1 + 100 * np.log(0.5 / 0.4), rtol=1e-3)
    with pytest.raises(ValueError, match="the number of runs in data must be an integer ≥ 2, not 1"):
        merit.intervals(data.isel(run=[0]))
    with pytest.raises(ValueError, match="data must hold the kind 'pseudo'"):
        merit.intervals(data.sel(kind=["real"]))
    with pytest.raises(ValueError, match=r"level must be a number in \(0, 1\], not -1"):
        merit.intervals(data, level=-1)


def test_a_curve_must_begin_with_age_1():
    ages = np.arange(30, 400)
    old = curve(0.5 * np.exp(-0.01 * (ages - 1)), ages)
    for name, one in merit.MERITS.items():
        if name != "baseline":
            with pytest.raises(ValueError, match=r"curve must begin with age 1, not with \[30\]"):
                one.of(old)
    assert merit.baseline(old).item() == 0.2


def test_merits_of_nan_are_nan():
    found = merit.merits(curve([[0.5, np.nan, 0.1], [np.nan] * 3], [1, 2, 3]))
    for name in ("half_life", "area", "memories"):
        assert np.isnan(found[name]).all(), name
    data = exponential_runs(3, 0.0)
    data["accuracy"][1] = np.nan
    assert np.isnan(merit.memories(data)).all(), "a run without numbers is not left out"


@pytest.mark.parametrize("last", ["x", np.nan, 201, 0, 1.5])
def test_the_last_age_of_an_area_is_one_of_the_curve(last):
    found = curve([0.5, 0.3, 0.1], [1, 100, 200])
    for name, of in (("last", merit.area), ("area_ages", lambda c, last: merit.merits(c, area_ages=last))):
        with pytest.raises((TypeError, ValueError), match=f"{name} must be an integer from 1 to the oldest age = "):
            of(found, last)


def test_an_area_may_end_between_ages():
    """Between its ages a curve is a straight line, whose sum is half of its ends times the number of ages."""
    found = curve([0.5, 0.3, 0.1], [1, 100, 200])
    sums = {1: 0.5, 100: 40.0, 150: 40 + 50 * (0.298 + 0.2) / 2, 200: 40 + 100 * (0.298 + 0.1) / 2}
    for last, expected in sums.items():
        np.testing.assert_allclose(merit.area(found, last), expected)
    np.testing.assert_allclose(merit.area(found), sums[200])


def test_few_ages_tell_nearly_the_same():
    dense = np.arange(1, 3001)
    sparse = np.unique(np.geomspace(1, 3000, 100).round().astype(int))
    of_all, of_few = (merit.merits(curve(0.5 * np.exp(-0.01 * (ages - 1)), ages)) for ages in (dense, sparse))
    for name in of_all:
        np.testing.assert_allclose(of_few[name], of_all[name], rtol=5e-3, err_msg=name)


def test_curves_that_do_not_end_and_memories_that_are_none():
    found = merit.merits(curve([[0.5, 0.4, 0.3], [0.1, 0.1, 0.01], [-0.1, 0.0, 0.0]], [1, 2, 3]), area_ages=2)
    assert found["half_life"].values[0] == found["memories"].values[0] == np.inf
    np.testing.assert_allclose(found["half_life"].values[1], 1 + 5 / 9)
    assert found["memories"].values[1] == 0
    assert np.isnan(found["half_life"].values[2])
    np.testing.assert_allclose(found["area"], [0.9, 0.2, -0.1])


@pytest.mark.parametrize("area_ages", [None, 1, 3, 5, 10])
def test_plain_arrays_have_the_same_merits(area_ages):
    found = curve([[0.5, 0.4, 0.3, 0.1], [0.1, 0.1, 0.01, 0.0], [-0.1, 0.0, 0.0, 0.0]], [1, 3, 4, 10])
    arrays = (found[name].values for name in ("age", "accuracy", "baseline"))
    values = merit.merit_values(*arrays, area_ages=area_ages, criterion=0.2)
    same = merit.merits(found, area_ages=area_ages, criterion=0.2)
    assert list(values) == list(same) == list(merit.MERITS)
    for name in same:
        np.testing.assert_allclose(values[name], same[name], err_msg=name)


def test_measured_runs_make_a_curve_and_have_its_merits():
    sizes = {"n_visible": 100, "n_hidden": 40, "k_visible": 10, "k_hidden": 4, "fan_in": 0.3}
    data = sf.retention(sizes, runs=3, n_stored=60, n_tested=50, seed=0)
    found = merit.mean_curve(data)
    np.testing.assert_allclose(found["accuracy"], data["accuracy"].sel(kind="real").mean("run"))
    np.testing.assert_allclose(found["baseline"], data["accuracy"].sel(kind="pseudo").mean(["run", "age"]))
    assert (merit.merits(found)["initial_raw_difference"] > 0).all()
    xr.testing.assert_identical(merit.merits(data), merit.merits(found))
    for one in merit.MERITS.values():
        xr.testing.assert_identical(one.of(data), one.of(found))
    predicted = sf.predict_retention({}, ages=np.arange(1, 51))
    assert set(merit.merits(predicted).data_vars) == set(merit.merits(data).data_vars) == set(merit.MERITS)
    with pytest.raises(ValueError, match="data must hold the kind 'pseudo'"):
        merit.merits(data.sel(kind=["real"]))


def test_a_level_is_reached_where_it_is_met():
    """R.D. that falls to its level and stays there is not below it: the criterion is R.D. ≥ criterion."""
    met = curve([[0.8, 0.4, 0.4, 0.4], [0.4, 0.2, 0.2, 0.2]], [1, 2, 3, 4])
    assert merit.memories(met, 0.4).values.tolist() == [np.inf, 1.0]
    assert merit.memories(met, 0.2).values.tolist() == [np.inf, np.inf]
    assert merit.half_life(met).values.tolist() == [np.inf, np.inf]
    assert np.isnan(merit.half_life(curve([0.0, -0.1], [1, 2])).item()), "nothing at first has no half"


@pytest.mark.parametrize("last", [1, 2, 17, 500])
def test_bins_hold_every_age_once(last):
    edges = merit.age_edges(last)
    assert edges[0] == 1
    assert edges[-1] == last + 1
    assert (np.diff(edges) > 0).all()
    values = np.random.default_rng(0).random((2, 600))
    means = merit.bin_means(values, last)
    np.testing.assert_allclose(means @ np.diff(edges), values[:, :last].sum(axis=1))
    assert len(merit.bin_ages(last)) == means.shape[1]


def test_a_criterion_is_a_fraction():
    with pytest.raises(ValueError, match=r"criterion must be a number in \(0, 1\], not 2"):
        merit.memories(curve([0.5, 0.4], [1, 2]), 2)
