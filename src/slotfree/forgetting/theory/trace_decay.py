"""What is left of a stored pattern in its winners, after each of them has won r times more for other patterns.

Symbols, besides those of the steady state: r, how often a winner has won since; H, the drive that the whole pattern
would give it now; h, the drive with which it won when the pattern was stored; b, how many of its inputs were active
then.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from slotfree.forgetting.theory.drive_distribution import N_WEIGHTS, WEIGHTS, Floats, mean_and_variance
from slotfree.forgetting.theory.steady_state import SteadyState, after_wins
from slotfree.memory.kwinner import KWinnerSettings

FORGOTTEN = 0.03  # a weight that keeps no more than this of what it had learned has forgotten it
MOST_WINS = 100


@dataclass(frozen=True)
class Trace:
    """The winners of a stored pattern, by r.

    Attributes
    ----------
    on, off : densities of weights from the pattern's ones and zeros (r, w).
    inputs, inputs_variance, strength : mean and variance of b, and mean of S, over all winners.
    usual_strength : mean of S over all units, to which that of the winners returns.
    drive_mean, drive_slope, drive_noise : H = mean + slope (h − E h) + noise, the latter given as a variance (r).
    drive_by_inputs : how H differs, on average, between units that differ by one in b (r).
    off_by_drive : how the summed weights from the pattern's zeros differ between units that differ by one in H (r).
    kept : κ_r, how much of what distinguished the drive of a unit is left after r wins: γ^r of what is due to its
        weights, and all that is due to the number of its connections.
    stored, chance : drives h of the winners, and their probabilities.
    """

    on: Floats
    off: Floats
    inputs: float
    inputs_variance: float
    strength: float
    usual_strength: float
    drive_mean: Floats
    drive_slope: Floats
    drive_noise: Floats
    drive_by_inputs: Floats
    off_by_drive: Floats
    kept: Floats
    stored: Floats
    chance: Floats

    @property
    def drive_variance(self) -> Floats:
        """Variance of H, by r."""
        variance: Floats = self.drive_slope**2 * mean_and_variance(self.chance, self.stored)[1] + self.drive_noise
        return variance


def trace_decay(settings: KWinnerSettings, state: SteadyState) -> Trace:
    """Follow the winners of a pattern from the moment it is stored, win by win.

    When it is stored, weights from its ones become (1 − ε)w + ε, others (1 − ε)w, and H = (1 − ε)h + εb. After that
    they change with each win as all weights do: x = 1 with probability P(x = 1 | w, win), whose regression on w has the
    slope β. A weight keeps γ = 1 − ε(1 − β) per win of what distinguishes it. The drive H keeps less, since a win fixes
    the drive from all inputs: where the pattern's ones give more, fewer of them are active.
    """
    win = _average_win(settings.learning_rate, state)
    last = min(int(np.ceil(np.log(FORGOTTEN) / np.log(win.kept))) + 1, MOST_WINS)
    on, off = _weights(settings.learning_rate, win, last)
    h = state.lattice.drives
    chance = (state.wins / state.win_rate) @ state.drive * state.chance
    chance /= chance.sum()
    _, h_variance = mean_and_variance(chance, h)
    b, b_variance = _inputs_of_winners(state)
    b_given_h = max(b_variance - state.inputs_slope**2 * float(h_variance), 1e-9)
    lasting = _lasting(settings, state)
    drive = _drives(settings, state, win, b, on, off)
    slope = drive.by_drive + drive.by_inputs * state.inputs_slope
    return Trace(
        on=on,
        off=off,
        inputs=b,
        inputs_variance=b_variance,
        strength=float(state.wins @ state.strength),
        usual_strength=float(state.units @ state.strength),
        drive_mean=b * (on @ WEIGHTS),
        drive_slope=slope,
        drive_noise=drive.by_inputs**2 * b_given_h + drive.noise,
        drive_by_inputs=drive.by_inputs
        + drive.by_drive * state.inputs_slope * float(h_variance) / max(b_variance, 1e-9),
        off_by_drive=drive.with_off / np.maximum(slope**2 * h_variance + drive.noise, 1e-12),
        kept=lasting + (1 - lasting) * win.kept ** np.arange(last + 1.0),
        stored=h,
        chance=chance,
    )


class _Win(NamedTuple):
    """A win, on average over all of them.

    Attributes
    ----------
    density, ones : of the winner's weights, and of those from active inputs.
    active : P(x = 1 | w, win).
    slope : β, of the regression of x on w.
    kept : γ, how much of what distinguishes a weight is left.
    """

    density: Floats
    ones: Floats
    active: Floats
    slope: float
    kept: float


def _average_win(eps: float, state: SteadyState) -> _Win:
    phi = state.wins @ state.density
    ones = state.wins @ (state.density * state.active)
    active = ones / np.maximum(phi, 1e-300)
    w_mean, w_variance = mean_and_variance(phi, WEIGHTS)
    beta = (ones @ WEIGHTS - ones.sum() * w_mean) / max(float(w_variance), 1e-9)
    return _Win(phi, ones, active, beta, min(max(1 - eps * (1 - beta), 1e-6), 0.999))


def _weights(eps: float, win: _Win, last: int) -> tuple[Floats, Floats]:
    """Return the densities of weights from the pattern's ones and from its zeros, (r, w), r from 0 to the last."""
    phi, ones = win.density, win.ones
    on = after_wins(ones / ones.sum(), np.ones(N_WEIGHTS), eps, 1)[1]
    off = after_wins((phi - ones) / (phi - ones).sum(), np.zeros(N_WEIGHTS), eps, 1)[1]
    return after_wins(on, win.active, eps, last), after_wins(off, win.active, eps, last)


class _Drives(NamedTuple):
    """What H depends on, by r.

    Attributes
    ----------
    by_drive, by_inputs : slopes of H on h and on b.
    noise : variance of H that neither explains.
    with_off : covariance of H with the summed weights from the pattern's zeros.
    """

    by_drive: Floats
    by_inputs: Floats
    noise: Floats
    with_off: Floats


def _drives(settings: KWinnerSettings, state: SteadyState, win: _Win, b: float, on: Floats, off: Floats) -> _Drives:
    """Follow the drive H of a winner with b inputs: from (1 − ε)h + εb on, win by win."""
    eps, active, beta = settings.learning_rate, win.active, win.slope
    of_winners = state.drive * state.chance / state.win_rate[:, None]
    left = float(state.wins @ mean_and_variance(of_winners, state.lattice.drives)[1])
    new = _new_inputs(settings, left, b, on, off, active)
    still = 1 - eps * (1 - np.maximum(beta - new.taken * (on @ active + beta * (on @ WEIGHTS)), 0.0))
    gain = eps * np.maximum(on @ active - new.taken * (on @ (active * WEIGHTS)), 0.0)
    by_drive, by_inputs, noise, with_off = np.zeros((4, len(on)))
    by_drive[0], by_inputs[0] = 1 - eps, eps
    for r in range(len(on) - 1):
        by_drive[r + 1] = still[r] * by_drive[r]
        by_inputs[r + 1] = still[r] * by_inputs[r] + gain[r]
        noise[r + 1] = still[r] ** 2 * noise[r] + eps**2 * new.variance[r]
        with_off[r + 1] = still[r] * win.kept * with_off[r] + eps**2 * new.covariance[r]
    return _Drives(by_drive, by_inputs, noise, with_off)


class _NewInputs(NamedTuple):
    """How many of a pattern's inputs are active at a later win of the unit, by r.

    Attributes
    ----------
    taken : by how many the number falls for each unit of drive that they give.
    variance : of the number.
    covariance : with the number of the unit's other active inputs: where those are many, these are few.
    """

    taken: Floats
    variance: Floats
    covariance: Floats


def _new_inputs(
    settings: KWinnerSettings, left: float, b: float, on: Floats, off: Floats, active: Floats
) -> _NewInputs:
    """Return how a later win limits the number of the pattern's inputs that are active.

    A win fixes the drive Σ_j w_j x_j from all inputs, except for the variance that is left above the threshold. So the
    more drive comes from the pattern's own inputs, the fewer of them are active.
    """
    spread = active * (1 - active)
    own = b * on * spread
    rest = (settings.n_connections - b) * off * spread
    v_h = np.maximum((own + rest) @ WEIGHTS**2, 1e-12)
    taken = own @ WEIGHTS / v_h
    fixed = v_h - np.minimum(left, v_h)
    variance = np.maximum(own.sum(axis=1) - taken**2 * fixed, 0.0)
    return _NewInputs(taken, variance, -taken * (rest @ WEIGHTS) * fixed / v_h)


def _lasting(settings: KWinnerSettings, state: SteadyState) -> float:
    """Return κ_∞, the part of the variance of drives that is due to the number of connections."""
    f = settings.n_connections / settings.n_visible
    w_mean, w_variance = mean_and_variance(state.units @ state.density, WEIGHTS)
    return float((1 - f) * w_mean**2 / (w_variance + (1 - f) * w_mean**2))


def _inputs_of_winners(state: SteadyState) -> tuple[float, float]:
    """Return the mean and the variance of b over all wins."""
    b = float(state.wins @ state.inputs)
    return b, float(state.wins @ (state.inputs_variance + state.inputs**2) - b * b)
