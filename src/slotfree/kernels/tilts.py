"""Exponential tilts of densities on a grid of weights, by Newton's method, and the counting of wins over ages.

A tilt multiplies a density by e^{λw}. It is what a large (or small) sum of many independent weights does to them: given
the sum, each is distributed as under the tilt with that mean.
"""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.compile import kernel, part

Floats = NDArray[np.float64]

STEPS = 60
LARGEST = 40.0  # of λ: e^40 leaves nothing but the largest weight


@kernel
def newton(x: float, error: float, slope: float, low: float, high: float) -> float:
    """One step of Newton's method towards a root between low and high; half the way to a bound it would pass."""
    to = x + error / max(slope, 1e-12)
    if to <= low:
        return (x + low) / 2
    return (x + high) / 2 if to >= high else to


@kernel
def tilt_to_means(density: Floats, w: Floats, means: Floats, out: Floats) -> None:
    """out[i] ∝ density · e^{η_i w}, normalised, with the mean means[i]."""
    for i in range(means.size):
        eta, low, high = 0.0, -20 * LARGEST, 20 * LARGEST
        for _ in range(STEPS):
            top = eta if eta > 0 else 0.0
            z = z1 = z2 = 0.0
            for j in range(w.size):
                e = density[j] * np.exp(eta * w[j] - top)
                out[i, j] = e
                z += e
                z1 += e * w[j]
                z2 += e * w[j] * w[j]
            mean = z1 / z
            if abs(mean - means[i]) < 1e-10:
                break
            if mean < means[i]:
                low = eta
            else:
                high = eta
            eta = newton(eta, means[i] - mean, z2 / z - mean * mean, low, high)
        total = 0.0
        for j in range(w.size):
            total += out[i, j]
        for j in range(w.size):
            out[i, j] /= total


@kernel
def tilt_each_to_means(densities: Floats, w: Floats, means: Floats, out: Floats) -> None:
    """out[i, p] ∝ densities[i] · e^{ηw}, normalised, with the mean means[i, p]."""
    for i in range(densities.shape[0]):
        tilt_to_means(densities[i], w, means[i], out[i])


@kernel
def tilt_winners(phi: Floats, w: Floats, m: float, n_v: float, k: float, drive: Floats, p: Floats, p_0: Floats) -> None:
    """p[i, j], the probability that an input of weight w[j] is active when a unit of class i has the drive drive[i].

    p = logistic(α + λw) for the m inputs, p_0 = logistic(α) for the n_v − m units that are no inputs, and α, λ such
    that k units are active and the mean drive is as given.
    """
    for i in range(drive.size):
        alpha, lam = np.log(k / (n_v - k)), 0.0
        for _ in range(STEPS):
            p_0[i] = 1 / (1 + np.exp(-alpha))
            v = (n_v - m) * p_0[i] * (1 - p_0[i])
            g_0, g_1, v_00, v_01, v_11 = (n_v - m) * p_0[i] - k, -drive[i], v, 0.0, 0.0
            for j in range(w.size):
                q = 1 / (1 + np.exp(-alpha - lam * w[j]))
                p[i, j] = q
                q *= m * phi[i, j]
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


@kernel
def tilt_connections(density: Floats, w: Floats, drive: Floats, out: Floats) -> None:
    """out[i] ∝ density[i] · e^{λ_i w} with the mean drive[i] over units, those without the connection (w = 0) included.

    density[i] sums to the probability of a connection; the rest is the probability of none.
    """
    for i in range(drive.size):
        lam, low, high = 0.0, -LARGEST, LARGEST
        none = max(1 - density[i].sum(), 0.0)
        for _ in range(STEPS):
            z, z1, z2 = none, 0.0, 0.0
            for j in range(w.size):
                e = density[i, j] * np.exp(lam * w[j])
                out[i, j] = e
                z += e
                z1 += e * w[j]
                z2 += e * w[j] * w[j]
            mean = z1 / z
            for j in range(w.size):
                out[i, j] /= z
            if abs(mean - drive[i]) < 1e-10:
                break
            if mean < drive[i]:
                low = lam
            else:
                high = lam
            lam = newton(lam, drive[i] - mean, z2 / z - mean * mean, low, high)


@kernel
def count_wins(stay: Floats, once: Floats, twice: Floats, start: Floats, steps: NDArray[np.int64], out: Floats) -> None:
    """Follow classes of units through time: out[s, r, a, i] is the mass of class i with r wins after steps[s] steps.

    It begins as start[a, i], with r = 0. In a step a unit of class i stays what it is with probability stay[i], or goes
    to class j with one win, once[i, j], or two, twice[i, j]. The last r stands for itself and all beyond.
    """
    last, n_starts, n = out.shape[1] - 1, start.shape[0], start.shape[1]
    mass = np.zeros((last + 3, n_starts, n))
    moves = np.empty((n, 2 * n))
    for i in range(n):
        for j in range(n):
            moves[i, j], moves[i, n + j] = once[i, j], twice[i, j]
    for a in range(n_starts):
        for i in range(n):
            mass[0, a, i] = start[a, i]
    flow = np.empty(((last + 1) * n_starts, 2 * n))
    done = reached = 0
    for s in range(steps.size):
        for _ in range(done, steps[s]):
            rows = (reached + 1) * n_starts
            np.dot(mass[: reached + 1].reshape((rows, n)), moves, flow[:rows])
            for r in range(reached, -1, -1):
                for a in range(n_starts):
                    for i in range(n):
                        mass[r, a, i] *= stay[i]
                        mass[r + 1, a, i] += flow[r * n_starts + a, i]
                        mass[r + 2, a, i] += flow[r * n_starts + a, n + i]
            for a in range(n_starts):
                for i in range(n):
                    mass[last, a, i] += mass[last + 1, a, i] + mass[last + 2, a, i]
                    mass[last + 1, a, i] = mass[last + 2, a, i] = 0.0
            reached = min(reached + 2, last)
            if mass_before(mass, last) < 1e-9:
                break
        done = steps[s]
        for r in range(last + 1):
            for a in range(n_starts):
                for i in range(n):
                    out[s, r, a, i] = mass[r, a, i]


@part
def mass_before(mass: Floats, last: int) -> float:
    """The mass with fewer than ``last`` wins."""
    total = 0.0
    for r in range(last):
        for a in range(mass.shape[1]):
            for i in range(mass.shape[2]):
                total += mass[r, a, i]
    return total


@kernel
def stretch(p: Floats, middle: Floats, to: Floats, scale: Floats, out: Floats) -> None:
    """out[i] gets the probabilities p[i] of the places 0, 1, … moved from n to to[i] + scale[i] (n − middle[i]).

    What would be moved beyond the first or the last place stays there. If a place is not a number, all out[i] are NaN.
    """
    last = p.shape[1] - 1
    out[:] = 0
    for i in range(p.shape[0]):
        for n in range(last + 1):
            place = min(max(to[i] + scale[i] * (n - middle[i]), 0.0), last - 1e-9)
            if not 0 <= place < last:
                out[i] = np.nan
                break
            below = int(place)
            out[i, below] += p[i, n] * (1 - (place - below))
            out[i, below + 1] += p[i, n] * (place - below)
