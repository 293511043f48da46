"""Many memories in theory and in simulation, and how far the two are apart."""

from dataclasses import astuple, replace

import numpy as np
import pytest
from madeup_memories import predicted, simulated

from slotfree.beyond import theoryK1
from slotfree.beyond.shared.memories import DIMS, BinnedRetention, PredictedMerits, Simulated
from slotfree.beyond.theoryK1 import Comparison, compare, mean_error
from slotfree.beyond.theoryK3 import CA3, WAYS
from slotfree.forgetting.binned import settling
from slotfree.forgetting.family import rows_of
from slotfree.forgetting.merit import bin_ages, bin_means
from slotfree.forgetting.protocol import CUES, plan_run
from slotfree.forgetting.search import predicted_merits
from slotfree.forgetting.theory.k_winner import predicted_curves
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.runs.seeds import seed_for
from slotfree.study.scale import SCALES

SMALL = KWinnerSettings(100, 40, 10, 4, 0.3, 0.5)
ONE = replace(SMALL, k_hidden=1)
RUN = BinnedRetention((SMALL, ONE), 500)
LAST = 300


def test_the_grid_is_as_large_and_as_wide_as_it_should_be():
    assert len(set(theoryK1.GRID)) == len(theoryK1.GRID) == 78
    assert {one.n_synapses for one in theoryK1.GRID} == {theoryK1.WEIGHTS}
    for name, low, high in (("learning_rate", 0.1, 1), ("fan_in", 0.02, 1), ("k_hidden", 1, 200)):
        values = [getattr(one, name) for one in theoryK1.GRID]
        assert (min(values), max(values)) == (low, high)
    assert not set(theoryK1.HELD_OUT) & set(theoryK1.GRID)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_growth_has_the_weights_it_says(way):
    for weights in (1e4, 1e6, CA3):
        assert abs(way.at(weights).n_synapses / weights - 1) < 0.05


@pytest.fixture
def compared():
    """A theory that is right, and eight runs with noise of 0.05 in each bin."""
    rng = np.random.default_rng(0)
    truth = bin_means(0.2 + 0.5 * np.exp(-0.01 * np.arange(LAST)), LAST)
    runs = truth + rng.normal(0, 0.05, (8, 2, len(truth)))
    baselines = np.full(2, 0.2), runs, np.full((8, 2), 0.2)
    return Comparison(SMALL, (1.0, 0.5), bin_ages(LAST), np.array([truth] * 2), *baselines)


def test_a_right_theory_is_off_by_chance_only(compared):
    assert compared.last == LAST
    assert (compared.absolute_error() < 2 * compared.chance()).all()
    for theory, measured, error in compared.constants(0).values():
        assert abs(theory / measured - 1) < 4 * error


def test_a_wrong_theory_is_found_out(compared):
    wrong = replace(compared, predicted=compared.predicted + 0.1)
    found = mean_error([wrong, wrong])
    assert found.low < 0.1 < found.high
    assert found.low > 0.02
    fast = 0.2 + 0.3 * np.exp(-0.03 * (compared.ages - 1))
    for theory, measured, error in replace(compared, predicted=np.array([fast] * 2)).constants(1).values():
        assert abs(theory / measured - 1) > 4 * error


def test_nothing_is_fitted_where_there_is_little(compared):
    assert replace(compared, predicted=np.full_like(compared.predicted, 0.24)).constants(0) is None


def test_memories_are_predicted_as_they_are():
    run = BinnedRetention((SMALL,), n_tested=20)
    (one,) = compare(run.label([run(np.random.SeedSequence(i)) for i in range(2)]))
    accuracy, baseline, *_ = predicted_curves(SMALL, one.cues, np.arange(1, 21), anywhere=True)
    np.testing.assert_array_equal(one.predicted, bin_means(accuracy, 20))
    np.testing.assert_array_equal(one.predicted_baseline, baseline)


def test_a_run_of_many_memories_is_the_protocol_for_each():
    run = BinnedRetention((SMALL, ONE), n_tested=50)
    data = run.label([run(np.random.SeedSequence(i)) for i in range(2)])
    assert set(data) == set(DIMS)
    assert rows_of(data) == {SMALL: 0, ONE: 1}
    plan = plan_run(ONE, None, CUES, ("real", "pseudo"), settling(ONE) + 50, 50)
    found = plan(seed_for(np.random.SeedSequence(1), astuple(ONE)))["accuracy"]
    one = data.isel(run=1, setting=1)
    np.testing.assert_array_equal(one["accuracy"], bin_means(found[:, 0], 50))
    np.testing.assert_array_equal(one["baseline"], found[:, 1].mean(axis=1))


def test_a_smaller_scale_has_some_memories_evenly_spread_and_no_large_one():
    members = [replace(SMALL, n_hidden=10 * i) for i in range(1, 10)]
    run = BinnedRetention((*members, KWinnerSettings(2000, 2000)), n_tested=1000, some=3).at(SCALES["quick"])
    assert run.members == (members[0], members[4], members[8])
    assert run.n_tested == SCALES["quick"].n_tested


def test_predictions_are_kept_as_they_are():
    run = PredictedMerits((SMALL, ONE), every=2)
    table = run.label([run(np.random.SeedSequence(0))])
    expected = predicted_merits(ONE, anywhere=True)
    for name in expected:
        np.testing.assert_array_equal(table[name][rows_of(table)[ONE]], expected[name])
    assert run.at(SCALES["quick"]).members == (SMALL,)


def curve(settings, cue):
    return 0.5 if settings == SMALL else 0.4, 50, 0.1


@pytest.fixture
def noisy():
    return Simulated.of(simulated(RUN, 40, curve, noise=0.05))


def test_intervals_are_those_of_the_mean_over_runs(noisy):
    gain = noisy.estimate(lambda a, b: a - b, (SMALL, ONE), "initial_accuracy", 1.0)
    expected = np.hypot(0.5, 0.4) * 0.05 / np.sqrt(40)  # standard error
    assert abs(gain.value - 0.1) < 4 * expected
    assert gain.reach / 2.7 == pytest.approx(expected, rel=0.4)
    assert float(noisy.errors["initial_accuracy"].sel(cue=1.0)[0]) == pytest.approx(0.5 * 0.05 / np.sqrt(40), rel=0.4)


def test_deviation_from_theory(noisy):
    theory = predicted(
        PredictedMerits((SMALL, ONE)), lambda settings, cue: {"half_life": 60 if settings == SMALL else np.inf}
    )
    exact = Simulated.of(simulated(RUN, 3, curve))
    assert exact.deviation(theory, (SMALL, ONE), "half_life").value == pytest.approx(0.2, abs=0.02)
    assert np.isnan(exact.deviation(theory, (ONE,), "half_life").value)
    assert np.isnan(exact.estimate(max, (SMALL, replace(SMALL, k_hidden=2)), "half_life", 1.0).value), "not simulated"
    found = noisy.deviation(theory, (SMALL,), "half_life")
    assert found.low < 0.19 < found.high


def test_columns_of_a_table_are_empty_without_a_simulation(noisy):
    assert noisy.columns(replace(SMALL, k_hidden=2), ["area"], 0.5) == {"area_simulated": "", "area_error": ""}
    assert float(noisy.columns(SMALL, ["area"], 0.5)["area_simulated"]) == pytest.approx(36, rel=0.05)
