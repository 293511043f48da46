from dataclasses import astuple, replace

import numpy as np
import pytest
import xarray as xr
from tiny import TINY

from slotfree.forgetting.family import settings_in
from slotfree.forgetting.merit import age_edges, bin_ages, bin_means
from slotfree.forgetting.protocol import plan_run
from slotfree.forgetting.search import predicted_merits
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.paper import theory_grid
from slotfree.paper.grid_runs import NAMES, GridRuns, d_prime_of_runs, merits_of_runs, settling
from slotfree.paper.predicted_runs import PredictedMerits
from slotfree.paper.scale import SCALES
from slotfree.paper.theory_errors import Comparison, mean_error
from slotfree.paper.theoryK3 import CA3, WAYS
from slotfree.runs.seeds import seed_for

SMALL = KWinnerSettings(100, 40, 10, 4, 0.3, 0.5)


def test_the_grid_is_as_large_and_as_wide_as_it_should_be():
    grid = theory_grid.GRID
    assert len(set(grid)) == len(grid) >= 60
    assert {one.n_synapses for one in grid} == {theory_grid.WEIGHTS}
    for name, low, high in (("learning_rate", 0.1, 1), ("fan_in", 0.02, 1), ("k_hidden", 1, 200)):
        values = [getattr(one, name) for one in grid]
        assert (min(values), max(values)) == (low, high)
    assert 10 <= len(theory_grid.HELD_OUT) <= 12
    assert not set(theory_grid.HELD_OUT) & set(grid)


def test_a_run_of_many_memories_is_the_protocol_for_each():
    runs = GridRuns("x", (SMALL, replace(SMALL, k_hidden=1)), runs=3, n_tested=50, some=2)
    data = runs.gather([runs.plan(TINY)(np.random.SeedSequence(run)) for run in range(2)], TINY)
    assert set(data) == set(NAMES)
    n_stored = settling(settings_in(data, 1)) + 50
    plan = plan_run(settings_in(data, 1), None, (1.0, 0.5), ("real", "pseudo"), n_stored, 50)
    found = plan(seed_for(np.random.SeedSequence(1), astuple(settings_in(data, 1))))["accuracy"]
    one = data.isel(run=1, setting=1)
    np.testing.assert_allclose(one["accuracy"], bin_means(found[:, 0], 50))
    np.testing.assert_allclose(one["baseline"], found[:, 1].mean(axis=1))


def test_merits_of_runs_that_decay_exactly():
    last, beta = 1000, 0.01
    curve = 0.2 + 0.6 * np.exp(-beta * np.arange(last))
    accuracy = bin_means(curve, last) + np.array([-0.01, 0.0, 0.01])[:, None]
    square = bin_means(curve**2, last) + 0.01 + np.zeros((3, 1))
    arrays = {"accuracy": accuracy, "square": square}
    data = xr.Dataset({name: (("run", "age"), array) for name, array in arrays.items()}, {"age": bin_ages(last)})
    data = data.assign(baseline=("run", np.full(3, 0.2)), baseline_square=("run", np.full(3, 0.04 + 0.01)))
    found, errors = merits_of_runs(data, last)
    np.testing.assert_allclose(found["half_life"], np.log(2) / beta, rtol=0.02)
    np.testing.assert_allclose(found["area"], (curve - 0.2).sum())
    np.testing.assert_allclose(errors["area"], 0.01 / np.sqrt(3) * last, rtol=1e-6)
    d_prime, _ = d_prime_of_runs(data)
    np.testing.assert_allclose(d_prime[0], 0.6 / np.sqrt(0.02))


@pytest.fixture
def compared():
    """A theory that is right, and eight runs with noise of 0.05 in each bin."""
    last = 300
    rng = np.random.default_rng(0)
    truth = bin_means(0.2 + 0.5 * np.exp(-0.01 * np.arange(last)), last)
    simulated = truth + rng.normal(0, 0.05, (8, 2, len(truth)))
    return Comparison(SMALL, (1.0, 0.5), last, np.array([truth] * 2), np.full(2, 0.2), simulated, np.full((8, 2), 0.2))


def test_a_right_theory_is_off_by_chance_only(compared):
    assert len(compared.ages) == len(age_edges(300)) - 1
    for error, chance in zip(
        (compared.absolute_error(), compared.absolute_error_by_bin()), compared.chance(), strict=True
    ):
        assert (error < 2 * chance).all()
    fit = compared.constants(0)
    assert abs(fit.off("C")) < 4 * fit.C_error
    assert abs(fit.off("beta")) < 4 * fit.beta_error
    assert not fit.beyond("C", 0.1)


def test_a_wrong_theory_is_found_out(compared):
    wrong = replace(compared, predicted=compared.predicted + 0.1)
    mean, error = mean_error([wrong, wrong])
    assert abs(mean - 0.1) < 4 * error
    fast = 0.2 + 0.3 * np.exp(-0.03 * (compared.ages - 1))
    fit = replace(compared, predicted=np.array([fast] * 2)).constants(1)
    assert fit.beyond("C", 0.1)
    assert fit.beyond("beta", 0.1)


def test_predictions_are_kept_as_they_are():
    predicted = PredictedMerits("x", (SMALL, replace(SMALL, k_hidden=1)))
    table = predicted.gather([predicted.plan(SCALES["paper"])(None)], SCALES["paper"])
    exact = predicted_merits(SMALL)
    for name in exact:
        np.testing.assert_allclose(table[name][0], exact[name])


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_growth_has_the_weights_it_says(way):
    for weights in (1e4, 1e6, CA3):
        assert abs(way.at(weights).n_synapses / weights - 1) < 0.05
