"""What an item needs to be run: experiments, each of many runs. One that several items need is run once."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree.paper.scale import Scale

Arrays: TypeAlias = dict[str, NDArray[Any]]


class Experiment(Protocol):
    """A frozen description of many runs of one thing; equal names mean equal experiments."""

    @property
    def name(self) -> str:
        """What its seeds and its file are called after."""

    def count(self, scale: Scale) -> int:
        """How many runs there are at a scale."""

    def plan(self, scale: Scale) -> Callable[[np.random.SeedSequence], Arrays]:
        """Return the function of a seed that performs one run, and can be sent to any worker."""

    def gather(self, results: Sequence[Arrays], scale: Scale) -> xr.Dataset:
        """Label the results of all runs, in their order."""

    def seconds(self, scale: Scale) -> float:
        """About how long all runs take on one core."""
