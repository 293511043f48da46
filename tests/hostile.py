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
