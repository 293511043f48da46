"""How many patterns a modern Hopfield network recalls, while more and more are stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from slotfree.memory.modern_hopfield import ModernHopfield
from slotfree.paper.experiments import described
from slotfree.paper.scale import Scale
from slotfree.runs.seeds import seed_for
from slotfree.runs.store import Arrays

FLIPPED = 1 / 8
NUMBERS = tuple(2**i for i in range(1, 15))
DIMENSIONS = (16, 24, 32, 40)
MAPPED, MAPPED_NUMBERS = 32, NUMBERS[:12]
BETAS = (0.05, 0.07, 0.1, 0.14, 0.2, 0.28, 0.4, 0.56, 0.8, 1.12, 1.6)
RESTED = (0.1, 0.2, 0.4, 1.6)  # β for which retrieval is also iterated until it rests
CUES, MAPPED_CUES, RESTED_CUES = 200, 100, 25


@dataclass(frozen=True)
class CapacityRun:
    """One draw of patterns and cues for each size, as a function of its seed: the share of patterns not recalled."""

    dimensions: tuple[int, ...] = DIMENSIONS
    numbers: tuple[int, ...] = NUMBERS
    mapped: int = MAPPED
    mapped_numbers: tuple[int, ...] = MAPPED_NUMBERS
    betas: tuple[float, ...] = BETAS
    rested: tuple[float, ...] = RESTED
    flipped: float = FLIPPED
    cues: tuple[int, int, int] = (CUES, MAPPED_CUES, RESTED_CUES)

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return ``by_size`` (dimension, number) for β = ∞; ``by_beta`` and ``at_rest`` (beta, number) for one size."""
        many, some, few = self.cues
        by_size = [self.lost(seed_for(seed, "size", n), n, np.inf, self.numbers, 1, many) for n in self.dimensions]
        same = seed_for(seed, "beta")
        by_beta = [self.lost(same, self.mapped, beta, self.mapped_numbers, 1, some) for beta in self.betas]
        at_rest = [self.lost(same, self.mapped, beta, self.mapped_numbers, None, few) for beta in self.rested]
        return {"by_size": np.array(by_size), "by_beta": np.array(by_beta), "at_rest": np.array(at_rest)}

    def lost(
        self,
        seed: np.random.SeedSequence,
        dimension: int,
        beta: float,
        numbers: tuple[int, ...],
        steps: int | None,
        n_cues: int,
    ) -> list[float]:
        """Return the share of cues that do not recall their pattern, at each number of stored patterns."""
        rng = np.random.default_rng(seed)
        patterns = rng.integers(0, 2, (numbers[-1], dimension)) * 2.0 - 1
        cues = patterns[: max(self.cues)].copy()
        order = rng.permuted(np.tile(np.arange(dimension), (len(cues), 1)), axis=1)
        flips = order[:, : round(self.flipped * dimension)]
        np.put_along_axis(cues, flips, -np.take_along_axis(cues, flips, axis=1), axis=1)
        memory = ModernHopfield(dimension, beta)
        shares = []
        for number in numbers:
            memory.store(patterns[memory.n_stored : number])
            tested = min(number, n_cues)
            right = (memory.retrieve(cues[:tested], steps) * patterns[:tested] > 0).all(axis=1)
            shares.append(1 - float(right.mean()))
        return shares


@dataclass(frozen=True)
class CapacityRuns:
    """Many such draws."""

    name: str = "capacity"
    runs: int = 10

    def count(self, scale: Scale) -> int:
        """How many runs there are at a scale."""
        return min(self.runs, scale.runs)

    def identity(self, scale: Scale) -> dict[str, Any]:
        """Everything the result of a run follows from, but its seed."""
        return {"protocol": "capacity", **described(self.plan(scale))}

    def plan(self, scale: Scale) -> CapacityRun:
        """Return the function of a seed that performs one run."""
        return CapacityRun()

    def gather(self, results: Sequence[Arrays], scale: Scale) -> xr.Dataset:
        """Label the results of all runs, in their order."""
        dims = {
            "by_size": ("dimension", "number"),
            "by_beta": ("beta", "mapped_number"),
            "at_rest": ("rested_beta", "mapped_number"),
        }
        arrays = {name: (("run", *labels), np.array([r[name] for r in results])) for name, labels in dims.items()}
        labels = {"dimension": DIMENSIONS, "number": NUMBERS, "mapped_number": MAPPED_NUMBERS}
        return xr.Dataset(arrays, {name: list(values) for name, values in labels.items()}).assign_coords(
            beta=list(BETAS), rested_beta=list(RESTED)
        )

    def seconds(self, scale: Scale) -> float:
        """About how long all runs take on one core."""
        return 0.9 * self.count(scale)
