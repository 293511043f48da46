"""The file of a stacked K-winner memory: what describes it, its code layers, and the K-winner MHN on top.

Format 1: for layer i from 1 upwards ``layer_i.connections`` and ``layer_i.weights`` (F32), and ``memory.connections``,
``memory.weights``, ``memory.return_weights`` as in the file of a K-winner MHN; metadata ``format``, ``version``,
``settings`` (JSON) and ``n_stored``.
"""

import os

import numpy as np
from numpy.typing import NDArray

from slotfree.files.safetensors import ArrayFile, write_arrays
from slotfree.kernels.synapses import Indices
from slotfree.memory import kwinner_file
from slotfree.memory.connection_file import Rows, read_rows
from slotfree.memory.description import description, read_description
from slotfree.memory.stacked_settings import StackedSettings

FORMAT = "slotfree.StackedKWinner"
VERSION = "1"
LARGEST = 1e9  # of a learned weight: far beyond what learning can reach

LayerParts = tuple[Indices, NDArray[np.float32]]


def rows_of(settings: StackedSettings) -> list[Rows]:
    """What the arrays of a stack must be, those of the layers first."""
    rows = []
    for i, (layer, (n_inputs, _)) in enumerate(zip(settings.layers, settings.sizes[:-1], strict=True), 1):
        size = layer.n_units, layer.n_connections(n_inputs)
        rows.append(Rows(f"layer_{i}.connections", *size, n_inputs))
        rows.append(Rows(f"layer_{i}.weights", *size, largest=LARGEST))
    return [*rows, *kwinner_file.rows_of(settings.memory, "memory.")]


def write_stack(
    path: str | os.PathLike[str],
    settings: StackedSettings,
    n_stored: int,
    layers: list[LayerParts],
    memory: kwinner_file.Parts,
) -> None:
    """Write the parts of a stack, atomically."""
    parts = [part for layer in layers for part in layer] + list(memory)
    arrays = {rows.name: part for rows, part in zip(rows_of(settings), parts, strict=True)}
    write_arrays(path, arrays, description(FORMAT, VERSION, settings, n_stored))


def read_stack(path: str | os.PathLike[str]) -> tuple[StackedSettings, int, list[LayerParts], kwinner_file.Parts]:
    """Read settings, how many patterns were stored, the layers and the memory of a stack, or raise FormatError."""
    with ArrayFile(path) as file:
        settings, n_stored = read_description(file, FORMAT, VERSION, StackedSettings)
        *arrays, connections, weights, return_weights = read_rows(file, rows_of(settings))
        layers = list(zip(arrays[::2], arrays[1::2], strict=True))
        return settings, n_stored, layers, (connections, weights, return_weights)
