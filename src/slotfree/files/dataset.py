"""Labelled datasets in one safetensors file: numbers as arrays; dimensions and strings in the metadata.

Each variable and coordinate is an array of the file. Words are integers there, which count in a list of words
that the metadata holds, so that a coordinate of thousands of strings stays small. Files of version 2 have no checksum.
"""

import json
import os
from collections.abc import Mapping
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree.checks import shown
from slotfree.files.checksum import KEY, NO_WORDS, checksum, refuse_changes, with_checksum
from slotfree.files.safetensors import MAX_HEADER, NAMES, ArrayFile, Arrays, header_of, without_duplicates, write_arrays

FORMAT = "slotfree.results"
VERSION, WITHOUT_CHECKSUM = "3", "2"
RESERVED = ("format", "version", "dims", "coordinates", "words", KEY)
ALL_WORDS = 2**25  # bytes that the strings of a small file may take: in memory each is as long as the longest
PER_BYTE = 20  # and the bytes they may take for each byte of a larger file


def write_dataset(path: str | os.PathLike[str], data: xr.Dataset, metadata: Mapping[str, str] = NO_WORDS) -> None:
    """Write a dataset to path, atomically.

    Parameters
    ----------
    data : variables and coordinates of numbers or strings. Attributes that are strings are kept, unless
        their names describe the file or are in metadata; the longest are left out if there is no room.
    metadata : strings by their names: what else is to be known, if anything. ``read_dataset`` returns it as attributes.
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
            vocabulary, numbers = np.unique(values, return_inverse=True)
            words[str(name)] = vocabulary.tolist()
            values = numbers.astype(np.int64, copy=False)
        elif values.dtype.newbyteorder("<") not in NAMES:
            raise TypeError(f"data must hold numbers or strings, but {shown(name)} is of the type {values.dtype}")
        arrays[str(name)] = values.reshape(variable.shape)
    needed, allowed = _bytes_of_words(arrays, words)
    if needed > allowed:
        raise ValueError(f"data must have fewer or shorter strings: they take {needed} bytes; at most {allowed} fit")
    description = {
        "format": FORMAT,
        "version": VERSION,
        "dims": json.dumps({str(name): list(variable.dims) for name, variable in data.variables.items()}),
        "coordinates": json.dumps([str(name) for name in data.coords]),
        "words": json.dumps(words),
    }
    kept = _kept_attributes(data.attrs, arrays, description | dict(metadata))
    write_arrays(path, arrays, with_checksum(arrays, kept | description | dict(metadata)))


def _kept_attributes(attributes: Mapping[Any, Any], arrays: Arrays, metadata: Mapping[str, str]) -> dict[str, str]:
    """Return the attributes that are strings, and for which the header of a file has room beside its metadata."""
    kept = {
        name: value
        for name, value in attributes.items()
        if isinstance(name, str) and isinstance(value, str) and name not in RESERVED
    }
    needed = {**metadata, KEY: checksum({})}  # all checksums are as long
    while kept and len(header_of(arrays, kept | needed)) > MAX_HEADER:
        del kept[max(kept, key=lambda name: len(name) + len(kept[name]))]
    return kept


def read_dataset(path: str | os.PathLike[str]) -> xr.Dataset:
    """Return the dataset in a file of ``write_dataset``; FormatError if it is not one, or not whole."""
    with ArrayFile(path) as file:
        version = file.metadata.get("version")
        if file.metadata.get("format") != FORMAT or version not in (VERSION, WITHOUT_CHECKSUM):
            file.refuse(f"it is not a dataset of format {FORMAT}, version {VERSION}")
        if (KEY in file.metadata) != (version == VERSION):
            file.refuse(f"its metadata has the keys {shown(sorted(file.metadata))}")
        arrays = {name: file.read(name) for name in file.shapes}
        refuse_changes(file, arrays)
        try:
            data = _labelled(arrays, *(_json(file.metadata[name]) for name in ("dims", "coordinates", "words")))
        except (KeyError, IndexError, TypeError, ValueError, AttributeError, RecursionError) as error:
            file.refuse(f"its labels do not fit its arrays: {shown(str(error))}")
        return data.assign_attrs({name: value for name, value in file.metadata.items() if name not in RESERVED})


def _labelled(arrays: dict[str, NDArray[Any]], dims: Any, coordinates: Any, words: Any) -> xr.Dataset:
    """Return arrays as a dataset, or raise any of several errors if they do not fit the labels."""
    _check_labels(arrays, dims, coordinates, words)
    needed, allowed = _bytes_of_words(arrays, words)
    if needed > allowed:
        raise ValueError(f"strings would take {needed} bytes; at most {allowed} can be right")
    every = {name: (dims[name], _named(array, words.get(name))) for name, array in arrays.items()}
    variables = {name: value for name, value in every.items() if name not in coordinates}
    return xr.Dataset(variables, {name: every[name] for name in coordinates})


def _check_labels(arrays: dict[str, NDArray[Any]], dims: Any, coordinates: Any, words: Any) -> None:
    """Raise an error where labels are not what ``write_dataset`` writes."""
    if dims.keys() != arrays.keys() or not words.keys() <= arrays.keys() or not set(coordinates) <= arrays.keys():
        raise ValueError("names of labels are not those of arrays")
    for name, listed in [*dims.items(), *words.items(), ("coordinates", coordinates)]:
        if not isinstance(listed, list) or not all(isinstance(word, str) for word in listed):
            raise ValueError(f"labels of {name} are not strings")
    for name, listed in [*dims.items(), ("coordinates", coordinates)]:
        if len(set(listed)) < len(listed):
            raise ValueError(f"labels of {name} appear twice")


def _named(numbers: NDArray[Any], words: list[str] | None) -> NDArray[Any]:
    """Turn numbers of strings into the strings."""
    if words is None:
        return numbers
    if numbers.dtype not in (np.int32, np.int64) or (numbers.size and numbers.min() < 0):
        raise ValueError("numbers of strings are not as they should be")
    named: NDArray[Any] = np.array(words, dtype=np.str_)[numbers]
    return named


def _bytes_of_words(arrays: Arrays, words: Mapping[str, list[str]]) -> tuple[int, int]:
    """What all strings take in memory, and the most they may take: it follows from what is in the file."""
    needed = sum(4 * max(map(len, listed), default=0) * arrays[name].size for name, listed in words.items())
    return needed, ALL_WORDS + PER_BYTE * sum(array.nbytes for array in arrays.values())


def _json(text: str) -> Any:
    return json.loads(text, object_pairs_hook=without_duplicates)
