from itertools import pairwise

import numpy as np
import pytest
import xarray as xr
from scipy import stats
from study.madeup import Fading, around, faded

from slotfree.forgetting.theory import one_winner
from slotfree.memory.kwinner import KWinnerMHN, KWinnerSettings
from slotfree.paper.figures import siA2
from slotfree.paper.figures.siA2 import BY_FAN_IN, BY_WINNERS, ONE, REPLACING, K, connected_winners, random_coverage
from slotfree.paper.shared.memories import ONE_WINNER
from slotfree.patterns.random import random_patterns
from slotfree.study.results import Results
from slotfree.study.scale import SCALES

SEED = np.random.SeedSequence(0)
EXACT, FORMULA = one_winner.exact_baseline(1.0), one_winner.baseline(1.0)


def encoded(values, name, experiments):
    """Made-up results of experiments: the mean of one variable for each."""
    runs = [around(value, 1e-4, runs=5) for value in values]
    if name == "unseen":
        runs = [np.stack([x, x / 2], axis=1) for x in runs]
    dims = ("run", "cue") if name == "unseen" else ("run",)
    cues = {"cue": [1.0, 0.5]} if name == "unseen" else {}
    data = {e.name: xr.Dataset({name: (dims, x)}, cues) for e, x in zip(experiments.values(), runs, strict=True)}
    return Results(data, SCALES["paper"], 0)


def test_rise_with_a_narrower_fan_in():
    r = encoded((0.5, 0.4, 0.32, 0.3, 0.2), "unseen", BY_FAN_IN)  # from the narrowest on
    assert siA2.rise_with_narrower(1.0)(r).value == pytest.approx(0.02)
    assert siA2.rise_with_narrower(0.5)(r).value == pytest.approx(0.01)


def test_coverage_by_winners():
    """Only up to 1/f = 20 winners for few ones, and up to the paper's 50 for the smallest rise."""
    r = encoded((0.1, 0.2, 0.4, 0.6, 0.8, 0.85, 0.8, 0.7, 1.0), "covered", BY_WINNERS)
    assert siA2.covered_by_few()(r).value == pytest.approx(0.8)
    assert siA2.rise_of_coverage()(r).value == pytest.approx(0.05)


def test_a_new_pattern_is_recalled_more():
    data = faded(K, lambda name, cue: Fading(C=cue / 2, noise=0.001), runs=10, n_ages=3)
    found = siA2.recalled_more(0.5)(Results({K.name: data}, SCALES["paper"], 0))
    assert found.shape == (10,)
    assert found.mean() == pytest.approx(0.25, abs=0.005)


@pytest.mark.parametrize(
    ("baseline", "nearer"), [(EXACT, True), (FORMULA, False), (0.1, False), ((EXACT + FORMULA) / 2, None)]
)
def test_a_baseline_is_nearest_to_the_maximum(baseline, nearer):
    """It is not if it is as printed in proposition 2, or chance; half-way nothing is known."""
    data = faded(ONE, lambda name, cue: Fading(base=baseline, noise=0.001), runs=10, n_ages=20, mirrored=True)
    found = siA2.nearer_to_maximum()(Results({ONE.name: data}, SCALES["paper"], 0))
    assert (found.low > 0, found.high < 0) == (nearer is True, nearer is False)


def test_the_1_winner_mhn_is_the_printed_one():
    s = ONE_WINNER.settings
    assert (s.n_visible, s.n_hidden, s.k_visible, s.k_hidden, s.fan_in, s.learning_rate) == (1000, 100, 100, 1, 1, 1)
    assert (ONE.run.memory, REPLACING.run.settings) == (s, s)
    patterns = random_patterns(20, seed=0)
    assert patterns.shape == (20, 1000)
    assert (patterns.sum(axis=1) == 100).all()


def test_a_hidden_unit_sees_50_inputs():
    """An input is connected to f n_h = 100 hidden units on average."""
    memory = KWinnerMHN.from_settings(siA2.TEXT, 0)
    assert memory.connections.shape == (2000, 50)
    assert memory.mask.sum(axis=0).mean() == 100


def test_the_best_of_smaller_samples_is_larger():
    sizes = (25, 50, 100, 200, 500, 1000)
    maxima = [float(np.sum(1 - stats.binom.cdf(np.arange(n), n, 0.1) ** 100)) / n for n in sizes]
    assert all(a > b for a, b in pairwise(maxima))
    spreads = [stats.binom(n, 0.1).std() / n * n**0.5 for n in sizes]
    assert spreads == pytest.approx([0.3] * len(sizes))


def test_winners_and_their_inputs():
    memory = KWinnerMHN(40, 30, 4, 3, 0.25, 0.5, seed=0)
    winners = np.array([[0, 5, 7], [1, 2, 3]], np.uint32)
    found = connected_winners(memory, winners)
    assert found.shape == (2, 40)
    expected = np.bincount(memory.connections[[1, 2, 3]].ravel(), minlength=40)
    np.testing.assert_array_equal(found[1], expected)


def test_all_inputs_are_covered_with_full_connections():
    data = siA2.Encoding(KWinnerSettings(100, 20, 10, 2, 1.0, 1.0), 120, 10)(SEED)
    assert (data["covered"], data["several"], data["copies"]) == (1, 1, 2)
    assert data["unseen"].shape == (2,)


def test_winners_cover_more_than_random_units():
    data = siA2.Encoding(KWinnerSettings(k_hidden=20), 400, 20)(SEED)
    assert random_coverage(0.05, 20) + 0.05 < data["covered"] < 1
    assert random_coverage(0.05, 20) == pytest.approx(1 - 0.95**20)


def test_a_full_memory_replaces_the_best_match():
    data = siA2.Replacing(KWinnerSettings(200, 10, 20, 1, 1.0, 1.0), 200)(SEED)
    assert data["best"] == 1
    assert data["overlap"] > 0.13


def test_too_few_patterns_to_fill_a_memory():
    data = siA2.Replacing(KWinnerSettings(200, 10, 20, 1, 1.0, 1.0), 5)(SEED)
    assert np.isnan(data["best"])
    assert np.isnan(data["overlap"])
