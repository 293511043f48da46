"""Classes of hidden units by strength: who wins, with which inputs, and to which class a win leads."""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.elementary import exp_of, log_of
from slotfree.kernels.compile import lean

Floats = NDArray[np.float64]


@lean
def winners_of_classes(
    drive: Floats, chance: Floats, h: Floats, win_rate: Floats, mean: Floats, variance: Floats
) -> None:
    """How often units of each class i win, Σ_h drive_i(h) chance(h), and the mean and variance of h when they do."""
    for i in range(drive.shape[0]):
        total = first = second = 0.0
        for n in range(h.size):
            p = drive[i, n] * chance[n]
            total += p
            first += p * h[n]
            second += p * h[n] * h[n]
        win_rate[i] = max(total, 1e-300)
        mean[i] = first / win_rate[i]
        variance[i] = max(second / win_rate[i] - mean[i] * mean[i], 0.0)


@lean
def inputs_of_classes(
    density: Floats,
    w: Floats,
    m: float,
    n_v: float,
    h_variance: Floats,
    active: Floats,
    elsewhere: Floats,
    inputs: Floats,
    variance: Floats,
    slope: Floats,
) -> None:
    """The active inputs b of winners, by class: mean and variance of b, and its slope on h.

    active is P(x = 1 | w, win), and elsewhere that of units that are no inputs (``tilt_winners``).

    Given the drive, the inputs of a winner are independent but for their number k over all units and for h. So the
    variances of b and h, and their covariance, are those of independent inputs less what is fixed by k.
    """
    for i in range(inputs.size):
        b = v_b = v_h = v_hh = 0.0
        for j in range(w.size):
            q = m * density[i, j] * active[i, j]
            v = q * (1 - active[i, j])
            b += q
            v_b += v
            v_h += v * w[j]
            v_hh += v * w[j] * w[j]
        v_all = max(v_b + (n_v - m) * elsewhere[i] * (1 - elsewhere[i]), 1e-300)
        v_hh = max(v_hh - v_h * v_h / v_all, 1e-12)
        inputs[i], slope[i] = b, (v_h - v_b * v_h / v_all) / v_hh
        variance[i] = max(v_b - v_b * v_b / v_all + slope[i] * slope[i] * (h_variance[i] - v_hh), 1e-9)


@lean
def moves_of_classes(eps: float, strength: Floats, inputs: Floats, variance: Floats, out: Floats) -> None:
    """The probability that a win takes a unit from class i to j: S_j = (1 − ε) S_i + εb, b gamma distributed."""
    n = strength.size
    least = (0.3 * (strength[1] - strength[0]) / eps) ** 2  # narrower, it could fall between two classes
    for i in range(n):
        scale = max(variance[i], least) / inputs[i]
        top = -np.inf
        for j in range(n):
            b = max(strength[j] - (1 - eps) * strength[i], 1e-9) / eps
            out[i, j] = (inputs[i] / scale - 1) * log_of(b) - b / scale
            top = max(top, out[i, j])
        total = 0.0
        for j in range(n):
            out[i, j] = exp_of(out[i, j] - top) if out[i, j] - top > -690 else 1e-300
            total += out[i, j]
        for j in range(n):
            out[i, j] /= total


@lean
def stationary(rates: Floats, p: Floats) -> None:
    """The stationary distribution of a Markov chain with these rates from i to j ≠ i, which are overwritten.

    Classes are taken out one by one, from the last (Grassmann, Taksar and Heyman): nothing is subtracted.
    """
    n = p.size
    for i in range(n - 1, 0, -1):
        leaving = 1e-300
        for j in range(i):
            leaving += rates[i, j]
        for j in range(i):
            share = rates[j, i] / leaving
            rates[j, i] = share
            for a in range(i):
                rates[j, a] += share * rates[i, a]
    p[0] = total = 1.0
    for i in range(1, n):
        p[i] = 0.0
        for j in range(i):
            p[i] += p[j] * rates[j, i]
        total += p[i]
    for i in range(n):
        p[i] /= total
