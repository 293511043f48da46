"""Files that lie. Each is refused with a FormatError that says why, and without a large allocation."""

import functools
import json
import os
import struct
import tempfile
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from every_memory import EVERY, kind_of, patterns, small
from hostile import (
    arrays_in,
    duplicate,
    entry_with,
    header_with,
    join,
    metadata_with,
    numbers_with,
    parts,
    put,
    settings_with,
    without_setting,
)

import slotfree as sf
from slotfree.files import safetensors
from slotfree.memory import Connections, memories

N_STORED = 5


@functools.cache
def good_bytes(name):
    memory = small(name)
    memory.store(patterns(N_STORED))
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "good"
        memory.save(path)
        return path.read_bytes()


def refused(name, path):
    """The message of the refusal, after checking that little memory was used for it."""
    tracemalloc.start()
    try:
        with pytest.raises(sf.FormatError, match="cannot be used") as caught:
            kind_of(name).load(path)
        assert tracemalloc.get_traced_memory()[1] < 8e6
    finally:
        tracemalloc.stop()
    message = str(caught.value)
    assert len(message) < 500
    message.encode()
    return message


def settings_as(write):
    """The settings of the good file, written otherwise."""

    def change(header):
        header["__metadata__"]["settings"] = write(json.loads(header["__metadata__"]["settings"]))

    return header_with(change)


def duplicate_array(content):
    return duplicate(arrays_in(parts(content)[0])[-1])(content)


def rename_last(header):
    header["Weights"] = header.pop(arrays_in(header)[-1])


def pop_last(header):
    del header[arrays_in(header)[-1]]


def pop_shape(header):
    del header[arrays_in(header)[-1]]["shape"]


def number_as_entry(header):
    header[arrays_in(header)[-1]] = 3


def another_dimension(header):
    header[arrays_in(header)[0]]["shape"].append(1)


def shape_of_floats(header):
    entry = header[arrays_in(header)[0]]
    entry["shape"] = [float(n) for n in entry["shape"]]


def huge_shape(header):
    for name in arrays_in(header):
        header[name]["shape"] = [2**31, 2**31]


def later_offsets(header):
    entry = header[arrays_in(header)[-1]]
    entry["data_offsets"] = [offset + 4 for offset in entry["data_offsets"]]


def reversed_offsets(header):
    header[arrays_in(header)[-1]]["data_offsets"].reverse()


def offsets_as_words(header):
    entry = header[arrays_in(header)[-1]]
    entry["data_offsets"] = [str(offset) for offset in entry["data_offsets"]]


OF_ANY_FILE = {
    "empty": lambda content: b"",
    "seven bytes": lambda content: content[:7],
    "length only": lambda content: content[:8],
    "zero length": lambda content: bytes(8),
    "length beyond the file": lambda content: struct.pack("<Q", len(content)) + content[8:],
    "length of 16 exabytes": lambda content: b"\xff" * 8 + content[8:],
    "length of 100 megabytes": lambda content: struct.pack("<Q", 100_000_000) + content[8:],
    "cut header": lambda content: content[:60],
    "a second file behind it": lambda content: content + content,
    "not utf-8": lambda content: join(b'{"\xff\xfe": 1}', b""),
    "not json": lambda content: join(b"{'connections': 1}", b""),
    "a list": lambda content: join(b"[]", b""),
    "a number": lambda content: join(b"7", b""),
    "null": lambda content: join(b"null", b""),
    "empty object": lambda content: join(b"{}", b""),
    "deep nesting": lambda content: join(b"[" * 30_000 + b"]" * 30_000, b""),
    "a header of a megabyte": lambda content: join(b"{" + b" " * 1_000_000 + b"}", b""),
    "deeply nested settings": metadata_with(settings="[" * 60_000),
    "an endless number": lambda content: join(b'{"a": ' + b"9" * 10_000 + b"}", b""),
    "infinity": lambda content: join(b'{"a": Infinity}', b""),
    "pickle": lambda content: b"\x80\x04\x95\x1c\x00\x00\x00\x00\x00\x00\x00\x8c\x05posix\x94\x8c\x06system\x94\x93.",
    "zip": lambda content: b"PK\x03\x04" + bytes(100),
    "hdf5": lambda content: b"\x89HDF\r\n\x1a\n" + bytes(100),
    "duplicate array": duplicate_array,
    "duplicate metadata": duplicate("__metadata__"),
    "duplicate key in the metadata": duplicate("version"),
    "missing metadata": header_with(lambda header: header.pop("__metadata__") and None),
    "metadata is a list": header_with(lambda header: header.update(__metadata__=[])),
    "metadata holds a number": metadata_with(n_stored=5),
    "no version": header_with(lambda header: header["__metadata__"].pop("version") and None),
    "extra metadata": metadata_with(surprise="1"),
    "count in other digits": metadata_with(n_stored="٣"),
    "endless count": metadata_with(n_stored="9" * 5000),
    "count with zeros before it": metadata_with(n_stored="007"),
    "count beyond 63 bits": metadata_with(n_stored="9999999999999999999"),
    "settings are no json": metadata_with(settings="n_visible=8"),
    "settings are a list": settings_as(lambda settings: json.dumps(list(settings.values()))),
    "settings twice": settings_as(lambda settings: '{"n_visible": 9, ' + json.dumps(settings)[1:]),
    "a setting that cannot be printed": settings_with(**{"\ud800": 1}),
    "an array with an unknown key": entry_with(0, compression="none"),
    "an entry that is a number": header_with(number_as_entry),
    "an entry without a shape": header_with(pop_shape),
    "unknown dtype": entry_with(-1, dtype="F128"),
    "dtype that is a list": entry_with(-1, dtype=["F32"]),
    "negative shape": entry_with(0, shape=[-6, -4]),
    "shape of floats": header_with(shape_of_floats),
    "shape of booleans": entry_with(0, shape=[True, 24]),
    "shape of a thousand dimensions": entry_with(0, shape=[1] * 1000),
    "shape of endless numbers": entry_with(0, shape=[10**4000, 10**4000]),
    "offsets of endless numbers": entry_with(-1, data_offsets=[10**4000, 10**4001]),
    "offsets that begin too late": header_with(later_offsets),
    "offsets the wrong way": header_with(reversed_offsets),
    "negative offsets": entry_with(0, data_offsets=[-96, 0]),
    "three offsets": entry_with(-1, data_offsets=[96, 192, 192]),
    "offsets as words": header_with(offsets_as_words),
}

OF_ANY_MEMORY = {
    "cut data": lambda content: content[:-1],
    "one byte too many": lambda content: content + b"\0",
    "other format": metadata_with(format="slotfree.Other"),
    "later version": metadata_with(version="2"),
    "negative count": metadata_with(n_stored="-5"),
    "unknown setting": settings_with(colour="red"),
    "missing setting": without_setting("n_visible"),
    "no visible units": settings_with(n_visible=0),
    "another number of visible units": settings_with(n_visible=12),
    "10 to the 400 visible units": settings_with(n_visible=10**400),
    "visible units of nan": settings_with(n_visible=float("nan")),
    "more winners than units": settings_with(k_visible=9),
    "a setting of another type": settings_with(n_visible="8"),
    "a missing array": header_with(pop_last),
    "an array under another name": header_with(rename_last),
    "another dtype": entry_with(0, dtype="I16"),
    "another dimension": header_with(another_dimension),
    "shape beyond all memory": header_with(huge_shape),
}


OF_A_KWINNER = {
    "more winners than hidden units": settings_with(k_hidden=7),
    "fan-in of nan": settings_with(fan_in=float("nan")),
    "fan-in of 10 to the 400": settings_with(fan_in=10**400),
    "learning rate of 2": settings_with(learning_rate=2),
    "learning rate of 10 to the 400": settings_with(learning_rate=10**400),
    "a layer of two billion units": settings_with(n_visible=2**31 - 1, fan_in=2e-9),
    "other size than the arrays": settings_with(n_hidden=5),
    "other fan-in than the arrays": settings_with(fan_in=0.25),
    "integer weights": entry_with("weights", dtype="I32"),
    "float connections": entry_with("connections", dtype="F32"),
    "half the dtype": entry_with("weights", dtype="U16"),
    "connections of 32 bits": entry_with("connections", dtype="U32"),
    "transposed shape": entry_with("weights", shape=[4, 6]),
    "flat shape": entry_with("weights", shape=[24]),
    "shape of nine dimensions": entry_with("weights", shape=[1] * 7 + [6, 4]),
    "offsets that overlap": entry_with("weights", data_offsets=[0, 96]),
    "tied, but with two matrices": settings_with(tied=True),
    "tied by a number": settings_with(tied=1),
    "an option that is the default": settings_with(tied=False),
    "random winners without a key": settings_with(storing="random"),
    "winners of no kind": settings_with(storing="worst"),
}


@pytest.mark.parametrize("lie", OF_ANY_FILE | OF_ANY_MEMORY | OF_A_KWINNER)
def test_hostile_files_are_refused(tmp_path, lie):
    """The header of all memories is read by the same code: here it is that of a K-winner MHN."""
    refuses(tmp_path, "KWinnerMHN", (OF_ANY_FILE | OF_ANY_MEMORY | OF_A_KWINNER)[lie])


@pytest.mark.parametrize("name", [name for name in EVERY if name != "KWinnerMHN"])
def test_what_contradicts_a_memory_is_refused(tmp_path, name):
    for lie in OF_ANY_MEMORY.values():
        refuses(tmp_path, name, lie)


def refuses(folder, name, lie):
    good = good_bytes(name)
    bad = lie(good)
    assert bad != good
    (folder / "hostile").write_bytes(bad)
    assert "hostile" in refused(name, folder / "hostile")
    assert [entry.name for entry in folder.iterdir()] == ["hostile"]


def swap_first_two(array):
    array[0, :2] = array[0, 1::-1]


def repeat_first(array):
    array[2, 1] = array[2, 0]


def wrong_numbers(each):
    """Changes that break what is said of a saved array, and what the refusal says."""
    first, last = (0,) * len(each.shape), (-1,) * len(each.shape)
    if isinstance(each, Connections):
        row = each.shape[0] - 1
        yield put(last, each.n_inputs), f"{each.name}[{row}] are not ascending units below {each.n_inputs}"
        yield put((0, -1), 2**16 - 1), f"{each.name}[0] are not ascending"
        yield repeat_first, f"{each.name}[2] are not ascending"
        yield swap_first_two, f"{each.name}[0] are not ascending"
        if not each.from_itself:
            yield put(slice(1, 2), np.arange(1, 1 + each.shape[1])), f"{each.name}[1] connect a unit from itself"
        return
    fault = f"{each.name} are not all from {each.low:g} to {each.high:g}"
    if np.dtype(each.dtype).kind == "u":
        if each.high < np.iinfo(each.dtype).max:
            yield put(last, each.high + 1), fault
        return
    above = np.nextafter(np.asarray(each.high, each.dtype), np.asarray(np.inf, each.dtype))
    for index in (first, last):
        for value in (np.nan, np.inf, -np.inf, -1e-30, above):
            yield put(index, value), fault


@pytest.mark.parametrize("name", EVERY)
def test_every_limit_of_every_array_is_checked(tmp_path, name):
    good = good_bytes(name)
    path = tmp_path / "hostile"
    path.write_bytes(good)
    memory = kind_of(name).load(path)
    described = memory.saved(memory.settings, N_STORED)
    assert [each.name for each in described] == arrays_in(parts(good)[0])
    for each in described:
        for change, fault in wrong_numbers(each):
            path.write_bytes(numbers_with(each.name, change)(good))
            assert fault in refused(name, path)


@pytest.mark.parametrize("name", EVERY)
def test_the_good_file_is_good(tmp_path, name):
    """Else nothing above would mean anything; and so is one whose header was only written differently."""
    for content in (good_bytes(name), header_with(lambda header: None)(good_bytes(name))):
        (tmp_path / "good").write_bytes(content)
        assert kind_of(name).load(tmp_path / "good").n_stored == N_STORED


HUGE = {
    "ClassicalHopfield": {"n_visible": 2**26, "fan_in": 2.0**-24},
    "KWinnerMHN": {"n_hidden": 2**29},
    "SparseDistributedMemory": {"n_locations": 2**29},
    "StackedKWinner": {"n_hidden": 2**29},
    "Willshaw": {"n_visible": 2**26, "fan_in": 2.0**-24},
}


@pytest.mark.parametrize("name", HUGE)
def test_a_huge_sparse_file_is_refused_at_its_first_rows(tmp_path, name):
    """Its sizes agree with its settings, but it holds only zeros. (That of a modern Hopfield network is right so.)"""
    header, _ = parts(settings_with(**HUGE[name])(good_bytes(name)))
    kind = memories()[name]
    settings = kind.settings_class(**json.loads(header["__metadata__"]["settings"]))
    end = 0
    for each in kind.saved(settings, N_STORED):
        dtype = np.dtype(each.dtype)
        begin, end = end, end + int(np.prod(each.shape)) * dtype.itemsize
        header[each.name] = {"dtype": safetensors.NAMES[dtype], "shape": each.shape, "data_offsets": [begin, end]}
    path = tmp_path / "sparse"
    path.write_bytes(join(header, b""))
    os.truncate(path, path.stat().st_size + end)
    assert end > 5e8
    assert "[0] are not ascending" in refused(name, path)
    os.truncate(path, 1000)
    assert "but it has 1000 bytes" in refused(name, path)
