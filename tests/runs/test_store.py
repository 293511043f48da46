"""The run store: what is saved is loaded to the bit, what is damaged is noticed, nothing mixes."""

import json
import os

import numpy as np
import pytest

from slotfree.files.checksum import checksum
from slotfree.files.safetensors import write_arrays
from slotfree.runs.errors import DirectoryError
from slotfree.runs.store import Finished, Store, Unit

ARRAYS = {"a": np.arange(6.0).reshape(2, 3), "b": np.array([1, 2], np.int64), "empty": np.zeros((0, 2))}


def unit(**identity):
    return Unit("group", {"n": 1, "seed": 0, **identity})


def test_what_is_saved_is_loaded(tmp_path):
    store = Store(tmp_path)
    assert store.load(unit()) is None
    assert not store.has(unit())
    store.save(unit(), Finished(ARRAYS, 1.25))
    assert store.has(unit())
    loaded = store.load(unit())
    assert loaded.seconds == 1.25
    assert loaded.arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert loaded.arrays[name].dtype == array.dtype
        np.testing.assert_array_equal(loaded.arrays[name], array)
    assert store.damaged == []


@pytest.mark.parametrize("other", [{"seed": 1}, {"n": 2}, {"n": 1.5}, {"more": None}])
def test_different_units_never_meet(tmp_path, other):
    store = Store(tmp_path)
    store.save(unit(), Finished(ARRAYS, 0.0))
    assert store.load(unit(**other)) is None
    assert unit().name != unit(**other).name


def test_the_order_of_settings_does_not_matter():
    assert Unit("g", {"a": 1, "b": 2}).name == Unit("g", {"b": 2, "a": 1}).name


def test_every_damage_is_noticed_and_the_file_removed(tmp_path):
    """One changed byte anywhere, or a file cut anywhere: never wrong numbers."""
    store = Store(tmp_path)
    store.save(unit(), Finished(ARRAYS, 0.5))
    path = store.path(unit())
    whole = path.read_bytes()
    rng = np.random.default_rng(0)
    for position in rng.choice(len(whole), 200, replace=False):
        changed = bytearray(whole)
        changed[position] ^= 1 << rng.integers(8)
        path.write_bytes(changed)
        assert store.load(unit()) is None, f"byte {position} of {len(whole)}"
        assert not path.exists()
    assert len(store.damaged) == 200
    assert str(path) in store.damaged[0]
    for length in range(0, len(whole), 37):
        path.write_bytes(whole[:length])
        assert store.load(unit()) is None


def test_the_time_that_a_unit_took_cannot_change_unnoticed(tmp_path):
    store = Store(tmp_path)
    store.save(unit(), Finished(ARRAYS, 0.5))
    path = store.path(unit())
    path.write_bytes(path.read_bytes().replace(b'"seconds":"0.5"', b'"seconds":"9.5"'))
    assert store.load(unit()) is None
    assert "checksum" in store.damaged[0]


def test_a_unit_of_an_older_layout_is_done_again(tmp_path):
    """It has another name; and were it renamed, it would hold another unit."""
    old = {"identity": json.dumps({"unit": "1", **unit().identity}, sort_keys=True), "seconds": "0.5"}
    store = Store(tmp_path)
    path = store.path(unit())
    path.parent.mkdir()
    write_arrays(path, ARRAYS, {"format": "slotfree.unit", "version": "1", **old, "checksum": checksum(ARRAYS)})
    assert store.load(unit()) is None
    assert "another unit" in store.damaged[0]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_pipe_in_the_place_of_a_unit_is_removed_and_not_waited_for(tmp_path):
    store = Store(tmp_path)
    store.path(unit()).parent.mkdir()
    os.mkfifo(store.path(unit()))
    assert not store.has(unit())
    assert store.load(unit()) is None
    assert "not an ordinary file" in store.damaged[0]
    store.save(unit(), Finished(ARRAYS, 0.5))
    assert store.load(unit()) is not None


def test_a_file_of_another_unit_is_not_taken(tmp_path):
    store = Store(tmp_path)
    store.save(unit(seed=1), Finished(ARRAYS, 0.5))
    store.path(unit(seed=1)).rename(store.path(unit()))
    assert store.load(unit()) is None
    assert "another unit" in store.damaged[0]


def test_a_directory_in_the_place_of_a_unit_is_named(tmp_path):
    store = Store(tmp_path)
    store.path(unit()).mkdir(parents=True)
    with pytest.raises(DirectoryError, match=f"{unit().name}.safetensors is a directory"):
        store.load(unit())
