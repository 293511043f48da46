"""How often the winners of a stored pattern have won again, by the age of the pattern."""

from dataclasses import dataclass, fields

import numpy as np

from slotfree.forgetting.theory.drive_distribution import Floats
from slotfree.forgetting.theory.steady_state import SteadyState
from slotfree.forgetting.theory.trace_decay import Trace
from slotfree.kernels.counted_wins import count_wins
from slotfree.memory.kwinner import KWinnerSettings

N_AGES = 15
MOST_STEPS = 5000
LONGEST_STEP = 0.25  # of time, in wins of the units that win most: they hardly ever win three times in it


@dataclass(frozen=True)
class WinsSince:
    """Wins since a pattern was stored, by age and their number r; the last r stands for itself and all beyond.

    Attributes
    ----------
    old, all_units : shares of r among the pattern's winners, and among all units.
    inputs, inputs_variance : mean and variance of b: units with many inputs win again sooner.
    strength : mean of S, the summed weights of the winners.
    """

    old: Floats
    all_units: Floats
    inputs: Floats
    inputs_variance: Floats
    strength: Floats

    def after(self, other: "WinsSince") -> "WinsSince":
        """Return the other's ages, and then these."""
        names = [field.name for field in fields(self)]
        return WinsSince(*(np.concatenate([getattr(other, name), getattr(self, name)]) for name in names))


@dataclass(frozen=True)
class WinsByAge:
    """Wins since a pattern was stored, at some ages.

    Attributes
    ----------
    ages, step : the ages, from 1 on in multiples of a step.
    scale : in log(age − 1 + scale) the ages are about equally far apart, and curves are smooth.
    since : the wins at each age.
    """

    ages: Floats
    step: float
    scale: float
    since: WinsSince


def wins_by_age(settings: KWinnerSettings, state: SteadyState, trace: Trace, oldest: int) -> WinsByAge:
    """Count wins since storing, at ages from 1 to the oldest that lie ever farther apart.

    Units move between the classes of strength of the steady state as they win, so that strong ones forget first.
    """
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
    return WinsByAge(1 + steps * step, step, scale * step, WinsSince(old, all_units, inputs, variance, total))


def just_stored(trace: Trace) -> WinsSince:
    """Return the case in which no unit has won since."""
    return _all_units_won(trace, 0, trace.strength)


def forgotten(trace: Trace) -> WinsSince:
    """Return the case in which all units have won so often that nothing is left of the pattern."""
    return _all_units_won(trace, -1, trace.usual_strength)


def _all_units_won(trace: Trace, r: int, strength: float) -> WinsSince:
    share, average = np.zeros((1, len(trace.on))), np.ones((1, len(trace.on)))
    share[:, r] = 1.0
    return WinsSince(share, share, trace.inputs * average, trace.inputs_variance * average, strength * average)
