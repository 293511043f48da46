import itertools
from functools import partial

import numpy as np
import pytest

import slotfree as sf
from slotfree.forgetting import metrics
from slotfree.forgetting.theory import one_winner


def test_the_printed_constants():
    assert round(one_winner.initial_difference(1.0), 3) == 0.809
    assert round(one_winner.initial_difference(0.5), 3) == 0.836
    assert round(one_winner.decay_rate(100), 3) == 0.010
    assert round(one_winner.least_cue(1e-3), 2) == 0.05
    assert round(one_winner.baseline(1.0), 3) == 0.191
    assert round(one_winner.baseline(0.5), 3) == 0.164


def test_the_exact_baselines():
    assert round(one_winner.exact_baseline(1.0), 4) == 0.1764
    assert round(one_winner.exact_baseline(0.5), 4) == 0.1543


def brute_force(n_v, k_v, m, n_h, stored):
    """Expected accuracy over all possible stored patterns; ties among them share the win equally."""
    pattern, cue = set(range(k_v)), set(range(m))
    every = [set(c) for c in itertools.combinations(range(n_v), k_v)]
    total = count = 0.0
    for others in itertools.product(every, repeat=n_h - stored):
        memory = [pattern] * stored + list(others)
        best = max(len(cue & p) for p in memory)
        winners = [p for p in memory if len(cue & p) == best]
        total += sum(len(pattern & p) for p in winners) / len(winners) / k_v
        count += 1
    return total / count


@pytest.mark.parametrize(
    ("n_v", "k_v", "m", "n_h"), [(5, 2, 2, 3), (5, 2, 1, 3), (6, 3, 2, 2), (4, 1, 1, 4), (5, 3, 3, 2)]
)
def test_exact_theory_equals_enumeration(n_v, k_v, m, n_h):
    size = {"n_visible": n_v, "k_visible": k_v, "n_hidden": n_h}
    np.testing.assert_allclose(one_winner.exact_baseline(m / k_v, **size), brute_force(n_v, k_v, m, n_h, stored=0))
    np.testing.assert_allclose(one_winner.exact_stored(m / k_v, **size), brute_force(n_v, k_v, m, n_h, stored=1))


def test_exact_retention_is_a_mixture_of_stored_and_not():
    curve = one_winner.exact_retention([1, 2, 10_000], 0.5)
    np.testing.assert_allclose(curve[0], 1.0)
    np.testing.assert_allclose(curve[1], 0.99 + 0.01 * one_winner.exact_baseline(0.5))
    np.testing.assert_allclose(curve[2], one_winner.exact_baseline(0.5))


def test_exact_theory_predicts_a_simulation():
    """A small 1-winner memory, 60 runs: every 30-age mean of R.D. and the baseline within 4 standard errors."""
    size = {"n_visible": 300, "k_visible": 30, "n_hidden": 40}
    settings = size | {"k_hidden": 1, "fan_in": 1, "learning_rate": 1}
    source = partial(sf.random_patterns, n_visible=300, k_visible=30)
    data = sf.retention(settings, source, runs=60, cues=(1.0, 0.4), n_stored=300, n_tested=90, seed=0)
    for cue in (1.0, 0.4):
        base = data["accuracy"].sel(cue=cue, kind="pseudo").mean("age").values
        exact = one_winner.exact_baseline(cue, **size)
        assert abs(base.mean() - exact) < 4 * base.std(ddof=1) / np.sqrt(60)
        assert abs(base.mean() - one_winner.baseline(cue, **size)) > 4 * base.std(ddof=1) / np.sqrt(60), (
            "asymptotic only"
        )
        predicted = one_winner.exact_retention(np.arange(1, 91), cue, **size) - exact
        delta = metrics.differences(data).sel(cue=cue).values
        for part in np.split(np.arange(90), 3):
            runs = delta[:, part].mean(axis=1)
            assert abs(runs.mean() - predicted[part].mean()) < 4 * runs.std(ddof=1) / np.sqrt(60)


def test_the_decay_has_the_sign_it_must_have():
    curve = one_winner.raw_difference_curve(np.arange(1, 500), 1.0)
    assert (np.diff(curve) < 0).all()
    np.testing.assert_allclose(curve[:2], one_winner.initial_difference(1.0) * np.array([1, 0.99]))


def test_the_least_cue_keeps_its_promise():
    """Proposition 5: above it, the expected accuracy of a stored pattern exceeds 1 − δ, here in exact theory."""
    for delta, n_h in itertools.product((0.3, 0.01), (10, 100)):
        size = {"n_visible": 100, "k_visible": 10, "n_hidden": n_h}
        ones = np.floor(one_winner.least_cue(delta, **size) * 10) + 1
        assert one_winner.exact_stored(ones / 10, **size) > 1 - delta


def test_large_networks_are_no_trouble():
    assert one_winner.exact_stored(1.0, n_visible=10_000, k_visible=1000) == 1.0
    assert 0.1 < one_winner.exact_baseline(1.0, n_visible=10_000, k_visible=1000) < 0.2


def test_theta_is_proposition_3_with_its_delta():
    assert one_winner.theta(0.5) == one_winner.least_cue(100**-1.5)
    assert one_winner.theta(0.01) < one_winner.theta(0.99) < 0.1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: one_winner.baseline(0), r"cue must be a number in \(0, 1\], not 0"),
        (lambda: one_winner.decay_rate(1), "n_hidden must be an integer ≥ 2, not 1"),
        (
            lambda: one_winner.exact_baseline(1, k_visible=1000),
            "k_visible must be an integer from 1 to n_visible - 1 = 999",
        ),
        (lambda: one_winner.least_cue(2), r"delta must be a number in \(0, 1\], not 2"),
        (lambda: one_winner.theta(0.5, n_hidden=0), "n_hidden must be an integer ≥ 2, not 0"),
        (lambda: one_winner.exact_retention([0, 1], 1.0), "ages must be ≥ 1, the newest, not 0.0"),
        (lambda: one_winner.theta(0), r"epsilon must be a number in \(0, 1\], not 0"),
    ],
)
def test_wrong_arguments(call, message):
    with pytest.raises(ValueError, match=message):
        call()
