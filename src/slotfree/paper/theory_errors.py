"""How far predicted curves are from simulated ones, and how far they would be by the chance of the simulation alone."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree.forgetting.family import settings_in
from slotfree.forgetting.fits import fit_of
from slotfree.forgetting.merit import age_edges, bin_ages, bin_means
from slotfree.forgetting.theory.k_winner import predict_retention
from slotfree.memory.kwinner import KWinnerSettings

Floats = NDArray[np.float64]

FIT_AGES = 200
LEAST_DIFFERENCE = 0.05  # R.D. below which no exponential is fitted
LEAST_BINS = 4
SURE = 2.576  # standard errors of a 99% interval


@dataclass(frozen=True)
class Comparison:
    """One memory in theory and in simulation, ages in bins.

    Attributes
    ----------
    predicted : accuracy (cue, bin); predicted_baseline : (cue).
    simulated : accuracy (run, cue, bin); simulated_baseline : (run, cue).
    """

    settings: KWinnerSettings
    cues: tuple[float, ...]
    last: int
    predicted: Floats
    predicted_baseline: Floats
    simulated: Floats
    simulated_baseline: Floats

    @property
    def ages(self) -> Floats:
        """Mean age of each bin."""
        return bin_ages(self.last)

    @property
    def width(self) -> Floats:
        """Ages in each bin, as shares of all."""
        widths = np.diff(age_edges(self.last))
        shares: Floats = widths / widths.sum()
        return shares

    @cached_property
    def mean(self) -> Floats:
        """Simulated accuracy, (cue, bin)."""
        mean: Floats = self.simulated.mean(axis=0)
        return mean

    @cached_property
    def standard_error(self) -> Floats:
        """Of the simulated accuracy, (cue, bin)."""
        error: Floats = self.simulated.std(axis=0, ddof=1) / np.sqrt(len(self.simulated))
        return error

    @property
    def error(self) -> Floats:
        """Predicted less simulated accuracy, (cue, bin)."""
        return self.predicted - self.mean

    def absolute_error(self) -> Floats:
        """Mean |error| over ages, each of equal weight, (cue)."""
        error: Floats = np.abs(self.error) @ self.width
        return error

    def absolute_error_by_bin(self) -> Floats:
        """Mean |error| over bins: young ages, of which there are few, weigh as much as old ones, (cue)."""
        error: Floats = np.abs(self.error).mean(axis=1)
        return error

    def chance(self) -> tuple[Floats, Floats]:
        """What both would be with a perfect theory: E|x| = √(2/π) times the standard error, (cue)."""
        noise = np.sqrt(2 / np.pi) * self.standard_error
        return noise @ self.width, noise.mean(axis=1)

    def without_runs(self) -> Floats:
        """Mean |error| over ages and cues without each of the runs, for a jackknife, (run)."""
        n = len(self.simulated)
        others = (n * self.mean - self.simulated) / (n - 1)
        error: Floats = (np.abs(self.predicted - others) @ self.width).mean(axis=1)
        return error

    def constants(self, cue: int) -> "Constants | None":
        """C and β of R.D. = C exp(−β (a − 1)) where R.D. > 0.05, ages up to 200; None where that is too little.

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
        theory, simulation = fit_of(predicted[None, used], self.ages[used]), fit_of(curves, self.ages[used])
        reach = [_jackknife(np.log(simulation.C_boot)), _jackknife(simulation.beta_boot) / abs(simulation.beta)]
        return Constants(theory.C, theory.beta, simulation.C, simulation.beta, *reach)


@dataclass(frozen=True)
class Constants:
    """C and β predicted and simulated, and the standard errors of the simulated ones as fractions of them."""

    C: float
    beta: float
    C_simulated: float
    beta_simulated: float
    C_error: float
    beta_error: float

    def off(self, name: str) -> float:
        """How far the predicted constant is from the simulated one, as a fraction of it."""
        return float(getattr(self, name) / getattr(self, f"{name}_simulated") - 1)

    def beyond(self, name: str, limit: float) -> bool:
        """Whether it is farther than a limit for sure: its 99% interval is beyond it."""
        return abs(self.off(name)) - SURE * float(getattr(self, f"{name}_error")) > limit


def compare(data: xr.Dataset, last: int) -> list[Comparison]:
    """Predict every memory of a simulated grid (``GridRuns``), tested up to an age."""
    cues = tuple(data["cue"].values.tolist())
    found = []
    for i in range(data.sizes["setting"]):
        settings, one = settings_in(data, i), data.isel(setting=i)
        curve = predict_retention(settings, cues, np.arange(1, last + 1))
        found.append(
            Comparison(
                settings,
                cues,
                last,
                bin_means(curve["accuracy"].values, last),
                curve["baseline"].values,
                one["accuracy"].values,
                one["baseline"].values,
            )
        )
    return found


def mean_error(compared: list[Comparison]) -> tuple[float, float]:
    """Mean |error| over memories, cues and ages, and its standard error (jackknife over runs)."""
    mean = float(np.mean([one.absolute_error() for one in compared]))
    return mean, _jackknife(np.mean([one.without_runs() for one in compared], axis=0))


def _jackknife(values: Floats) -> float:
    """Standard error of a statistic from its values without each of the runs."""
    n = len(values)
    return float(np.sqrt((n - 1) / n * ((values - values.mean()) ** 2).sum()))
