"""Files that lie, made out of good ones."""

import json
import struct

import numpy as np


def parts(content):
    length = struct.unpack("<Q", content[:8])[0]
    return json.loads(content[8 : 8 + length]), content[8 + length :]


def join(header, data):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def header_with(change):
    """A hostile file made of the good one by changing its header in place."""

    def make(content):
        header, data = parts(content)
        changed = change(header)
        return join(header if changed is None else changed, data)

    return make


def arrays_in(header):
    """The names of the arrays, in the order in which they lie in the file."""
    names = [name for name in header if name != "__metadata__"]
    return sorted(names, key=lambda name: header[name]["data_offsets"])


def entry_with(which, **fields):
    """Other fields in the entry of an array, given by its name or its place."""

    def change(header):
        header[which if isinstance(which, str) else arrays_in(header)[which]].update(fields)

    return header_with(change)


def numbers_with(name, change):
    """A hostile file made of the good one by changing the numbers of one array in place."""

    def make(content):
        header, data = parts(content)
        begin, end = header[name]["data_offsets"]
        dtype = {"U8": "<u1", "U16": "<u2", "F32": "<f4", "F64": "<f8"}[header[name]["dtype"]]
        array = np.frombuffer(data[begin:end], dtype).copy().reshape(header[name]["shape"])
        change(array)
        return join(header, data[:begin] + array.tobytes() + data[end:])

    return make


def put(index, value):
    def change(array):
        array[index] = value

    return change


def metadata_with(**fields):
    return header_with(lambda header: header["__metadata__"].update(fields))


def settings_with(**fields):
    def change(header):
        settings = json.loads(header["__metadata__"]["settings"])
        settings.update(fields)
        header["__metadata__"]["settings"] = json.dumps(settings)

    return header_with(change)


def without_setting(name):
    def change(header):
        settings = json.loads(header["__metadata__"]["settings"])
        del settings[name]
        header["__metadata__"]["settings"] = json.dumps(settings)

    return header_with(change)


def duplicate(key):
    """The same key twice in the JSON text: readers differ on which one counts."""

    def make(content):
        header, data = parts(content)
        text = json.dumps(header)
        place = text.index(f'"{key}"')
        value = header[key] if key in header else header["__metadata__"][key]
        return join((text[:place] + f'"{key}": {json.dumps(value)}, ' + text[place:]).encode(), data)

    return make


def mutate(content, rng):
    """One to four random edits: bytes flipped, set, cut out, doubled or inserted, and the end cut off."""
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
