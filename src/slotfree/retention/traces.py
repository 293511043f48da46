"""What is left of a stored pattern: the weights and the drive of its winners after they won again for other patterns."""

from dataclasses import dataclass

import numpy as np

from slotfree.kernels.tilts import count_wins
from slotfree.memory.settings import KWinnerSettings
from slotfree.retention.drives import N_WEIGHTS, WEIGHTS, Floats, mean_and_variance
from slotfree.retention.steady_state import SteadyState, learned

FORGOTTEN = 0.03
MOST_WINS = 100
LONGEST_STEP = 0.05  # of time, in wins of the unit that wins most


@dataclass(frozen=True)
class Traces:
    """The winners of a stored pattern, by r, how often each has won since; the last r stands for all beyond.

    Attributes
    ----------
    on, off : densities of weights from the pattern's ones and zeros (r, w).
    inputs, inputs_variance : mean and variance of b, the ones among a winner's inputs.
    drive_slope, drive_mean, drive_noise : the whole pattern now gives the drive H = mean + slope (h − E h) + noise, where
        h was the drive when it was stored and noise is a variance (r).
    kept : γ^r, the share of what distinguished a unit's drive that r wins leave.
    stored, chance : drives h of the winners when the pattern was stored, and their probabilities.
    """

    on: Floats
    off: Floats
    inputs: float
    inputs_variance: float
    drive_slope: Floats
    drive_mean: Floats
    drive_noise: Floats
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
    h_mean, h_variance = mean_and_variance(chance, h)
    b = float(wins @ state.inputs)
    b_variance = float(wins @ (state.inputs_variance + state.inputs**2) - b * b)
    b_given_h = max(b_variance - state.inputs_slope**2 * float(h_variance), 1e-9)
    kept = gamma ** np.arange(last + 1)
    per_input = on @ WEIGHTS - kept * (1 - eps) * h_mean / b
    fresh = on @ active * (1 - on @ active)
    noise = np.zeros(last + 1)
    for r in range(last):
        noise[r + 1] = gamma**2 * noise[r] + eps**2 * b * fresh[r]
    return Traces(
        on,
        off,
        b,
        b_variance,
        kept * (1 - eps) + per_input * state.inputs_slope,
        kept * (1 - eps) * h_mean + per_input * b,
        per_input**2 * b_given_h + noise,
        kept,
        h,
        chance,
    )


def wins_since(state: SteadyState, n_wins: int, ages: Floats) -> tuple[Floats, Floats, Floats]:
    """How often units have won since a pattern was stored that is now of some age.

    Returns
    -------
    The ages for which it was computed, near those asked for; and the shares (age, r) of r = 0, 1, … wins among the
    pattern's winners and among all units.
    """
    step = max(1.0, np.floor(LONGEST_STEP / state.win_rate[state.wins > 1e-6].max()))
    steps = np.unique(np.rint((ages - 1) / step).astype(np.int64))
    win = np.minimum(state.win_rate * step, 1.0)
    shares = []
    for start in (state.wins @ state.after_win, state.units):
        mass = np.empty((len(steps), n_wins, len(start)))
        count_wins(start, win, state.after_win, steps, mass)
        shares.append(mass.sum(axis=2))
    return 1 + steps * step, shares[0], shares[1]
