"""A point of a grid: what is run there."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from slotfree.runs.store import Arrays
from slotfree.sweep.parameters import Value


@dataclass(frozen=True)
class Point:
    """A point of a grid.

    Attributes
    ----------
    chosen : the value of each parameter of the grid; None if the model of this point does not have it.
    parameters : the value of every parameter, given or not. Points with the same are the same.
    plan : one run as a function of its seed, which can be sent to any worker.
    seconds : about how long a run takes on one core.
    """

    chosen: Mapping[str, Value | None]
    parameters: Mapping[str, Value | None]
    plan: Callable[[np.random.SeedSequence], Arrays]
    seconds: float

    @property
    def text(self) -> str:
        """The parameters as one line, always the same: what tells points, and their seeds, apart."""
        return json.dumps(dict(self.parameters), sort_keys=True)

    def label(self, names: tuple[str, ...]) -> str:
        """The values of some parameters in words."""
        return in_words({name: self.chosen[name] for name in names})


def in_words(values: Mapping[str, Value | None]) -> str:
    """Return parameters and their values as people read them."""
    return ", ".join(f"{name} {shown(value)}" for name, value in values.items() if value is not None)


def shown(value: Value | None) -> str:
    """A value as people write it."""
    return "–" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
