"""Runs whose arrays have named dimensions, and whose sizes a scale limits: both are data of the class."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
import xarray as xr

from slotfree.files.safetensors import Arrays
from slotfree.study.scale import Scale


class Labelled:
    """The base of a frozen dataclass that is what one run of an experiment does.

    Attributes
    ----------
    dims : of each array, without ``run``; an array that is not named has none.
    limits : fields that a scale limits, with the name of its limit, such as ``{"tested": "n_tested"}``.
    numbered : whether runs have their numbers as a coordinate.
    """

    dims: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    limits: ClassVar[Mapping[str, str]] = {}
    numbered: ClassVar[bool] = True

    @property
    def coordinates(self) -> Mapping[str, Any]:
        """What stands along the dimensions; that of a dimension which no array has is left out."""
        return {}

    def label(self, results: Sequence[Arrays]) -> xr.Dataset:
        """Label the results of all runs."""
        arrays = {name: np.array([result[name] for result in results]) for name in results[0]}
        used = {dim for name in arrays for dim in self.dims.get(name, ())}
        kept = {name: at for name, at in self.coordinates.items() if name in used or isinstance(at, tuple)}
        runs = {"run": np.arange(len(results))} if self.numbered else {}
        labelled = {name: (("run", *self.dims.get(name, ())), array) for name, array in arrays.items()}
        return xr.Dataset(labelled, {**runs, **kept})

    def at(self, scale: Scale) -> Self:
        """The same with smaller sizes; of several, those within the limit."""
        sizes: dict[str, Any] = {}
        for name, limit in self.limits.items():
            size = getattr(self, name)
            several = isinstance(size, tuple)
            sizes[name] = tuple(n for n in size if scale.limit(limit, n) == n) if several else scale.limit(limit, size)
        return replace(self, **sizes)  # type: ignore[type-var]
