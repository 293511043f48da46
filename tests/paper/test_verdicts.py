"""Claims must be able to fail: the same item judges made-up data that fit the paper, and data that contradict it."""

import numpy as np
import pytest
import xarray as xr
from matplotlib.figure import Figure
from scipy import stats

from slotfree.forgetting.protocol import labelled
from slotfree.paper import comparison, drawing, items, scale
from slotfree.paper.figS5 import mean_similarity
from slotfree.patterns.random import random_patterns
from slotfree.patterns.similarity import similarity

SMALL = scale.Scale("small", 5, 8, 40, 1200, 1000, 2000, 4, 400)


def fading(experiment, C, beta, base, noise, seed=0, uniform=None):
    """Data of an experiment whose R.D. is C exp(-beta (age - 1)) above a baseline, with Gaussian noise."""
    rng = np.random.default_rng(seed)
    n_runs, (_, n_ages) = experiment.count(SMALL), experiment.sizes(SMALL)
    accuracy = rng.normal(base, noise, (n_runs, len(experiment.cues), len(experiment.kinds), n_ages))
    accuracy[:, :, 0] += C * np.exp(-beta * np.arange(n_ages))
    if uniform is not None:
        accuracy[:, :, 2] += uniform - base
    return labelled(accuracy, experiment.cues, experiment.kinds)


def verdicts(name, data):
    """The claims of an item about made-up data: model name → arguments of fading."""
    item = items.load(name)
    results = {}
    for i, experiment in enumerate(item.experiments):
        model = experiment.name.split("-")[0]
        results[experiment.name] = fading(experiment, **data(model, experiment), seed=i)
    output = item.make(items.Context(results, SMALL, 0))
    return {claim.id.removeprefix(f"{name}."): claim.holds for claim in output.claims.all}


def as_printed(model, experiment):
    return {
        "kwinner": {"C": 0.34, "beta": 0.005, "base": 0.52, "noise": 0.03},
        "onewinner": {"C": 0.83, "beta": 0.01, "base": 0.176, "noise": 0.2},
        "wide": {"C": 0.5, "beta": 0.012, "base": 0.43, "noise": 0.03},
        "graded": {"C": 0.55, "beta": 0.004, "base": 0.16, "noise": 0.2},
        "slow": {"C": 0.27, "beta": 0.003, "base": 0.52, "noise": 0.03},
        "theorem1": {"C": 0.5, "beta": 0.01, "base": 0.2, "noise": 0.02},
    }[model]


def swapped(model, experiment):
    partner = {"kwinner": "onewinner", "onewinner": "kwinner", "graded": "slow", "slow": "graded"}
    return as_printed(partner.get(model, model), experiment)


@pytest.mark.parametrize(
    ("name", "claims"),
    [
        ("fig4", ["older-100%", "older-50%", "baseline-100%"]),
        ("figS1", ["slower-100%", "slower-50%", "young-100%", "C-kwinner-100%", "beta-onewinner-50%"]),
        ("figS3", ["slow-above", "slow-above-old"]),
    ],
)
def test_claims_hold_for_data_as_printed_and_fail_for_swapped_models(name, claims):
    printed, wrong = verdicts(name, as_printed), verdicts(name, swapped)
    assert {claim: printed[claim] for claim in claims} == dict.fromkeys(claims, True)
    assert {claim: wrong[claim] for claim in claims} == dict.fromkeys(claims, False)


def test_wider_fan_in():
    printed = verdicts("figS2", as_printed)
    same = verdicts("figS2", lambda model, e: as_printed("kwinner" if model == "wide" else model, e))
    for claim in ("initial-100%", "baseline-100%", "faster-50%", "trade-off-100%", "near-perfect-100%"):
        assert printed[claim], claim
    for claim in ("initial-100%", "baseline-100%", "faster-50%", "trade-off-100%", "old-50%"):
        assert not same[claim], claim


def structured(model, experiment):
    """The K-winner's margin grows with b, the 1-winner's does not; unseen leaves come back better for small b."""
    b = experiment.n_flips or 40
    if model == "onewinner":
        return {
            "C": 0.5,
            "beta": 0.01,
            "base": 0.6,
            "noise": 0.2,
            "uniform": 0.6 - 2 / b if experiment.n_flips else None,
        }
    return {
        "C": 0.0 if b == 5 else 0.02 * (b - 9.9) / 5 + 0.021,
        "beta": 0.002,
        "base": 0.6,
        "noise": 0.02 if b > 10 else 0.03,
        "uniform": 0.6 - 2 / b if experiment.n_flips else None,
    }


def test_similarity():
    holds = verdicts("figS6", structured)
    assert holds["lead-5"]
    assert holds["lead-15"]
    assert holds["insensitive"]
    assert holds["grows"]
    flat = verdicts("figS6", lambda model, e: structured("onewinner", e))
    for claim in ("lead-5", "lead-15", "affected"):
        assert not flat[claim], claim


def test_generalisation():
    holds = verdicts("figS7", structured)
    assert all(holds.values())
    none = verdicts("figS7", lambda model, e: structured(model, e) | {"uniform": 0.6})
    assert not any(none.values())


def samples(values):
    return xr.DataArray(np.asarray(values, float), {"age": np.arange(1, np.shape(values)[1] + 1)}, ("sample", "age"))


def test_lead_over_ages_by_hand():
    a, b = samples([[0, 5, 7], [0, 5, 9]]), samples([[9, 1, 1], [9, 3, 3]])
    difference, (low, high) = comparison.lead_over_ages(a, b, 2, 3)
    assert difference == 4.5  # the means over ages 2 and 3 are 6, 7 and 1, 3
    expected = stats.ttest_ind([6, 7], [1, 3], equal_var=False).confidence_interval(0.99)
    np.testing.assert_allclose([low, high], expected)


def test_crossing():
    ages = np.arange(1, 1001)
    a = samples(np.exp(-0.002 * ages) * [[1.0], [1.02], [0.98]])
    b = samples(2.2255 * np.exp(-0.004 * ages) * [[1.0], [1.02], [0.98]])
    age, (low, high) = comparison.crossing(a, b, 100)
    assert abs(age - 400) <= 2
    assert low < age < high
    assert np.isnan(comparison.crossing(b * 0, a, 100)[0])


def test_infinite_samples_are_left_out_of_means_over_ages():
    assert comparison.over_ages(samples([[1.0, np.inf, 3.0]]), 1, 3).item() == 2.0


def test_mean_similarity_is_the_mean_of_the_matrix():
    patterns = random_patterns(30, n_visible=40, k_visible=8, seed=0)
    matrix = similarity(patterns)
    expected = (matrix.sum(dtype=float) - 30) / (30 * 29)
    np.testing.assert_allclose(mean_similarity(patterns), expected, rtol=1e-6)


def test_curves_are_drawn_at_their_means():
    axis = Figure().subplots()
    values = np.vstack([np.full(1000, 0.4), np.full(1000, 0.6)])
    drawing.by_age(axis, samples(values), "#000000", "label")
    faint, solid = axis.lines
    assert len(faint.get_xdata()) == 1000
    np.testing.assert_allclose(solid.get_ydata(), 0.5)
    band = axis.collections[0].get_paths()[0].vertices[:, 1]
    np.testing.assert_allclose([band.min(), band.max()], [0.4, 0.6])
