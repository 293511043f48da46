import io
import json

import numpy as np
import pytest
from conftest import memories, streams
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors.numpy import load_file
from test_kwinner_laws import same

import slotfree as sf


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(memory=memories(), data=st.data())
def test_a_loaded_memory_goes_on_exactly_as_the_saved_one(tmp_path, memory, data):
    n_visible = memory.settings.n_visible
    memory.store(data.draw(streams(n_visible)))
    memory.save(tmp_path / "m.safetensors")
    other = sf.KWinnerMHN.load(tmp_path / "m.safetensors")
    assert same(memory, other)
    rest = data.draw(streams(n_visible))
    np.testing.assert_array_equal(memory.store(rest, return_winners=True), other.store(rest, return_winners=True))
    assert same(memory, other)


def test_saving_in_the_middle_of_a_stream_changes_nothing(tmp_path):
    patterns = sf.random_patterns(500, seed=1)
    memory, whole = sf.KWinnerMHN(seed=0), sf.KWinnerMHN(seed=0)
    whole.store(patterns)
    for part in np.array_split(patterns, 5):
        memory.store(part)
        memory.save(tmp_path / "m")
        memory = sf.KWinnerMHN.load(tmp_path / "m")
    assert same(memory, whole)
    assert memory.n_stored == 500


def test_the_same_memory_is_the_same_bytes(tmp_path):
    memory = sf.KWinnerMHN(seed=0)
    memory.save(tmp_path / "a")
    sf.KWinnerMHN.load(tmp_path / "a").save(str(tmp_path / "b"))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_any_safetensors_reader_opens_the_file(tmp_path):
    memory = sf.KWinnerMHN(50, 40, 5, 4, 0.3, 0.3, seed=0)
    memory.store(sf.random_patterns(9, n_visible=50, k_visible=5, seed=1))
    memory.save(tmp_path / "m.safetensors")
    arrays = load_file(tmp_path / "m.safetensors")
    np.testing.assert_array_equal(arrays["connections"], memory.connections)
    rows = np.arange(40)[:, None]
    np.testing.assert_array_equal(arrays["weights"], memory.weights[rows, memory.connections])
    np.testing.assert_array_equal(arrays["return_weights"], memory.return_weights.T[rows, memory.connections])
    with (tmp_path / "m.safetensors").open("rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
    assert json.loads(header["__metadata__"]["settings"])["n_hidden"] == 40
    assert header["__metadata__"]["n_stored"] == "9"


def test_paths_that_cannot_be_saved_to_or_loaded_from(tmp_path):
    memory = sf.KWinnerMHN(50, 40, 5, 4, 0.3, 0.3, seed=0)
    with pytest.raises(FileNotFoundError, match="path must be in an existing directory"):
        memory.save(tmp_path / "missing" / "m")
    with pytest.raises(IsADirectoryError, match="path must name a file"):
        memory.save(tmp_path)
    with pytest.raises(FileNotFoundError):
        sf.KWinnerMHN.load(tmp_path / "missing")
    with pytest.raises(IsADirectoryError):
        sf.KWinnerMHN.load(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_what_numpy_pickles_is_refused(tmp_path):
    buffer = io.BytesIO()
    np.save(buffer, np.array([{"never": "executed"}], object), allow_pickle=True)
    (tmp_path / "m").write_bytes(buffer.getvalue())
    with pytest.raises(sf.FormatError, match="cannot be used"):
        sf.KWinnerMHN.load(tmp_path / "m")
