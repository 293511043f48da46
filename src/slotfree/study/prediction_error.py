"""How far predicted curves are from simulated ones, and how far they would be by the chance of the simulation alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Literal, TypeAlias

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree.forgetting.binned import bin_sizes
from slotfree.forgetting.family import settings_in
from slotfree.forgetting.fits import FIT_AGES, ExponentialFit, fit_of
from slotfree.forgetting.merit import bin_means
from slotfree.forgetting.theory.k_winner import predicted_curves
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.study import estimate
from slotfree.study.estimate import Estimate

Floats: TypeAlias = NDArray[np.float64]
Each: TypeAlias = Literal["age", "bin"]

LEAST_DIFFERENCE = 0.05  # R.D. below which no exponential is fitted
LEAST_BINS = 4


@dataclass(frozen=True)
class Comparison:
    """One memory in theory and in simulation, ages in bins.

    Means over ages give each age the same weight, or each bin: then young ages, of which there are few, weigh as much
    as old ones.

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
        mean: Floats = self.simulated.mean(axis=0)
        return mean

    @cached_property
    def standard_error(self) -> Floats:
        """Standard error of the simulated accuracy, (cue, bin)."""
        error: Floats = self.simulated.std(axis=0, ddof=1) / np.sqrt(len(self.simulated))
        return error

    def absolute_error(self, each: Each = "age") -> Floats:
        """Mean |predicted − simulated| accuracy over ages, (cue)."""
        error: Floats = np.abs(self.predicted - self.mean) @ self._weights(each)
        return error

    def chance(self, each: Each = "age") -> Floats:
        """What it would be with a perfect theory: E|x| = √(2/π) times the standard error, (cue)."""
        error: Floats = np.sqrt(2 / np.pi) * self.standard_error @ self._weights(each)
        return error

    def without_runs(self, each: Each = "age") -> Floats:
        """Mean |predicted − simulated| accuracy over ages and cues without each of the runs, (run)."""
        n = len(self.simulated)
        others = (n * self.mean - self.simulated) / (n - 1)
        error: Floats = (np.abs(self.predicted - others) @ self._weights(each)).mean(axis=1)
        return error

    def fits(self, cue: int) -> "Fits | None":
        """Exponentials where the predicted R.D. is above 0.05, ages up to 200; None where that is too little.

        Theory and simulation are fitted the same way, over the same bins.
        """
        predicted = self.predicted[cue] - self.predicted_baseline[cue]
        used = (self.ages <= FIT_AGES) & (predicted > LEAST_DIFFERENCE)
        if used.sum() < LEAST_BINS:
            return None
        runs = self.simulated[:, cue] - self.simulated_baseline[:, [cue]].mean(axis=0)
        n = len(runs)
        mean = runs.mean(axis=0)
        curves = np.vstack([mean, (n * mean - runs) / (n - 1)])[:, used]
        if not (curves[0] > 0).all():
            return None
        return Fits(fit_of(predicted[None, used], self.ages[used]), fit_of(curves, self.ages[used]))

    def _weights(self, each: Each) -> Floats:
        sizes = bin_sizes(self.ages) if each == "age" else np.ones(len(self.ages))
        weights: Floats = sizes / sizes.sum()
        return weights


@dataclass(frozen=True)
class Fits:
    """R.D. = C exp(−β (a − 1)) in theory and in simulation, where bootstrap values are those without each run."""

    predicted: ExponentialFit
    simulated: ExponentialFit

    def deviation(self, name: str) -> Estimate:
        """How far the predicted "C" or "beta" is from the simulated one, as a fraction of it."""
        predicted, simulated = getattr(self.predicted, name), getattr(self.simulated, name)
        return estimate.jackknife(predicted / simulated - 1, predicted / getattr(self.simulated, f"{name}_boot") - 1)

    def summary(self, name: str) -> tuple[float, float, float]:
        """The predicted "C" or "beta", the simulated one, and its standard error as a fraction of it."""
        predicted, simulated = getattr(self.predicted, name), getattr(self.simulated, name)
        if name == "C":
            return predicted, simulated, estimate.jackknife_error(np.log(self.simulated.C_boot))
        return predicted, simulated, estimate.jackknife_error(self.simulated.beta_boot) / abs(simulated)


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


def mean_error(compared: Sequence[Comparison], each: Each = "age") -> Estimate:
    """Mean |predicted − simulated| accuracy over memories, cues and ages."""
    mean = float(np.mean([one.absolute_error(each) for one in compared]))
    return estimate.jackknife(mean, np.mean([one.without_runs(each) for one in compared], axis=0))
