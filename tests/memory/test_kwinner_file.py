import json
import tracemalloc

import numpy as np
import pytest
from safetensors.numpy import load_file

import slotfree as sf
from slotfree.files import safetensors


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


def test_options_are_in_the_file_only_where_they_are_not_the_default(tmp_path):
    """So files of earlier versions are read, and those of memories without options can be read by them."""
    sizes = {}
    for options in ({}, {"tied": True}, {"storing": "random"}):
        sf.KWinnerMHN(50, 40, 5, 4, 0.3, 0.3, **options, seed=0).save(tmp_path / "m")
        content = (tmp_path / "m").read_bytes()
        header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
        settings = json.loads(header["__metadata__"]["settings"])
        assert {name: settings[name] for name in settings if name in ("tied", "storing")} == options
        assert sf.KWinnerMHN.load(tmp_path / "m").settings.tied == bool(options.get("tied"))
        sizes[str(options)] = sum(array.nbytes for array in load_file(tmp_path / "m").values())
    two, one, at_random = sizes.values()
    assert two - one == 4 * 40 * 15, "one of two matrices"
    assert at_random - two == 8, "a key"


def test_saving_and_loading_take_little_more_than_the_memory_itself(tmp_path):
    """At most 24 bytes per synapse at any moment, as NumPy counts them; kernels allocate only per unit."""
    tracemalloc.start()
    try:
        memory = sf.KWinnerMHN(2000, 20_000, 200, 500, 0.05, 0.3, seed=0)
        memory.save(tmp_path / "m")
        saving = tracemalloc.get_traced_memory()[1] / memory.settings.n_synapses
        del memory
        tracemalloc.reset_peak()
        memory = sf.KWinnerMHN.load(tmp_path / "m")
        loading = tracemalloc.get_traced_memory()[1] / memory.settings.n_synapses
    finally:
        tracemalloc.stop()
    assert 16 < saving < 24
    assert 16 < loading < 24


@pytest.mark.parametrize("name", ["connections", "weights", "return_weights"])
def test_the_last_row_of_a_large_file_is_checked_too(tmp_path, name):
    """Arrays are checked in pieces of a megabyte; here are several."""
    memory = sf.KWinnerMHN(200, 20_000, 20, 5, 0.5, 0.3, seed=0)
    memory.save(tmp_path / "m")
    content = bytearray((tmp_path / "m").read_bytes())
    header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
    end = 8 + int.from_bytes(content[:8], "little") + header[name]["data_offsets"][1]
    assert header[name]["data_offsets"][1] - header[name]["data_offsets"][0] > 3 * 2**20
    content[end - 2 : end] = b"\xff\xff"
    (tmp_path / "m").write_bytes(content)
    faults = {"connections": r"connections\[19999\] are not ascending units below 200"}
    with pytest.raises(sf.FormatError, match=faults.get(name, f"{name} are not all from 0 to 1")):
        sf.KWinnerMHN.load(tmp_path / "m")


def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path, monkeypatch):
    sf.KWinnerMHN(50, 40, 5, 4, 0.3, 0.3, seed=0).save(tmp_path / "m")
    whole_read = safetensors.ArrayFile.read

    def read(self, name):
        array = whole_read(self, name)
        if name == "connections":
            array[3, 3] = 60_000
        return array

    monkeypatch.setattr(safetensors.ArrayFile, "read", read)
    with pytest.raises(sf.FormatError, match=r"connections\[3\] are not ascending units below 50"):
        sf.KWinnerMHN.load(tmp_path / "m")
