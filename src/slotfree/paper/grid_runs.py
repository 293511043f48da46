"""Simulations of many memories, for comparison with theory: a unit is one run of all of them, ages averaged in bins."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from math import ceil
from typing import Any

import numpy as np
import xarray as xr

from slotfree.forgetting.family import labels_of
from slotfree.forgetting.merit import CRITERION, age_edges, bin_ages, bin_means, merits
from slotfree.forgetting.protocol import CUES, plan_run
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.paper.experiments import described
from slotfree.paper.retention_runs import RetentionRuns
from slotfree.paper.scale import Scale
from slotfree.runs.seeds import seed_for
from slotfree.runs.store import Arrays

SETTLED = 4  # wins of a unit, times ε, after which little is left of its first weights: e⁻⁴
LEAST_STORED = 1000  # patterns, before those that are tested
FEW_RUNS = 2
SMALL = 150_000  # synapses of the largest memory at a smaller scale
NAMES = ("accuracy", "square", "baseline", "baseline_square")


@dataclass(frozen=True)
class Tested:
    """One memory, and the patterns it stores and is tested with."""

    settings: KWinnerSettings
    n_stored: int
    n_tested: int


@dataclass(frozen=True)
class GridRun:
    """One run of many memories, as a function of its seed."""

    members: tuple[Tested, ...]

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Run all; return mean accuracies of stored patterns (setting, cue, bin) and of others (setting, cue).

        And the means of their squares, from which the spread of single patterns follows.
        """
        found = []
        for one in self.members:
            plan = plan_run(one.settings, None, CUES, ("real", "pseudo"), one.n_stored, one.n_tested)
            stored, others = plan(seed_for(seed, astuple(one.settings)))["accuracy"].swapaxes(0, 1)
            means = [bin_means(values, one.n_tested) for values in (stored, stored**2)]
            found.append([*means, others.mean(axis=-1), (others**2).mean(axis=-1)])
        return {name: np.array([one[i] for one in found]) for i, name in enumerate(NAMES)}


@dataclass(frozen=True)
class GridRuns:
    """The retention protocol for many memories, in their steady state.

    Attributes
    ----------
    members : the memories; a smaller scale has only some of them, evenly spread, and none of the large ones.
    runs, n_tested : at the paper's scale; a smaller scale has two runs, and no more ages than its own.
    """

    name: str
    members: tuple[KWinnerSettings, ...]
    runs: int
    n_tested: int
    some: int = 6

    def count(self, scale: Scale) -> int:
        """How many runs there are at a scale."""
        return self.runs if scale.is_paper else FEW_RUNS

    def ages(self, scale: Scale) -> int:
        """How many ages are tested at a scale."""
        return self.n_tested if scale.is_paper else min(self.n_tested, scale.n_tested)

    def at(self, scale: Scale) -> tuple[Tested, ...]:
        """The memories at a scale, with as many patterns as they need to settle."""
        ages, members = self.ages(scale), self.members
        if not scale.is_paper:
            small = [one for one in members if one.n_synapses <= SMALL]
            members = tuple(small[i] for i in np.unique(np.linspace(0, len(small) - 1, self.some).round().astype(int)))
        return tuple(Tested(one, settling(one) + ages, ages) for one in members)

    def identity(self, scale: Scale) -> dict[str, Any]:
        """Everything the result of a run follows from, but its seed."""
        return {"protocol": "retention, many memories", "members": described(self.at(scale)), "cues": list(CUES)}

    def plan(self, scale: Scale) -> GridRun:
        """Return the function of a seed that performs one run."""
        return GridRun(self.at(scale))

    def gather(self, results: Sequence[Arrays], scale: Scale) -> xr.Dataset:
        """Label the results of all runs, (run, setting, cue) and those of stored patterns by mean age of the bin."""
        labels = labels_of([one.settings for one in self.at(scale)])
        dims = ("run", "setting", "cue", "age")
        arrays = {name: np.array([result[name] for result in results]) for name in NAMES}
        return xr.Dataset(
            {name: (dims[: array.ndim], array) for name, array in arrays.items()},
            {"run": np.arange(len(results)), "cue": list(CUES), "age": bin_ages(self.ages(scale)), **labels},
        )

    def seconds(self, scale: Scale) -> float:
        """About how long it takes on one core."""
        runs = self.count(scale)
        return sum(
            RetentionRuns("", one.settings, runs=runs, n_stored=one.n_stored, n_tested=one.n_tested).seconds(scale)
            for one in self.at(scale)
        )


def settling(settings: KWinnerSettings) -> int:
    """Patterns after which a new memory is in its steady state: each unit has won 4/ε times, on average."""
    wins = SETTLED / settings.learning_rate
    return max(LEAST_STORED, ceil(wins * settings.n_hidden / settings.k_hidden))


def merits_of_runs(data: xr.Dataset, last: int, criterion: float = CRITERION) -> tuple[xr.Dataset, xr.Dataset]:
    """Merits (setting, cue) of simulated memories, tested up to an age, and standard errors (jackknife over runs)."""
    n = data.sizes["run"]
    total = data.sum("run")
    found, without = (_merits(curve, last, criterion) for curve in (total / n, (total - data) / (n - 1)))
    squares = ((without - without.mean("run")) ** 2).sum("run")
    return found, ((n - 1) / n * squares) ** 0.5


def _merits(data: xr.Dataset, last: int, criterion: float) -> xr.Dataset:
    raw = data["accuracy"] - data["baseline"]
    ages_in_bin = xr.DataArray(np.diff(age_edges(last)), dims="age")
    found = merits(data[["accuracy", "baseline"]].assign(raw_difference=raw), criterion=criterion)
    return found.assign(area=(raw * ages_in_bin).sum("age"))


def d_prime_of_runs(data: xr.Dataset) -> tuple[xr.DataArray, xr.DataArray]:
    """d' = R.D. over the spread of single patterns' δ, (setting, cue, age), and its standard error (jackknife).

    All runs and ages of a bin are taken together; a bin needs several ages for a spread within runs.
    """
    n = data.sizes["run"]
    total = data.sum("run")
    found, without = (_d_prime(mean) for mean in (total / n, (total - data) / (n - 1)))
    squares = ((without - without.mean("run")) ** 2).sum("run")
    return found, ((n - 1) / n * squares) ** 0.5


def _d_prime(mean: xr.Dataset) -> xr.DataArray:
    spread = mean["square"] - mean["accuracy"] ** 2 + mean["baseline_square"] - mean["baseline"] ** 2
    d_prime: xr.DataArray = (mean["accuracy"] - mean["baseline"]) / np.sqrt(spread)
    return d_prime
