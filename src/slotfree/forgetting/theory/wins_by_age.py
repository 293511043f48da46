"""How often the winners of a stored pattern have won again, by the age of the pattern."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from slotfree.forgetting.theory.cases import Cases
from slotfree.forgetting.theory.drive_distribution import Floats
from slotfree.forgetting.theory.limits import check_consistent
from slotfree.forgetting.theory.steady_state import SteadyState
from slotfree.forgetting.theory.trace_decay import Trace
from slotfree.kernels.theory.counted_wins import count_wins
from slotfree.memory.kwinner import KWinnerSettings

RATIO = 1.07  # of the distances of neighbouring ages from the start of the scale
MOST_STEPS = 20_000  # in which a pattern must be forgotten
LEFT = 1e-3  # share of the winners that have not forgotten a pattern when it counts as forgotten
LONGEST_STEP = 0.25  # of time, in wins of the units that win most: they hardly ever win three times in it


@dataclass(frozen=True)
class WinsSince(Cases):
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

    def of_equal_winners(self, numbers: NDArray[np.int64]) -> "WinsSince":
        """Return the cases in which all winners of a pattern have won r times, for some r: each at its usual ages."""
        weights = self.old[:, numbers] / np.maximum(self.old[:, numbers].sum(axis=0), 1e-300)
        inputs, variance = (np.zeros((len(numbers), self.old.shape[1])) for _ in range(2))
        strength, old = inputs.copy(), inputs.copy()
        case = np.arange(len(numbers))
        old[case, numbers] = 1.0
        for found, each in ((inputs, self.inputs), (variance, self.inputs_variance), (strength, self.strength)):
            found[case, numbers] = (weights * each[:, numbers]).sum(axis=0)
        return WinsSince(old, weights.T @ self.all_units, inputs, variance, strength)


@dataclass(frozen=True)
class WinsByAge:
    """Wins since a pattern was stored, at some ages.

    Attributes
    ----------
    ages : from 1 on.
    scale : in log(age − 1 + scale) the ages are about equally far apart, and curves are smooth.
    since : the wins at each age.
    """

    ages: Floats
    scale: float
    since: WinsSince


def wins_by_age(settings: KWinnerSettings, state: SteadyState, trace: Trace) -> WinsByAge:
    """Count wins since storing, at ages that lie ever farther apart, from 1 until the pattern is forgotten.

    Units move between the classes of strength of the steady state as they win, so that strong ones forget first. Where
    some win thousands of times before others win a few times, counting ends too early, and that is an error.
    """
    rate = state.win_rate
    step = max(1.0, np.floor(LONGEST_STEP / rate[state.wins > 1e-6].max()))
    scale = max(1.0, 0.5 * settings.n_hidden / settings.k_hidden / step)
    places = scale * RATIO ** np.arange(np.log(MOST_STEPS / scale + 1) / np.log(RATIO))
    steps = np.unique(np.rint(places - scale).astype(np.int64))
    once = step * rate * (1 - rate) ** (step - 1)
    twice = np.maximum(1 - (1 - rate) ** step - once, 0.0)

    eps, strength, K = settings.learning_rate, state.strength, state.after_win
    flow = state.wins[:, None] * K
    b = np.maximum((strength - (1 - eps) * strength[:, None]) / eps, 0.0)
    b *= trace.inputs / (flow * b).sum()
    mass = np.empty((len(steps), len(trace.on), 4, len(strength)))
    start = np.array([*((flow * b**n).sum(axis=0) for n in range(3)), state.units])
    rows, new = np.zeros((2, len(strength), (len(trace.on) + 4) * len(start)))
    n = count_wins(1 - once - twice, once[:, None] * K, twice[:, None] * (K @ K), start, steps, LEFT, rows, new, mass)
    steps, mass = steps[:n], mass[:n]

    old, first, second, all_units = np.moveaxis(mass.sum(axis=3), 2, 0)
    left = float(old[-1, :-1].sum())
    check_consistent(
        left < LEFT, f"ends at age {1 + steps[-1] * step:g}, when {left:.2g} of its winners keep a pattern"
    )
    known, size = old > 1e-9, np.maximum(old, 1e-9)
    inputs = np.where(known, first / size, trace.inputs)
    variance = np.where(known, second / size - inputs**2, trace.inputs_variance)
    variance = np.clip(variance, 0.0, trace.inputs_variance)
    total = np.where(known, mass[:, :, 0] @ strength / size, trace.strength)
    return WinsByAge(1 + steps * step, scale * step, WinsSince(old, all_units, inputs, variance, total))


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
