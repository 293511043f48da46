"""Labelled arrays in one file, in the safetensors format: a JSON header and raw numbers, no code.

A file is the header's length (8 bytes, little-endian), the header (JSON: name → dtype, shape, data_offsets;
``__metadata__`` maps strings to strings), and the arrays one after another. Any safetensors reader opens it.

Reading trusts nothing: all of the header is checked against itself and the file's size before a number is
read, and arrays are read in pieces, so that a hostile file costs neither time nor memory.
"""

import json
import math
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NoReturn, Self, TypeAlias, TypeGuard

import numpy as np
from numpy.typing import NDArray

from slotfree.checks import shown
from slotfree.files.atomic import write_atomically
from slotfree.files.errors import FormatError
from slotfree.files.regular import open_regular

Arrays: TypeAlias = Mapping[str, NDArray[Any]]

DTYPES = {
    "BOOL": "|b1",
    "U8": "|u1",
    "U16": "<u2",
    "U32": "<u4",
    "U64": "<u8",
    "I8": "|i1",
    "I16": "<i2",
    "I32": "<i4",
    "I64": "<i8",
    "F32": "<f4",
    "F64": "<f8",
}
NAMES = {np.dtype(code): name for name, code in DTYPES.items()}
MAX_HEADER = 1 << 16
MAX_DIMENSIONS = 8
MAX_COUNT = 1 << 62
PIECE = 1 << 20


def header_of(arrays: Arrays, metadata: Mapping[str, str]) -> bytes:
    """Return the header of a file; at most MAX_HEADER bytes can be written."""
    header: dict[str, object] = {"__metadata__": dict(metadata)}
    end = 0
    for name, array in arrays.items():
        begin, end = end, end + array.nbytes
        dtype = NAMES[array.dtype.newbyteorder("<")]
        header[name] = {"dtype": dtype, "shape": array.shape, "data_offsets": [begin, end]}
    text = json.dumps(header, separators=(",", ":")).encode()
    return text + b" " * (-len(text) % 8)


def write_arrays(path: str | os.PathLike[str], arrays: Arrays, metadata: Mapping[str, str]) -> None:
    """Write arrays and metadata to path, atomically."""
    text = header_of(arrays, metadata)
    if len(text) > MAX_HEADER:
        raise ValueError(f"arrays and metadata need a header of {len(text)} bytes; at most {MAX_HEADER} fit")

    def write(file: BinaryIO) -> None:
        file.write(len(text).to_bytes(8, "little"))
        file.write(text)
        for array in arrays.values():
            little = array.astype(array.dtype.newbyteorder("<"), order="C", copy=False)
            file.write(little.reshape(-1).view(np.uint8).data)

    write_atomically(path, write)


class ArrayFile:
    """A safetensors file opened for reading, its header already checked.

    Use it as a context manager. ``metadata`` maps strings to strings; ``shapes`` and ``dtypes`` describe the
    arrays; ``read`` and ``pieces`` give their numbers.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.metadata: dict[str, str] = {}
        self.shapes: dict[str, tuple[int, ...]] = {}
        self.dtypes: dict[str, np.dtype[Any]] = {}
        self._begin: dict[str, int] = {}
        self._file = open_regular(self.path)
        try:
            self._read_header()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def read(self, name: str) -> NDArray[Any]:
        """Return one array, whole."""
        count = math.prod(self.shapes[name])
        return self._numbers(name, 0, count).reshape(self.shapes[name])

    def pieces(self, name: str) -> Iterator[NDArray[Any]]:
        """Return one array in pieces of whole rows, each of about a megabyte or a row."""
        n_rows, *rest = self.shapes[name]
        per_row = math.prod(rest)
        if per_row == 0:
            return
        step = max(1, PIECE // max(1, per_row * self.dtypes[name].itemsize))
        for row in range(0, n_rows, step):
            rows = min(step, n_rows - row)
            yield self._numbers(name, row * per_row, rows * per_row).reshape(rows, *rest)

    def numbers(self, name: str, begin: int, end: int) -> NDArray[Any]:
        """Return some numbers of one array, in the order of the file."""
        return self._numbers(name, begin, end - begin)

    def refuse(self, reason: str) -> NoReturn:
        """Raise the FormatError that this file deserves."""
        raise FormatError(reason, self.path)

    def _numbers(self, name: str, skip: int, count: int) -> NDArray[Any]:
        dtype = self.dtypes[name]
        self._file.seek(self._begin[name] + skip * dtype.itemsize)
        numbers: NDArray[Any] = np.fromfile(self._file, dtype, count)
        if numbers.size < count:
            self.refuse(f"it was cut while it was read, in {shown(name)}")
        return numbers.astype(dtype.newbyteorder("="), copy=False)

    def _read_header(self) -> None:
        size = os.fstat(self._file.fileno()).st_size
        if size < 8:
            self.refuse(f"{size} bytes are too few for a safetensors file")
        length = int.from_bytes(self._file.read(8), "little")
        if length > MAX_HEADER or length > size - 8:
            self.refuse(f"its header claims {length} bytes; at most {min(MAX_HEADER, size - 8)} are possible")
        try:
            header = json.loads(self._file.read(length).decode(), object_pairs_hook=without_duplicates)
        except (ValueError, RecursionError) as error:
            self.refuse(f"its header is not the JSON it should be: {shown(str(error))}")
        if not isinstance(header, dict):
            self.refuse("its header is not a JSON object")
        self._take_metadata(header.pop("__metadata__", {}))
        end = 0
        for name, entry in sorted(header.items(), key=_offset):
            end = self._take_array(name, entry, end)
        if 8 + length + end != size:
            self.refuse(f"its arrays end at byte {8 + length + end}, but it has {size} bytes")
        for name in self._begin:
            self._begin[name] += 8 + length

    def _take_metadata(self, metadata: object) -> None:
        if not isinstance(metadata, dict) or not all(isinstance(word, str) for word in metadata.values()):
            self.refuse("its metadata does not map strings to strings")
        self.metadata = metadata

    def _take_array(self, name: str, entry: object, begin: int) -> int:
        """Check one entry of the header; return where the next array must begin."""
        if not isinstance(entry, dict) or entry.keys() != {"dtype", "shape", "data_offsets"}:
            self.refuse(f"array {shown(name)} is not described by dtype, shape and data_offsets")
        code, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
        if not isinstance(code, str) or code not in DTYPES:
            self.refuse(f"array {shown(name)} has the unknown dtype {shown(code)}")
        dtype = np.dtype(DTYPES[code])
        if not _is_possible(shape, dtype.itemsize):
            self.refuse(f"array {shown(name)} has the impossible shape {shown(shape)}")
        end = begin + math.prod(shape) * dtype.itemsize
        if not _is_counts(offsets) or offsets != [begin, end]:
            self.refuse(f"array {shown(name)} should have the data_offsets {[begin, end]}, not {shown(offsets)}")
        self.shapes[name], self.dtypes[name], self._begin[name] = tuple(shape), dtype, begin
        return end


def _offset(item: tuple[str, Any]) -> tuple[int, int]:
    """Sort arrays as they stand in the file; empty ones first where several begin; broken ones anywhere."""
    try:
        begin, end = item[1]["data_offsets"]
    except (KeyError, TypeError, ValueError):
        return (0, 0)
    return (begin, end) if _is_counts([begin, end]) else (0, 0)


def _is_possible(shape: object, itemsize: int) -> bool:
    """Whether an array of this shape can be, also if it is empty."""
    if not _is_counts(shape) or len(shape) > MAX_DIMENSIONS:
        return False
    return itemsize * math.prod(filter(None, shape)) <= MAX_COUNT


def _is_counts(value: object) -> TypeGuard[list[int]]:
    return isinstance(value, list) and all(type(number) is int and 0 <= number <= MAX_COUNT for number in value)


def without_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return a JSON object, or raise ValueError if a key appears twice: readers differ on which one counts."""
    seen: dict[str, object] = {}
    for key, value in pairs:
        if key in seen:
            raise ValueError(f"the key {key} appears twice")
        seen[key] = value
    return seen
