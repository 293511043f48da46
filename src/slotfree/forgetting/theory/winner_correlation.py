"""How alike winners are: hidden units that won together have stored the same patterns.

ρ is the correlation of two hidden units' weights to a visible unit to which both are connected. It rises when both
win, since both then learn the same, and falls when one of them wins alone:

    ρ → (1 − ε)² ρ + 1 − (1 − ε)²    both win,        ρ → (1 − ε) ρ    one wins
"""

import math
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
N_STEPS = 200  # in which wins after storing are followed


@dataclass(frozen=True)
class Correlation:
    """Mean correlation ρ of two units' weights: of any two, and of two that win with the same cue.

    The likeness of winners, ρ k_h f, is the variance of a visible unit's drive that they share, relative to the rest.


    Attributes
    ----------
    any_two, winners, likeness : means of ρ, and the likeness.
    of_drives : ρ_h/ρ, the correlation of drives relative to that of weights.
    drive : mean and variance of a winner's drive, in standard deviations of all drives.
    """

    any_two: float
    winners: float
    likeness: float
    of_drives: float
    drive: tuple[float, float]


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
        return Correlation(alike, alike, alike * k_h * f, alike, (0.0, 1.0))
    w_mean, w_variance = mean_and_variance(state.units @ state.density, WEIGHTS)
    of_drives = float(f * w_variance / (w_variance + (1 - f) * w_mean**2))
    rho_h = np.minimum(of_drives * LEVELS, 0.999)
    theta = -special.ndtri(k_h / n_h)
    zeta = np.exp(-(theta**2) / 2) / np.sqrt(2 * np.pi) * n_h / k_h
    lost = min(zeta * (zeta - theta), 1.0)
    width = np.sqrt(1 - rho_h**2 * lost)
    both, one = _steps((1 - eps) ** 2 * LEVELS + 1 - (1 - eps) ** 2), _steps((1 - eps) * LEVELS)

    share, reached, Q = np.zeros((3, N_LEVELS))
    share[0] = 1.0
    mean = rho_h * zeta
    for _ in range(ROUNDS):
        above_threshold(mean, width, share, (k_h - 1) / (n_h - 1), 10 + float(mean.max()), Q)
        stationary(Q[:, None] * both + 2 * (1 - Q)[:, None] * one, reached)
        share = 0.5 * (share + reached)
    winners = float(share * Q @ LEVELS / (share @ Q))
    any_two = float(share @ LEVELS)
    return Correlation(any_two, winners, winners * k_h * f, of_drives, (float(zeta), float(1 - lost)))


def won_together(settings: KWinnerSettings, correlation: Correlation, ages: Floats) -> Floats:
    """Return the correlation, of two units that stored the same pattern, of how often they have won since, by age.

    At a win of one the other wins with probability Q(ρ) instead of p = k_h/n_h, so that their wins have the correlation
    (Q − p)/(1 − p). Having stored the pattern, they are alike, and become less so as they win apart:

        dρ/da = p Q ((1 − ε)² ρ + 1 − (1 − ε)² − ρ) − 2 p (1 − Q) ε ρ
    """
    p, eps, (zeta, left) = settings.k_hidden / settings.n_hidden, settings.learning_rate, correlation.drive
    if settings.k_hidden in (1, settings.n_hidden):
        return np.zeros_like(ages)

    def moments(rho: float) -> tuple[float, float]:
        rho_h = min(correlation.of_drives * rho, 0.999)
        return rho_h * zeta, math.sqrt(1 - rho_h**2 * (1 - left))

    usual, width = moments(correlation.any_two)
    theta = usual - special.ndtri(p) * width
    both = 1 - (1 - eps) ** 2
    times = np.concatenate([[0.0], np.geomspace(0.01, 10 / (p * eps), N_STEPS)])
    rho, total, totals = (1 - both) * correlation.winners + both, 0.0, [0.0]
    for step in np.diff(times).tolist():
        mean, width = moments(rho)
        together = 0.5 * math.erfc((theta - mean) / (width * math.sqrt(2)))
        total += step * max(together - p, 0.0) / (1 - p)
        totals.append(total)
        rate = p * together * both + 2 * p * (1 - together) * eps  # of the decay of ρ to its mean at this Q
        rho = max(p * together * both / rate + (rho - p * together * both / rate) * math.exp(-rate * step), 0.0)
    since: Floats = np.asarray(ages, float) - 1
    return np.interp(since, times, totals) / np.maximum(since, 1e-9) * (since > 0)


def _steps(to: Floats) -> Floats:
    """Return the matrix that takes each level of ρ to another value, shared between the two nearest levels."""
    place = np.clip(to, 0, 1) * (N_LEVELS - 1)
    below = np.minimum(place.astype(np.int64), N_LEVELS - 2)
    rows = np.arange(N_LEVELS)
    K = np.zeros((N_LEVELS, N_LEVELS))
    np.add.at(K, (rows, below), 1 - (place - below))
    np.add.at(K, (rows, below + 1), place - below)
    return K
