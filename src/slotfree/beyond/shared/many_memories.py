"""Many memories as what one run of an experiment does: the retention protocol, ages averaged in bins, and predictions.

Predictions are kept like simulations, and shared among cores.
"""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Any, ClassVar

import numpy as np
import xarray as xr

from slotfree.files.safetensors import Arrays
from slotfree.forgetting.binned import settling
from slotfree.forgetting.family import labels_of
from slotfree.forgetting.merit import MERITS, bin_ages, bin_means
from slotfree.forgetting.protocol import CUES, plan_run
from slotfree.forgetting.search import predicted_merits
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.runs.seeds import seed_for
from slotfree.study.labelled import Labelled
from slotfree.study.scale import Scale

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
    some : how many memories there are at a smaller scale.
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
        """Cue levels, mean ages of bins, and the settings."""
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
