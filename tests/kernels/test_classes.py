"""Classes of hidden units against plain NumPy."""

import numpy as np

from slotfree.kernels.theory.exponential_tilts import tilt_winners
from slotfree.kernels.theory.strength_classes import inputs_of_classes, moves_of_classes, stationary, winners_of_classes

W = np.linspace(0, 1, 33)


def test_winners_and_their_drives():
    rng = np.random.default_rng(0)
    drive, chance, h = rng.random((4, 50)), rng.random(50), np.linspace(-1, 3, 50)
    drive /= drive.sum(axis=1, keepdims=True)
    drive[3] = 0.0  # a class that never wins
    win_rate, mean, variance = np.empty((3, 4))
    winners_of_classes(drive, chance, h, win_rate, mean, variance)
    np.testing.assert_allclose(win_rate[:3], drive[:3] @ chance)
    won = drive[:3] * chance / win_rate[:3, None]
    np.testing.assert_allclose(mean[:3], won @ h)
    np.testing.assert_allclose(variance[:3], won @ h**2 - mean[:3] ** 2)
    assert 0 < win_rate[3] < 1e-200
    assert mean[3] == variance[3] == 0


def test_inputs_of_winners():
    density = np.random.default_rng(1).random((3, W.size))
    density /= density.sum(axis=1, keepdims=True)
    m, n_v, k = 50.0, 1000.0, 100.0
    h, h_variance = 1.7 * m * k / n_v * (density @ W), np.array([0.0, 0.3, 2.0])
    p, p_0 = np.empty_like(density), np.empty(3)
    b, variance, slope = np.empty((3, 3))
    tilt_winners(density, W, m, n_v, k, h, p, p_0)
    inputs_of_classes(density, W, m, n_v, h_variance, p, p_0, b, variance, slope)
    np.testing.assert_allclose(b, m * (density * p).sum(axis=1))
    v = m * density * p * (1 - p)
    everywhere = v.sum(axis=1) + (n_v - m) * p_0 * (1 - p_0)
    covariance = v @ W - v.sum(axis=1) * (v @ W) / everywhere
    of_h, of_b = v @ W**2 - (v @ W) ** 2 / everywhere, v.sum(axis=1) - v.sum(axis=1) ** 2 / everywhere
    np.testing.assert_allclose(slope, covariance / of_h)
    np.testing.assert_allclose(variance, of_b - covariance**2 / of_h + slope**2 * h_variance)


def test_a_win_leads_to_the_class_of_the_new_strength():
    """With many classes, mean and variance of S after a win are those of (1 − ε)S + εb."""
    eps, strength = 0.3, np.linspace(2, 18, 400)
    inputs, variance = np.full(400, 9.0), np.full(400, 4.0)
    K = np.empty((400, 400))
    moves_of_classes(eps, strength, inputs, variance, K)
    np.testing.assert_allclose(K.sum(axis=1), 1)
    inner = slice(100, 300)
    mean = K @ strength
    np.testing.assert_allclose(mean[inner], (0.7 * strength + 0.3 * 9)[inner], rtol=1e-3)
    np.testing.assert_allclose((K @ strength**2 - mean**2)[inner], 0.3**2 * 4, rtol=1e-2)
    inputs[:], variance[:] = 40.0, 1e-9  # b far above all classes, and without variance
    moves_of_classes(eps, strength, inputs, variance, K)
    np.testing.assert_allclose(K.sum(axis=1), 1)


def test_stationary_distributions():
    rng = np.random.default_rng(2)
    K = rng.random((9, 9)) ** 6
    K /= K.sum(axis=1, keepdims=True)
    p = np.empty(9)
    stationary(K.copy(), p)
    np.testing.assert_allclose(p @ K, p, atol=1e-14)
    assert p.sum() == 1 or abs(p.sum() - 1) < 1e-14
    stationary(5 * (K - np.diag(np.diag(K))), p_of_rates := np.empty(9))  # rates: the diagonal does not count
    np.testing.assert_allclose(p_of_rates, p)
