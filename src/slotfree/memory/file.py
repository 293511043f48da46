"""The file of a memory: its settings, how many patterns it has stored, and arrays that must fit these.

It is a safetensors file. Its metadata are ``format`` (the memory's name), ``version``, ``settings`` (JSON) and
``n_stored``; the arrays are those that the memory's ``saved`` describes, in that order. Nothing in a file is executed,
and everything in it is checked.
"""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from slotfree.checks import shown
from slotfree.files.safetensors import ArrayFile, write_arrays
from slotfree.kernels.synapses import first_bad_row, index_type

S = TypeVar("S")
Arrays: TypeAlias = Mapping[str, NDArray[Any]]


@dataclass(frozen=True)
class Numbers:
    """A saved array of numbers from low to high, both included."""

    name: str
    shape: tuple[int, ...]
    low: float
    high: float
    dtype: DTypeLike = np.float64

    def fault(self, rows: NDArray[Any], first: int) -> str | None:
        """Say what is wrong with some rows of the array, of which the first is row ``first``."""
        if rows.size == 0 or (rows.min() >= self.low and rows.max() <= self.high):  # NaN fails both
            return None
        return f"{self.name} are not all from {self.low:g} to {self.high:g}"


@dataclass(frozen=True)
class Connections:
    """A saved array of the units, out of n_inputs, that each unit is connected from: ascending rows.

    With ``from_itself=False`` unit i is not connected from unit i.
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
            return f"{self.name}[{first + bad}] are not ascending units below {self.n_inputs}"
        if not self.from_itself:
            itself = np.flatnonzero((rows == first + np.arange(len(rows))[:, None]).any(axis=1))
            if itself.size:
                return f"{self.name}[{first + itself[0]}] connect a unit from itself"
        return None


Saved: TypeAlias = Numbers | Connections


def write_memory(
    path: str | os.PathLike[str], format_name: str, version: str, settings: Any, n_stored: int, arrays: Arrays
) -> None:
    """Write a memory, atomically; settings are a dataclass."""
    write_arrays(path, arrays, _metadata(format_name, version, settings, n_stored))


def read_settings(file: ArrayFile, format_name: str, version: str, settings_class: Callable[..., S]) -> tuple[S, int]:
    """Return the settings that a file describes and how many patterns were stored, or raise FormatError."""
    found = file.metadata
    if found.get("format") != format_name:
        file.refuse(f"its format is {shown(found.get('format'))}, not {format_name!r}")
    if found.get("version") != version:
        file.refuse(f"its version is {shown(found.get('version'))}; this slotfree reads version {version!r}")
    if found.keys() != {"format", "version", "settings", "n_stored"}:
        file.refuse(f"its metadata has the keys {shown(sorted(found))}")
    count = found["n_stored"]
    if not (count.isascii() and count.isdigit() and len(count) < 19 and str(int(count)) == count):
        file.refuse(f"its n_stored is {shown(count)}, not a count")
    try:
        settings = settings_class(**json.loads(found["settings"]))
    except (TypeError, ValueError, RecursionError) as error:
        file.refuse(f"its settings are wrong: {shown(str(error))}")
    if _metadata(format_name, version, settings, int(count)) != found:
        file.refuse(f"its settings are not written as slotfree writes them: {shown(found['settings'])}")
    return settings, int(count)


def read_arrays(file: ArrayFile, expected: Sequence[Saved]) -> dict[str, NDArray[Any]]:
    """Read all arrays of a file, or raise FormatError before anything large is allocated.

    Numbers are checked in pieces first; what is then read as a whole is checked again, as a file may change meanwhile.
    """
    names = sorted(each.name for each in expected)
    if sorted(file.shapes) != names:
        file.refuse(f"its arrays are {shown(sorted(file.shapes))}, not {names}")
    for each in expected:
        if file.dtypes[each.name] != each.dtype:
            file.refuse(f"{each.name} is {file.dtypes[each.name]}, not {np.dtype(each.dtype)}")
        if file.shapes[each.name] != each.shape:
            file.refuse(f"{each.name} has the shape {file.shapes[each.name]}; its settings ask for {each.shape}")
    for each in expected:
        first = 0
        for piece in file.pieces(each.name):
            _refuse_faults(file, each, piece, first)
            first += len(piece)
    arrays = {}
    for each in expected:
        arrays[each.name] = file.read(each.name)
        _refuse_faults(file, each, arrays[each.name], 0)
    return arrays


def _refuse_faults(file: ArrayFile, each: Saved, rows: NDArray[Any], first: int) -> None:
    fault = each.fault(rows, first)
    if fault is not None:
        file.refuse(fault)


def _metadata(format_name: str, version: str, settings: Any, n_stored: int) -> dict[str, str]:
    return {
        "format": format_name,
        "version": version,
        "settings": json.dumps(asdict(settings)),
        "n_stored": str(n_stored),
    }
