"""Predictions of many memories as what one run of an experiment does: kept like simulations, and shared among cores."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import xarray as xr

from slotfree.files.safetensors import Arrays
from slotfree.forgetting.family import labels_of
from slotfree.forgetting.merit import MERITS
from slotfree.forgetting.protocol import CUES
from slotfree.forgetting.search import predicted_merits
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.study.scale import Scale


@dataclass(frozen=True)
class PredictedMerits:
    """Predict the merits of memories, all in one run, also outside the theory's limits; no seed matters.

    Attributes
    ----------
    members : the settings of the memories.
    every : a smaller scale takes one memory out of this number, and leaves the others out.
    """

    members: tuple[KWinnerSettings, ...]
    every: int = 24

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return ``merits`` (merit, setting, cue)."""
        tables = [predicted_merits(one, CUES, anywhere=True) for one in self.members]
        return {"merits": np.array([[table[name] for table in tables] for name in MERITS])}

    def label(self, results: Sequence[Arrays]) -> xr.Dataset:
        """Label the merits, (setting, cue)."""
        merits = {name: (("setting", "cue"), results[0]["merits"][i]) for i, name in enumerate(MERITS)}
        return xr.Dataset(merits, {"cue": list(CUES), **labels_of(self.members)})

    def at(self, scale: Scale) -> "PredictedMerits":
        """The same for a few of the memories."""
        return replace(self, members=self.members[:: self.every])
