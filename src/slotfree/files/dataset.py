"""Labelled datasets in one safetensors file: numbers as arrays; dimensions and words in the metadata.

Each variable and coordinate is an array of the file. Words are whole numbers there, which count in a list of words
that the metadata holds, so that a coordinate of thousands of words stays small.
"""

import json
import os
from collections.abc import Mapping
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree.checks import shown
from slotfree.files.errors import FormatError
from slotfree.files.safetensors import NAMES, ArrayFile, write_arrays

FORMAT = "slotfree.results"
VERSION = "2"
RESERVED = ("format", "version", "dims", "coordinates", "words")


def write_dataset(path: str | os.PathLike[str], data: xr.Dataset, metadata: Mapping[str, str]) -> None:
    """Write a dataset to path, atomically.

    Parameters
    ----------
    data : variables and coordinates of numbers or words. Its attributes are kept if they are words, unless their names
        are among those that describe the file, or those of metadata.
    metadata : words to words: what else is to be known. ``read_dataset`` returns it as the dataset's attributes.
    """
    taken = sorted(set(RESERVED) & set(metadata))
    if taken:
        raise ValueError(
            f"metadata must not have the keys {', '.join(RESERVED)}, which describe the file; it has {taken}"
        )
    arrays: dict[str, NDArray[Any]] = {}
    words: dict[str, list[str]] = {}
    for name, variable in data.variables.items():
        values = variable.values
        if values.dtype.kind == "U":
            vocabulary, values = np.unique(values, return_inverse=True)
            words[str(name)] = vocabulary.tolist()
        elif values.dtype.newbyteorder("<") not in NAMES:
            raise TypeError(f"data must hold numbers or words, but {shown(name)} is of the type {values.dtype}")
        arrays[str(name)] = values.reshape(variable.shape)
    description = {
        "format": FORMAT,
        "version": VERSION,
        "dims": json.dumps({str(name): list(variable.dims) for name, variable in data.variables.items()}),
        "coordinates": json.dumps([str(name) for name in data.coords]),
        "words": json.dumps(words),
    }
    attributes = {name: value for name, value in data.attrs.items() if isinstance(name, str) and isinstance(value, str)}
    write_arrays(path, arrays, attributes | description | dict(metadata))


def read_dataset(path: str | os.PathLike[str]) -> xr.Dataset:
    """Return the dataset in a file of ``write_dataset``; FormatError if it is not one, or not whole."""
    with ArrayFile(path) as file:
        metadata = dict(file.metadata)
        if metadata.get("format") != FORMAT or metadata.get("version") != VERSION:
            file.refuse(f"it is not a dataset of format {FORMAT}, version {VERSION}")
        try:
            dims, coordinates, words = (json.loads(metadata[name]) for name in RESERVED[2:])
            every = {name: (dims[name], _named(file.read(name), words.get(name))) for name in file.shapes}
            variables = {name: value for name, value in every.items() if name not in coordinates}
            data = xr.Dataset(variables, {name: every[name] for name in coordinates})
        except FormatError:
            raise
        except (KeyError, IndexError, TypeError, ValueError, AttributeError, RecursionError) as error:
            file.refuse(f"its labels do not fit its arrays: {shown(str(error))}")
    return data.assign_attrs({name: value for name, value in metadata.items() if name not in RESERVED})


def _named(values: NDArray[Any], words: list[str] | None) -> NDArray[Any]:
    """Turn numbers of words into the words."""
    if words is None:
        return values
    if not all(isinstance(word, str) for word in words) or (values.size and values.min() < 0):
        raise ValueError("words are not as they should be")
    named: NDArray[Any] = np.array(words, dtype=np.str_)[values]
    return named
