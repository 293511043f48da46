"""The file of trained models holds what its table says, and what the library makes of it."""

import json

import numpy as np
import pytest

from slotfree.attention.prediction import fast_key
from slotfree.attention.training import plan_training
from slotfree.checks import generator
from slotfree.explorer import trained
from slotfree.files.attributes import in_words

TOLD = json.loads(trained.FILE.read_text("utf-8"))


def test_the_file_holds_the_models_of_the_table_and_is_small():
    assert list(TOLD["models"]) == list(trained.MODELS)
    assert {"query-key/winner", "mhn/winner", "query-key/winners", "slots"} <= set(TOLD["models"])
    assert TOLD["task"] == {"n_letters": 4, "context_length": 4}
    assert trained.FILE.stat().st_size < 150_000


@pytest.mark.parametrize("name", trained.MODELS)
def test_each_model_was_trained_with_the_settings_of_the_table(name):
    told, settings = TOLD["models"][name], dict(trained.TRAINING)
    seed, runs = settings.pop("seed"), settings.pop("runs")
    plan = plan_training(trained.MODELS[name], trained.TASK, **settings)
    assert told["settings"] == in_words(plan.arguments | {"start": None, "runs": runs})
    assert told["seed"] == seed == 0
    assert runs == 1  # the first is the only one: none is picked


@pytest.mark.parametrize("name", trained.MODELS)
def test_the_weights_give_the_accuracy_that_is_recorded(name):
    model, weights = trained.load(name)
    told = TOLD["models"][name]
    assert trained.accuracy(model, weights) == told["accuracy"]
    assert told["accuracy"] > 0.8
    assert abs(told["accuracy"] - told["last_fifth"]) < 0.05  # the same model, with other random starts


def test_the_models_that_solve_the_task():
    solved = {name for name, told in TOLD["models"].items() if told["accuracy"] == 1}
    assert solved >= {"query-key/winner", "query-key/winners", "mhn/winners", "query-key/perfect", "slots"}


@pytest.mark.parametrize("name", [name for name in trained.MODELS if name.endswith("/winners")])
def test_connections_are_those_that_the_wiring_draws(name):
    model, weights = trained.load(name)
    fast = model.engine(trained.TASK, 0, weights.drawn_by).fast
    assert np.array_equal(fast.inputs, TOLD["models"][name]["inputs"])
    assert np.array_equal(fast.projected, TOLD["models"][name]["projected"])


def test_starts_are_the_keys_that_seeds_draw():
    assert len(TOLD["starts"]) == trained.STARTS
    for seed in (0, 1, 99):
        assert TOLD["starts"][seed] == trained.start_key(seed)
        assert int(TOLD["starts"][seed], 16) == fast_key(generator(seed, "fast weights"))


def test_weights_survive_packing_in_single_precision():
    weights = np.random.default_rng(0).normal(size=(50, 12))
    assert np.array_equal(trained.unpacked(trained.packed(weights), 12), weights.astype(np.float32))


def test_an_unknown_model_is_refused():
    with pytest.raises(ValueError, match=r"name must be 'query-key/winner'.*not 'qk'"):
        trained.load("qk")
