"""What an item needs to be run: experiments, each of many runs. One that several items need is run once."""

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, Protocol

import numpy as np
import xarray as xr

from slotfree.paper.scale import Scale
from slotfree.runs.store import Arrays


def described(value: Any) -> Any:
    """Return a frozen description (a dataclass, or what it holds) as JSON can write it."""
    if is_dataclass(value) and not isinstance(value, type):
        parts = {field.name: described(getattr(value, field.name)) for field in fields(value)}
        return {"is": type(value).__name__, **parts}
    if isinstance(value, tuple | list):
        return [described(part) for part in value]
    return value


class Experiment(Protocol):
    """A frozen description of many runs of one thing; equal names mean equal experiments."""

    @property
    def name(self) -> str:
        """What its seeds and its file are called after."""

    def count(self, scale: Scale) -> int:
        """How many runs there are at a scale."""

    def identity(self, scale: Scale) -> dict[str, Any]:
        """Everything the result of a run follows from, but its seed, as JSON can write it."""

    def plan(self, scale: Scale) -> Callable[[np.random.SeedSequence], Arrays]:
        """Return the function of a seed that performs one run, and can be sent to any worker."""

    def gather(self, results: Sequence[Arrays], scale: Scale) -> xr.Dataset:
        """Label the results of all runs, in their order."""

    def seconds(self, scale: Scale) -> float:
        """About how long all runs take on one core."""
