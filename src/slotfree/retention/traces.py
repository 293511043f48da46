"""What is left of a stored pattern: the weights and the drive of its winners after they won again for other patterns."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from slotfree.kernels.tilts import count_wins
from slotfree.memory.settings import KWinnerSettings
from slotfree.retention.drives import N_WEIGHTS, WEIGHTS, Floats, mean_and_variance
from slotfree.retention.steady_state import SteadyState, learned

FORGOTTEN = 0.03
MOST_WINS = 100
N_AGES = 20
LONGEST_STEP = 0.15  # of time, in wins of the units that win most: they hardly ever win three times in it


@dataclass(frozen=True)
class Traces:
    """The winners of a stored pattern, by r, how often each has won since; the last r stands for all beyond.

    Attributes
    ----------
    on, off : densities of weights from the pattern's ones and zeros (r, w).
    inputs, inputs_variance : mean and variance of b, the ones among a winner's inputs.
    drive_slope, drive_mean, drive_noise : the whole pattern now gives the drive H = mean + slope (h − E h) + noise, where
        h was the drive when it was stored and noise is a variance (r).
    off_by_drive : how the summed weights from the pattern's zeros differ between units that differ by one in H (r).
    drive_by_inputs : how H differs, on average, between units that differ by one in b (r).
    kept : the share of what distinguished a unit's drive that r wins leave: γ^r of what its weights contributed, and all
        that is due to the number of its connections.
    stored, chance : drives h of the winners when the pattern was stored, and their probabilities.
    """

    on: Floats
    off: Floats
    inputs: float
    inputs_variance: float
    drive_slope: Floats
    drive_mean: Floats
    drive_noise: Floats
    off_by_drive: Floats
    drive_by_inputs: Floats
    kept: Floats
    stored: Floats
    chance: Floats

    @property
    def drive_variance(self) -> Floats:
        """Variance of H, by r."""
        variance: Floats = self.drive_slope**2 * mean_and_variance(self.chance, self.stored)[1] + self.drive_noise
        return variance


def traces(settings: KWinnerSettings, state: SteadyState) -> Traces:
    """Follow the winners of a pattern.

    The connections to its ones are w → (1 − ε)w + ε, the others (1 − ε)w, at storing, and then change with each further
    win as all weights do: x = 1 with probability P(x = 1 | w, win), whose regression on w has the slope β. So a weight
    keeps γ = 1 − ε(1 − β) of its distance from the mean per win, and the unit

        H_r = γ^r ((1 − ε)h + εb) + b·(new weight per input) + noise,    noise = b Σ_{l<r} γ^{2l} ε² Var(x).
    """
    eps = settings.learning_rate
    wins, density = state.wins, state.density
    phi = wins @ density
    ones = wins @ (density * state.active)
    active = ones / np.maximum(phi, 1e-300)
    w_mean, w_variance = mean_and_variance(phi, WEIGHTS)
    beta = (ones @ WEIGHTS - ones.sum() * w_mean) / max(float(w_variance), 1e-9)
    gamma = min(max(1 - eps * (1 - beta), 1e-6), 0.999)
    last = min(int(np.ceil(np.log(FORGOTTEN) / np.log(gamma))) + 1, MOST_WINS)

    K = learned(eps, active)
    on, off = np.empty((last + 1, N_WEIGHTS)), np.empty((last + 1, N_WEIGHTS))
    on[0] = ones / ones.sum() @ learned(eps, np.ones(N_WEIGHTS))
    off[0] = (phi - ones) / (phi - ones).sum() @ learned(eps, np.zeros(N_WEIGHTS))
    for r in range(last):
        on[r + 1], off[r + 1] = on[r] @ K, off[r] @ K

    h = state.lattice.drives
    chance = (wins / state.win_rate) @ state.drive * state.chance
    chance /= chance.sum()
    _, h_variance = mean_and_variance(chance, h)
    b, b_variance = _inputs_of_winners(state)
    b_given_h = max(b_variance - state.inputs_slope**2 * float(h_variance), 1e-9)
    f = settings.n_connections / settings.n_visible
    w_mean, w_variance = mean_and_variance(state.units @ density, WEIGHTS)
    lasting = (1 - f) * w_mean**2 / (w_variance + (1 - f) * w_mean**2)
    kept = lasting + (1 - lasting) * gamma ** np.arange(last + 1)
    by_drive, by_inputs, noise, off_drive = np.zeros((4, last + 1))
    by_drive[0], by_inputs[0] = 1 - eps, eps
    for r in range(last):
        new = _new_inputs(settings, state, b, on[r], off[r], active)
        still = 1 - eps * (1 - max(beta - new.taken * (on[r] @ active + beta * (on[r] @ WEIGHTS)), 0.0))
        by_drive[r + 1] = still * by_drive[r]
        by_inputs[r + 1] = still * by_inputs[r] + eps * max(
            on[r] @ active - new.taken * ((on[r] * active) @ WEIGHTS), 0.0
        )
        noise[r + 1] = still**2 * noise[r] + eps**2 * new.variance
        off_drive[r + 1] = still * gamma * off_drive[r] + eps**2 * new.covariance
    return Traces(
        on,
        off,
        b,
        b_variance,
        by_drive + by_inputs * state.inputs_slope,
        b * (on @ WEIGHTS),
        by_inputs**2 * b_given_h + noise,
        off_drive / np.maximum((by_drive + by_inputs * state.inputs_slope) ** 2 * h_variance + noise, 1e-12),
        by_inputs + by_drive * state.inputs_slope * float(h_variance) / max(b_variance, 1e-9),
        kept,
        h,
        chance,
    )


class _NewInputs(NamedTuple):
    """How many of a pattern's inputs are active at a later win of the unit.

    Attributes
    ----------
    taken : how many fewer for one unit of drive that they give.
    variance : of their number.
    covariance : with the number of the unit's other active inputs: where those are many, the others are few.
    """

    taken: float
    variance: float
    covariance: float


def _new_inputs(
    settings: KWinnerSettings, state: SteadyState, b: float, on: Floats, off: Floats, active: Floats
) -> _NewInputs:
    """A win fixes the drive Σ_j w_j x_j of all inputs but for the little by which winners exceed the threshold.

    So the more drive comes from the pattern's own inputs, the fewer of them are active.
    """
    spread = active * (1 - active)
    own = b * on * spread
    rest = (settings.n_connections - b) * off * spread
    v_h = max(float((own + rest) @ WEIGHTS**2), 1e-12)
    taken = float(own @ WEIGHTS) / v_h
    _, h_variance = mean_and_variance(state.drive * state.chance / state.win_rate[:, None], state.lattice.drives)
    left = min(float(state.wins @ h_variance), v_h)
    variance = max(float(own.sum()) - taken**2 * (v_h - left), 0.0)
    return _NewInputs(taken, variance, -taken * float(rest @ WEIGHTS) * (1 - left / v_h))


@dataclass(frozen=True)
class Wins:
    """How often units have won since a pattern was stored, by its age.

    Attributes
    ----------
    ages, step : those for which it was computed, multiples of a step from 1 on (age).
    old, all_units : shares of r = 0, 1, … wins among the pattern's winners and among all units (age, r).
    inputs, inputs_variance : mean and variance of b, the ones among a winner's inputs (age, r): units with many inputs
        win sooner again.
    strength : mean of S, the summed weights of these winners (age, r).
    """

    ages: Floats
    step: float
    old: Floats
    all_units: Floats
    inputs: Floats
    inputs_variance: Floats
    strength: Floats


def wins_since(settings: KWinnerSettings, state: SteadyState, n_wins: int, oldest: int) -> Wins:
    """Count wins since storing, at ages from 1 to the oldest that are spaced as the steps 0, 1, … of a growing length."""
    step = max(1.0, np.floor(LONGEST_STEP / state.win_rate[state.wins > 1e-6].max()))
    n_steps = np.ceil((oldest - 1) / step)
    steps = np.unique(np.rint(np.geomspace(1, n_steps + 1, N_AGES) - 1).astype(np.int64))
    none = (1 - state.win_rate) ** step
    once = step * state.win_rate * (1 - state.win_rate) ** (step - 1)
    eps, strength, K = settings.learning_rate, state.strength, state.after_win
    flow = state.wins[:, None] * K
    inputs = np.maximum((strength - (1 - eps) * strength[:, None]) / eps, 0.0)
    sums = []
    b, b_variance = _inputs_of_winners(state)
    scale = b / float((flow * inputs).sum())
    starts = [flow.sum(axis=0), *((flow * (scale * inputs) ** power).sum(axis=0) for power in (1, 2)), state.units]
    for start in starts:
        mass = np.empty((len(steps), n_wins, len(start)))
        count_wins(start, once, 1 - none - once, K, K @ K, steps, mass)
        sums.append(mass)
    old, first, second, all_units = (mass.sum(axis=2) for mass in sums)
    known = old > 1e-9
    mean = np.where(known, first / np.maximum(old, 1e-9), b)
    variance = np.where(known, second / np.maximum(old, 1e-9) - mean**2, b_variance)
    mean_strength = np.where(known, sums[0] @ strength / np.maximum(old, 1e-9), state.wins @ strength)
    return Wins(1 + steps * step, step, old, all_units, mean, np.clip(variance, 0.0, b_variance), mean_strength)


def _inputs_of_winners(state: SteadyState) -> tuple[float, float]:
    """Mean and variance of b over all wins."""
    b = float(state.wins @ state.inputs)
    return b, float(state.wins @ (state.inputs_variance + state.inputs**2) - b * b)
