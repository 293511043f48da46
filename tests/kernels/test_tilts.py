"""Each kernel of the prediction against plain NumPy, or against what defines it."""

import numpy as np
import pytest

from slotfree.kernels.characteristics import log_chosen, log_connected, weighted_sums
from slotfree.kernels.tilts import count_wins, stretch, tilt_connections, tilt_to_means, tilt_winners

W = np.linspace(0, 1, 33)


@pytest.fixture
def densities():
    p = np.random.default_rng(0).random((4, W.size))
    p[0, 1:] *= 1e-3  # nearly all weights 0
    p[1, 1:-1] = 0.0  # nothing but 0 and 1
    return p / p.sum(axis=1, keepdims=True)


def test_tilts_have_the_mean_asked_for(densities):
    means = np.array([0.01, 0.2, 0.5, 0.97])
    for density in densities:
        out = np.empty((len(means), W.size))
        tilt_to_means(density, W, means, out)
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
    start, steps = np.array([0.5, 0.2, 0.3]), np.array([0, 1, 7, 40])
    out = np.empty((len(steps), 5, 3))
    count_wins(start, once, twice, K, K @ K, steps, out)
    mass = np.zeros((5, 3))
    mass[0] = start
    for t in range(41):
        for s in np.flatnonzero(steps == t):
            np.testing.assert_allclose(out[s], mass, atol=1e-11)
        new = mass * (1 - once - twice)
        for r in range(5):
            new[min(r + 1, 4)] += mass[r] * once @ K
            new[min(r + 2, 4)] += mass[r] * twice @ K @ K
        mass = new


def test_stretched_probabilities_have_their_mean_and_spread():
    p = np.exp(-0.5 * ((np.arange(200) - 80) / 10) ** 2)[None]
    p /= p.sum()
    out = np.empty_like(p)
    stretch(p, np.array([80.0]), np.array([91.3]), np.array([0.5]), out)
    mean = out[0] @ np.arange(200)
    assert out.sum() == pytest.approx(1)
    assert mean == pytest.approx(91.3)
    assert np.sqrt(out[0] @ np.arange(200) ** 2 - mean**2) == pytest.approx(5, rel=0.02)


@pytest.mark.parametrize("s", [0.1, 0.45, 0.8])
def test_characteristic_functions(densities, s):
    t = np.linspace(0, 30, 40)
    waves = np.exp(1j * np.outer(W, t))
    logs = np.empty(waves.shape, complex)
    log_chosen(s, W, t, logs)
    np.testing.assert_allclose(np.exp(logs), 1 - s + s * waves, atol=1e-12)
    assert np.abs(np.diff(logs.imag, axis=1)).max() < 2  # no jumps by 2π

    sums = np.empty((4, len(t)), complex)
    weighted_sums(densities, logs, sums)
    np.testing.assert_allclose(sums, densities @ logs, atol=1e-12)

    connected = np.empty((4, len(t)), complex)
    log_connected(s * densities, waves.real.copy(), waves.imag.copy(), connected)
    np.testing.assert_allclose(np.exp(connected), 1 + s * densities @ (waves - 1), atol=1e-12)
