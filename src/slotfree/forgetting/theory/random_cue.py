"""What a random cue does to hidden units: the drives it gives them, and which inputs of the winners it activates.

Symbols as in the steady state: w a weight, φ(w) its density, h = Σ w_j x_j the drive, m connections of a hidden unit.
"""

from functools import cache, lru_cache

import numpy as np

from slotfree.forgetting.theory.drive_distribution import (
    N_WEIGHTS,
    WEIGHTS,
    Complexes,
    Floats,
    Lattice,
    cosines_and_sines,
    from_transforms,
)
from slotfree.forgetting.theory.limits import check_consistent
from slotfree.kernels.theory.characteristic_functions import LEAST, N_ANGLES, add_power, logarithms, look_up
from slotfree.kernels.theory.exponential_tilts import tilt_winners
from slotfree.memory.kwinner import KWinnerSettings

STRIDE = 8  # of the weights that are looked at first
ANGLES: Floats = 2 * np.pi / N_ANGLES * (np.arange(N_ANGLES + 3, dtype=np.float64) - 1)  # of a table over the circle


@cache
def _circle() -> tuple[Floats, Floats]:
    """Return cos and sin of the angles."""
    return cosines_and_sines(ANGLES)


@lru_cache
def _logarithms(s: float, sign: float) -> tuple[Floats, Floats]:
    """Return log(1 − s + s e^{±ia}), its real and its imaginary part, for the angles; asked for many times."""
    size, angle = np.empty((2, len(ANGLES)))
    cos, sin = _circle()
    logarithms(1 - s + s * cos, sign * s * sin, 1.0, size, angle)
    return size, angle


def random_cue_drives(
    settings: KWinnerSettings, ones: int, density: Floats, units: Floats, high: float = 0.0
) -> tuple[Lattice, Floats]:
    """Return the drives that a random cue with k ones gives to hidden units: a lattice, and probabilities by class.

    Each visible unit is taken to be active with probability s = k/n_v, independently. That exactly k are active is
    accounted for by writing h = ck + Σ_j x_j (w_j − c) over all visible units j (w_j = 0 where there is no connection):
    with c the mean of w_j, the variance is exact.

        log E e^{iht} = ickt + m ∫ φ(w) log(1 − s + s e^{i(w − c)t}) dw + (n_v − m) log(1 − s + s e^{−ict})

    Parameters
    ----------
    ones : k, the ones of the cue.
    density, units : density of the weights of each class of hidden units, and the class's share of the units.
    high : a drive that the lattice must reach.
    """
    n_v, m = settings.n_visible, settings.n_connections
    s = ones / n_v
    w_mean = density @ WEIGHTS
    c = m / n_v * float(units @ w_mean)
    centre = c * ones + s * (m * (w_mean - c) - (n_v - m) * c)
    width = np.sqrt(s * (1 - s) * (m * density @ (WEIGHTS - c) ** 2 + (n_v - m) * c * c)) + 1e-9
    lattice = Lattice(float((centre - 8 * width).min()), max(float((centre + 11 * width).max()), high))
    t = lattice.t
    check_consistent(bool(np.isfinite(t[-1])), "gives no finite numbers")
    w, numbers = np.zeros(N_WEIGHTS + 1), np.empty((len(density), N_WEIGHTS + 1))
    w[1:] = WEIGHTS
    numbers[:, 0], numbers[:, 1:] = n_v - m, m * density
    return lattice, from_transforms(random_sums(s, w - c, numbers, c * ones, t, lattice.blur, lattice.low))


def random_sums(s: float, w: Floats, numbers: Floats, mean: float, t: Floats, blur: float, low: float) -> Complexes:
    """Return E e^{−i(h − low)t}, (i, t), for sums h of weights that count with probability s, with Gaussian noise.

        log E e^{iht} = i mean t + Σ_j numbers[i, j] log(1 − s + s e^{i w_j t})

    The logarithm is continuous in t for any s. It comes from a table over the circle, with cubic interpolation. w and t
    must be finite; whatever they are, the place in the table is within it, since it goes around the circle. No weight
    makes the absolute value larger: where some of the weights show that it is as good as 0 for all i, the others are
    left out.
    """
    turn = s > 0.5  # then e^{ia} is taken out of the logarithm, which so stays on its main branch
    size, angle = _logarithms(1 - s, -1.0) if turn else _logarithms(s, 1.0)

    def looked_up(w: Floats, t: Floats) -> tuple[Floats, Floats]:
        re, im = np.empty((2, len(w), len(t)))
        look_up(size, angle, w, t, re, im)
        return re, im

    bound = numbers[:, ::STRIDE] @ looked_up(w[::STRIDE].copy(), t)[0] - 0.5 * (blur * t) ** 2
    places = np.flatnonzero((bound > LEAST).any(axis=0))
    re, im = (np.repeat((numbers @ part)[:, None], 2, axis=1) for part in looked_up(w, t[places]))
    whole = numbers @ w if turn else np.zeros(len(numbers))
    x, y = np.zeros((2, len(numbers), len(places)))
    for i in range(len(numbers)):
        add_power(1.0, re[i], im[i], 1.0, t[places], blur, low - mean - whole[i], x[i], y[i])
    out = np.zeros((len(numbers), len(t)), np.complex128)
    out.real[:, places], out.imag[:, places] = x, y
    return out


def active_inputs_of_winners(
    settings: KWinnerSettings, ones: int, density: Floats, drive: Floats
) -> tuple[Floats, Floats]:
    """Return P(x = 1 | w, win) = logistic(α + λw) by class, and the same for visible units that are not connected.

    α and λ are such that the cue has its number of ones, and that the mean drive of the winners is as given.
    """
    active, elsewhere = np.empty_like(density), np.empty(len(density))
    n_v, m = settings.n_visible, settings.n_connections
    tilt_winners(density, WEIGHTS, float(m), float(n_v), float(ones), drive, active, elsewhere)
    return active, elsewhere
