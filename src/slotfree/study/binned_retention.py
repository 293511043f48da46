"""The retention protocol for many memories as what one run of an experiment does; ages are averaged in bins."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace

import numpy as np
import xarray as xr

from slotfree.files.safetensors import Arrays
from slotfree.forgetting.binned import settling
from slotfree.forgetting.family import labels_of
from slotfree.forgetting.merit import bin_ages, bin_means
from slotfree.forgetting.protocol import CUES, plan_run
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.runs.seeds import seed_for
from slotfree.study.scale import Scale

SMALL = 150_000  # synapses of the largest memory at a smaller scale
NAMES = ("accuracy", "square", "baseline", "baseline_square")


@dataclass(frozen=True)
class BinnedRetention:
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

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return means of accuracies and squares: of stored patterns (setting, cue, bin), of others (setting, cue)."""
        found = []
        for one in self.members:
            plan = plan_run(one, None, CUES, ("real", "pseudo"), settling(one) + self.n_tested, self.n_tested)
            stored, others = plan(seed_for(seed, astuple(one)))["accuracy"].swapaxes(0, 1)
            means = [bin_means(values, self.n_tested) for values in (stored, stored**2)]
            found.append([*means, others.mean(axis=-1), (others**2).mean(axis=-1)])
        return {name: np.array([one[i] for one in found]) for i, name in enumerate(NAMES)}

    def label(self, results: Sequence[Arrays]) -> xr.Dataset:
        """Label the results of all runs, (run, setting, cue), and those of stored patterns by mean age of the bin."""
        dims = ("run", "setting", "cue", "age")
        arrays = {name: np.array([result[name] for result in results]) for name in NAMES}
        return xr.Dataset(
            {name: (dims[: array.ndim], array) for name, array in arrays.items()},
            {
                "run": np.arange(len(results)),
                "cue": list(CUES),
                "age": bin_ages(self.n_tested),
                **labels_of(self.members),
            },
        )

    def at(self, scale: Scale) -> "BinnedRetention":
        """The same for some of the memories, evenly spread, without the large ones, and with fewer ages."""
        small = [one for one in self.members if one.n_synapses <= SMALL]
        chosen = np.unique(np.linspace(0, len(small) - 1, self.some).round().astype(int))
        n_tested = scale.limit("n_tested", self.n_tested)
        return replace(self, members=tuple(small[i] for i in chosen), n_tested=n_tested)
