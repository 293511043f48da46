"""One size in theory and in simulation, and what it costs."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree.beyond.billion.experiments import AGES, SIZES, touched
from slotfree.forgetting.family import settings_in
from slotfree.forgetting.protocol import CUES
from slotfree.forgetting.theory.k_winner import predicted_curves
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.study import estimate
from slotfree.study.estimate import Estimate
from slotfree.study.results import Results

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Compared:
    """One size.

    Attributes
    ----------
    exponent : the power of ten that its number of synapses is, at full scale.
    """

    exponent: int
    data: xr.Dataset

    @property
    def settings(self) -> KWinnerSettings:
        """Of the memory."""
        return settings_in(self.data, 0)

    @property
    def memories(self) -> int:
        """How many were simulated."""
        return self.data.sizes["run"]

    def simulated(self, cue: float, age: int | None) -> Floats:
        """Accuracy (run, pattern) of patterns of an age and its neighbours; of those never stored, if it is None."""
        data = self.data.sel(cue=cue)
        return np.asarray(data["baseline"].values if age is None else data["accuracy"].sel(age=age).values)

    def predicted(self, cue: float, age: int | None) -> Floats:
        """Accuracy (pattern) by the theory, each at its own age."""
        ages = self.data["tested_age"]
        curve = _predicted(self.settings, tuple(sorted(set(ages.values.ravel().tolist())))).sel(cue=cue)
        if age is None:
            return np.full(self.data.sizes["unseen"], float(curve["baseline"]))
        return np.asarray(curve["accuracy"].sel(age=ages.sel(age=age).values).values)

    def line(self, ages: NDArray[np.int64]) -> xr.Dataset:
        """The predicted curves at any ages."""
        return _predicted(self.settings, tuple(ages.tolist()))

    def difference(self, cue: float, age: int | None) -> Estimate:
        """Mean accuracy in simulation less that by the theory; memories are independent, or patterns of a single one.

        Patterns of a single memory have its units in common: their interval may be too narrow, see
        ``docs/explained/scale.md``.
        """
        differences = self.simulated(cue, age) - self.predicted(cue, age)
        return estimate.mean(differences.mean(axis=1) if self.memories > 1 else differences[0])

    @property
    def nanoseconds(self) -> Floats:
        """Per touched synapse of a store on one thread, (run × batch,)."""
        return np.asarray(self.data["store_seconds"].values.ravel() / touched(self.settings) * 1e9)

    @property
    def bytes_per_synapse(self) -> float:
        """Of weights, and of what connections are computed from."""
        return float(self.data["nbytes"].max()) / self.settings.n_synapses


def compare(r: Results) -> list[Compared]:
    """All sizes, the smallest first."""
    return [Compared(len(str(size)) - 1, r[experiment]) for size, experiment in SIZES.items()]


def points(one: Compared) -> Iterator[tuple[float, int | None, Estimate]]:
    """Where theory and simulation are compared: cue, age (None for patterns never stored), and their difference."""
    for cue in CUES:
        for age in (*AGES, None):
            yield cue, age, one.difference(cue, age)


@cache
def _predicted(settings: KWinnerSettings, ages: tuple[int, ...]) -> xr.Dataset:
    """Accuracy (cue, age) and baseline (cue), also outside the theory's limits, where smaller scales are.

    Kept, since a figure and its claims need the same predictions.
    """
    accuracy, baseline, _ = predicted_curves(settings, CUES, np.array(ages), anywhere=True)
    coordinates = {"cue": list(CUES), "age": list(ages)}
    return xr.Dataset({"accuracy": (("cue", "age"), accuracy), "baseline": ("cue", baseline)}, coordinates)
