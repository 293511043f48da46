"""The file of a K-winner MHN: what describes it, its connections, and both weights of each.

Format 1: ``connections`` U32, ``weights`` F32 and ``return_weights`` F32, each (n_hidden, n_connections);
metadata ``format``, ``version``, ``settings`` (JSON) and ``n_stored``. Row i belongs to hidden unit i. The
layout in memory is built anew on loading: what is not in the file cannot be wrong in it.
"""

import json
import os
from dataclasses import asdict

import numpy as np
from numpy.typing import NDArray

from slotfree.files.safetensors import ArrayFile, write_arrays
from slotfree.kernels.synapses import first_bad_row
from slotfree.memory.settings import KWinnerSettings

FORMAT = "slotfree.KWinnerMHN"
VERSION = "1"
DTYPES = {"connections": np.uint32, "weights": np.float32, "return_weights": np.float32}

Parts = tuple[KWinnerSettings, int, NDArray[np.uint32], NDArray[np.float32], NDArray[np.float32]]


def write_memory(
    path: str | os.PathLike[str],
    settings: KWinnerSettings,
    n_stored: int,
    connections: NDArray[np.uint32],
    weights: NDArray[np.float32],
    return_weights: NDArray[np.float32],
) -> None:
    """Write the parts of a memory, atomically."""
    metadata = {
        "format": FORMAT,
        "version": VERSION,
        "settings": json.dumps(asdict(settings)),
        "n_stored": str(n_stored),
    }
    arrays = {"connections": connections, "weights": weights, "return_weights": return_weights}
    write_arrays(path, arrays, metadata)


def read_memory(path: str | os.PathLike[str]) -> Parts:
    """Read the parts of a memory, or raise FormatError before anything large is allocated."""
    with ArrayFile(path) as file:
        settings, n_stored = _description(file)
        _check_shapes(file, settings)
        _check_numbers(file, settings)
        connections, weights, return_weights = (file.read(name) for name in DTYPES)
        return settings, n_stored, connections, weights, return_weights


def _description(file: ArrayFile) -> tuple[KWinnerSettings, int]:
    found = file.metadata
    if found.get("format") != FORMAT:
        file.refuse(f"its format is {found.get('format')!r}, not {FORMAT!r}")
    if found.get("version") != VERSION:
        file.refuse(f"its version is {found.get('version')!r}; this slotfree reads version {VERSION!r}")
    if found.keys() != {"format", "version", "settings", "n_stored"}:
        file.refuse(f"its metadata has the keys {sorted(found)}")
    count = found["n_stored"]
    if not (count.isascii() and count.isdigit() and len(count) < 20):
        file.refuse(f"its n_stored is {count!r}, not a count")
    try:
        settings = KWinnerSettings(**json.loads(found["settings"]))
    except (TypeError, ValueError, RecursionError) as error:
        file.refuse(f"its settings are wrong: {error}")
    if json.dumps(asdict(settings)) != found["settings"]:
        file.refuse(f"its settings are not written as slotfree writes them: {found['settings']!r}")
    return settings, int(count)


def _check_shapes(file: ArrayFile, settings: KWinnerSettings) -> None:
    if file.shapes.keys() != DTYPES.keys():
        file.refuse(f"its arrays are {sorted(file.shapes)}, not {sorted(DTYPES)}")
    shape = (settings.n_hidden, settings.n_connections)
    for name, dtype in DTYPES.items():
        if file.dtypes[name] != dtype:
            file.refuse(f"{name} is {file.dtypes[name]}, not {np.dtype(dtype)}")
        if file.shapes[name] != shape:
            file.refuse(f"{name} has the shape {file.shapes[name]}; its settings ask for {shape}")


def _check_numbers(file: ArrayFile, settings: KWinnerSettings) -> None:
    unit = 0
    for piece in file.pieces("connections"):
        bad = first_bad_row(piece, settings.n_visible)
        if bad >= 0:
            file.refuse(
                f"the connections of hidden unit {unit + bad} are not ascending visible units "
                f"below {settings.n_visible}"
            )
        unit += len(piece)
    for name in ("weights", "return_weights"):
        for piece in file.pieces(name):
            if not (piece.min() >= 0 and piece.max() <= 1):  # NaN fails both
                file.refuse(f"{name} are not all from 0 to 1")
