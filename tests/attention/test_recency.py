"""The prediction of recency: its limits, its laws, and each assumption played out at random."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import slotfree as sf
from slotfree.beyond.contextC5.recency import (
    Overlap,
    Parts,
    Store,
    as_store,
    energies,
    lengths,
    predict_recency,
    signed_sums,
    win_rates,
    wins,
)

PROJECTED = 1e3  # γ with which projections alone choose the winners


def storage(k=1, fan_in=1.0, rate=1.0, gain=PROJECTED, **options):
    return sf.Winners(k, fan_in, rate=rate, projection_gain=gain, **options)


def stored(n, k, C, eps, draws, rng):
    """How much of each item is in each unit, (draw, unit, item), with k random winners for each item."""
    parts = np.zeros((draws, n, C))
    for t in range(C):
        won = np.argsort(rng.random((draws, n)), axis=1) < k
        parts[won] *= 1 - eps
        parts[won, t] = eps
    return parts


def played_out(n, k, m, N, C, eps, key_length, lag, draws, seed=0):
    """Accuracy by the assumptions: random winners, random keys, each unit with a random part of them."""
    rng = np.random.default_rng(seed)
    keys = rng.standard_normal((draws, C, N))
    keys *= key_length / np.linalg.norm(keys, axis=2, keepdims=True)
    signs = rng.choice([-1.0, 1.0], (draws, C))
    masks = np.argsort(rng.random((draws, n, N)), axis=2) < m
    parts, asked = stored(n, k, C, eps, draws, rng), C - 1 - lag
    overlaps = (masks * keys[:, None, asked]) @ keys.swapaxes(1, 2)  # (draw, unit, item)
    exponents = (parts * overlaps).sum(axis=2) / (m / N * eps)
    D = (np.exp(exponents) * (parts @ signs[:, :, None])[:, :, 0]).sum(axis=1)
    return float((D * signs[:, asked] > 0).mean())


@pytest.mark.parametrize(
    ("n", "k", "m", "N", "C", "eps", "key_length", "lag"),
    [
        (6, 1, 20, 20, 8, 1.0, 2.0, 3),
        (6, 1, 20, 20, 8, 0.4, 2.0, 3),
        (12, 2, 10, 20, 8, 1.0, 1.8, 0),
        (12, 2, 10, 20, 8, 1.0, 1.8, 6),
        (12, 2, 10, 20, 8, 0.5, 1.8, 4),
    ],
)
def test_the_assumptions_played_out_at_random_agree(n, k, m, N, C, eps, key_length, lag):
    draws = 10_000
    expected = played_out(n, k, m, N, C, eps, key_length, lag, draws)
    found = float(predict_recency(n, N, storage(k, m / N, eps), C, key_length=key_length)[lag])
    # 3 standard errors of the draws, and what units that hold the same items have in common, which is left out
    assert found == pytest.approx(expected, abs=3 * (0.25 / draws) ** 0.5 + 0.015)


@pytest.mark.parametrize("n", [10, 40])
def test_one_winner_with_long_keys_has_a_closed_form(n):
    found = predict_recency(n, 500, storage(), 30, key_length=4.5)
    assert found.values == pytest.approx(0.5 + 0.5 * (1 - 1 / n) ** np.arange(30), abs=2e-3)


def test_with_many_units_nothing_is_forgotten():
    assert predict_recency(100_000, 500, storage(2), 20, key_length=4.5).values == pytest.approx(np.ones(20), abs=1e-3)


def test_without_any_length_of_keys_an_answer_is_the_sum_of_what_all_units_hold():
    """Then every item counts as much: of three, one is outvoted if both others differ."""
    found = predict_recency(10_000, 50, storage(), 3, key_length=1e-3)
    assert found.values == pytest.approx(np.full(3, 0.75), abs=2e-3)


@settings(max_examples=10, deadline=None)
@given(
    n=st.integers(10, 200),
    k=st.integers(1, 4),
    fan_in=st.sampled_from([0.3, 0.6, 1.0]),
    gain=st.sampled_from([2.0, 5.0, PROJECTED]),
    key_length=st.floats(1.0, 4.0),
)
def test_with_a_rate_of_1_newer_items_are_recalled_better(n, k, fan_in, gain, key_length):
    found = predict_recency(n, 40, storage(k, fan_in, gain=gain), 16, key_length=key_length).values
    assert ((found >= 0.5 - 5e-3) & (found <= 1)).all()
    assert (np.diff(found) <= 2e-3).all()


def test_projections_choose_with_equal_chances():
    store = as_store(30, 50, storage(3, 0.4, 0.5), 20, 3.0)
    found = wins(store)
    assert found.kept == pytest.approx((1 - 3 / 30) ** np.arange(20), abs=1e-6)
    assert found.at_end @ np.arange(len(found.at_end)) == pytest.approx(20 * 3 / 30, rel=1e-6)
    assert found.own.sum(axis=(1, 2)) == pytest.approx(np.ones(20))
    assert found.longer == pytest.approx(np.ones(len(found.longer)), abs=1e-6)


@settings(max_examples=15, deadline=None)
@given(n=st.integers(4, 100), k=st.integers(1, 4), gain=st.floats(0.5, 20), eps=st.sampled_from([0.3, 1.0]))
def test_k_units_win_on_average(n, k, gain, eps):
    store = Store(n, k, 20, 50, 10, eps, gain, 1.0, 9.0)
    share = np.zeros(25)
    share[:3] = 0.5, 0.3, 0.2
    S = lengths(store, np.zeros(25))
    rate, x = win_rates(store, share, S)
    assert share @ rate * n == pytest.approx(k, rel=1e-6)
    assert (x[share > 0] > -1e-6).all()  # those who win have larger drives


def test_win_rates_are_those_of_drives_drawn_at_random():
    store = Store(12, 2, 10, 50, 10, 1.0, 3.0, 1.0, 9.0)
    share = np.zeros(25)
    share[:2] = 0.5, 0.5
    S = lengths(store, np.zeros(25))
    rng = np.random.default_rng(0)
    draws, classes = 40_000, np.repeat([0, 1], 6)
    x = rng.standard_normal((draws, 12)) * np.sqrt(S[classes] * 9.0 / 10) + 1e-6 * rng.random((draws, 12))
    projected = np.argsort(rng.random((draws, 12)), axis=1) < 2
    drive = x + 3.0 * projected
    won = drive >= np.sort(drive, axis=1)[:, [-2]]
    rate, met = win_rates(store, share, S)
    for n in (0, 1):
        assert rate[n] == pytest.approx(won[:, classes == n].mean(), abs=0.01)  # others are of a class by chance
        assert met[n] == pytest.approx(x[:, classes == n][won[:, classes == n]].mean(), abs=0.06)


def test_characteristic_functions_are_those_of_numbers_drawn_at_random():
    store = as_store(30, 50, storage(1, 0.4, 0.6), 10, 2.0)
    parts = Parts(store, wins(store))
    d = signed_sums(np.array([1.0, 0.4]))
    found = parts.of(d, [(0.3, Overlap(0.5, 0.2, 1e6)), (0.7, Overlap(-1.0, 0.5, 1e6))])
    rng, n = np.random.default_rng(0), 200_000
    first = rng.random(n) < 0.3
    g = np.where(first, 0.5 + 0.2**0.5 * rng.standard_normal(n), -1 + 0.5**0.5 * rng.standard_normal(n))
    X = rng.choice(d, n) * np.exp(g)
    y = 5.5 + 0.02 * np.arange(-parts.size, 0)
    for at in range(parts.size - 600, parts.size - 100, 60):
        assert found[at] == pytest.approx(np.mean(np.exp(1j * np.exp(y[at]) * X)), abs=0.01)


def test_the_lattice_reaches_as_far_as_the_units_that_there_are():
    """A unit of the item asked for has e wins before it and r after it, at some lag."""
    store = as_store(12, 50, storage(2, 0.4, 0.3, gain=1.0), 10, 2.0)
    found = wins(store)
    parts = Parts(store, found)
    lags, before, after = found.own.shape
    there = {(e, r) for lag in range(lags) for e in range(before) for r in range(after) if found.own[lag, e, r] > 1e-6}
    assert parts._most_likeness == pytest.approx(max(abs(parts.likeness(e, r)) for e, r in there))


def test_overlaps_have_the_moments_of_a_point_of_a_sphere():
    """A component of a unit vector in N dimensions has the variance 1/N and the fourth moment 3/(N (N + 2))."""
    N, h = 20, 1e-1
    log = np.log(Overlap(0.0, 1 / N, (N + 2) / 3).characteristic(np.array([h, 2 * h])).real)
    fourth = (log[1] - 4 * log[0]) / ((16 - 4) * h**4) * 24  # cumulants: −κ₂ω²/2 + κ₄ω⁴/24
    assert fourth == pytest.approx(3 / (N * (N + 2)) - 3 / N**2, rel=0.02)


def test_what_a_unit_sees_of_a_key_has_the_right_mean_and_variance():
    store = as_store(30, 50, storage(1, 0.2), 10, 2.0)
    A, weights = energies(store)
    keys = np.random.default_rng(0).standard_normal((50_000, 50))
    keys *= 2 / np.linalg.norm(keys, axis=1, keepdims=True)
    seen = (keys[:, :10] ** 2).sum(axis=1) / 0.2
    assert A @ weights == pytest.approx(seen.mean(), rel=0.01)
    assert (A**2) @ weights == pytest.approx((seen**2).mean(), rel=0.02)


@pytest.mark.parametrize("k", [1, 3])
def test_as_many_winners_as_units(k):
    found = predict_recency(k, 50, storage(k), 4, key_length=3.0)
    assert np.isfinite(found.values).all()
    assert found.values[1:] == pytest.approx(np.full(3, 0.5), abs=1e-3)  # all is overwritten
    assert found.values[0] == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        ({"n_hidden": 0}, ValueError, "n_hidden"),
        ({"n_hidden": 2}, ValueError, "n_hidden must be at least k = 3"),
        ({"n_hidden": 5}, ValueError, "n_hidden must be at least 8 for this theory"),
        ({"key_dim": 0}, ValueError, "key_dim"),
        ({"context_length": 2.5}, TypeError, "context_length"),
        ({"key_length": -1.0}, ValueError, "key_length"),
        ({"key_length": 20.0}, ValueError, "key_length must be at most 7.07 for this theory"),
        ({"storage": "winner"}, TypeError, "storage must be Winners"),
        ({"storage": sf.Winners(reading="winners")}, ValueError, "storage.reading must be 'all'"),
        ({"storage": sf.Winners(masks="shared")}, ValueError, "storage.masks must be 'own'"),
        ({"storage": sf.Winners(start="random")}, ValueError, "storage.start must be 'zero'"),
        ({"storage": sf.Winners(address="own")}, ValueError, "random units"),
    ],
)
def test_wrong_arguments_are_named(changed, error, message):
    arguments = {"n_hidden": 60, "key_dim": 50, "storage": sf.Winners(), "context_length": 20, "key_length": 3.0}
    with pytest.raises(error, match=message):
        predict_recency(**(arguments | changed))
