"""Measures of simulated memories, with their uncertainty from leaving out one run after the other."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import xarray as xr

from slotfree.forgetting.binned import binned_merits, leave_one_out
from slotfree.forgetting.family import rows_of
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.study import estimate
from slotfree.study.estimate import Estimate


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
