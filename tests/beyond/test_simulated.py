from dataclasses import replace

import numpy as np
import pytest
from madeup_memories import predicted, simulated

from slotfree.beyond.shared.memories import BinnedRetention, PredictedMerits, Simulated
from slotfree.memory.kwinner import KWinnerSettings

A = KWinnerSettings(100, 40, 10, 4, 0.3, 0.5)
B = replace(A, k_hidden=1)
RUN = BinnedRetention((A, B), 500)


def curve(settings, cue):
    return 0.5 if settings == A else 0.4, 50, 0.1


@pytest.fixture
def noisy():
    return Simulated.of(simulated(RUN, 40, curve, noise=0.05))


def test_intervals_are_those_of_the_mean_over_runs(noisy):
    gain = noisy.estimate(lambda a, b: a - b, (A, B), "initial_accuracy", 1.0)
    expected = np.hypot(0.5, 0.4) * 0.05 / np.sqrt(40)  # standard error
    assert abs(gain.value - 0.1) < 4 * expected
    assert gain.reach / 2.7 == pytest.approx(expected, rel=0.4)
    assert float(noisy.errors["initial_accuracy"].sel(cue=1.0)[0]) == pytest.approx(0.5 * 0.05 / np.sqrt(40), rel=0.4)


def test_deviation_from_theory(noisy):
    theory = predicted(PredictedMerits((A, B)), lambda settings, cue: {"half_life": 60 if settings == A else np.inf})
    exact = Simulated.of(simulated(RUN, 3, curve))
    assert exact.deviation(theory, (A, B), "half_life").value == pytest.approx(0.2, abs=0.02)
    assert np.isnan(exact.deviation(theory, (B,), "half_life").value)
    assert np.isnan(exact.estimate(max, (A, replace(A, k_hidden=2)), "half_life", 1.0).value), "not simulated"
    found = noisy.deviation(theory, (A,), "half_life")
    assert found.low < 0.19 < found.high


def test_columns_of_a_table_are_empty_without_a_simulation(noisy):
    assert noisy.columns(replace(A, k_hidden=2), ["area"], 0.5) == {"area_simulated": "", "area_error": ""}
    assert float(noisy.columns(A, ["area"], 0.5)["area_simulated"]) == pytest.approx(36, rel=0.05)
