"""Exponential tilts of densities on a grid of weights, by Newton's method, and what moves densities on a grid.

A tilt multiplies a density by e^{λw}. It is what a large (or small) sum of many independent weights does to them: given
the sum, each is distributed as under the tilt with that mean.
"""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.elementary import exp_of
from slotfree.kernels.compile import lean

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

STEPS = 60
LARGEST = 40.0  # of λ: e^40 leaves nothing but the largest weight


@lean
def newton(x: float, error: float, slope: float, low: float, high: float) -> float:
    """One step of Newton's method towards a root between low and high; half the way to a bound it would pass."""
    to = x + error / max(slope, 1e-12)
    if to <= low:
        return (x + low) / 2
    return (x + high) / 2 if to >= high else to


@lean
def tilt_to_means(densities: Floats, w: Floats, means: Floats, out: Floats) -> None:
    """out[i, p] ∝ densities[i] · e^{ηw}, normalised, with the mean means[i, p]."""
    for i in range(means.shape[0]):
        for p in range(means.shape[1]):
            tilted, mean_wanted = out[i, p], means[i, p]
            eta, low, high = 0.0, -20 * LARGEST, 20 * LARGEST
            for _ in range(STEPS):
                top = eta if eta > 0 else 0.0
                for j in range(w.size):
                    tilted[j] = densities[i, j] * exp_of(eta * w[j] - top)
                z = z1 = z2 = 0.0
                for j in range(w.size):
                    e = tilted[j]
                    z += e
                    z1 += e * w[j]
                    z2 += e * w[j] * w[j]
                mean = z1 / z
                if abs(mean - mean_wanted) < 1e-10:
                    break
                if mean < mean_wanted:
                    low = eta
                else:
                    high = eta
                eta = newton(eta, mean_wanted - mean, z2 / z - mean * mean, low, high)
            total = 0.0
            for j in range(w.size):
                total += tilted[j]
            for j in range(w.size):
                tilted[j] /= total


@lean
def tilt_winners(phi: Floats, w: Floats, m: float, n_v: float, k: float, drive: Floats, p: Floats, p_0: Floats) -> None:
    """p[i, j], the probability that an input of weight w[j] is active when a unit of class i has the drive drive[i].

    p = logistic(α + λw) for the m inputs, p_0 = logistic(α) for the n_v − m units that are no inputs, and α, λ such
    that k units are active and the mean drive is as given.
    """
    for i in range(drive.size):
        alpha, lam = np.log(k / (n_v - k)), 0.0
        for _ in range(STEPS):
            p_0[i] = 1 / (1 + exp_of(-alpha))
            v = (n_v - m) * p_0[i] * (1 - p_0[i])
            g_0, g_1, v_00, v_01, v_11 = (n_v - m) * p_0[i] - k, -drive[i], v, 0.0, 0.0
            for j in range(w.size):
                p[i, j] = 1 / (1 + exp_of(-alpha - lam * w[j]))
            for j in range(w.size):
                q = p[i, j] * m * phi[i, j]
                g_0 += q
                g_1 += q * w[j]
                v = q * (1 - p[i, j])
                v_00 += v
                v_01 += v * w[j]
                v_11 += v * w[j] * w[j]
            det = max(v_00 * v_11 - v_01 * v_01, 1e-12 * v_00 * max(v_11, 1e-9))
            if not det > 0:  # no unit is in doubt any more
                break
            d_alpha = -(v_11 * g_0 - v_01 * g_1) / det
            d_lam = -(v_00 * g_1 - v_01 * g_0) / det
            scale = min(1.0, 4 / max(abs(d_lam), 1e-12), 2 / max(abs(d_alpha), 1e-12))
            alpha += scale * d_alpha
            lam = min(max(lam + scale * d_lam, -LARGEST), LARGEST)
            if abs(d_alpha) + abs(d_lam) < 1e-8:
                break


@lean
def tilt_connections(density: Floats, w: Floats, drive: Floats, out: Floats) -> None:
    """out[i] ∝ density[i] · e^{λ_i w} with the mean drive[i] over units, those without the connection (w = 0) included.

    density[i] sums to the probability of a connection; the rest is the probability of none.
    """
    for i in range(drive.size):
        lam, low, high, z = 0.0, -LARGEST, LARGEST, 1.0
        connected = 0.0
        for j in range(w.size):
            connected += density[i, j]
        none = max(1 - connected, 0.0)
        for _ in range(STEPS):
            for j in range(w.size):
                out[i, j] = density[i, j] * exp_of(lam * w[j])
            z, z1, z2 = none, 0.0, 0.0
            for j in range(w.size):
                e = out[i, j]
                z += e
                z1 += e * w[j]
                z2 += e * w[j] * w[j]
            mean = z1 / z
            if abs(mean - drive[i]) < 1e-10:
                break
            if mean < drive[i]:
                low = lam
            else:
                high = lam
            lam = newton(lam, drive[i] - mean, z2 / z - mean * mean, low, high)
        for j in range(w.size):
            out[i, j] /= z


@lean
def learn(eps: float, active: Floats, densities: Floats) -> None:
    """densities[r], of weights equally spaced from 0 to 1, become those of densities[0] after r wins.

    A win takes w to (1 − ε)w + εx, with x = 1 with probability active(w). What comes to lie between two weights of the
    grid is shared between them.
    """
    n = active.size
    for r in range(densities.shape[0] - 1):
        before, after = densities[r], densities[r + 1]
        for j in range(n):
            after[j] = 0.0
        for j in range(n):
            for x in range(2):
                mass = before[j] * (active[j] if x else 1 - active[j])
                place = ((1 - eps) * (j / (n - 1)) + eps * x) * (n - 1)
                below = min(int(place), n - 2)
                after[below] += mass * (1 - (place - below))
                after[below + 1] += mass * (place - below)


@lean
def stretch(
    p: Floats, which: Integers, middle: Floats, to: Floats, scale: Floats, rows: Integers, shares: Floats, out: Floats
) -> None:
    """Add to out[rows[i]] a share of the probabilities p[which[i]] of the places 0, 1, …, moved by ``place_of``.

    If a place is not a number, all of its row of out are NaN.
    """
    for i in range(rows.size):
        here, there = p[which[i]], out[rows[i]]
        for n in range(p.shape[1]):
            place = place_of(n, middle[i], to[i], scale[i], p.shape[1] - 1)
            if np.isnan(place):
                for m in range(there.size):
                    there[m] = np.nan
                break
            below = int(place)
            moved = shares[i] * here[n]
            there[below] += moved * (1 - (place - below))
            there[below + 1] += moved * (place - below)


@lean
def means_of_stretched(
    p: Floats,
    which: Integers,
    middle: Floats,
    to: Floats,
    scale: Floats,
    rows: Integers,
    f: Floats,
    x: Floats,
    out: Floats,
) -> None:
    """out[j, i] = Σ_n f_n x_nʲ, j = 0, 1, 2, with f = f[rows[i]], over probabilities p[which[i]], moved likewise."""
    for i in range(rows.size):
        here, value = p[which[i]], f[rows[i]]
        sum_f = sum_fx = sum_fxx = 0.0
        for n in range(p.shape[1]):
            place = place_of(n, middle[i], to[i], scale[i], p.shape[1] - 1)
            if np.isnan(place):
                sum_f = sum_fx = sum_fxx = np.nan
                break
            below = int(place)
            low, high = (1 - (place - below)) * value[below], (place - below) * value[below + 1]
            sum_f += here[n] * (low + high)
            sum_fx += here[n] * (low * x[below] + high * x[below + 1])
            sum_fxx += here[n] * (low * x[below] ** 2 + high * x[below + 1] ** 2)
        out[0, i], out[1, i], out[2, i] = sum_f, sum_fx, sum_fxx


@lean
def place_of(n: int, middle: float, to: float, scale: float, last: int) -> float:
    """Where n moves, to + scale (n − middle): not below the first place, and below the last; it may be NaN."""
    return min(max(to + scale * (n - middle), 0.0), last - 1e-9)
