"""How Willshaw's memory fills up: ones among its weights, and accuracy, while patterns are stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from slotfree.forgetting.protocol import CUES
from slotfree.memory.willshaw import Willshaw, WillshawSettings
from slotfree.paper.experiments import described
from slotfree.paper.scale import Scale
from slotfree.patterns.cues import partial_cues
from slotfree.patterns.random import random_patterns
from slotfree.runs.seeds import seed_for
from slotfree.runs.store import Arrays

NUMBERS = (1, 2, 5, 10, 20, 30, 50, 70, 100, 140, 200, 300, 500, 1000, 2000)
TESTED = 50


@dataclass(frozen=True)
class FillingRun:
    """One memory that is tested now and then while it stores, as a function of its seed."""

    settings: WillshawSettings
    numbers: tuple[int, ...] = NUMBERS
    cues: tuple[float, ...] = CUES
    tested: int = TESTED

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return ``filled`` (number) and ``accuracy`` (cue, number) over the newest patterns."""
        s = self.settings
        memory = Willshaw(s.n_visible, s.k_visible, s.fan_in, seed=seed_for(seed, "memory"))
        size = {"n_visible": s.n_visible, "k_visible": s.k_visible}
        patterns = random_patterns(self.numbers[-1], **size, seed=seed_for(seed, "patterns"))
        filled = np.empty(len(self.numbers))
        accuracy = np.empty((len(self.cues), len(self.numbers)))
        for i, number in enumerate(self.numbers):
            memory.store(patterns[memory.n_stored : number])
            filled[i] = memory.filled
            newest = patterns[max(0, number - self.tested) : number]
            for c, cue in enumerate(self.cues):
                presented = partial_cues(newest, cue, seed=seed_for(seed, "cue", cue, number))
                accuracy[c, i] = (memory.retrieve(presented) & newest).sum() / newest.sum()
        return {"filled": filled, "accuracy": accuracy}


@dataclass(frozen=True)
class FillingRuns:
    """Many such memories."""

    name: str = "willshaw-filling"
    runs: int = 20

    def count(self, scale: Scale) -> int:
        """How many runs there are at a scale."""
        return min(self.runs, scale.runs)

    def identity(self, scale: Scale) -> dict[str, Any]:
        """Everything the result of a run follows from, but its seed."""
        return {"protocol": "filling", **described(self.plan(scale))}

    def plan(self, scale: Scale) -> FillingRun:
        """Return the function of a seed that performs one run."""
        return FillingRun(WillshawSettings())

    def gather(self, results: Sequence[Arrays], scale: Scale) -> xr.Dataset:
        """Label the results of all runs, in their order."""
        filled, accuracy = (np.array([result[name] for result in results]) for name in ("filled", "accuracy"))
        return xr.Dataset(
            {"filled": (("run", "number"), filled), "accuracy": (("run", "cue", "number"), accuracy)},
            {"cue": list(CUES), "number": list(NUMBERS)},
        )

    def seconds(self, scale: Scale) -> float:
        """About how long all runs take on one core."""
        return 0.08 * self.count(scale)
