from dataclasses import replace

import numpy as np
import pytest

from slotfree.beyond.shared.memories import BinnedRetention
from slotfree.beyond.theoryK1 import Comparison, compare, mean_error
from slotfree.forgetting.merit import bin_ages, bin_means
from slotfree.forgetting.theory.k_winner import predicted_curves
from slotfree.memory.kwinner import KWinnerSettings

SMALL = KWinnerSettings(100, 40, 10, 4, 0.3, 0.5)
LAST = 300


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
    for predicted, simulated, error in compared.constants(0).values():
        assert abs(predicted / simulated - 1) < 4 * error


def test_a_wrong_theory_is_found_out(compared):
    wrong = replace(compared, predicted=compared.predicted + 0.1)
    found = mean_error([wrong, wrong])
    assert found.low < 0.1 < found.high
    assert found.low > 0.02
    fast = 0.2 + 0.3 * np.exp(-0.03 * (compared.ages - 1))
    for predicted, simulated, error in replace(compared, predicted=np.array([fast] * 2)).constants(1).values():
        assert abs(predicted / simulated - 1) > 4 * error


def test_nothing_is_fitted_where_there_is_little(compared):
    assert replace(compared, predicted=np.full_like(compared.predicted, 0.24)).constants(0) is None


def test_memories_are_predicted_as_they_are():
    run = BinnedRetention((SMALL,), n_tested=20)
    (one,) = compare(run.label([run(np.random.SeedSequence(i)) for i in range(2)]))
    accuracy, baseline, *_ = predicted_curves(SMALL, one.cues, np.arange(1, 21), anywhere=True)
    np.testing.assert_array_equal(one.predicted, bin_means(accuracy, 20))
    np.testing.assert_array_equal(one.predicted_baseline, baseline)
