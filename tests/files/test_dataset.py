import hashlib
import json
import tracemalloc

import numpy as np
import pytest
import xarray as xr
from mutated_files import flipped, unsealed
from safetensors import safe_open

from slotfree.files.checksum import with_checksum
from slotfree.files.dataset import read_dataset, write_dataset
from slotfree.files.errors import FormatError
from slotfree.files.safetensors import ArrayFile, write_arrays

DATA = xr.Dataset(
    {
        "accuracy": (("point", "run", "kind"), np.linspace(0, 1, 12).reshape(3, 2, 2)),
        "hits": (("point",), np.array([3, 1, 2], np.uint8)),
        "flag": (("run",), np.array([True, False])),
        "total": ((), np.float32(7)),
        "answer": (("run",), ["yes", ""]),
    },
    {
        "run": [0, 1],
        "kind": ["real", "pseudo"],
        "source": ("point", ["random", "tree:10", "random"]),
        "fan_in": ("point", [0.05, np.nan, 1.0]),
        "cue": 0.5,
    },
)


def test_metadata_may_be_left_out(tmp_path):
    write_dataset(tmp_path / "file", DATA)
    assert read_dataset(tmp_path / "file").identical(DATA)


def test_round_trip(tmp_path):
    write_dataset(tmp_path / "file", DATA, {"seed": "0", "words of mine": "ε"})
    found = read_dataset(tmp_path / "file")
    assert found.identical(DATA.assign_attrs({"seed": "0", "words of mine": "ε"}))
    assert {name: v.dtype for name, v in found.variables.items() if v.dtype.kind != "U"} == {
        name: v.dtype for name, v in DATA.variables.items() if v.dtype.kind != "U"
    }


def test_sizes_that_are_not_round(tmp_path):
    empty = xr.Dataset({"x": (("a", "b"), np.zeros((0, 3)))}, {"a": np.array([], dtype="<U1")})
    transposed = DATA.transpose("kind", "point", "run")
    for data in (empty, transposed, xr.Dataset()):
        write_dataset(tmp_path / "file", data, {})
        assert read_dataset(tmp_path / "file").identical(data)


def test_other_readers_find_the_numbers_and_the_words(tmp_path):
    write_dataset(tmp_path / "file", DATA, {})
    with safe_open(tmp_path / "file", "numpy") as file:
        np.testing.assert_array_equal(file.get_tensor("accuracy"), DATA["accuracy"])
        words = json.loads(file.metadata()["words"])["source"]
        assert [words[i] for i in file.get_tensor("source")] == ["random", "tree:10", "random"]


def test_thousands_of_words_fit(tmp_path):
    many = xr.Dataset({"x": ("point", np.zeros(50_000))}, {"source": ("point", ["random", "tree:10"] * 25_000)})
    write_dataset(tmp_path / "file", many, {})
    assert read_dataset(tmp_path / "file").identical(many)


def test_what_cannot_be_written_is_told(tmp_path):
    with pytest.raises(TypeError, match="data must hold numbers or strings, but 'x' is of the type object"):
        write_dataset(tmp_path / "file", xr.Dataset({"x": ("a", np.array([{}, None], object))}), {})
    with pytest.raises(ValueError, match=r"metadata must not have the keys .* it has \['dims'\]"):
        write_dataset(tmp_path / "file", DATA, {"dims": ""})
    with pytest.raises(ValueError, match="metadata must not have the key 'checksum'"):
        with_checksum({}, {"checksum": "mine"})
    assert not (tmp_path / "file").exists()


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ({"format": "slotfree.unit"}, "it is not a dataset of format slotfree.results, version 3"),
        ({"version": "1"}, "it is not a dataset of format slotfree.results, version 3"),
        ({"dims": "{"}, "its labels do not fit its arrays"),
        ({"dims": "{}"}, "its labels do not fit its arrays"),
        ({"dims": "[]"}, "its labels do not fit its arrays"),
        ({"dims": '{"x": ["a", "b"]}'}, "its labels do not fit its arrays"),
        ({"dims": '{"x": ["a"], "y": ["a"]}', "coordinates": '["z"]'}, "its labels do not fit its arrays"),
        ({"coordinates": "7"}, "its labels do not fit its arrays"),
        ({"words": '{"x": ["only one"]}'}, "its labels do not fit its arrays"),
        ({"words": '{"x": [1, 2, 3]}'}, "its labels do not fit its arrays"),
        ({"words": '{"x": 5}'}, "its labels do not fit its arrays"),
        ({"dims": '{"x": ["a"], "x": ["b"]}'}, "the key x appears twice"),
        ({"coordinates": '["x", "x"]'}, "labels of coordinates appear twice"),
        ({"checksum": "0"}, "its metadata has the keys"),
        ({"version": "3"}, "its metadata has the keys"),
        ({"version": "3", "checksum": "0"}, "its checksum is wrong"),
    ],
)
def test_files_that_are_not_datasets_are_refused(tmp_path, metadata, message):
    """The right one is in the layout of slotfree up to 0.7, which has no checksum."""
    right = {"format": "slotfree.results", "version": "2", "dims": '{"x": ["a"]}', "coordinates": "[]", "words": "{}"}
    write_arrays(tmp_path / "right", {"x": np.arange(3)}, right)
    assert read_dataset(tmp_path / "right")["x"].dims == ("a",)
    write_arrays(tmp_path / "wrong", {"x": np.arange(3)}, right | metadata)
    with pytest.raises(FormatError, match=message):
        read_dataset(tmp_path / "wrong")


def test_negative_numbers_name_no_words(tmp_path):
    write_dataset(tmp_path / "file", xr.Dataset({"source": DATA["source"].variable}), {})
    with ArrayFile(tmp_path / "file") as file:
        metadata = file.metadata
    del metadata["checksum"]
    for numbers in (np.array([0, -1, 1]), np.array([0, 1, 1], np.uint8)):
        arrays = {"source": numbers}
        write_arrays(tmp_path / "file", arrays, with_checksum(arrays, metadata))
        with pytest.raises(FormatError, match="numbers of strings are not as they should be"):
            read_dataset(tmp_path / "file")


def test_every_flipped_bit_is_noticed(tmp_path):
    write_dataset(tmp_path / "file", DATA, {"seed": "0"})
    good = (tmp_path / "file").read_bytes()
    for bit in np.random.default_rng(0).choice(8 * len(good), 500, replace=False):
        (tmp_path / "file").write_bytes(flipped(good, int(bit)))
        with pytest.raises(FormatError):
            read_dataset(tmp_path / "file")


def test_the_arrays_and_labels_are_those_of_earlier_versions(tmp_path):
    """Only the version and the checksum are new: other programs read the files as before."""
    write_dataset(tmp_path / "file", DATA, {"seed": "0"})
    old = unsealed((tmp_path / "file").read_bytes())
    assert hashlib.sha256(old).hexdigest()[:16] == "4bf1d95d081968bf"
    (tmp_path / "file").write_bytes(old)
    assert read_dataset(tmp_path / "file").identical(DATA.assign_attrs(seed="0"))


def test_long_words_for_many_numbers_are_no_bomb(tmp_path):
    """Words are as long as the longest in memory: 70 kB could ask for 4 GB."""
    words = ["x" * 60_000, "y"]
    metadata = {"format": "slotfree.results", "version": "3", "dims": '{"x": ["a"]}', "coordinates": "[]"}
    metadata["words"] = json.dumps({"x": words})
    arrays = {"x": np.zeros(2000, np.int64)}
    write_arrays(tmp_path / "file", arrays, with_checksum(arrays, metadata))
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match="strings would take 480000000 bytes; at most 33874432 can be right"):
            read_dataset(tmp_path / "file")
        assert tracemalloc.get_traced_memory()[1] < 8e6
    finally:
        tracemalloc.stop()
    with pytest.raises(ValueError, match="data must have fewer or shorter strings: they take 480000000 bytes"):
        write_dataset(tmp_path / "other", xr.Dataset({"x": ("a", np.array(words)[arrays["x"]])}), {})
