"""What a file makes a loader allocate follows from the file's length: at most 20 bytes per byte, and 32 MB."""

import json
import tracemalloc

import numpy as np
import pytest
from every_memory import patterns, small
from hostile import join, parts
from mutated_files import laid, sealed

import slotfree as sf
from slotfree.files.options import defaults
from slotfree.files.safetensors import ArrayFile, write_arrays
from slotfree.memory import load_memory, memories
from slotfree.runs.store import Finished, Store, Unit

PER_BYTE, ANYWAY = 20, 2**25
MANY = 2**31 - 1
ONE = {"n_units": 1, "k_units": 1, "threshold": None}


def peak_of(load):
    """Bytes at most while something is loaded, and what came of it."""
    tracemalloc.start()
    try:
        try:
            result = load()
        except sf.FormatError as error:
            result = error
        return tracemalloc.get_traced_memory()[1], result
    finally:
        tracemalloc.stop()


BOMBS = {
    "a stack of two billion visible units": (
        "StackedKWinner",
        {"n_visible": MANY, "layers": [ONE | {"fan_in": 1 / MANY}], "n_hidden": 1, "k_hidden": 1, "fan_in": 1.0},
        [("layer_1.connections", np.zeros((1, 1), np.uint32)), ("layer_1.weights", np.ones((1, 1), np.float32))],
        "can have at most 1048576 inputs",
    ),
    "a network of two billion visible units": (
        "KWinnerMHN",
        {"n_visible": MANY, "n_hidden": 1, "k_hidden": 1, "fan_in": 1 / MANY},
        [],
        "too many for 1 synapses",
    ),
    "a modern Hopfield network of two billion slots": (
        "ModernHopfield",
        {"n_visible": MANY, "capacity": MANY},
        [("patterns", np.zeros((0, MANY), np.uint8))],
        None,
    ),
    "a sparse distributed memory of two billion locations": (
        "SparseDistributedMemory",
        {"n_visible": MANY, "n_locations": MANY},
        [],
        "its arrays are",
    ),
    "a classical network of two billion units": (
        "ClassicalHopfield",
        {"n_visible": MANY, "fan_in": 1 / MANY},
        [],
        "its arrays are",
    ),
    "a Willshaw network of two billion units": (
        "Willshaw",
        {"n_visible": MANY, "fan_in": 1 / MANY},
        [],
        "its arrays are",
    ),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_small_files_with_huge_settings(tmp_path, bomb):
    name, changes, arrays, reason = BOMBS[bomb]
    memory = small(name)
    unmentioned = defaults(memory.settings)
    settings = {key: value for key, value in vars(memory.settings).items() if key not in unmentioned} | changes
    if name == "StackedKWinner":
        top = {"connections": np.zeros((1, 1), np.uint16)}
        top |= {key: np.zeros((1, 1), np.float32) for key in ("weights", "return_weights")}
        arrays = [*arrays, *((f"memory.{key}", array) for key, array in top.items())]
    metadata = {"format": memory.format_name, "version": "1", "settings": json.dumps(settings), "n_stored": "0"}
    content = sealed(join(*laid({"__metadata__": metadata}, dict(arrays))))
    assert len(content) < 2000
    (tmp_path / "bomb").write_bytes(content)
    peak, result = peak_of(lambda: load_memory(tmp_path / "bomb"))
    assert peak < PER_BYTE * len(content) + ANYWAY
    if reason is None:
        assert result.n_stored == 0
    else:
        assert reason in str(result)


def test_the_most_that_small_files_can_take(tmp_path):
    """Few synapses may have a million inputs; a stack of hundreds of layers has them once."""
    layers = [{"n_units": 1, "k_units": 1, "fan_in": 1e-6}, *[{"n_units": 1, "k_units": 1, "fan_in": 1}] * 200]
    most = {"n_visible": 2**20, "k_visible": 1, "n_hidden": 1, "k_hidden": 1}
    for memory in (
        sf.KWinnerMHN(**most, fan_in=1e-6, seed=0),
        sf.StackedKWinner(**most, layers=layers, fan_in=1, seed=0),
    ):
        memory.save(tmp_path / "m")
        peak, result = peak_of(lambda memory=memory: type(memory).load(tmp_path / "m"))
        assert result.settings == memory.settings
        assert peak < PER_BYTE * (tmp_path / "m").stat().st_size + ANYWAY


LARGE = {
    "ClassicalHopfield": {"n_visible": 60_000, "fan_in": 1e-5},
    "KWinnerMHN": {"n_visible": 50_000, "n_hidden": 60_000, "fan_in": 2e-5},
    "ModernHopfield": {"n_visible": 100_000, "capacity": None},
    "SparseDistributedMemory": {"n_visible": 60_000},
    "StackedKWinner": {
        "layers": [{"n_units": 60_000, "k_units": 4, "fan_in": 0.125}],
        "n_hidden": 60_000,
        "fan_in": 1e-5,
    },
    "Willshaw": {"n_visible": 60_000, "fan_in": 1e-5},
}


@pytest.mark.parametrize("name", LARGE)
def test_large_files_take_no_more_than_their_share(tmp_path, name):
    """Each unit has as few connections as possible, so that files are small for their settings."""
    memory = small(name, **LARGE[name])
    if name == "ModernHopfield":
        memory.store(np.zeros((10, 100_000)))
    memory.save(tmp_path / "m")
    peak, result = peak_of(lambda: memories()[name].load(tmp_path / "m"))
    assert result.settings == memory.settings
    assert peak < PER_BYTE * (tmp_path / "m").stat().st_size


def test_empty_arrays_of_endless_rows_take_no_time(tmp_path):
    write_arrays(tmp_path / "file", {"a": np.zeros((0, 3))}, {})
    header, data = parts((tmp_path / "file").read_bytes())
    header["a"]["shape"] = [2**59, 0]  # of eight bytes each, the most that an array can be
    (tmp_path / "file").write_bytes(join(header, data))
    with ArrayFile(tmp_path / "file") as file:
        assert list(file.pieces("a")) == []
    header["a"]["shape"] = [2**62, 0]
    (tmp_path / "file").write_bytes(join(header, data))
    with pytest.raises(sf.FormatError, match="array 'a' has the impossible shape"):
        ArrayFile(tmp_path / "file")


def test_units_of_endless_empty_arrays(tmp_path):
    store, unit = Store(tmp_path), Unit("group", {"n": 1})
    store.save(unit, Finished({"a": np.zeros((0, 3))}, 0.0))
    header, data = parts(store.path(unit).read_bytes())
    header["a"]["shape"] = [2**62, 2**62, 0]
    store.path(unit).write_bytes(join(header, data))
    peak, result = peak_of(lambda: store.load(unit))
    assert result is None
    assert len(store.damaged) == 1
    assert peak < ANYWAY


def test_a_count_of_stored_patterns_alone_takes_nothing(tmp_path):
    memory = small("KWinnerMHN")
    memory.store(patterns(2))
    memory.save(tmp_path / "m")
    header, data = parts((tmp_path / "m").read_bytes())
    header["__metadata__"]["n_stored"] = "9" * 18
    (tmp_path / "m").write_bytes(sealed(join(header, data)))
    peak, result = peak_of(lambda: sf.KWinnerMHN.load(tmp_path / "m"))
    assert result.n_stored == 10**18 - 1
    assert peak < ANYWAY
