"""How alike winners are: hidden units that won together have stored the same patterns.

ρ is the correlation of two hidden units' weights to a visible unit to which both are connected. It rises when both
win, since both then learn the same, and falls when one of them wins alone:

    ρ → (1 − ε)² ρ + 1 − (1 − ε)²    both win,        ρ → (1 − ε) ρ    one wins
"""

from dataclasses import dataclass

import numpy as np
from scipy import special

from slotfree.forgetting.theory.drive_distribution import WEIGHTS, Floats, mean_and_variance
from slotfree.forgetting.theory.steady_state import SteadyState
from slotfree.kernels.theory.strength_classes import stationary
from slotfree.kernels.theory.threshold import above_threshold
from slotfree.memory.kwinner import KWinnerSettings

N_LEVELS = 33
LEVELS: Floats = np.linspace(0, 1, N_LEVELS)
ROUNDS = 12


@dataclass(frozen=True)
class Correlation:
    """Mean correlation ρ of two units' weights: of any two, and of two that win with the same cue.

    The likeness of winners, ρ k_h f, is the variance of a visible unit's drive that they share, relative to the rest.
    """

    any_two: float
    winners: float
    likeness: float


def winner_correlation(settings: KWinnerSettings, state: SteadyState) -> Correlation:
    """Solve for the stationary distribution of ρ and return its means.

    The drives of two units to a random pattern have the correlation ρ_h = f ρ Var(w) / (E w² − f (E w)²). A winner has
    a drive z (in standard deviations) of mean ζ and variance v, so that the other wins with probability

        Q(ρ) = Φ((ρ_h ζ − θ) / √(1 − ρ_h² (1 − v))).

    The threshold θ follows the drive that all units share, such that a winner has k_h − 1 companions: E Q = (k_h − 1) /
    (n_h − 1).
    """
    n_h, k_h, eps = settings.n_hidden, settings.k_hidden, settings.learning_rate
    f = settings.n_connections / settings.n_visible
    if k_h == 1 or k_h == n_h:
        alike = float(k_h > 1)
        return Correlation(alike, alike, alike * k_h * f)
    w_mean, w_variance = mean_and_variance(state.units @ state.density, WEIGHTS)
    rho_h = np.minimum(f * LEVELS * w_variance / (w_variance + (1 - f) * w_mean**2), 0.999)
    theta = -special.ndtri(k_h / n_h)
    zeta = np.exp(-(theta**2) / 2) / np.sqrt(2 * np.pi) * n_h / k_h
    width = np.sqrt(1 - rho_h**2 * min(zeta * (zeta - theta), 1.0))
    both, one = _steps((1 - eps) ** 2 * LEVELS + 1 - (1 - eps) ** 2), _steps((1 - eps) * LEVELS)

    share, reached, Q = np.zeros((3, N_LEVELS))
    share[0] = 1.0
    mean = rho_h * zeta
    for _ in range(ROUNDS):
        above_threshold(mean, width, share, (k_h - 1) / (n_h - 1), 10 + float(mean.max()), Q)
        stationary(Q[:, None] * both + 2 * (1 - Q)[:, None] * one, reached)
        share = 0.5 * (share + reached)
    winners = float(share * Q @ LEVELS / (share @ Q))
    return Correlation(float(share @ LEVELS), winners, winners * k_h * f)


def _steps(to: Floats) -> Floats:
    """Return the matrix that takes each level of ρ to another value, shared between the two nearest levels."""
    place = np.clip(to, 0, 1) * (N_LEVELS - 1)
    below = np.minimum(place.astype(np.int64), N_LEVELS - 2)
    rows = np.arange(N_LEVELS)
    K = np.zeros((N_LEVELS, N_LEVELS))
    np.add.at(K, (rows, below), 1 - (place - below))
    np.add.at(K, (rows, below + 1), place - below)
    return K
