"""Each kernel of the prediction against plain NumPy, or against what defines it."""

import numpy as np
import pytest

from slotfree.forgetting.theory.random_cue import random_sums
from slotfree.kernels.theory.characteristic_functions import connected_sums
from slotfree.kernels.theory.counted_wins import count_wins
from slotfree.kernels.theory.exponential_tilts import (
    learn,
    means_of_stretched,
    stretch,
    tilt_connections,
    tilt_to_means,
    tilt_winners,
)

W = np.linspace(0, 1, 33)


@pytest.fixture
def densities():
    p = np.random.default_rng(0).random((4, W.size))
    p[0, 1:] *= 1e-3  # nearly all weights 0
    p[1, 1:-1] = 0.0  # nothing but 0 and 1
    return p / p.sum(axis=1, keepdims=True)


def test_tilts_have_the_mean_asked_for(densities):
    means = np.array([0.01, 0.2, 0.5, 0.97])
    each = np.empty((len(densities), len(means), W.size))
    tilt_to_means(densities, W, np.tile(means, (len(densities), 1)), each)
    for density, out in zip(densities, each, strict=True):
        np.testing.assert_allclose(out.sum(axis=1), 1)
        np.testing.assert_allclose(out @ W, means, atol=1e-9)
        used = density > 0
        slope = np.diff(np.log(out[:, used] / density[used])) / np.diff(W[used])
        np.testing.assert_allclose(slope, slope[:, :1] * np.ones_like(slope), rtol=1e-6, atol=1e-6)


def test_winners_have_their_ones_and_their_drive(densities):
    m, n_v, k = 50.0, 1000.0, 100.0
    drive = 1.7 * m * k / n_v * (densities @ W)
    p, p_0 = np.empty_like(densities), np.empty(4)
    tilt_winners(densities, W, m, n_v, k, drive, p, p_0)
    np.testing.assert_allclose(m * (densities * p).sum(axis=1) + (n_v - m) * p_0, k)
    np.testing.assert_allclose(m * (densities * p) @ W, drive)
    assert (np.diff(p, axis=1) > 0).all()


def test_tilted_connections_have_their_drive(densities):
    share = 0.3 * densities
    drive = 0.6 * share @ W
    out = np.empty_like(share)
    tilt_connections(share, W, drive, out)
    np.testing.assert_allclose(out @ W, drive, atol=1e-9)
    assert (out.sum(axis=1) < share.sum(axis=1)).all()


def test_counted_wins_are_those_of_single_steps():
    rng = np.random.default_rng(1)
    K = rng.random((3, 3))
    K /= K.sum(axis=1, keepdims=True)
    once, twice = np.array([0.1, 0.2, 0.05]), np.array([0.01, 0.02, 0.0])
    start, steps = np.array([[0.5, 0.2, 0.3], [0.1, 0.0, 0.9]]), np.array([0, 1, 7, 40])
    out, rows = np.empty((len(steps), 5, 2, 3)), np.zeros((2, 3, 18))
    moves = (1 - once - twice, once[:, None] * K, twice[:, None] * (K @ K))
    assert count_wins(*moves, start, steps, 0.0, *rows, out) == 4
    left = out[:, :-1, 0].sum(axis=(1, 2))
    assert count_wins(*moves, start, steps, (left[1] + left[2]) / 2, *(0 * rows), np.empty_like(out)) == 3, (
        "it ends with few left"
    )
    mass = np.zeros((5, 2, 3))
    mass[0] = start
    for t in range(41):
        for s in np.flatnonzero(steps == t):
            np.testing.assert_allclose(out[s], mass, atol=1e-11)
        new = mass * (1 - once - twice)
        for r in range(5):
            new[min(r + 1, 4)] += mass[r] * once @ K
            new[min(r + 2, 4)] += mass[r] * twice @ K @ K
        mass = new


def stretched(p, middle, to, scale):
    """p moved, as a row of its own."""
    out = np.zeros_like(p)
    stretch(
        p, np.zeros(1, int), np.array([middle]), np.array([to]), np.array([scale]), np.zeros(1, int), np.ones(1), out
    )
    return out


def test_stretched_probabilities_have_their_mean_and_spread():
    p = np.exp(-0.5 * ((np.arange(200) - 80) / 10) ** 2)[None]
    p /= p.sum()
    out = stretched(p, 80.0, 91.3, 0.5)
    mean = out[0] @ np.arange(200)
    assert out.sum() == pytest.approx(1)
    assert mean == pytest.approx(91.3)
    assert np.sqrt(out[0] @ np.arange(200) ** 2 - mean**2) == pytest.approx(5, rel=0.02)


def test_sums_over_stretched_probabilities_need_not_stretch_them():
    rng = np.random.default_rng(3)
    p, x = rng.random((2, 60)), rng.random(60)
    which, rows = np.array([1, 0, 1]), np.array([0, 1, 1])
    to, scale, middle, shares = np.array([20.0, 31.7, 55.0]), np.array([1.0, 0.4, 2.0]), np.full(3, 30.0), rng.random(3)
    f, sums, total = rng.random((2, 60)), np.empty((3, 3)), np.zeros((2, 60))
    means_of_stretched(p, which, middle, to, scale, rows, f, x, sums)
    stretch(p, which, middle, to, scale, rows, shares, total)
    moved = [stretched(p[[w]], *numbers)[0] for w, *numbers in zip(which, middle, to, scale, strict=True)]
    for power in range(3):
        expected = [one @ (f[row] * x**power) for one, row in zip(moved, rows, strict=True)]
        np.testing.assert_allclose(sums[power], expected)
    np.testing.assert_allclose(total, [shares[0] * moved[0], shares[1] * moved[1] + shares[2] * moved[2]])


@pytest.mark.parametrize("to", [np.nan, np.inf, -np.inf, 1e300, -1e300])
def test_what_is_stretched_beyond_the_lattice_stays_within_the_array(to):
    room, first, sums = np.full((3, 50), 7.0), np.zeros(1, int), np.empty((3, 1))
    room[1] = 0.0
    p, f, numbers = np.full((1, 50), 0.02), np.ones((1, 50)), (np.array([25.0]), np.array([to]), np.ones(1))
    stretch(p, first, *numbers, first, np.ones(1), room[1:2])
    means_of_stretched(p, first, *numbers, first, f, f[0], sums)
    assert (room[[0, 2]] == 7).all()
    assert np.isnan(room[1]).all() if np.isnan(to) else room[1].sum() == pytest.approx(1)
    assert np.isnan(sums).all() if np.isnan(to) else sums[:, 0].tolist() == pytest.approx([1, 1, 1])


@pytest.mark.parametrize("eps", [0.05, 0.3, 1.0])
def test_weights_learn_with_each_win(densities, eps):
    """The grid keeps means as they are: after a win the mean of w is (1 − ε)E w + εE x."""
    active = np.linspace(0.1, 0.6, W.size)
    for density in densities:
        after = np.empty((5, W.size))
        after[0] = density
        learn(eps, active, after)
        np.testing.assert_allclose(after.sum(axis=1), 1)
        np.testing.assert_allclose(after[1:] @ W, (1 - eps) * after[:-1] @ W + eps * after[:-1] @ active)
    assert (after[:, 0] > 0).all()


def test_winners_whose_drive_is_out_of_reach():
    """With all inputs certain, Newton's method would divide 0 by 0."""
    density = np.full((1, W.size), 1 / W.size)
    p, p_0 = np.empty_like(density), np.empty(1)
    tilt_winners(density, W, 1000.0, 1000.0, 700.0, np.zeros(1), p, p_0)
    assert ((p >= 0) & (p <= 1)).all()


@pytest.mark.parametrize("s", [0.1, 0.45, 0.8])
def test_characteristic_functions_of_random_sums(densities, s):
    """A few inputs, so that all t matter; and many, for which most sums are as good as 0."""
    t, w = np.linspace(0, 30, 40), W - 0.3
    logarithm = np.log(1 - s + s * np.exp(1j * np.outer(w, t)))
    logarithm.imag = np.unwrap(logarithm.imag, axis=1)
    for n_inputs in (1.0, 3.0, 500.0):
        out = random_sums(s, w, n_inputs * densities, 1.5, t, 0.1, -2.0)
        sums = np.exp(np.conj(n_inputs * densities @ logarithm) - 0.005 * t**2 - (2 + 1.5) * 1j * t)
        np.testing.assert_allclose(out, sums, atol=1e-6)
        assert (out[np.abs(sums) < 1e-12] == 0).all()


def test_characteristic_functions_of_connected_weights(densities):
    t, k = np.linspace(0, 30, 40), 7.0
    nodes = np.random.default_rng(2).random((2, 5, 2, 3, 1)) * densities[[2, 3, 2]]  # (age, popularity, whose, kind, w)
    Z = 1 + nodes @ (np.exp(1j * np.outer(W, t)) - 1)
    popular, returning = np.array([0.1, 0.2, 0.4, 0.2, 0.1]), np.array([[0.0, 1.0], [0.2, 0.3]])
    out = np.empty((2, 2, 3, t.size), complex)
    connected_sums(Z.real.copy(), Z.imag.copy(), popular, returning, k, t, 0.1, -2.0, np.empty((8, t.size)), out)
    share = returning[:, :, None, None, None]
    logs = k * (share * np.log(Z[:, None, :, 0]) + (1 - share) * np.log(Z[:, None, :, 1]))
    sums = np.einsum("p,anpdt->andt", popular, np.exp(np.conj(logs) - 0.005 * t**2 - 2j * t))
    np.testing.assert_allclose(out, sums, atol=1e-10)
