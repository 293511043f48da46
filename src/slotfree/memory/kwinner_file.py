"""The file of a K-winner MHN: what describes it, its connections, and both weights of each.

Format 1: ``connections`` (U16 for up to 65,536 visible units, else U32), ``weights`` (F32), ``return_weights`` (F32),
each (n_hidden, n_connections); metadata ``format``, ``version``, ``settings`` (JSON) and ``n_stored``. Row i belongs to
hidden unit i. The layout in memory is built anew on loading: what is not in the file cannot be wrong in it.
"""

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slotfree.checks import shown
from slotfree.files.safetensors import ArrayFile, write_arrays
from slotfree.kernels.synapses import Indices, first_bad_row, index_type
from slotfree.memory.description import description, read_description
from slotfree.memory.settings import KWinnerSettings

FORMAT = "slotfree.KWinnerMHN"
VERSION = "1"
NAMES = ("connections", "weights", "return_weights")

Parts = tuple[KWinnerSettings, int, Indices, NDArray[np.float32], NDArray[np.float32]]


def write_memory(
    path: str | os.PathLike[str],
    settings: KWinnerSettings,
    n_stored: int,
    connections: Indices,
    weights: NDArray[np.float32],
    return_weights: NDArray[np.float32],
) -> None:
    """Write the parts of a memory, atomically."""
    arrays = dict(zip(NAMES, (connections, weights, return_weights), strict=True))
    write_arrays(path, arrays, description(FORMAT, VERSION, settings, n_stored))


def read_memory(path: str | os.PathLike[str]) -> Parts:
    """Read the parts of a memory, or raise FormatError before anything large is allocated.

    Numbers are checked in pieces first; what is then read as a whole is checked again, as a file may change meanwhile.
    """
    with ArrayFile(path) as file:
        settings, n_stored = read_description(file, FORMAT, VERSION, KWinnerSettings)
        _check_shapes(file, settings)
        for name in NAMES:
            first_unit = 0
            for piece in file.pieces(name):
                _check_numbers(file, settings, name, piece, first_unit)
                first_unit += len(piece)
        connections, weights, return_weights = (_read(file, settings, name) for name in NAMES)
        return settings, n_stored, connections, weights, return_weights


def _read(file: ArrayFile, settings: KWinnerSettings, name: str) -> NDArray[Any]:
    array = file.read(name)
    _check_numbers(file, settings, name, array, 0)
    return array


def _check_shapes(file: ArrayFile, settings: KWinnerSettings) -> None:
    if file.shapes.keys() != set(NAMES):
        file.refuse(f"its arrays are {shown(sorted(file.shapes))}, not {sorted(NAMES)}")
    shape = (settings.n_hidden, settings.n_connections)
    for name, dtype in zip(NAMES, (index_type(settings.n_visible), np.float32, np.float32), strict=True):
        if file.dtypes[name] != dtype:
            file.refuse(f"{name} is {file.dtypes[name]}, not {np.dtype(dtype)}")
        if file.shapes[name] != shape:
            file.refuse(f"{name} has the shape {file.shapes[name]}; its settings ask for {shape}")


def _check_numbers(file: ArrayFile, settings: KWinnerSettings, name: str, rows: NDArray[Any], first_unit: int) -> None:
    """Check rows of an array, of which the first belongs to first_unit."""
    if name == "connections":
        bad = first_bad_row(rows, settings.n_visible)
        if bad >= 0:
            file.refuse(
                f"the connections of hidden unit {first_unit + bad} are not ascending visible units "
                f"below {settings.n_visible}"
            )
    elif not (rows.min() >= 0 and rows.max() <= 1):  # NaN fails both
        file.refuse(f"{name} are not all from 0 to 1")
