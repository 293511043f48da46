"""The steady state of a K-winner MHN that stores random patterns: its weights, and how often its units win.

Symbols: n_v, n_h units and k_v, k_h winners of the two layers; m = f n_v connections of a hidden unit; ε learning rate;
w a weight and φ(w) its density; S = Σ w, the strength of a unit; h = Σ w_j x_j, its drive; b, its active inputs.
"""

from dataclasses import dataclass, replace

import numpy as np

from slotfree.forgetting.theory.drive_distribution import (
    N_WEIGHTS,
    WEIGHTS,
    Floats,
    Lattice,
    tails,
    win_probability,
)
from slotfree.forgetting.theory.random_cue import active_inputs_of_winners, random_cue_drives
from slotfree.kernels.theory.exponential_tilts import learn, tilt_to_means
from slotfree.kernels.theory.strength_classes import inputs_of_classes, moves_of_classes, stationary, winners_of_classes
from slotfree.memory.kwinner import KWinnerSettings

N_CLASSES = 11
SPREAD = np.linspace(-3, 3, N_CLASSES)  # of the classes of strength, in standard deviations
EVENLY = np.linspace(0, 1, N_CLASSES)
SOLVED = 3e-4
MOST_ROUNDS = 60
FIRST_ROUNDS = 6  # in which swings are left alone: they may lead to the solution
LEAST_STEP = 0.125


@dataclass(frozen=True)
class SteadyState:
    """Hidden units in classes of strength, in a network that has stored very many random patterns.

    Attributes
    ----------
    strength : S_i of each class.
    units, wins : share of class i among the units, and among the wins: wins ∝ units · win_rate.
    win_rate : probability that a unit of class i wins.
    density : φ_i(w) on ``WEIGHTS``, by class.
    active : P(x = 1 | w, win) by class: strong connections help to win.
    inputs, inputs_variance : mean and variance of b, the active inputs at a win, by class.
    inputs_slope : how b grows with the drive at a win (all classes).
    after_win : probability that a win takes a unit from one class to another.
    settled : whether the rounds in which it was solved came to an end.
    lattice, drive, chance : drives h, their probabilities by class, and the probability to win with each.
    """

    strength: Floats
    units: Floats
    wins: Floats
    win_rate: Floats
    density: Floats
    active: Floats
    inputs: Floats
    inputs_variance: Floats
    inputs_slope: float
    after_win: Floats
    lattice: Lattice
    drive: Floats
    chance: Floats
    settled: bool = True


def steady_state(settings: KWinnerSettings) -> SteadyState:
    """Solve for the steady state, round by round: densities, drives and wins that reproduce each other."""
    n_v, k_v, m, eps = settings.n_visible, settings.k_visible, settings.n_connections, settings.learning_rate
    q = min(k_v / n_v + 0.1, (1 + k_v / n_v) / 2)
    phi = np.zeros(N_WEIGHTS)
    phi[0], phi[-1] = 1 - q, q
    phi = _relaxed(phi, np.full(N_WEIGHTS, q), eps)
    units = np.exp(-(SPREAD**2) / 2)
    units /= units.sum()
    spread = np.sqrt(eps / (2 - eps) * m * q * (1 - q))
    least, step, rise = 0.0, 1.0, 0.0
    for number in range(MOST_ROUNDS):
        state = _round(settings, phi, units, float(spread), least)
        flow = state.wins @ state.density
        active = state.wins @ (state.density * state.active) / np.maximum(flow, 1e-300)
        relaxed = _relaxed(flow, active, eps)
        before, rise = rise, float(relaxed @ WEIGHTS / (phi @ WEIGHTS) - 1)
        if number >= FIRST_ROUNDS and rise * before < 0 and abs(rise) > 0.5 * abs(before):  # swings: go half the way
            step = max(step / 2, LEAST_STEP)
        squares = abs(relaxed @ WEIGHTS**2 / (phi @ WEIGHTS**2) - 1)
        phi = (1 - step) * phi + step * relaxed
        width = (state.strength[-1] - state.strength[0]) / (m * (phi @ WEIGHTS))
        # Where all units are equally strong (f = 1), it does not matter in which class they are.
        change = max(np.abs(state.units - units).max() * min(10 * width, 1.0), abs(rise), squares)
        units = state.units
        spread = np.sqrt(eps / (2 - eps) * (state.wins @ state.inputs_variance))
        least = float(np.interp(0.5, state.chance, state.lattice.drives))
        if change < SOLVED:
            return state
    return replace(state, settled=False)


def after_wins(density: Floats, active: Floats, eps: float, n_wins: int) -> Floats:
    """Return the densities of weights after 0, 1, …, n_wins wins: w → (1 − ε)w + εx, x = 1 with probability active."""
    densities = np.empty((n_wins + 1, N_WEIGHTS))
    densities[0] = density
    learn(eps, active, densities)
    return densities


def _round(settings: KWinnerSettings, phi: Floats, units: Floats, spread: float, least: float) -> SteadyState:
    """Return the state that follows from the density of all weights and the shares of the classes."""
    n_v, k_v, n_h, k_h = settings.n_visible, settings.k_visible, settings.n_hidden, settings.k_hidden
    m, eps = settings.n_connections, settings.learning_rate
    strength = _classes(m * float(phi @ WEIGHTS), max(spread, 1e-3), least, m)
    density = np.empty((N_CLASSES, N_WEIGHTS))
    tilt_to_means(phi[None], WEIGHTS, (strength / m)[None], density[None])

    lattice, drive = random_cue_drives(settings, k_v, density, units)
    above = tails(units @ drive)
    chance = win_probability((n_h - 1) * above, (n_h - 1) * above * (1 - above), k_h)
    win_rate, h, h_variance, inputs, inputs_variance, slope, wins = np.empty((7, N_CLASSES))
    after_win = np.empty((N_CLASSES, N_CLASSES))
    winners_of_classes(drive, chance, lattice.drives, win_rate, h, h_variance)
    active, elsewhere = active_inputs_of_winners(settings, k_v, density, h)
    of_b = (inputs, inputs_variance, slope)
    inputs_of_classes(density, WEIGHTS, float(m), float(n_v), h_variance, active, elsewhere, *of_b)
    moves_of_classes(eps, strength, inputs, inputs_variance, after_win)
    stationary(after_win.copy(), wins)
    dwelling = wins / win_rate
    return SteadyState(
        strength=strength,
        units=0.5 * units + 0.5 * dwelling / dwelling.sum(),
        wins=wins,
        win_rate=win_rate,
        density=density,
        active=active,
        inputs=inputs,
        inputs_variance=inputs_variance,
        inputs_slope=float(wins @ slope),
        after_win=after_win,
        lattice=lattice,
        drive=drive,
        chance=chance,
    )


def _classes(mean: float, spread: float, least: float, m: int) -> Floats:
    """Return strengths of classes around the mean: at least what a winner needs, less than with all weights 1."""
    low = min(max(mean - 3 * spread, least), mean - 0.2 * spread)
    high = max(min(mean + 3 * spread, 0.97 * m), mean + 0.2 * spread)
    low, high = max(low, 1e-3 * mean), min(high, 0.999 * m)
    return low + (high - low) * EVENLY


def _relaxed(phi: Floats, active: Floats, eps: float) -> Floats:
    """Return the density of weights to which many wins lead."""
    phi = after_wins(phi, active, eps, int(3 / eps) + 1)[-1]
    normalised: Floats = phi / phi.sum()
    return normalised
