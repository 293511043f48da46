"""The file of a modern Hopfield network: what describes it, and its slots as they lie.

Format 1: ``patterns`` (M, n_visible) and, if the memory has values, ``values`` (M, n_values): F64, or U8 if patterns
are binary; metadata ``format``, ``version``, ``settings`` (JSON) and ``n_stored``. The next pattern goes to slot
n_stored modulo the capacity, which is the oldest if all are taken.
"""

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slotfree.files.safetensors import ArrayFile, write_arrays
from slotfree.memory.description import description, read_description
from slotfree.memory.modern_hopfield_settings import ModernHopfieldSettings

FORMAT = "slotfree.ModernHopfield"
VERSION = "1"

Parts = tuple[ModernHopfieldSettings, int, NDArray[np.float64], NDArray[np.float64]]


def write_memory(
    path: str | os.PathLike[str],
    settings: ModernHopfieldSettings,
    n_stored: int,
    patterns: NDArray[np.float64],
    values: NDArray[np.float64],
) -> None:
    """Write the parts of a memory, atomically."""
    arrays = dict(zip(_widths(settings), (patterns, values), strict=False))
    dtype = _dtype(settings)
    arrays = {name: array.astype(dtype, copy=False) for name, array in arrays.items()}
    write_arrays(path, arrays, description(FORMAT, VERSION, settings, n_stored))


def read_memory(path: str | os.PathLike[str], largest: float) -> Parts:
    """Read the parts of a memory, or raise FormatError before anything large is allocated.

    Numbers are checked in pieces first; what is then read as a whole is checked again, as a file may change meanwhile.
    Patterns and values are the same array if patterns recall themselves.
    """
    with ArrayFile(path) as file:
        settings, n_stored = read_description(file, FORMAT, VERSION, ModernHopfieldSettings)
        _check_shapes(file, settings, n_stored)
        for name in _widths(settings):
            for piece in file.pieces(name):
                _check_numbers(file, name, piece, largest)
        arrays = [_read(file, name, largest) for name in _widths(settings)]
        return settings, n_stored, arrays[0], arrays[-1]


def _read(file: ArrayFile, name: str, largest: float) -> NDArray[np.float64]:
    array = file.read(name)
    _check_numbers(file, name, array, largest)
    return array.astype(np.float64, copy=False)


def _widths(settings: ModernHopfieldSettings) -> dict[str, int]:
    """Numbers in a row of each array."""
    widths = {"patterns": settings.n_visible}
    return widths if settings.n_values is None else widths | {"values": settings.n_values}


def _dtype(settings: ModernHopfieldSettings) -> np.dtype[Any]:
    return np.dtype(np.float64 if settings.k_visible is None else np.uint8)


def _check_shapes(file: ArrayFile, settings: ModernHopfieldSettings, n_stored: int) -> None:
    widths = _widths(settings)
    if file.shapes.keys() != widths.keys():
        file.refuse(f"its arrays are not {sorted(widths)}")
    n_slots = n_stored if settings.capacity is None else min(n_stored, settings.capacity)
    for name, width in widths.items():
        if file.dtypes[name] != _dtype(settings):
            file.refuse(f"{name} is {file.dtypes[name]}, not {_dtype(settings)}")
        if file.shapes[name] != (n_slots, width):
            file.refuse(f"{name} has the shape {file.shapes[name]}; its settings ask for {(n_slots, width)}")


def _check_numbers(file: ArrayFile, name: str, rows: NDArray[Any], largest: float) -> None:
    if rows.dtype == np.uint8:
        if rows.size and rows.max() > 1:
            file.refuse(f"{name} are not all 0 or 1")
    elif not np.all(np.abs(rows) <= largest):  # NaN fails too
        file.refuse(f"{name} are not all finite and at most {largest:g} in magnitude")
