"""The file of a K-winner MHN: what describes it, its connections, and both weights of each.

Format 1: ``connections`` (U16 for up to 65,536 visible units, else U32), ``weights`` (F32), ``return_weights`` (F32),
each (n_hidden, n_connections); metadata ``format``, ``version``, ``settings`` (JSON) and ``n_stored``. Row i belongs to
hidden unit i. The layout in memory is built anew on loading: what is not in the file cannot be wrong in it.
"""

import os

import numpy as np
from numpy.typing import NDArray

from slotfree.files.safetensors import ArrayFile, write_arrays
from slotfree.kernels.synapses import Indices
from slotfree.memory.connection_file import Rows, read_rows
from slotfree.memory.description import description, read_description
from slotfree.memory.settings import KWinnerSettings

FORMAT = "slotfree.KWinnerMHN"
VERSION = "1"

Parts = tuple[Indices, NDArray[np.float32], NDArray[np.float32]]


def rows_of(settings: KWinnerSettings, prefix: str = "") -> list[Rows]:
    """What the three arrays of a K-winner MHN must be."""
    size = settings.n_hidden, settings.n_connections
    return [
        Rows(f"{prefix}connections", *size, settings.n_visible),
        Rows(f"{prefix}weights", *size),
        Rows(f"{prefix}return_weights", *size),
    ]


def write_memory(path: str | os.PathLike[str], settings: KWinnerSettings, n_stored: int, parts: Parts) -> None:
    """Write connections, weights and return weights, atomically."""
    arrays = {rows.name: part for rows, part in zip(rows_of(settings), parts, strict=True)}
    write_arrays(path, arrays, description(FORMAT, VERSION, settings, n_stored))


def read_memory(path: str | os.PathLike[str]) -> tuple[KWinnerSettings, int, Parts]:
    """Read settings, how many patterns were stored, and the parts of a memory, or raise FormatError."""
    with ArrayFile(path) as file:
        settings, n_stored = read_description(file, FORMAT, VERSION, KWinnerSettings)
        connections, weights, return_weights = read_rows(file, rows_of(settings))
        return settings, n_stored, (connections, weights, return_weights)
