"""How far theory is from simulation, and how far it would be by the chance of the simulation alone."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from slotfree.beyond.contextC5.experiments import GROUPS, RECENCY, Floats, Setting
from slotfree.study import estimate
from slotfree.study.estimate import Estimate
from slotfree.study.results import Results
from slotfree.study.trainings import accuracy_by_lag

LIMIT = 0.02  # of errors of accuracy
TOGETHER = 8  # neighbouring lags
BY_PART_ONE = ("one winner", "thin units, several winners")  # groups of which part one's theory is asked too


@dataclass(frozen=True, eq=False)
class Compared:
    """A setting in theory and in simulation, accuracy (run, lag)."""

    setting: Setting
    simulated: Floats

    @cached_property
    def mean(self) -> Floats:
        """Simulated accuracy, (lag)."""
        mean: Floats = self.simulated.mean(axis=0)
        return mean

    @property
    def chance(self) -> float:
        """Mean |error| of a perfect theory: E|x| = √(2/π) times the standard error."""
        deviation = self.simulated.std(axis=0, ddof=1) / np.sqrt(len(self.simulated))
        return float(np.sqrt(2 / np.pi) * deviation.mean())

    def error(self, predicted: Floats) -> Estimate:
        """Mean |predicted − simulated| accuracy over lags."""
        n = len(self.simulated)
        without = (n * self.mean - self.simulated) / (n - 1)
        errors = np.abs(predicted - without).mean(axis=1)
        return estimate.jackknife(float(np.abs(predicted - self.mean).mean()), errors)

    def together(self) -> tuple[Floats, Floats]:
        """|Predicted − simulated| over neighbouring lags, and its standard error, (block of lags)."""
        runs = (self.setting.predicted() - self.simulated).reshape(len(self.simulated), -1, TOGETHER).mean(axis=2)
        return np.abs(runs.mean(axis=0)), runs.std(axis=0, ddof=1) / np.sqrt(len(runs))


def compared(r: Results, *groups: str) -> list[Compared]:
    """The settings of groups, all by default."""
    accuracy = accuracy_by_lag(r[RECENCY]).values
    places = {one: i for i, one in enumerate(RECENCY.run.settings)}  # type: ignore[attr-defined]
    chosen = [one for group in groups or GROUPS for one in GROUPS[group]]
    return [Compared(one, accuracy[:, places[one], : one.length]) for one in chosen]
