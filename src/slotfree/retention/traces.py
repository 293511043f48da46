"""What is left of a stored pattern: weights and drives of its winners, after they won again for other patterns.

Symbols, besides those of the steady state: r, how often a winner has won since; H, the drive that the whole pattern
would give it now, and h, the drive that it gave when it was stored; b, how many of its ones are among the inputs.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from slotfree.kernels.tilts import count_wins
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.retention.drives import N_WEIGHTS, WEIGHTS, Floats, mean_and_variance
from slotfree.retention.steady_state import SteadyState, learned

FORGOTTEN = 0.03  # the part of a weight that is as good as nothing
MOST_WINS = 100
N_AGES = 15
MOST_STEPS = 5000
LONGEST_STEP = 0.25  # of time, in wins of the units that win most: they hardly ever win three times in it


@dataclass(frozen=True)
class Since:
    """Wins since a pattern was stored, by age and r, the last of which stands for itself and all beyond.

    Attributes
    ----------
    old, all_units : shares of r among the pattern's winners, and among all units.
    inputs, inputs_variance : mean and variance of b: units with many inputs win sooner again.
    strength : mean of S, the summed weights of the winners.
    """

    old: Floats
    all_units: Floats
    inputs: Floats
    inputs_variance: Floats
    strength: Floats


@dataclass(frozen=True)
class Traces:
    """The winners of a stored pattern, by r.

    Attributes
    ----------
    on, off : densities of weights from the pattern's ones and zeros (r, w).
    inputs, inputs_variance, strength : mean and variance of b, and mean of S, over all winners.
    usual_strength : mean of S over all units, to which that of the winners returns.
    drive_mean, drive_slope, drive_noise : H = mean + slope (h − E h) + noise, the latter given as a variance (r).
    drive_by_inputs : how H differs, on average, between units that differ by one in b (r).
    off_by_drive : how the summed weights from the pattern's zeros differ between units that differ by one in H (r).
    kept : κ_r, the share of what distinguished the drive of any unit that r wins leave: γ^r of what its weights
        contributed, and all that is due to the number of its connections.
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

    def since_storing(self, r: int) -> Since:
        """All units have won r times: 0, just stored, or −1, forgotten."""
        share, average = np.zeros((1, len(self.on))), np.ones((1, len(self.on)))
        share[:, r] = 1.0
        strength = self.strength if r == 0 else self.usual_strength
        return Since(share, share, self.inputs * average, self.inputs_variance * average, strength * average)


def traces(settings: KWinnerSettings, state: SteadyState) -> Traces:
    """Follow the winners of a pattern.

    When it is stored, connections to its ones become (1 − ε)w + ε, others (1 − ε)w, and H = (1 − ε)h + εb. After that
    they change with each win as all weights do: x = 1 with probability P(x = 1 | w, win), whose regression on w has the
    slope β. A weight keeps γ = 1 − ε(1 − β) per win of what distinguishes it. The drive H keeps less, for a win fixes
    the drive from all inputs: where the pattern's ones give more, fewer of them are active.
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
    left = float(wins @ mean_and_variance(state.drive * state.chance / state.win_rate[:, None], h)[1])
    by_drive, by_inputs, noise, off_drive = np.zeros((4, last + 1))
    by_drive[0], by_inputs[0] = 1 - eps, eps
    for r in range(last):
        new = _new_inputs(settings, left, b, on[r], off[r], active)
        still = 1 - eps * (1 - max(beta - new.taken * (on[r] @ active + beta * (on[r] @ WEIGHTS)), 0.0))
        by_drive[r + 1] = still * by_drive[r]
        gain = on[r] @ active - new.taken * ((on[r] * active) @ WEIGHTS)
        by_inputs[r + 1] = still * by_inputs[r] + eps * max(gain, 0.0)
        noise[r + 1] = still**2 * noise[r] + eps**2 * new.variance
        off_drive[r + 1] = still * gamma * off_drive[r] + eps**2 * new.covariance
    slope = by_drive + by_inputs * state.inputs_slope
    return Traces(
        on=on,
        off=off,
        inputs=b,
        inputs_variance=b_variance,
        strength=float(wins @ state.strength),
        usual_strength=float(state.units @ state.strength),
        drive_mean=b * (on @ WEIGHTS),
        drive_slope=slope,
        drive_noise=by_inputs**2 * b_given_h + noise,
        drive_by_inputs=by_inputs + by_drive * state.inputs_slope * float(h_variance) / max(b_variance, 1e-9),
        off_by_drive=off_drive / np.maximum(slope**2 * h_variance + noise, 1e-12),
        kept=lasting + (1 - lasting) * gamma ** np.arange(last + 1),
        stored=h,
        chance=chance,
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
    settings: KWinnerSettings, left: float, b: float, on: Floats, off: Floats, active: Floats
) -> _NewInputs:
    """A win fixes the drive Σ_j w_j x_j of all inputs but for the variance left, as winners exceed the threshold.

    So the more drive comes from the pattern's own inputs, the fewer of them are active.
    """
    spread = active * (1 - active)
    own = b * on * spread
    rest = (settings.n_connections - b) * off * spread
    v_h = max(float((own + rest) @ WEIGHTS**2), 1e-12)
    taken = float(own @ WEIGHTS) / v_h
    left = min(left, v_h)
    variance = max(float(own.sum()) - taken**2 * (v_h - left), 0.0)
    return _NewInputs(taken, variance, -taken * float(rest @ WEIGHTS) * (1 - left / v_h))


@dataclass(frozen=True)
class Wins:
    """Wins since storing, by the age of the pattern.

    Attributes
    ----------
    ages, step : the ages, from 1 on in multiples of a step.
    scale : the curve is smooth, and ages about equally far apart, in log(age − 1 + scale).
    since : the wins at each of them.
    """

    ages: Floats
    step: float
    scale: float
    since: Since


def wins_since(settings: KWinnerSettings, state: SteadyState, trace: Traces, oldest: int) -> Wins:
    """Count wins since storing, at ages from 1 to the oldest that lie ever farther apart."""
    rate = state.win_rate
    step = max(1.0, np.floor(LONGEST_STEP / rate[state.wins > 1e-6].max()))
    n_steps = min(np.ceil((oldest - 1) / step), MOST_STEPS)
    scale = max(1.0, 0.5 * settings.n_hidden / settings.k_hidden / step)
    steps = np.unique(np.rint(np.geomspace(scale, n_steps + scale, N_AGES) - scale).astype(np.int64))
    once = step * rate * (1 - rate) ** (step - 1)
    twice = np.maximum(1 - (1 - rate) ** step - once, 0.0)

    eps, strength, K = settings.learning_rate, state.strength, state.after_win
    flow = state.wins[:, None] * K
    b = np.maximum((strength - (1 - eps) * strength[:, None]) / eps, 0.0)
    b *= trace.inputs / (flow * b).sum()
    mass = np.empty((len(steps), len(trace.on), 4, len(strength)))
    start = np.array([*((flow * b**n).sum(axis=0) for n in range(3)), state.units])
    count_wins(1 - once - twice, once[:, None] * K, twice[:, None] * (K @ K), start, steps, mass)

    old, first, second, all_units = np.moveaxis(mass.sum(axis=3), 2, 0)
    known, size = old > 1e-9, np.maximum(old, 1e-9)
    inputs = np.where(known, first / size, trace.inputs)
    variance = np.where(known, second / size - inputs**2, trace.inputs_variance)
    variance = np.clip(variance, 0.0, trace.inputs_variance)
    total = np.where(known, mass[:, :, 0] @ strength / size, trace.strength)
    return Wins(1 + steps * step, step, scale * step, Since(old, all_units, inputs, variance, total))


def _inputs_of_winners(state: SteadyState) -> tuple[float, float]:
    """Mean and variance of b over all wins."""
    b = float(state.wins @ state.inputs)
    return b, float(state.wins @ (state.inputs_variance + state.inputs**2) - b * b)
