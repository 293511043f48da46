"""What may stand in the saved arrays of a memory: their types, shapes and numbers."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import DTypeLike, NDArray

from slotfree.checks import shown, unmasked
from slotfree.files.safetensors import Arrays
from slotfree.kernels.memory.synapses import first_bad_row, index_type


@dataclass(frozen=True)
class Numbers:
    """A saved array of numbers from low to high, both included; none is above 0 but below ``least``.

    Attributes
    ----------
    name, shape, dtype : of the array in the file.
    low, high, least : what its numbers must be.
    """

    name: str
    shape: tuple[int, ...]
    low: float
    high: float
    dtype: DTypeLike = np.float64
    least: float = 0.0

    def fault(self, rows: NDArray[Any], first: int) -> str | None:
        """Say what is wrong with some rows of the array, of which the first is row ``first``."""
        if rows.size and not (rows.min() >= self.low and rows.max() <= self.high):  # NaN fails both
            return f"{self.name} are not all from {self.low:g} to {self.high:g}"
        if self.least and ((rows > 0) & (rows < self.least)).any():
            return f"{self.name} are not all 0 or at least {self.least:g}"
        return None


@dataclass(frozen=True)
class Connections:
    """A saved array of the units, out of n_inputs, that each unit is connected from: ascending rows.

    With ``from_itself=False`` unit i is not connected from unit i.

    Attributes
    ----------
    name, shape : of the array in the file, (units, connections of each).
    n_inputs : the units that there are.
    """

    name: str
    shape: tuple[int, int]
    n_inputs: int
    from_itself: bool = True

    @property
    def dtype(self) -> DTypeLike:
        """The narrowest that can index the inputs."""
        return index_type(self.n_inputs)

    def fault(self, rows: NDArray[Any], first: int) -> str | None:
        """Say what is wrong with some rows of the array, of which the first is row ``first``."""
        bad = first_bad_row(rows, self.n_inputs)
        if bad >= 0:
            row = shown(rows[bad, :20].tolist())
            return f"{self.name}[{first + bad}] are not ascending units below {self.n_inputs}: {row}"
        if not self.from_itself:
            itself = np.flatnonzero((rows == first + np.arange(len(rows))[:, None]).any(axis=1))
            if itself.size:
                return f"{self.name}[{first + itself[0]}] connect a unit from itself"
        return None


Saved: TypeAlias = Numbers | Connections


def saved_bytes(described: Sequence[Saved]) -> int:
    """Return the bytes of arrays as they are described."""
    return sum(math.prod(each.shape) * np.dtype(each.dtype).itemsize for each in described)


def copied(described: Sequence[Saved], arrays: Arrays) -> dict[str, NDArray[Any]]:
    """Return copies of arrays that someone gives, or raise an error if they are not as described.

    Kernels index with what is in them, and by the sizes they should have.
    """
    names = [each.name for each in described]
    if not isinstance(arrays, Mapping) or set(arrays) != set(names):
        given = list(arrays) if isinstance(arrays, Mapping) else arrays
        raise ValueError(f"arrays must be a mapping with the keys {', '.join(names)}, not {shown(given)}")
    copies = {}
    for each in described:
        array, dtype = arrays[each.name], np.dtype(each.dtype)
        if not isinstance(array, np.ndarray) or array.dtype != dtype or array.shape != each.shape:
            found = f"{array.dtype} {array.shape}" if isinstance(array, np.ndarray) else shown(array)
            raise ValueError(f"{each.name} must be an array of {dtype} of the shape {each.shape}, not {found}")
        copies[each.name] = np.array(unmasked(each.name, array), dtype, order="C")
        fault = each.fault(copies[each.name], 0)
        if fault is not None:
            raise ValueError(fault)
    return copies
