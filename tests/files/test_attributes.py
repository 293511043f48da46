"""Results tell how they were made, and still do after they were saved."""

import json
from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest
import xarray as xr
from small import Echo

import slotfree as sf
from slotfree.attention.rates import rates_for
from slotfree.files.attributes import attributes, in_words
from slotfree.files.dataset import RESERVED, read_dataset, write_dataset
from slotfree.forgetting import search
from slotfree.forgetting.family import family

SIZE = {"n_visible": 40, "k_visible": 6}
MEMORY = SIZE | {"n_hidden": 30, "k_hidden": 3, "fan_in": 0.5, "learning_rate": 0.3}
SMALL = {"runs": 2, "n_stored": 30, "n_tested": 10}


def settings_of(data):
    assert data.attrs["slotfree"] == sf.__version__
    assert all(isinstance(value, str) for value in data.attrs.values())
    return json.loads(data.attrs["settings"])


def test_retention():
    data = sf.retention(MEMORY, partial(sf.random_patterns, **SIZE), seed=7, **SMALL)
    assert (data.attrs["made_by"], data.attrs["seed"]) == ("retention", "7")
    told = settings_of(data)
    options = {"tied": False, "storing": "best", "weights": "float32", "connections": "stored"}
    assert told.pop("memory") == {"is": "KWinnerSettings", **MEMORY, **options}
    assert told.pop("source") == {"is": "random_patterns"} | SIZE
    rest = {"cues": [1.0, 0.5], "kinds": ["real", "pseudo"], "metrics": ["accuracy"], "deterministic": True}
    assert told == rest | SMALL
    again = sf.retention(
        {name: value for name, value in settings_of(data)["memory"].items() if name != "is"},
        **{name: told[name] for name in (*rest, *SMALL)},
        seed=int(data.attrs["seed"]),
    )
    assert again.identical(data)


def test_a_class_and_an_array_are_named():
    pool = sf.random_patterns(60, **SIZE, seed=0)
    seed = np.random.SeedSequence(5, spawn_key=(1, 2))
    data = sf.retention(Echo, pool, seed=seed, **SMALL)
    told = settings_of(data)
    assert told["memory"]["is"].endswith("Echo")
    assert told["source"] == {"is": "from_pool", "arguments": [{"is": "array", "shape": [60, 40]}]}
    assert json.loads(data.attrs["seed"]) == {"entropy": 5, "spawn_key": [1, 2]}


def test_prediction_and_search(monkeypatch):
    memory = {"n_visible": 500, "k_visible": 60, "n_hidden": 300, "k_hidden": 9, "fan_in": 0.1, "learning_rate": 0.4}
    told = settings_of(sf.predict_retention(memory, ages=[1, 2]))
    assert {name: told["memory"][name] for name in memory} == memory
    coarse = {"fan_ins": (0.2,), "winners": (2, 5), "learning_rates": (0.3,)}
    monkeypatch.setattr(family, "__kwdefaults__", family.__kwdefaults__ | coarse)
    monkeypatch.setattr(search, "LAST_STEP", 10)  # no steps
    found = search.optimise(weights=8000, n_visible=400, k_visible=40, cue=0.5, goal="area", check=0, jobs=2)
    assert found.attrs["made_by"] == "optimise"
    told = settings_of(found)
    assert (told["weights"], told["goal"], told["cue"], told["n_visible"]) == (8000, "area", 0.5, 400)


def test_training():
    result = sf.train(sf.BaselineTransformer(key_dim=6), sf.CaseSequenceTask(4, 3), runs=2, iterations=4, seed=3)
    assert result.dataset().attrs == result.attrs
    told = settings_of(result)
    assert (result.attrs["made_by"], result.attrs["seed"]) == ("train", "3")
    assert told["model"]["is"] == "BaselineTransformer"
    assert told["model"]["key_dim"] == 6
    assert told["task"] == {"is": "CaseSequenceTask", "n_letters": 4, "context_length": 3}
    assert told["learning_rates"] == rates_for(result.model, result.task)
    assert (told["iterations"], told["runs"], told["batch_size"]) == (4, 2, 64)


def test_files_keep_them(tmp_path):
    data = sf.retention(MEMORY, seed=0, **SMALL)
    write_dataset(tmp_path / "ours", data, {})
    assert read_dataset(tmp_path / "ours").identical(data)
    write_dataset(tmp_path / "ours", data, {"seed": "another"})
    assert read_dataset(tmp_path / "ours").attrs == data.attrs | {"seed": "another"}
    data.to_netcdf(tmp_path / "theirs.nc", engine="scipy")
    assert xr.load_dataset(tmp_path / "theirs.nc", engine="scipy").attrs == data.attrs


def test_attributes_that_are_no_words_or_describe_the_file_are_left_out(tmp_path):
    data = xr.Dataset({"x": ("a", [1.0])}, attrs={"words": "mine", "number": 3, "kept": "ε"})
    write_dataset(tmp_path / "file", data, {})
    assert read_dataset(tmp_path / "file").attrs == {"kept": "ε"}


@pytest.mark.parametrize("name", RESERVED)
def test_attributes_of_reserved_names_do_not_spoil_a_file(tmp_path, name):
    write_dataset(tmp_path / "file", xr.Dataset({"x": ("a", [1.0])}, attrs={name: "mine", "kept": "ε"}), {})
    assert read_dataset(tmp_path / "file").attrs == {"kept": "ε"}


def test_many_snapshots_fit_into_a_file(tmp_path):
    kept = range(1, 11500)
    settings = attributes("train", {"snapshots": tuple(kept), "runs": 1})["settings"]
    told = json.loads(settings)
    assert told["runs"] == 1
    assert [told["snapshots"][key] for key in ("length", "first", "last")] == [11499, 1, 11499]
    assert told["snapshots"] == in_words(list(kept)) != in_words([*kept[:-2], 1, 11499])
    assert in_words(list(range(100))) == list(range(100))
    write_dataset(tmp_path / "file", xr.Dataset({"x": ("a", [1.0])}, attrs={"settings": settings}), {})
    assert read_dataset(tmp_path / "file").attrs == {"settings": settings}


def test_attributes_that_do_not_fit_are_left_out(tmp_path):
    long = {"long": "ε" * 9000, "longer": "x" * 2**16, "short": "y"}
    data = xr.Dataset({"x": ("a", [1.0])}, attrs=long)
    write_dataset(tmp_path / "file", data, {"mine": "kept"})
    assert read_dataset(tmp_path / "file").attrs == {"long": long["long"], "short": "y", "mine": "kept"}
    with pytest.raises(ValueError, match="at most 65536 fit"):
        write_dataset(tmp_path / "file", data, {"mine": "z" * 2**16})


@dataclass(frozen=True)
class Part:
    size: np.int64


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (Part(np.int64(3)), {"is": "Part", "size": 3}),
        ((1, [2.5, None], {3: True}), [1, [2.5, None], {"3": True}]),
        (partial(sorted, [1], reverse=True), {"is": "sorted", "arguments": [[1]], "reverse": True}),
        (np.zeros((2, 3)), {"is": "array", "shape": [2, 3]}),
        (Part, {"is": "Part"}),
        (1j, {"is": "1j"}),
    ],
)
def test_anything_has_words(value, words):
    assert in_words(value) == words
    assert json.loads(attributes("test", {"value": value})["settings"]) == {"value": words}
