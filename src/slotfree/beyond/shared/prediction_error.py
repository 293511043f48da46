"""How far predicted curves are from simulated ones, and how far they would be by the chance of the simulation alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TypeAlias

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree.forgetting.binned import bin_sizes
from slotfree.forgetting.family import settings_in
from slotfree.forgetting.fits import FIT_AGES, fit_of
from slotfree.forgetting.merit import bin_means
from slotfree.forgetting.theory.k_winner import predicted_curves
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.study import estimate
from slotfree.study.estimate import Estimate

Floats: TypeAlias = NDArray[np.float64]

LEAST_DIFFERENCE = 0.05  # R.D. below which no exponential is fitted
LEAST_BINS = 4


@dataclass(frozen=True)
class Comparison:
    """One memory in theory and in simulation, ages in bins.

    Attributes
    ----------
    ages : mean age of each bin.
    predicted : accuracy (cue, bin); predicted_baseline : (cue).
    simulated : accuracy (run, cue, bin); simulated_baseline : (run, cue).
    """

    settings: KWinnerSettings
    cues: tuple[float, ...]
    ages: Floats
    predicted: Floats
    predicted_baseline: Floats
    simulated: Floats
    simulated_baseline: Floats

    @property
    def last(self) -> int:
        """The oldest age."""
        return int(bin_sizes(self.ages).sum())

    @cached_property
    def mean(self) -> Floats:
        """Simulated accuracy, (cue, bin)."""
        return np.asarray(self.simulated.mean(axis=0))

    @cached_property
    def standard_error(self) -> Floats:
        """Standard error of the simulated accuracy, (cue, bin)."""
        return np.asarray(self.simulated.std(axis=0, ddof=1) / np.sqrt(len(self.simulated)))

    def absolute_error(self) -> Floats:
        """Mean |predicted − simulated| accuracy over ages, (cue)."""
        return np.asarray(np.abs(self.predicted - self.mean) @ self.weights)

    def chance(self) -> Floats:
        """What it would be with a perfect theory: E|x| = √(2/π) times the standard error, (cue)."""
        return np.asarray(np.sqrt(2 / np.pi) * self.standard_error @ self.weights)

    def without_runs(self) -> Floats:
        """Mean |predicted − simulated| accuracy over ages and cues without each of the runs, (run)."""
        n = len(self.simulated)
        others = (n * self.mean - self.simulated) / (n - 1)
        return np.asarray((np.abs(self.predicted - others) @ self.weights).mean(axis=1))

    def constants(self, cue: int) -> dict[str, tuple[float, float, float]] | None:
        """C and β of R.D. = C exp(−β (a − 1)): predicted, simulated, and the standard error of that as a fraction.

        Fitted where the predicted R.D. is above 0.05, ages up to 200, theory and simulation the same way and over the
        same bins; None where that is too little.
        """
        predicted = self.predicted[cue] - self.predicted_baseline[cue]
        used = (self.ages <= FIT_AGES) & (predicted > LEAST_DIFFERENCE)
        runs = self.simulated[:, cue] - self.simulated_baseline[:, [cue]].mean(axis=0)
        n, mean = len(runs), runs.mean(axis=0)
        if used.sum() < LEAST_BINS or not (mean[used] > 0).all():
            return None
        curves = np.vstack([mean, (n * mean - runs) / (n - 1)])[:, used]
        theory, found = (fit_of(rows, self.ages[used]) for rows in (predicted[None, used], curves))
        C_error, beta_error = (estimate.jackknife_error(x) for x in (np.log(found.C_boot), found.beta_boot))
        return {
            "C": (theory.C, found.C, C_error),
            "beta": (theory.beta, found.beta, beta_error / abs(found.beta)),
        }

    @cached_property
    def weights(self) -> Floats:
        """Of bins in a mean over ages."""
        sizes = bin_sizes(self.ages)
        return np.asarray(sizes / sizes.sum())


def compare(data: xr.Dataset) -> list[Comparison]:
    """Predict every memory of an experiment with ``BinnedRetention``."""
    cues = tuple(data["cue"].values.tolist())
    ages = data["age"].values
    last = int(bin_sizes(ages).sum())
    found = []
    for i in range(data.sizes["setting"]):
        settings, one = settings_in(data, i), data.isel(setting=i)
        predicted = _predicted(settings, cues, last)
        found.append(Comparison(settings, cues, ages, *predicted, one["accuracy"].values, one["baseline"].values))
    return found


@cache
def _predicted(settings: KWinnerSettings, cues: tuple[float, ...], last: int) -> tuple[Floats, Floats]:
    """Accuracy (cue, bin) and baseline (cue), also outside the theory's limits: here its errors are measured.

    Kept, since a figure and its claims need the same predictions.
    """
    accuracy, baseline, _ = predicted_curves(settings, cues, np.arange(1, last + 1), anywhere=True)
    return bin_means(accuracy, last), baseline


def mean_error(compared: Sequence[Comparison]) -> Estimate:
    """Mean |predicted − simulated| accuracy over memories, cues and ages."""
    mean = float(np.mean([one.absolute_error() for one in compared]))
    return estimate.jackknife(mean, np.mean([one.without_runs() for one in compared], axis=0))
