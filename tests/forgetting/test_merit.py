import numpy as np
import pytest
import xarray as xr

import slotfree as sf
from slotfree.forgetting import merit


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


@pytest.mark.parametrize("area_ages", [None, 3, 5, 100])
def test_plain_arrays_have_the_same_merits(area_ages):
    found = curve([[0.5, 0.4, 0.3, 0.1], [0.1, 0.1, 0.01, 0.0], [-0.1, 0.0, 0.0, 0.0]], [1, 3, 4, 10])
    arrays = (found[name].values for name in ("age", "accuracy", "baseline"))
    values = merit.merit_values(*arrays, area_ages=area_ages, criterion=0.2)
    same = merit.merits(found, area_ages=area_ages, criterion=0.2)
    assert list(values) == list(same) == list(merit.MERITS)
    for name in same:
        np.testing.assert_allclose(values[name], same[name], err_msg=name)


def test_measured_runs_make_a_curve():
    sizes = {"n_visible": 100, "n_hidden": 40, "k_visible": 10, "k_hidden": 4, "fan_in": 0.3}
    data = sf.retention(sizes, runs=3, n_stored=60, n_tested=50, seed=0)
    found = merit.mean_curve(data)
    np.testing.assert_allclose(found["accuracy"], data["accuracy"].sel(kind="real").mean("run"))
    np.testing.assert_allclose(found["baseline"], data["accuracy"].sel(kind="pseudo").mean(["run", "age"]))
    assert (merit.merits(found)["initial_raw_difference"] > 0).all()


def test_merits_take_what_retention_returns():
    sizes = {"n_visible": 100, "n_hidden": 40, "k_visible": 10, "k_hidden": 4, "fan_in": 0.3}
    data = sf.retention(sizes, runs=3, n_stored=60, n_tested=50, seed=0)
    xr.testing.assert_identical(merit.merits(data), merit.merits(merit.mean_curve(data)))
    for one in merit.MERITS.values():
        xr.testing.assert_identical(one.of(data), one.of(merit.mean_curve(data)))
    predicted = sf.predict_retention(sizes, ages=np.arange(1, 51))
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
    with pytest.raises(ValueError, match="criterion must be a number above 0 and up to 1, not 2"):
        merit.memories(curve([0.5, 0.4], [1, 2]), 2)
