"""Claims beyond the paper must be able to fail: the same items judge made-up data that fit them, and others."""

import numpy as np
import pytest
import xarray as xr
from test_verdicts import SMALL, fading

from slotfree.paper import baselines, capacity, items

FITTING = {
    "kwinner": {"C": 0.33, "beta": 0.005, "base": 0.5, "noise": 0.04},
    "onewinner": {"C": 0.8, "beta": 0.01, "base": 0.18, "noise": 0.1},
    "modern": {"C": 0.0, "beta": 0.0, "base": 0.14, "noise": 0.02},
    "classical": {"C": 0.4, "beta": 0.001, "base": 0.1, "noise": 0.04},
    "willshaw": {"C": 0.0, "beta": 0.0, "base": 0.1, "noise": 0.02},
    "kanerva": {"C": 0.05, "beta": 0.0, "base": 0.17, "noise": 0.04},
    "fading": {"C": 0.1, "beta": 0.001, "base": 0.14, "noise": 0.04},
}


def baseline_verdicts(data, filled, held=100):
    results = {}
    for i, (name, experiment) in enumerate(baselines.EXPERIMENTS.items()):
        results[experiment.name] = fading(experiment, **data[name], seed=i)
    modern = results[baselines.EXPERIMENTS["modern"].name]["accuracy"]
    modern.loc[{"kind": "real", "age": slice(1, held)}] = 1.0
    plan = baselines.FILLING.plan(SMALL)
    one = {"filled": filled(np.array(plan.numbers)), "accuracy": np.ones((2, len(plan.numbers)))}
    results[baselines.FILLING.name] = baselines.FILLING.gather([one, one], SMALL)
    output = items.load("baselines").make(items.Context(results, SMALL, 0))
    return {claim.id.removeprefix("baselines."): claim.holds for claim in output.claims.all}


def test_baselines():
    assert all(baseline_verdicts(FITTING, baselines.expected_ones).values())
    swapped = FITTING | {
        "kwinner": FITTING["willshaw"],
        "willshaw": FITTING["kwinner"],
        "kanerva": FITTING["fading"],
        "fading": FITTING["kanerva"] | {"C": 0.2},
        "classical": FITTING["willshaw"],
    }
    wrong = baseline_verdicts(swapped, lambda numbers: np.full(len(numbers), 0.5), held=50)
    assert [name for name, holds in wrong.items() if holds] == ["willshaw-few", "decay-100%", "decay-50%"]
    same = baseline_verdicts(FITTING | {"fading": FITTING["kanerva"]}, baselines.expected_ones)
    assert not same["decay-100%"]


STACKS = {
    "onewinner": {"C": 0.08, "beta": 0.012, "base": 0.4, "noise": 0.1},
    "kwinner": {"C": 0.03, "beta": 0.005, "base": 0.7, "noise": 0.05},
    "stacked": {"C": 0.05, "beta": 0.005, "base": 0.5, "noise": 0.05},
    "few": {"C": 0.15, "beta": 0.004, "base": 0.5, "noise": 0.05},
    "stackedfew": {"C": 0.1, "beta": 0.003, "base": 0.4, "noise": 0.05},
}


def stack_verdicts(data):
    item = items.load("stackS3")
    results = {}
    for i, experiment in enumerate(item.experiments):
        results[experiment.name] = fading(experiment, **data(experiment.name.split("-")[0], experiment.n_flips), seed=i)
    output = item.make(items.Context(results, SMALL, 0))
    return {claim.id.removeprefix("stackS3."): claim.holds for claim in output.claims.all}


def test_stacks():
    """Made-up memories: the 1-winner's strength depends on b; at half cues nothing differs from whole ones."""

    def fits(model, b):
        strong = {"C": 1.5} if model == "onewinner" and b == 5 else {}
        return STACKS[model] | strong

    found = stack_verdicts(fits)
    assert [name for name, holds in found.items() if not holds] == ["half-cue-10"]
    turned = stack_verdicts(lambda model, b: fits({"kwinner": "few", "few": "kwinner"}.get(model, model), b))
    lost = [name for name, holds in turned.items() if not holds]
    assert lost == ["separates-5", "separates-10", "few-10", "few-half-cue-10"]
    weak = stack_verdicts(lambda model, b: STACKS[model] | ({"C": 0.0} if model.startswith("stacked") else {}))
    assert not weak["returns-10"]
    assert not weak["oldest-5"]


def test_the_map_of_stacks():
    def verdicts(C):
        item = items.load("stackS5")
        results = {}
        for i, runs in enumerate(item.experiments):
            plain = "winner" in runs.name
            results[runs.name] = fading(runs, 0.05 if plain else C, 0.001, 0.4, 0.05, seed=i)
        output = item.make(items.Context(results, SMALL, 0))
        return {claim.id.removeprefix("stackS5."): claim.holds for claim in output.claims.all}

    assert all(verdicts(0.1).values())
    assert [name for name, holds in verdicts(0.02).items() if holds] == ["recovery"]


def capacity_verdicts(law, edge=0.4, at_rest=1.0):
    """Shares from a law of size and number; below β = edge nothing is recalled in one step."""
    rng = np.random.default_rng(0)
    numbers = np.array(capacity.NUMBERS, float)
    cues = np.minimum(numbers, capacity.CUES).astype(int)
    shares = np.array([law(n, numbers) for n in capacity.DIMENSIONS])
    n_beta, n_rested, n_number = len(capacity.BETAS), len(capacity.RESTED), len(capacity.MAPPED_NUMBERS)
    by_beta = np.where(np.array(capacity.BETAS) < edge, 1.0, 0.0)[:, None] * (np.arange(n_number) > 6)
    runs = [
        {
            "by_size": rng.binomial(cues, shares) / cues,
            "by_beta": by_beta.reshape(n_beta, n_number),
            "at_rest": np.full((n_rested, n_number), at_rest),
        }
        for _ in range(8)
    ]
    results = {capacity.EXPERIMENT.name: capacity.EXPERIMENT.gather(runs, SMALL)}
    output = items.load("capacity").make(items.Context(results, SMALL, 0))
    return {claim.id.removeprefix("capacity."): claim.holds for claim in output.claims.all}


def test_capacity():
    assert all(capacity_verdicts(capacity.exact_share).values())
    linear = capacity_verdicts(lambda n, numbers: 1 - np.exp(-numbers / (10 * n)), edge=0.05, at_rest=0.0)
    assert [name for name, holds in linear.items() if holds] == ["sharp"]
    assert not capacity_verdicts(capacity.exact_share, edge=9.0)["sharp"]


@pytest.mark.parametrize("dimension", capacity.DIMENSIONS)
def test_the_capacity_is_read_off_the_law(dimension):
    numbers = np.array(capacity.NUMBERS)
    share = capacity.exact_share(dimension, numbers.astype(float))
    runs = xr.DataArray([share, share], {"number": numbers}, ("run", "number"))
    np.testing.assert_allclose(capacity.capacities(runs, 0), capacity.exact_capacity(dimension), rtol=1e-9)
    np.testing.assert_allclose(
        capacity.exact_share(dimension, np.array([capacity.exact_capacity(dimension)])), capacity.ALLOWED
    )


def test_the_law_by_counting():
    """All patterns of 8 numbers: those that are at least as near to a cue with a flipped sign, but the right one."""
    patterns = (np.arange(256)[:, None] >> np.arange(8)) % 2
    cue = np.array([1, 0, 0, 0, 0, 0, 0, 0])
    near = ((patterns == cue).sum(axis=1) >= 7).sum() - 1
    assert capacity.chance(8) == pytest.approx(near / 256)
