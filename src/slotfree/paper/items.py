"""The items: what can be reproduced, in the order of the paper."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING

import xarray as xr

from slotfree.paper.claims import Claims
from slotfree.paper.experiments import Experiment
from slotfree.paper.names import NAMES as NAMES
from slotfree.paper.scale import Scale

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Context:
    """What an item gets to work with: the results of its experiments by name, the scale, and the root seed."""

    results: Mapping[str, xr.Dataset]
    scale: Scale
    seed: int

    def age(self, age: int) -> int:
        """Return an age as the paper's sentences name it, or the oldest there is."""
        return min(age, self.scale.n_tested)

    def claims(self, item: str) -> Claims:
        """Return an empty list of claims, which say so if they are not judged at the paper's scale."""
        return Claims(item, "" if self.scale.is_paper else f"[{self.scale.name} scale]")


@dataclass(frozen=True)
class Output:
    """What an item makes. A table is its header and its rows."""

    figure: "Figure"
    claims: Claims
    tables: Mapping[str, tuple[list[str], list[list[object]]]] = field(default_factory=dict)


@dataclass(frozen=True)
class Item:
    """A figure, table or theorem of the paper.

    Attributes
    ----------
    shows : what a reader sees, in a sentence.
    experiments : what must be run for it.
    make : draws the figure and judges the claims.
    seconds : about how long ``make`` takes.
    """

    name: str
    shows: str
    experiments: tuple[Experiment, ...]
    make: Callable[[Context], Output]
    seconds: float = 3.0


def load(name: str) -> Item:
    """Return an item by name; its module, and the drawing library, are imported now."""
    if name not in NAMES:
        raise ValueError(f"item must be one of {', '.join(NAMES)}, not {name!r}")
    item = import_module(f"slotfree.paper.{name}").ITEM
    if not isinstance(item, Item):
        raise TypeError(f"slotfree.paper.{name}.ITEM must be an Item, not {item!r}")
    return item
