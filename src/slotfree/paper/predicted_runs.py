"""Predictions that take a while, as units of work: kept like runs, and shared among cores like them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from slotfree.forgetting.family import labels_of
from slotfree.forgetting.merit import MERITS
from slotfree.forgetting.protocol import CUES
from slotfree.forgetting.search import predicted_merits
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.paper.experiments import described
from slotfree.paper.scale import Scale
from slotfree.runs.store import Arrays

ONE = 0.07  # seconds for a prediction, measured on one core


@dataclass(frozen=True)
class Predict:
    """The merits of some memories in theory; no seed matters."""

    members: tuple[KWinnerSettings, ...]

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Predict all: (merit, setting, cue)."""
        tables = [predicted_merits(one, CUES) for one in self.members]
        return {"merits": np.array([[table[name].values for table in tables] for name in MERITS])}


@dataclass(frozen=True)
class PredictedMerits:
    """The merits of some memories, in one unit; a smaller scale has only some of them, one of every few."""

    name: str
    members: tuple[KWinnerSettings, ...]
    few: int = 24

    def count(self, scale: Scale) -> int:
        """How many units there are."""
        return 1

    def at(self, scale: Scale) -> tuple[KWinnerSettings, ...]:
        """The memories at a scale."""
        return self.members if scale.is_paper else self.members[:: self.few]

    def identity(self, scale: Scale) -> dict[str, Any]:
        """Everything the result follows from."""
        return {"theory": "retention", "members": described(self.at(scale)), "cues": list(CUES)}

    def plan(self, scale: Scale) -> Predict:
        """Return the function that predicts them."""
        return Predict(self.at(scale))

    def gather(self, results: Sequence[Arrays], scale: Scale) -> xr.Dataset:
        """Label the merits, (setting, cue)."""
        merits = {name: (("setting", "cue"), results[0]["merits"][i]) for i, name in enumerate(MERITS)}
        return xr.Dataset(merits, {"cue": list(CUES), **labels_of(self.at(scale))})

    def seconds(self, scale: Scale) -> float:
        """About how long it takes on one core."""
        return ONE * len(self.at(scale))
