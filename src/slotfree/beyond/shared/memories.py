"""Many memories: what one run does with them, in simulation and in theory, and measures of them with their errors.

Predictions are kept like simulations, and shared among cores.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import xarray as xr

from slotfree.files.safetensors import Arrays
from slotfree.forgetting.binned import binned_merits, leave_one_out, settling
from slotfree.forgetting.family import labels_of, rows_of
from slotfree.forgetting.merit import bin_ages, bin_means
from slotfree.forgetting.protocol import CUES, plan_run
from slotfree.forgetting.search import merit_names, predicted_merits
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.runs.seeds import seed_for
from slotfree.study import Estimate, Scale, estimate
from slotfree.study.labelled import Labelled

SMALL = 150_000  # synapses of the largest memory at a smaller scale
STORED, OTHERS = ("setting", "cue", "age"), ("setting", "cue")
DIMS = {"accuracy": STORED, "square": STORED, "baseline": OTHERS, "baseline_square": OTHERS}


@dataclass(frozen=True)
class BinnedRetention(Labelled):
    """Test K-winner memories in their steady state, each with patterns of its own, by age.

    Attributes
    ----------
    members : the settings of the memories.
    n_tested : the number of newest patterns that are tested; before them, a memory stores what it needs to settle.
    some : the number of memories at a smaller scale.
    """

    members: tuple[KWinnerSettings, ...]
    n_tested: int
    some: int = 6
    dims: ClassVar = DIMS

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return means of accuracies and squares: of stored patterns (setting, cue, bin), of others (setting, cue)."""
        found = []
        for one in self.members:
            plan = plan_run(one, None, CUES, ("real", "pseudo"), settling(one) + self.n_tested, self.n_tested)
            stored, others = plan(seed_for(seed, astuple(one)))["accuracy"].swapaxes(0, 1)
            means = [bin_means(values, self.n_tested) for values in (stored, stored**2)]
            found.append([*means, others.mean(axis=-1), (others**2).mean(axis=-1)])
        return {name: np.array([one[i] for one in found]) for i, name in enumerate(DIMS)}

    @property
    def coordinates(self) -> Mapping[str, Any]:
        return {"cue": list(CUES), "age": bin_ages(self.n_tested), **labels_of(self.members)}

    def at(self, scale: Scale) -> "BinnedRetention":
        """The same for some of the memories, evenly spread, without the large ones, and with fewer ages."""
        small = [one for one in self.members if one.n_synapses <= SMALL]
        chosen = np.unique(np.linspace(0, len(small) - 1, self.some).round().astype(int))
        n_tested = scale.limit("n_tested", self.n_tested)
        return replace(self, members=tuple(small[i] for i in chosen), n_tested=n_tested)


@dataclass(frozen=True)
class PredictedMerits:
    """Predict the merits of memories, all in one run, also outside the theory's limits; no seed matters.

    Attributes
    ----------
    members : the settings of the memories.
    every : a smaller scale takes one memory out of this number, and leaves the others out.
    age : at which d' is predicted, too.
    """

    members: tuple[KWinnerSettings, ...]
    every: int = 24
    age: int | None = None

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        tables = [predicted_merits(one, CUES, age=self.age, anywhere=True) for one in self.members]
        return {"merits": np.array([[table[name] for table in tables] for name in merit_names(self.age)])}

    def label(self, results: Sequence[Arrays]) -> xr.Dataset:
        names = merit_names(self.age)
        merits = {name: (("setting", "cue"), results[0]["merits"][i]) for i, name in enumerate(names)}
        return xr.Dataset(merits, {"cue": list(CUES), **labels_of(self.members)})

    def at(self, scale: Scale) -> "PredictedMerits":
        return replace(self, members=self.members[:: self.every])


@dataclass(frozen=True)
class Simulated:
    """Measures of the memories of a ``BinnedRetention``.

    Attributes
    ----------
    found : from all runs, (setting, cue, …).
    without : from all runs but one, (run, setting, cue, …).
    """

    found: xr.Dataset
    without: xr.Dataset

    @classmethod
    def of(cls, data: xr.Dataset, measure: Callable[[xr.Dataset], xr.Dataset] = binned_merits) -> "Simulated":
        """Measure the runs of an experiment; by default all merits."""
        return cls(*leave_one_out(data, measure))

    @cached_property
    def errors(self) -> xr.Dataset:
        """Standard errors, (setting, cue, …)."""
        return self.without.map(lambda values: values.reduce(_error, "run"))

    @cached_property
    def rows(self) -> dict[KWinnerSettings, int]:
        """The row of each memory."""
        return rows_of(self.found)

    def columns(self, settings: KWinnerSettings, names: Iterable[str], cue: float) -> dict[str, str]:
        """Measures of a memory and their standard errors, for a table; empty for a memory that was not simulated."""
        shown = {}
        for name in names:
            for what, data in (("simulated", self.found), ("error", self.errors)):
                row = self.rows.get(settings)
                shown[f"{name}_{what}"] = "" if row is None else f"{float(data[name].sel(cue=cue)[row]):.5g}"
        return shown

    def estimate(
        self, combine: Callable[..., Any], memories: Iterable[KWinnerSettings], name: str, cue: float
    ) -> Estimate:
        """A number that follows from a measure of several memories, such as their difference; NaN if one is missing."""
        rows = [self.rows.get(one, -1) for one in memories]
        if -1 in rows:
            return Estimate(np.nan, np.nan, np.nan)
        found, without = (data[name].sel(cue=cue).transpose("setting", ...) for data in (self.found, self.without))
        with np.errstate(invalid="ignore", divide="ignore"):  # infinite half-lives have no difference
            return estimate.jackknife(combine(*found.values[rows]), combine(*without.values[rows]))

    def deviation(self, theory: xr.Dataset, memories: Iterable[KWinnerSettings], name: str) -> Estimate:
        """Mean |theory / simulation − 1| of a measure over memories and cues, where both are finite.

        Parameters
        ----------
        theory : a table of predictions (setting, cue) with these memories.
        """
        in_theory, memories = rows_of(theory), tuple(memories)
        here, there = (np.array([rows[one] for one in memories], int) for rows in (in_theory, self.rows))
        predicted = theory[name].transpose("setting", "cue").values[here]
        found = self.found[name].transpose("setting", "cue").values[there]
        without = self.without[name].transpose("run", "setting", "cue").values[:, there]
        known = np.isfinite(predicted) & np.isfinite(found)
        if not known.any():
            return Estimate(np.nan, np.nan, np.nan)

        def mean(simulated: Any) -> Any:
            return np.abs(predicted[known] / simulated[..., known] - 1).mean(axis=-1)

        return estimate.jackknife(mean(found), mean(without))


def _error(values: Any, axis: int) -> Any:
    return np.apply_along_axis(estimate.jackknife_error, axis, values)
