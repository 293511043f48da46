"""The memory experiments: the retention protocol for the memories and the patterns of the paper."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import xarray as xr

from slotfree.forgetting.protocol import CUES, Kind, Run, Source, labelled, plan_run
from slotfree.memory.base import Settings
from slotfree.paper.experiments import described
from slotfree.paper.models import K_WINNER, ONE_WINNER, Model
from slotfree.paper.scale import Scale
from slotfree.patterns.random import random_patterns
from slotfree.patterns.tree import tree_patterns
from slotfree.runs.store import Arrays

TREE_FLIPS = (5, 10, 15, 20, 30)

# Measured on one core: seconds per touched weight, per node of a tree, and per pattern besides.
WEIGHT, NODE, PATTERN = 1.4e-9, 4e-6, 2e-6


@dataclass(frozen=True)
class RetentionRuns:
    """The retention protocol for one memory and one source of patterns.

    Attributes
    ----------
    n_flips : b of the trees whose leaves are stored, or None for unstructured patterns.
    runs : if not those of the scale; a smaller scale has no more than its own.
    n_stored, n_tested : if not those of the scale; with trees no more than these, for which there are leaves.
    every_age : whether all stored patterns are tested.
    """

    name: str
    settings: Settings
    n_flips: int | None = None
    cues: tuple[float, ...] = CUES
    kinds: tuple[Kind, ...] = ("real", "pseudo")
    runs: int | None = None
    n_stored: int | None = None
    n_tested: int | None = None
    every_age: bool = False

    def count(self, scale: Scale) -> int:
        """How many runs there are at a scale."""
        return scale.runs if self.runs is None else min(self.runs, scale.runs)

    def sizes(self, scale: Scale) -> tuple[int, int]:
        """Patterns stored and tested at a scale."""
        n_stored, n_tested = self.n_stored or scale.n_stored, self.n_tested or scale.n_tested
        if self.n_flips is not None:
            n_stored, n_tested = min(n_stored, scale.n_stored), min(n_tested, scale.n_tested)
        return n_stored, n_stored if self.every_age else n_tested

    def identity(self, scale: Scale) -> dict[str, Any]:
        """Everything the result of a run follows from, but its seed."""
        n_stored, n_tested = self.sizes(scale)
        tree = {} if self.n_flips is None else {"n_flips": self.n_flips, "n_nodes": scale.n_nodes}
        return {
            "protocol": "retention",
            "memory": described(self.settings),
            "cues": list(self.cues),
            "kinds": list(self.kinds),
            "n_stored": n_stored,
            "n_tested": n_tested,
            **tree,
        }

    def plan(self, scale: Scale) -> Run:
        """Return the function of a seed that performs one run."""
        s = self.settings
        size = {"n_visible": s.n_visible, "k_visible": s.k_visible}
        source: Source = partial(random_patterns, **size)
        if self.n_flips is not None:
            source = partial(tree_patterns, n_nodes=scale.n_nodes, n_flips=self.n_flips, **size)
        return plan_run(s, source, self.cues, self.kinds, *self.sizes(scale))

    def gather(self, results: Sequence[Arrays], scale: Scale) -> xr.Dataset:
        """Label the results of all runs, in their order."""
        return labelled(np.array([result["accuracy"] for result in results]), self.cues, self.kinds)

    def seconds(self, scale: Scale) -> float:
        """About how long it takes on one core."""
        s, (n_stored, n_tested) = self.settings, self.sizes(scale)
        n_retrieved = n_tested * len(self.cues) * len(self.kinds)
        one = (n_stored + n_retrieved) * (s.n_touched * WEIGHT + PATTERN)
        return self.count(scale) * (one + (NODE * scale.n_nodes if self.n_flips is not None else 0))


def unstructured(model: Model, cues: tuple[float, ...] = CUES) -> RetentionRuns:
    """A memory of random patterns."""
    return RetentionRuns(f"{model.name}-random", model.settings, cues=cues)


def structured(model: Model, n_flips: int) -> RetentionRuns:
    """A memory of the leaves of trees, probed also with unstructured patterns."""
    name = f"{model.name}-tree-{n_flips}"
    return RetentionRuns(name, model.settings, n_flips, kinds=("real", "pseudo", "uniform"))


def all_structured() -> tuple[RetentionRuns, ...]:
    """Both memories of the main text with trees of every b."""
    return tuple(structured(model, b) for b in TREE_FLIPS for model in (K_WINNER, ONE_WINNER))
