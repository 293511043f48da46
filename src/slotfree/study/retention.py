"""The retention protocol as what one run of an experiment does."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import xarray as xr

from slotfree.files.safetensors import Arrays
from slotfree.forgetting.agreement import Metric
from slotfree.forgetting.cues import Cue, checked_cues
from slotfree.forgetting.protocol import CUES, Build, Kind, Source, labelled, plan_run
from slotfree.memory.base import Settings
from slotfree.patterns.tree import TreePatterns
from slotfree.study.scale import Scale


@dataclass(frozen=True)
class Retention:
    """Store a stream of patterns in a new memory and test it by age, as ``sf.retention`` does in each of its runs.

    Attributes
    ----------
    memory : the settings of a memory, or a function that builds one from a seed: a class of your own, for example.
    source : where patterns come from; None for random ones that fit the settings.
    cues : levels or other cues, as ``sf.retention`` takes them; if there are others, all labels are strings.
    kinds : what is tested: stored patterns ("real"), unseen ones of the same source ("pseudo"), of the source drawn
        anew, so of other categories ("other"), or of none ("uniform").
    n_stored, n_tested : patterns stored, and how many of the newest are tested; equal numbers test every age.
    metrics : what is measured: "accuracy", "precision", "overlap" (``slotfree.forgetting.agreement``).
    deterministic : whether the same cues must retrieve the same patterns; False allows a memory that is random.

    Examples
    --------
    >>> import slotfree as sf
    >>> small = Retention(sf.KWinnerSettings(), n_stored=30, n_tested=5)
    >>> small(np.random.SeedSequence(0))["accuracy"].shape  # cue, kind, age
    (2, 2, 5)
    """

    memory: Settings | Build
    source: Source | None = None
    cues: tuple[Cue, ...] = CUES
    kinds: tuple[Kind, ...] = ("real", "pseudo")
    n_stored: int = 4000
    n_tested: int = 1000
    metrics: tuple[Metric, ...] = ("accuracy",)
    deterministic: bool = True

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return the metrics by name, (cue, kind, age)."""
        rest = (self.n_stored, self.n_tested, self.metrics, self.deterministic)
        found: Arrays = plan_run(self.memory, self.source, self.cues, self.kinds, *rest)(seed)
        return found

    def label(self, results: Sequence[Arrays]) -> xr.Dataset:
        """Label the metrics of all runs, (run, cue, kind, age)."""
        found = {metric: np.array([result[metric] for result in results]) for metric in self.metrics}
        return labelled(found, checked_cues(self.cues), self.kinds)

    def at(self, scale: Scale) -> "Retention":
        """The same with fewer patterns; trees are then no larger than they must be."""
        n_stored = scale.limit("n_stored", self.n_stored)
        n_tested = n_stored if self.n_tested == self.n_stored else scale.limit("n_tested", self.n_tested)
        source = replace(self.source, n_nodes=None) if isinstance(self.source, TreePatterns) else self.source
        return replace(self, n_stored=n_stored, n_tested=min(n_tested, n_stored), source=source)
