"""SI A.1: what the modern Hopfield network computes, and measures of how much it holds."""

import numpy as np
import pytest
import xarray as xr
from paper.numeric import slope
from study.madeup import PAPER, around

from slotfree.memory.modern_hopfield import ModernHopfield
from slotfree.paper.figures import siA1
from slotfree.paper.figures.siA1 import CAPACITY, FEATURES, RECALL, Capacity, Recall
from slotfree.paper.text import si_a1_background
from slotfree.study.results import Results

SEED = np.random.SeedSequence(0)


def patterns_and_queries():
    """Patterns of 64 features, and the same with a tenth of the signs flipped."""
    rng = np.random.default_rng(0)
    patterns = rng.choice([-1.0, 1.0], (100, 64))
    return patterns, patterns * rng.choice([-1.0, 1.0], patterns.shape, p=(0.1, 0.9))


def stored(patterns, beta):
    memory = ModernHopfield(patterns.shape[1], beta)
    memory.store(patterns)
    return memory


def test_noisy_patterns_are_retrieved_and_weights_stay():
    patterns, queries = patterns_and_queries()
    memory = stored(patterns, 1.0)
    np.testing.assert_array_equal((memory.retrieve(queries) @ patterns.T).argmax(axis=1), np.arange(100))
    np.testing.assert_array_equal(memory.patterns, patterns)


def test_what_is_more_similar_has_the_larger_weight():
    patterns, queries = patterns_and_queries()
    memory = stored(patterns, 0.05)  # at which all weights count
    weights, order = memory.weights(queries), np.argsort(queries @ patterns.T, axis=1)
    np.testing.assert_allclose(weights @ patterns, memory.retrieve(queries))
    assert (np.diff(np.take_along_axis(weights, order, axis=1)) >= -1e-12).all()


@pytest.mark.parametrize("beta", [0.05, 1.0])
def test_the_update_is_a_step_down_the_gradient_of_the_energy(beta):
    """ξ_out = ξ − ∇E."""
    patterns, queries = patterns_and_queries()
    memory = stored(patterns, beta)
    gradient = slope(lambda state: float(memory.energy(state)), queries[0])
    np.testing.assert_allclose(gradient, queries[0] - memory.retrieve(queries[0]), atol=1e-6)


def test_capacity_grows_with_features_and_beta():
    few, many = Capacity(features=(6, 10))(SEED)["capacity"]
    assert 2 < few < many < 1000
    assert Capacity(features=(6,), beta=3.0)(SEED)["capacity"] > few


def test_few_patterns_are_recalled_and_too_many_are_not():
    run = Recall((0.05, 2.0), 2.0, (2, 64), 16, cues=(20, 10))
    data = run.label([run(SEED)])
    blended, sharp = data["one_step"].sel(run=0, number=64).values
    assert blended > sharp
    few, many = data["one_step"].sel(run=0, beta=2.0).values
    assert (few < many, data["at_rest"].sizes) == (True, {"run": 1, "number": 2})


def capacities(logs):
    data = xr.Dataset({"capacity": (("run", "features"), np.exp(logs))}, {"features": list(FEATURES)})
    return Results({CAPACITY.name: data}, PAPER, 0)


def test_an_exponential_is_told_from_a_power_law():
    n = np.array(FEATURES, float)
    exponential, power = 0.6 * n, 4 * np.log(n)
    scenarios = [around(exponential, 0.05), around(power, 0.05), around(exponential + 0.01 * power, 30)]
    found = [si_a1_background.CAPACITY.claim(capacities(logs)) for logs in scenarios]
    assert [claim.verdict for claim in found] == ["confirmed", "contradicted", "inconclusive"]
    assert "a factor of 1.82 for each feature" in found[0].claim


@pytest.mark.parametrize("swapped", [False, True])
def test_a_low_beta_and_cycles_are_worse_or_better(swapped):
    betas, numbers = RECALL.run.betas, RECALL.run.numbers
    lost = np.broadcast_to(np.linspace(0.8, 0.2, len(betas))[:: -1 if swapped else 1, None], (4, len(numbers)))
    at_rest = np.full(len(numbers), 0.1 if swapped else 0.9)
    found = [{"one_step": around(lost, 0.1)[i], "at_rest": around(at_rest, 0.1)[i]} for i in range(10)]
    r = Results({RECALL.name: RECALL.label(found)}, PAPER, 0)
    assert {judge.claim(r).verdict for judge in siA1.ITEM.claims} == {"contradicted" if swapped else "confirmed"}
