"""What a random cue does to hidden units: the drives it gives them, and which inputs of the winners it activates.

Symbols as in the steady state: w a weight, φ(w) its density, h = Σ w_j x_j the drive, m connections of a hidden unit.
"""

import numpy as np

from slotfree.forgetting.theory.drive_distribution import N_WEIGHTS, WEIGHTS, Floats, Lattice, from_transforms
from slotfree.forgetting.theory.limits import check_consistent
from slotfree.kernels.theory.characteristic_functions import random_sums
from slotfree.kernels.theory.exponential_tilts import tilt_winners
from slotfree.memory.kwinner import KWinnerSettings


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
    transforms = np.empty((len(density), len(t)), np.complex128)
    random_sums(s, w - c, numbers, c * ones, t, lattice.blur, lattice.low, transforms)
    return lattice, from_transforms(transforms)


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
