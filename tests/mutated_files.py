"""Mutated files, made out of good ones: by blind edits of bytes, and by edits that know the format.

Blind edits hardly get past the header. The others change numbers, words, shapes, settings and keys, let the data
follow, and write the right checksum, so that what lies behind it is tested too.
"""

import copy
import json
import math
import struct
import tempfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from hostile import arrays_in, join, parts

from slotfree.files.checksum import KEY, checksum
from slotfree.files.safetensors import DTYPES

ODD_NUMBERS = [0, 1, -1, 2, 3, 7, 8, 9, 255, 256, 2**16, 2**20, 2**31 - 1, 2**31, 2**53, 2**62, 2**63, 10**400]
ODD_FLOATS = [0.0, 1.0, -1.0, 0.5, 2.0, 5e-324, 1e-310, 1e-60, 1e-40, 1e30, 1e38, 1e300, math.nan, math.inf, -math.inf]
ODD_VALUES = [*ODD_NUMBERS, *ODD_FLOATS, True, None, "8", "", [], {}]


@contextmanager
def quick_file():
    """A path to write to, again and again: in memory, where the system has such a place."""
    place = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=place if place.is_dir() else None) as directory:
        yield Path(directory) / "mutant"


def edited(content, rng):
    """One to four blind edits: bytes flipped, set, cut out, doubled or inserted, and the end cut off."""
    content = bytearray(content)
    for _ in range(rng.integers(1, 5)):
        if not content:
            break
        at = int(rng.integers(len(content)))
        size = int(rng.integers(1, 9))
        edit = rng.integers(6)
        if edit == 0:
            content[at] ^= 1 << int(rng.integers(8))
        elif edit == 1:
            content[at] = int(rng.integers(256))
        elif edit == 2:
            del content[at : at + size]
        elif edit == 3:
            content[at:at] = content[at : at + size]
        elif edit == 4:
            content[at:at] = rng.bytes(size)
        elif rng.integers(8) == 0:
            del content[at:]
        else:
            # A digit of the header for another one: the file often stays well-formed, and lies.
            digits = [i for i, byte in enumerate(content[:600]) if 48 <= byte <= 57]
            content[digits[int(rng.integers(len(digits)))] if digits else at] = 48 + int(rng.integers(10))
    return bytes(content)


def flipped(content, bit):
    """The file with one bit changed."""
    content = bytearray(content)
    content[bit // 8] ^= 1 << bit % 8
    return bytes(content)


def sealed(content, words=None):
    """The file with the checksum that is right for it as it is now; unchanged if it cannot be read at all.

    By default the checksum is also of all metadata; ``words`` may name those that it is of.
    """
    try:
        header, data = parts(content)
        metadata = {key: word for key, word in header["__metadata__"].items() if key != KEY}
        covered = metadata if words is None else {key: metadata[key] for key in words}
        header["__metadata__"] = {**metadata, KEY: checksum(arrays_of(header, data), covered)}
    except (KeyError, TypeError, ValueError, AttributeError, struct.error):
        return content
    return join(header, data)


def unsealed(content):
    """The file as slotfree wrote it up to version 0.7: without a checksum."""
    header, data = parts(content)
    del header["__metadata__"][KEY]
    if header["__metadata__"]["format"] == "slotfree.results":
        header["__metadata__"]["version"] = "2"
    text = json.dumps(header, separators=(",", ":")).encode()
    return join(text + b" " * (-len(text) % 8), data)


def arrays_of(header, data):
    """The arrays of a file, by name."""
    arrays = {}
    for name in arrays_in(header):
        begin, end = header[name]["data_offsets"]
        numbers = np.frombuffer(data[begin:end], DTYPES[header[name]["dtype"]])
        arrays[name] = numbers.reshape(header[name]["shape"])
    return arrays


def changed(content, rng, others, refit=None):
    """The file after one to three edits that know the format, with the right checksum.

    ``others`` are good files to take headers or data from. ``refit(header, data, rng)`` may let the data follow from
    changed settings.
    """
    header, data = parts(content)
    header = _open(header)
    for _ in range(rng.integers(1, 4)):
        edit = EDITS[int(rng.integers(len(EDITS)))]
        try:
            header, data = edit(header, data, rng, others)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError):
            continue
    if refit is not None and rng.integers(2):
        header, data = refit(header, data, rng)
    return join(_closed(header), data)


def _open(header):
    """JSON in the metadata as objects, so that edits reach what is in it."""
    metadata = dict(header["__metadata__"])
    for key, word in metadata.items():
        if word[:1] in "{[":
            metadata[key] = json.loads(word)
    return {**header, "__metadata__": metadata}


def _closed(header):
    metadata = header.get("__metadata__")
    if isinstance(metadata, dict):
        words = {key: word if isinstance(word, str) else json.dumps(word) for key, word in metadata.items()}
        header = {**header, "__metadata__": words}
    return header


def _places(value):
    """Every place in nested objects and lists: what holds it, and its key."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in list(items):
        yield value, key
        yield from _places(part)


def _place(header, rng, wanted=object):
    places = [(holder, key) for holder, key in _places(header) if isinstance(holder[key], wanted)]
    return places[int(rng.integers(len(places)))]


def _another_number(header, data, rng, others):
    holder, key = _place(header, rng, (int, float))
    near = [holder[key] + 1, holder[key] - 1, 2 * holder[key], holder[key] / 2]
    holder[key] = _any(rng, near if rng.integers(2) else ODD_NUMBERS)
    return header, data


def _another_value(header, data, rng, others):
    holder, key = _place(header, rng)
    holder[key] = copy.copy(_any(rng, ODD_VALUES))
    return header, data


def _another_word(header, data, rng, others):
    holder, key = _place(header, rng, str)
    other, name = _place(header, rng, str)
    holder[key] = _any(rng, [other[name], "", "x" * 1000, "\ud800", holder[key] + " ", *DTYPES])
    return header, data


def _another_key(header, data, rng, others):
    holder, key = _place(header, rng)
    if isinstance(holder, list):
        holder.insert(key, holder[key]) if rng.integers(2) else holder.pop(key)
    elif rng.integers(2):
        holder[_any(rng, ["x", "", "checksum", "name", "\ud800"])] = holder[key]
    else:
        del holder[key]
    return header, data


def _another_shape(header, data, rng, others):
    """Another shape of one array, with data that fit it."""
    arrays = dict(arrays_of(header, data))
    name = _any(rng, list(arrays))
    array = arrays[name]
    if rng.integers(2):
        arrays[name] = array.T
    else:
        shape = [max(0, n + int(rng.integers(-1, 2))) for n in array.shape]
        arrays[name] = np.resize(array, shape)
    return laid(header, arrays)


def _another_type(header, data, rng, others):
    """Another type of one array, with data that fit it."""
    arrays = dict(arrays_of(header, data))
    name = _any(rng, list(arrays))
    with np.errstate(invalid="ignore", over="ignore"):
        arrays[name] = arrays[name].astype(_any(rng, list(DTYPES.values())))
    return laid(header, arrays)


def _another_entry(header, data, rng, others):
    """An odd number in one array."""
    arrays = {name: array.copy() for name, array in arrays_of(header, data).items()}
    array = arrays[_any(rng, [name for name, array in arrays.items() if array.size])].reshape(-1)
    if array.dtype.kind == "f":
        with np.errstate(over="ignore"):
            array[rng.integers(array.size)] = _any(rng, ODD_FLOATS)
    else:
        top = 1 if array.dtype.kind == "b" else np.iinfo(array.dtype).max
        array[rng.integers(array.size)] = _any(rng, [n for n in (0, 1, 2, 3, 7, 8, 9, top) if n <= top])
    return laid(header, arrays)


def _of_another_file(header, data, rng, others):
    other, others_data = parts(_any(rng, others))
    return (_open(other), data) if rng.integers(2) else (header, others_data)


def laid(header, arrays):
    """A header and data of other arrays, with all else of the header."""
    names = {np.dtype(code): name for name, code in DTYPES.items()}
    fitting, end, pieces = {"__metadata__": header["__metadata__"]}, 0, []
    for name, array in arrays.items():
        begin, end = end, end + array.nbytes
        fitting[name] = {"dtype": names[array.dtype], "shape": list(array.shape), "data_offsets": [begin, end]}
        pieces.append(array.tobytes())
    return fitting, b"".join(pieces)


def _any(rng, choices):
    return choices[int(rng.integers(len(choices)))]


EDITS = (
    _another_number,
    _another_number,
    _another_value,
    _another_word,
    _another_key,
    _another_shape,
    _another_type,
    _another_entry,
    _another_entry,
    _of_another_file,
)


def mutants(good, rng, count, others, refit=None, words=None):
    """Mutated files of a good one: a third by blind edits, of the file with a checksum or without it, the others by
    edits that know the format, most of them with the right checksum."""
    old = unsealed(good)
    for i in range(count):
        kind = i % 6
        if kind == 0:
            yield edited(good, rng)
        elif kind == 1:
            yield sealed(edited(good, rng), words)
        elif kind == 2:
            yield edited(old, rng)
        elif kind == 3:
            yield changed(good, rng, others, refit)
        else:
            yield sealed(changed(good, rng, others, refit), words)
