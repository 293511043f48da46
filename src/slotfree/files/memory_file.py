"""The file of a memory: its settings, the number of patterns it has stored, and arrays that must fit these.

It is a safetensors file. Its metadata are ``format`` (the memory's name), ``version``, ``settings`` (JSON),
``n_stored`` and ``checksum``, which files of slotfree up to 0.7 do not have; options at their default are not among
the settings. The arrays are those that the memory's ``saved`` describes, in that order. Nothing in a file is executed,
and everything in it is checked.
"""

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from slotfree.available_memory import check_fits
from slotfree.checks import shown
from slotfree.files.checksum import KEY, refuse_changes, with_checksum
from slotfree.files.options import defaults
from slotfree.files.safetensors import ArrayFile, Arrays, write_arrays
from slotfree.files.saved_arrays import Saved

S = TypeVar("S")

KEYS = {"format", "version", "settings", "n_stored"}


def write_memory(
    path: str | os.PathLike[str], format_name: str, version: str, settings: Any, n_stored: int, arrays: Arrays
) -> None:
    """Write a memory, atomically; settings are a dataclass."""
    metadata = _metadata(format_name, version, settings, n_stored)
    write_arrays(path, arrays, with_checksum(arrays, metadata))


def read_settings(
    file: ArrayFile,
    format_name: str,
    version: str,
    settings_class: Callable[..., S],
    renewed: Callable[[Any], Any] = lambda told: told,
) -> tuple[S, int]:
    """Return the settings that a file describes and the number of stored patterns, or raise FormatError.

    Settings of earlier versions are renewed first: returned as those of today, or as they are.
    """
    found = {key: word for key, word in file.metadata.items() if key != KEY}
    if found.get("format") != format_name:
        file.refuse(f"its format is {shown(found.get('format'))}, not {format_name!r}")
    if found.get("version") != version:
        file.refuse(f"its version is {shown(found.get('version'))}; this slotfree reads version {version!r}")
    if found.keys() != KEYS:
        file.refuse(f"its metadata has the keys {shown(sorted(file.metadata))}")
    count = found["n_stored"]
    if not (count.isascii() and count.isdigit() and len(count) < 19 and str(int(count)) == count):
        file.refuse(f"its n_stored is {shown(count)}, not a count")
    try:
        told = json.loads(found["settings"])
        today = renewed(told)
        settings = settings_class(**today)
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        file.refuse(f"its settings are wrong: {shown(str(error))}")
    if today != told:
        found["settings"] = json.dumps(today)
    if _metadata(format_name, version, settings, int(count)) != found:
        file.refuse(f"its settings are not written as slotfree writes them: {shown(found['settings'])}")
    return settings, int(count)


def read_arrays(file: ArrayFile, expected: Sequence[Saved], peak_bytes: int) -> dict[str, NDArray[Any]]:
    """Read all arrays of a file, or raise FormatError before anything large is allocated.

    Numbers are checked in pieces first; what is then read as a whole is checked again, as a file may change meanwhile.

    Parameters
    ----------
    peak_bytes : what making a memory of the arrays takes at most; MemoryError if the machine has not that much.
    """
    refuse_others(file, expected)
    for each in expected:
        first = 0
        for piece in file.pieces(each.name):
            _refuse_faults(file, each, piece, first)
            first += len(piece)
    check_fits(f"the memory in {shown(str(file.path))}", peak_bytes)
    arrays = {}
    for each in expected:
        arrays[each.name] = file.read(each.name)
        _refuse_faults(file, each, arrays[each.name], 0)
    refuse_changes(file, arrays)
    return arrays


def refuse_others(file: ArrayFile, expected: Sequence[Saved]) -> None:
    """Raise FormatError if the header does not name the arrays that are expected, with their types and shapes."""
    names = sorted(each.name for each in expected)
    if sorted(file.shapes) != names:
        file.refuse(f"its arrays are {shown(sorted(file.shapes))}, not {names}")
    for each in expected:
        if file.dtypes[each.name] != each.dtype:
            file.refuse(f"{each.name} is {file.dtypes[each.name]}, not {np.dtype(each.dtype)}")
        if file.shapes[each.name] != each.shape:
            file.refuse(f"{each.name} has the shape {file.shapes[each.name]}; its settings ask for {each.shape}")


def _refuse_faults(file: ArrayFile, each: Saved, rows: NDArray[Any], first: int) -> None:
    fault = each.fault(rows, first)
    if fault is not None:
        file.refuse(fault)


def _metadata(format_name: str, version: str, settings: Any, n_stored: int) -> dict[str, str]:
    unmentioned = defaults(settings)
    text = json.dumps({name: value for name, value in asdict(settings).items() if name not in unmentioned})
    return {"format": format_name, "version": version, "settings": text, "n_stored": str(n_stored)}
