"""Files of every memory: what is loaded continues as what was saved, and formats do not change by accident."""

import copy
import hashlib
import io
import os

import numpy as np
import pytest
from every_memory import EVERY, LAYERS, kind_of, patterns, small
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutated_files import flipped, unsealed
from safetensors.numpy import load_file
from small import same, streams

import slotfree as sf
from slotfree.memory import load_memory

OTHERS = [
    ("ClassicalHopfield", {"decay": 0.0, "fan_in": 1.0}),
    ("ClassicalHopfield", {"decay": 0.999999}),
    ("KWinnerMHN", {"learning_rate": 1.0, "k_hidden": 1, "fan_in": 1.0}),
    ("KWinnerMHN", {"tied": True, "storing": "random"}),
    ("ModernHopfield", {"capacity": None}),
    ("SparseDistributedMemory", {"decay": 0.0}),
    ("SparseDistributedMemory", {"decay": 0.999999}),
    ("KWinnerMHN", {"weights": "uint8", "connections": "computed"}),
    ("StackedKWinner", {"layers": []}),
    ("StackedKWinner", {"layers": [LAYERS[0] | {"fan_in": 1.0, "threshold": 1}], "slow_rate": 0.0}),
    ("StackedKWinner", {"layers": [*LAYERS, *LAYERS], "slow_rate": 0.0}),
]


@pytest.mark.parametrize(("name", "changes"), [*((name, {}) for name in EVERY), *OTHERS])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(seed=st.integers(0, 2**32), first=streams(8, max_patterns=60), rest=streams(8), cues=streams(8))
def test_a_loaded_memory_continues_exactly_as_the_saved_one(tmp_path, name, changes, seed, first, rest, cues):
    memory = small(name, seed, **changes)
    memory.store(first)
    memory.save(tmp_path / "saved")
    loaded = type(memory).load(tmp_path / "saved")
    assert repr(loaded) == repr(memory)
    for each in (memory, loaded):
        each.store(rest)
        each.store(patterns(1, seed))
    np.testing.assert_array_equal(loaded.retrieve(cues), memory.retrieve(cues))
    memory.save(tmp_path / "a")
    loaded.save(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize(("name", "changes"), [*((name, {}) for name in EVERY), *OTHERS])
def test_one_by_one_with_saving_and_loading_in_between_is_all_at_once(tmp_path, name, changes):
    memory, single, whole = (small(name, **changes) for _ in range(3))
    for x in patterns(25):
        memory.save(tmp_path / "m")
        memory = load_memory(str(tmp_path / "m"))
        assert type(memory) is type(whole)
        memory.store(x)
        single.store(x)
    whole.store(patterns(25))
    assert same(memory, whole)
    assert same(single, whole)


FORMATS = {
    "ClassicalHopfield": "fcb5a0b1affe5d8f",
    "KWinnerMHN": "0d718cc028f37724",
    "KWinnerMHN at random": "8a4eb1b0a2f8e1b3",
    "KWinnerMHN tied": "aefd11b03053468b",
    "ModernHopfield": "271dcf0f1397e80f",
    "KWinnerMHN computed": "48f54435de5ad6a1",
    "SparseDistributedMemory": "1198af7180c020c0",
    "StackedKWinner": "0fa8793c69553dbe",
    "Willshaw": "bddcc49e70da11cb",
    "BTSP": "2c5d0f11dfc37c09",
    "ComplexSynapses": "35a993f4f5e32770",
    "FirstInFirstOut": "8f55330770a9bde7",
    "Minerva": "d9caa75697464bc8",
    "Reservoir": "c7298d74a38987b2",
    "SQHN": "4abbeb17960dad40",
    "StochasticBinary": "bf90c301d35c8ff8",
}


def test_the_formats_are_those_of_earlier_versions(tmp_path):
    """The bytes of small files; if they change, files of users become unreadable: raise the memory's version.

    Files of slotfree up to 0.7 have no checksum, and are as these without it. They can still be loaded.
    """
    found = {}
    for name in EVERY:
        memory = small(name)
        memory.store(patterns(5))
        memory.save(tmp_path / name)
        old = unsealed((tmp_path / name).read_bytes())
        found[name] = hashlib.sha256(old).hexdigest()[:16]
        (tmp_path / "old").write_bytes(old)
        loaded = load_memory(tmp_path / "old")
        np.testing.assert_array_equal(loaded.retrieve(patterns(9)), memory.retrieve(patterns(9)))
    assert found == FORMATS


@pytest.mark.parametrize("name", EVERY)
def test_every_flipped_bit_is_noticed(tmp_path, name):
    """Bits of the header as well as of the numbers: none gives a memory that is another."""
    memory = small(name)
    memory.store(patterns(5))
    memory.save(tmp_path / "m")
    good = (tmp_path / "m").read_bytes()
    for bit in np.random.default_rng(0).choice(8 * len(good), 500, replace=False):
        (tmp_path / "m").write_bytes(flipped(good, int(bit)))
        with pytest.raises(sf.FormatError):
            type(memory).load(tmp_path / "m")


@pytest.mark.parametrize("name", EVERY)
def test_any_safetensors_reader_opens_the_file(tmp_path, name):
    memory = small(name)
    memory.store(patterns(5))
    memory.save(tmp_path / "m")
    arrays = load_file(tmp_path / "m")
    expected = {each.name: (np.dtype(each.dtype), each.shape) for each in memory.saved(memory.settings, 5)}
    assert {name: (array.dtype, array.shape) for name, array in arrays.items()} == expected


def test_a_file_of_another_class_is_refused(tmp_path):
    small("Willshaw").save(tmp_path / "m")
    with pytest.raises(sf.FormatError, match=r"its format is 'slotfree\.Willshaw', not 'slotfree\.KWinnerMHN'"):
        sf.KWinnerMHN.load(tmp_path / "m")
    content = (tmp_path / "m").read_bytes().replace(b"slotfree.Willshaw", b"slotfree.Willshow")
    (tmp_path / "m").write_bytes(content)
    with pytest.raises(sf.FormatError, match=r"its format is 'slotfree\.Willshow', not one of .*slotfree\.Willshaw"):
        load_memory(tmp_path / "m")


@pytest.mark.parametrize("name", EVERY)
def test_paths_that_cannot_be_saved_to_or_loaded_from(tmp_path, name):
    memory = small(name)
    with pytest.raises(FileNotFoundError, match="path must be in an existing directory"):
        memory.save(tmp_path / "missing" / "m")
    with pytest.raises(IsADirectoryError, match=r"path must name an ordinary file, but .* is a directory"):
        memory.save(tmp_path)
    with pytest.raises(FileNotFoundError):
        type(memory).load(tmp_path / "missing")
    with pytest.raises(IsADirectoryError):
        type(memory).load(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_pipe_is_neither_replaced_nor_waited_for(tmp_path, name):
    os.mkfifo(tmp_path / "pipe")
    memory = small(name)
    with pytest.raises(OSError, match=r"path must name an ordinary file, but .* is a special file"):
        memory.save(tmp_path / "pipe")
    with pytest.raises(sf.FormatError, match="it is not an ordinary file"):
        type(memory).load(tmp_path / "pipe")
    assert (tmp_path / "pipe").is_fifo()


@pytest.mark.parametrize("name", EVERY)
def test_what_numpy_pickles_is_refused(tmp_path, name):
    buffer = io.BytesIO()
    np.save(buffer, np.array([{"never": "executed"}], object), allow_pickle=True)
    (tmp_path / "m").write_bytes(buffer.getvalue())
    with pytest.raises(sf.FormatError, match="cannot be used"):
        kind_of(name).load(tmp_path / "m")


@pytest.mark.parametrize(("name", "changes"), [*((name, {}) for name in EVERY), *OTHERS])
@pytest.mark.parametrize("copied", [lambda memory: memory.copy(), copy.deepcopy])
def test_a_copy_is_independent_and_continues_with_the_same_bits(tmp_path, name, changes, copied):
    memory, first, rest = small(name, **changes), patterns(20), patterns(9, seed=2)
    memory.store(first)
    memory.save(tmp_path / "before")
    snapshot = copied(memory)
    assert type(snapshot) is type(memory)
    memory.store(rest)
    snapshot.save(tmp_path / "snapshot")
    assert (tmp_path / "snapshot").read_bytes() == (tmp_path / "before").read_bytes()
    snapshot.store(rest)
    memory.save(tmp_path / "after")
    snapshot.save(tmp_path / "snapshot")
    assert (tmp_path / "snapshot").read_bytes() == (tmp_path / "after").read_bytes()
    np.testing.assert_array_equal(snapshot.retrieve(first), memory.retrieve(first))
