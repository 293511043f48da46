"""Files that lie. Each is refused with a FormatError that says why, and without a large allocation."""

import functools
import json
import struct
import tempfile
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import slotfree as sf

SHAPE = (6, 4)


@functools.cache
def good_bytes():
    memory = sf.KWinnerMHN(8, 6, 3, 2, 0.5, 0.3, seed=0)
    memory.store(sf.random_patterns(5, n_visible=8, k_visible=3, seed=1))
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "good"
        memory.save(path)
        return path.read_bytes()


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


def entry_with(name, **fields):
    return header_with(lambda header: header[name].update(fields))


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


def numbers_with(name, change):
    """A hostile file made of the good one by changing the numbers of one array in place."""

    def make(content):
        header, data = parts(content)
        begin, end = header[name]["data_offsets"]
        array = np.frombuffer(data[begin:end], {"U16": "<u2", "F32": "<f4"}[header[name]["dtype"]]).copy()
        array = array.reshape(SHAPE)
        change(array)
        return join(header, data[:begin] + array.tobytes() + data[end:])

    return make


def put(index, value):
    def change(array):
        array[index] = value

    return change


def swap_first_two(array):
    array[0, :2] = array[0, 1::-1]


def rename(old, new):
    return header_with(lambda header: header.update({new: header.pop(old)}))


def swap_offsets(header):
    a, b = header["weights"], header["connections"]
    a["data_offsets"], b["data_offsets"] = b["data_offsets"], a["data_offsets"]
    b["data_offsets"] = [b["data_offsets"][0] + 4, b["data_offsets"][1] + 4]


def duplicate(key):
    """The same key twice in the JSON text: readers differ on which one counts."""

    def make(content):
        header, data = parts(content)
        text = json.dumps(header)
        place = text.index(f'"{key}"')
        value = header[key] if key in header else header["__metadata__"][key]
        return join((text[:place] + f'"{key}": {json.dumps(value)}, ' + text[place:]).encode(), data)

    return make


def huge_shape(header):
    for name in ("connections", "weights", "return_weights"):
        header[name]["shape"] = [2**31, 2**31]


def huge_but_consistent(header):
    begin = 0
    for name in ("connections", "weights", "return_weights"):
        end = begin + 2**29 * 4 * (2 if name == "connections" else 4)
        header[name].update(shape=[2**29, 4], data_offsets=[begin, end])
        begin = end
    settings = json.loads(header["__metadata__"]["settings"])
    settings["n_hidden"] = 2**29
    header["__metadata__"]["settings"] = json.dumps(settings)


HOSTILE = {
    "empty": lambda content: b"",
    "seven bytes": lambda content: content[:7],
    "length only": lambda content: content[:8],
    "zero length": lambda content: bytes(8),
    "length beyond the file": lambda content: struct.pack("<Q", len(content)) + content[8:],
    "length of 16 exabytes": lambda content: b"\xff" * 8 + content[8:],
    "length of 100 megabytes": lambda content: struct.pack("<Q", 100_000_000) + content[8:],
    "cut header": lambda content: content[:60],
    "cut data": lambda content: content[:-1],
    "one byte too many": lambda content: content + b"\0",
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
    "duplicate array": duplicate("weights"),
    "duplicate metadata": duplicate("__metadata__"),
    "duplicate key in the metadata": duplicate("version"),
    "missing metadata": header_with(lambda header: header.pop("__metadata__") and None),
    "metadata is a list": header_with(lambda header: header.update(__metadata__=[])),
    "metadata holds a number": metadata_with(n_stored=5),
    "other format": metadata_with(format="slotfree.Other"),
    "later version": metadata_with(version="2"),
    "no version": header_with(lambda header: header["__metadata__"].pop("version") and None),
    "extra metadata": metadata_with(surprise="1"),
    "negative count": metadata_with(n_stored="-5"),
    "count in other digits": metadata_with(n_stored="٣"),
    "endless count": metadata_with(n_stored="9" * 5000),
    "count with zeros before it": metadata_with(n_stored="007"),
    "count beyond 63 bits": metadata_with(n_stored="9999999999999999999"),
    "settings are no json": metadata_with(settings="n_visible=8"),
    "settings are a list": metadata_with(settings="[8, 6, 3, 2, 0.5, 0.3]"),
    "settings twice": metadata_with(
        settings='{"n_visible": 9, "n_visible": 8, "n_hidden": 6, "k_visible": 3, "k_hidden": 2, '
        '"fan_in": 0.5, "learning_rate": 0.3}'
    ),
    "unknown setting": settings_with(colour="red"),
    "missing setting": without_setting("k_hidden"),
    "no visible units": settings_with(n_visible=0),
    "more winners than units": settings_with(k_hidden=7),
    "fan-in of nan": settings_with(fan_in=float("nan")),
    "learning rate of 2": settings_with(learning_rate=2),
    "learning rate of 10 to the 400": settings_with(learning_rate=10**400),
    "fan-in of 10 to the 400": settings_with(fan_in=10**400),
    "a setting that cannot be printed": settings_with(**{"\ud800": 1}),
    "a layer of two billion units": settings_with(n_visible=2**31 - 1, fan_in=2e-9),
    "a setting of another type": settings_with(n_hidden="6"),
    "other size than the arrays": settings_with(n_hidden=5, k_hidden=2),
    "other fan-in than the arrays": settings_with(fan_in=0.25),
    "a missing array": header_with(lambda header: header.pop("return_weights") and None),
    "an array under another name": rename("weights", "Weights"),
    "an array with an unknown key": entry_with("weights", compression="none"),
    "an entry that is a number": header_with(lambda header: header.update(weights=3)),
    "an entry without a shape": header_with(lambda header: header["weights"].pop("shape") and None),
    "unknown dtype": entry_with("weights", dtype="F128"),
    "dtype that is a list": entry_with("weights", dtype=["F32"]),
    "integer weights": entry_with("weights", dtype="I32"),
    "float connections": entry_with("connections", dtype="F32"),
    "half the dtype": entry_with("weights", dtype="U16"),
    "transposed shape": entry_with("weights", shape=[4, 6]),
    "flat shape": entry_with("weights", shape=[24]),
    "negative shape": entry_with("weights", shape=[-6, -4]),
    "shape of floats": entry_with("weights", shape=[6.0, 4.0]),
    "shape of booleans": entry_with("weights", shape=[True, 24]),
    "shape of nine dimensions": entry_with("weights", shape=[1] * 7 + [6, 4]),
    "shape of a thousand dimensions": entry_with("weights", shape=[1] * 998 + [6, 4]),
    "shape of endless numbers": entry_with("weights", shape=[10**4000, 10**4000]),
    "offsets of endless numbers": entry_with("weights", data_offsets=[10**4000, 10**4001]),
    "shape beyond all memory": header_with(huge_shape),
    "sizes beyond the file": header_with(huge_but_consistent),
    "offsets that overlap": entry_with("weights", data_offsets=[0, 96]),
    "offsets that begin too late": entry_with("weights", data_offsets=[52, 148]),
    "offsets that leave a hole": header_with(swap_offsets),
    "offsets the wrong way": entry_with("weights", data_offsets=[192, 96]),
    "negative offsets": entry_with("connections", data_offsets=[-96, 0]),
    "three offsets": entry_with("weights", data_offsets=[96, 192, 192]),
    "offsets as words": entry_with("weights", data_offsets=["96", "192"]),
    "a connection beyond the layer": numbers_with("connections", put((5, 3), 8)),
    "the largest connection": numbers_with("connections", put((0, 3), 2**16 - 1)),
    "connections of 32 bits": entry_with("connections", dtype="U32"),
    "a connection twice": numbers_with("connections", lambda array: put((2, 1), array[2, 0])(array)),
    "connections out of order": numbers_with("connections", swap_first_two),
    "a weight of nan": numbers_with("weights", put((3, 3), np.nan)),
    "a weight of infinity": numbers_with("weights", put((0, 0), np.inf)),
    "a negative weight": numbers_with("weights", put((5, 3), -1e-30)),
    "a weight above one": numbers_with("return_weights", put((0, 0), np.nextafter(np.float32(1), np.float32(2)))),
    "a return weight of nan": numbers_with("return_weights", put((5, 3), np.nan)),
}


def refused(path):
    """The message of the refusal, after checking that little memory was used for it."""
    tracemalloc.start()
    try:
        with pytest.raises(sf.FormatError, match="cannot be used") as caught:
            sf.KWinnerMHN.load(path)
        assert tracemalloc.get_traced_memory()[1] < 8e6
    finally:
        tracemalloc.stop()
    message = str(caught.value)
    assert len(message) < 500
    message.encode()
    return message


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused(tmp_path, name):
    good = good_bytes()
    bad = HOSTILE[name](good)
    assert bad != good
    path = tmp_path / "hostile"
    path.write_bytes(bad)
    assert "hostile" in refused(path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["hostile"]


def test_the_good_file_is_good(tmp_path):
    """Else nothing above would mean anything; and so is one whose header was only written differently."""
    for content in (good_bytes(), header_with(lambda header: None)(good_bytes())):
        (tmp_path / "good").write_bytes(content)
        assert sf.KWinnerMHN.load(tmp_path / "good").n_stored == 5


def test_a_sparse_file_of_20_gigabytes_is_refused_at_its_first_rows(tmp_path):
    header, _ = parts(good_bytes())
    huge_but_consistent(header)
    path = tmp_path / "sparse"
    path.write_bytes(join(header, b""))
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size + 2**29 * 4 * (2 + 4 + 4))
    assert "connections[0] are not ascending" in refused(path)


def test_there_are_at_least_forty():
    assert len(HOSTILE) >= 40


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


def test_100_000_random_mutations(tmp_path):
    good = good_bytes()
    rng = np.random.default_rng(0)
    path = tmp_path / "mutant"
    loaded = 0
    for _ in range(100_000):
        path.write_bytes(mutate(good, rng))
        try:
            memory = sf.KWinnerMHN.load(path)
        except sf.FormatError:
            continue
        loaded += 1
        s = memory.settings
        assert memory.connections.shape == (s.n_hidden, s.n_connections)
        assert (memory.mask.sum(axis=1) == s.n_connections).all()
        for weights in (memory.weights, memory.return_weights):
            assert weights.min() >= 0
            assert weights.max() <= 1
        memory.store(np.ones(s.n_visible))
        assert memory.retrieve(np.ones(s.n_visible)).sum() == s.k_visible
    assert 100 < loaded < 50_000, "mutations of weights alone leave valid files; most others must not"
