"""Files of the modern Hopfield network: exact, and refused if they lie. What every file shares is tested elsewhere."""

import json
import math
import tracemalloc

import numpy as np
import pytest
from hostile import entry_with, metadata_with, parts, settings_with
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutated_files import edited, unsealed
from test_modern_hopfield import cases

import slotfree as sf


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cases() | cases(binary=True), st.integers(1, 9), st.integers(0, 2**32))
def test_a_loaded_memory_goes_on_exactly_as_the_saved_one(tmp_path, case, n, seed):
    memory, cues = case
    memory.save(tmp_path / "m")
    other = sf.ModernHopfield.load(tmp_path / "m")
    s = memory.settings
    rng = np.random.default_rng(seed)
    more = [
        rng.integers(0, 2, (n, s.n_visible)),
        *([] if s.n_values is None else [rng.integers(0, 2, (n, s.n_values))]),
    ]
    for _ in range(2):
        assert other.settings == s
        assert other.n_stored == memory.n_stored
        np.testing.assert_array_equal(other.patterns, memory.patterns)
        np.testing.assert_array_equal(other.values, memory.values)
        np.testing.assert_array_equal(other.retrieve(cues), memory.retrieve(cues))
        memory.store(*more)
        other.store(*more)


def test_an_empty_memory(tmp_path):
    sf.ModernHopfield(4).save(tmp_path / "m")
    memory = sf.ModernHopfield.load(tmp_path / "m")
    memory.store(np.ones(4))
    np.testing.assert_array_equal(memory.retrieve(np.ones(4)), np.ones(4))


def good_bytes(tmp_path, **more):
    memory = sf.ModernHopfield(3, 1.0, 4, n_values=2, **more)
    memory.store(np.eye(3)[[0, 1, 2, 0, 1]], np.eye(2)[[0, 1, 0, 1, 0]])
    memory.save(tmp_path / "good")
    return (tmp_path / "good").read_bytes()


def number(position, value):
    """Another number at a position of the data, which is of float64."""

    def make(content):
        _, data = parts(content)
        begin = len(content) - len(data) + 8 * position
        return content[:begin] + np.float64(value).tobytes() + content[begin + 8 :]

    return make


HOSTILE = {
    "fewer stored": metadata_with(n_stored="3"),
    "no beta": settings_with(beta=None),
    "beta of nan": settings_with(beta=math.nan),
    "another capacity": settings_with(capacity=5),
    "no capacity": settings_with(capacity=None),
    "no values": settings_with(n_values=None),
    "binary": settings_with(k_visible=1),
    "too many winners": settings_with(k_visible=3),
    "other shape": entry_with("patterns", shape=[3, 4]),
    "integers": entry_with("patterns", dtype="I64"),
    "nan": number(0, np.nan),
    "infinity": number(19, -np.inf),
    "too large": number(12, 1.01e100),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused(tmp_path, name):
    good = good_bytes(tmp_path)
    (tmp_path / "bad").write_bytes(HOSTILE[name](good))
    with pytest.raises(sf.FormatError, match="bad' cannot be used"):
        sf.ModernHopfield.load(tmp_path / "bad")


def test_twos_in_a_binary_file_are_refused(tmp_path):
    content = good_bytes(tmp_path, k_visible=1)
    (tmp_path / "bad").write_bytes(content[:-1] + b"\2")
    with pytest.raises(sf.FormatError, match="values are not all from 0 to 1"):
        sf.ModernHopfield.load(tmp_path / "bad")


def test_a_large_sparse_file_is_refused_without_reading_it_whole(tmp_path):
    header, _ = parts(good_bytes(tmp_path))
    settings = json.loads(header["__metadata__"]["settings"])
    rows = 2**28
    settings["capacity"] = rows
    header["__metadata__"].update(settings=json.dumps(settings), n_stored=str(rows))
    header["patterns"].update(shape=[rows, 3], data_offsets=[0, 24 * rows])
    header["values"].update(shape=[rows, 2], data_offsets=[24 * rows, 40 * rows])
    text = json.dumps(header).encode()
    path = tmp_path / "sparse"
    path.write_bytes(len(text).to_bytes(8, "little") + text + np.float64(np.nan).tobytes())
    with path.open("r+b") as file:
        file.truncate(8 + len(text) + 40 * rows)
    tracemalloc.start()
    with pytest.raises(sf.FormatError, match=r"patterns are not all from -1e\+100 to 1e\+100"):
        sf.ModernHopfield.load(path)
    assert tracemalloc.get_traced_memory()[1] < 2e7
    tracemalloc.stop()


def test_random_mutations(tmp_path):
    good = unsealed(good_bytes(tmp_path))
    rng = np.random.default_rng(0)
    path = tmp_path / "mutant"
    loaded = 0
    for _ in range(1000):
        path.write_bytes(edited(good, rng))
        try:
            memory = sf.ModernHopfield.load(path)
        except sf.FormatError:
            continue
        loaded += 1
        assert memory.patterns.shape == (min(memory.n_stored, memory.settings.capacity), 3)
        memory.store(np.ones(3), np.ones(2))
        assert np.isfinite(memory.retrieve(np.ones(3))).all()
    assert 10 < loaded < 500
