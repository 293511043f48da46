"""Every wrong argument of models and training, and the message that tells what would be right."""

import numpy as np
import pytest
from plain import random_weights, triple

import slotfree as sf
from slotfree.attention.gradients import gradients
from slotfree.attention.training import initial_weights
from slotfree.attention.weights import Weights

TASK = sf.CaseSequenceTask(4, 3)
SLOT_FREE = sf.SlotFreeTransformer(key_dim=6, n_hidden=9)
FIXED = sf.SlotFreeTransformer("fixed", key_dim=6)
BASELINE = sf.BaselineTransformer(6)
SMALL = {"runs": 3, "iterations": 30, "batch_size": 8, "seed": 0}
NAN = float("nan")
ONE = random_weights(SLOT_FREE, TASK, 0)


@pytest.mark.parametrize(
    ("model_class", "wrong", "error", "message"),
    [
        (
            sf.SlotFreeTransformer,
            {"key_rule": "delta"},
            ValueError,
            "key_rule must be one of 'fixed', 'mhn', 'query-key', or a KeyRule, not 'delta'",
        ),
        (sf.SlotFreeTransformer, {"key_rule": None}, ValueError, "key_rule must be one of 'fixed', 'mhn'.* not None"),
        (
            sf.SlotFreeTransformer,
            {"storage": "slots"},
            ValueError,
            r"storage must be one of 'winner', 'perfect', or a Storage, such as sf.Winners\(k=3\), not 'slots'",
        ),
        (sf.SlotFreeTransformer, {"input_projections": 1}, TypeError, "input_projections must be True or False, not 1"),
        (sf.SlotFreeTransformer, {"key_dim": 0}, ValueError, "key_dim must be an integer from 1 to .*, not 0"),
        (sf.SlotFreeTransformer, {"n_hidden": 0}, ValueError, "n_hidden must be an integer from 1 to .*, not 0"),
        (sf.SlotFreeTransformer, {"n_hidden": 16.0}, TypeError, "n_hidden must be an integer from 1 to .*, not 16"),
        (sf.BaselineTransformer, {"key_dim": True}, TypeError, "key_dim must be an integer from 1 to .*, not True"),
        (sf.BaselineTransformer, {"beta": 0}, ValueError, "beta must be a number > 0, not 0"),
        (sf.BaselineTransformer, {"beta": float("nan")}, ValueError, "beta must be a number > 0, not nan"),
        (sf.BaselineTransformer, {"beta": "1"}, TypeError, "beta must be a number > 0, not '1'"),
        (
            sf.BaselineTransformer,
            {"gradients": "printed"},
            ValueError,
            "gradients must be 'exact' or 'published', not 'printed'",
        ),
    ],
)
def test_wrong_models(model_class, wrong, error, message):
    with pytest.raises(error, match=message):
        model_class(**wrong)


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"model": "slot-free"}, TypeError, "model must be a BaselineTransformer or a SlotFreeTransformer, not 'slot-"),
        ({"model": sf.SlotFreeTransformer}, TypeError, "model must be a BaselineTransformer or a SlotFreeTransformer"),
        ({"task": 4}, TypeError, "task must have n_tokens, n_outputs, context_length and batch.*; 4 is without n_tok"),
        (
            {"model": sf.SlotFreeTransformer(n_hidden=7)},
            ValueError,
            "n_hidden must be at least 8 with input projections, one unit for each token of an item, not 7",
        ),
        (
            {"task": sf.CaseSequenceTask(9)},
            ValueError,
            "n_hidden must be at least 18 with input projections, one unit for each token of an item, not 9",
        ),
        (
            {"model": sf.SlotFreeTransformer(n_hidden=2, storage="perfect")},
            ValueError,
            "n_hidden must be at least context_length = 3 for perfect storage, not 2",
        ),
        ({"reduction": "average"}, ValueError, "reduction must be 'sum' or 'mean', not 'average'"),
        ({"reduction": None}, ValueError, "reduction must be 'sum' or 'mean', not None"),
        ({"runs": 0}, ValueError, "runs must be an integer from 1 to 2147483647, not 0"),
        ({"runs": 2.0}, TypeError, "runs must be an integer from 1 to 2147483647, not 2.0"),
        ({"iterations": 0}, ValueError, "iterations must be an integer from 1 to 2147483647, not 0"),
        ({"iterations": "30"}, TypeError, "iterations must be an integer from 1 to 2147483647, not '30'"),
        ({"batch_size": 0}, ValueError, "batch_size must be an integer from 1 to 2147483647, not 0"),
        ({"batch_size": True}, TypeError, "batch_size must be an integer from 1 to 2147483647, not True"),
        ({"snapshots": (31,)}, ValueError, "snapshots must be an integer from 0 to iterations = 30, not 31"),
        ({"snapshots": (0, -1)}, ValueError, "snapshots must be an integer from 0 to iterations = 30, not -1"),
        ({"snapshots": (1.5,)}, TypeError, "snapshots must be an integer from 0 to iterations = 30, not 1.5"),
        ({"learning_rates": 0}, ValueError, "learning_rates must be a number > 0, not 0"),
        ({"learning_rates": -1e-3}, ValueError, "learning_rates must be a number > 0, not -0.001"),
        ({"learning_rates": NAN}, ValueError, "learning_rates must be a number > 0, not nan"),
        ({"learning_rates": float("inf")}, ValueError, "learning_rates must be a number > 0, not inf"),
        ({"learning_rates": True}, TypeError, "learning_rates must be a number > 0, not True"),
        ({"learning_rates": "fast"}, TypeError, "learning_rates must be a number > 0, not 'fast'"),
        ({"learning_rates": {"W_V": 0}}, ValueError, r"learning_rates\['W_V'\] must be a number > 0, not 0"),
        ({"learning_rates": {"W_Q": NAN}}, ValueError, r"learning_rates\['W_Q'\] must be a number > 0, not nan"),
        ({"learning_rates": {"W_K": True}}, TypeError, r"learning_rates\['W_K'\] must be a number > 0, not True"),
        (
            {"learning_rates": {"W_H": 1e-3}},
            ValueError,
            r"learning_rates must hold names out of W_Q, W_K, W_V, not \{'W_H': 0.001\}",
        ),
        ({"learning_rates": {}}, ValueError, r"learning_rates must hold names out of W_Q, W_K, W_V, not \{\}"),
        (
            {"model": FIXED, "learning_rates": {"W_Q": 1e-3, "W_K": 1e-3}},
            ValueError,
            "learning_rates names W_K, which does not learn here",
        ),
        (
            {"learn": ("W_V",), "learning_rates": {"W_Q": 1e-3}},
            ValueError,
            "learning_rates names W_Q, which does not learn here",
        ),
        ({"learn": ()}, ValueError, r"learn must hold names out of W_Q, W_K, W_V, not \(\)"),
        ({"learn": ("W_V", "W_X")}, ValueError, r"learn must hold names out of W_Q, W_K, W_V, not \('W_V', 'W_X'\)"),
        ({"learn": "V"}, ValueError, "learn must hold names out of W_Q, W_K, W_V, not 'V'"),
        ({"start": triple(ONE)}, TypeError, "start must be Weights, not "),
        ({"start": random_weights(BASELINE, sf.CaseSequenceTask(5), 0)}, ValueError, r"shape \(6, 12\), not \(6, 15\)"),
        (
            {"start": random_weights(sf.BaselineTransformer(7), TASK, 0)},
            ValueError,
            r"W_Q must have the shape \(6, 12\), not \(7, 12\)",
        ),
        (
            {"start": Weights(*(np.stack([W, W]) for W in triple(ONE)))},
            ValueError,
            "start must hold the weights of one model or of runs = 3, not of 2",
        ),
        ({"seed": -1}, ValueError, "seed must be an integer ≥ 0, not -1"),
        ({"seed": 1.5}, TypeError, "seed must be an integer ≥ 0, not 1.5"),
        ({"seed": None}, TypeError, "seed must be an integer ≥ 0, not None"),
        ({"seed": True}, TypeError, "seed must be an integer ≥ 0, not True"),
        ({"seed": np.random.default_rng(0)}, TypeError, "seed must be an integer ≥ 0, not Generator"),
    ],
)
def test_wrong_arguments(wrong, error, message):
    arguments = {"model": SLOT_FREE, "task": TASK} | SMALL | wrong
    with pytest.raises(error, match=message):
        sf.train(**arguments)


def test_the_seed_must_be_given():
    with pytest.raises(TypeError, match="seed"):
        sf.train(SLOT_FREE, TASK)
    with pytest.raises(TypeError, match="seed"):
        initial_weights(SLOT_FREE, TASK)


@pytest.mark.parametrize("model", [SLOT_FREE, BASELINE], ids=["slot-free", "baseline"])
@pytest.mark.parametrize(
    ("weights", "error", "message"),
    [
        (None, TypeError, r"weights must be Weights of one model, such as result.weights\[0\], not None"),
        (random_weights(sf.BaselineTransformer(5), TASK, 0), ValueError, r"the shape \(6, 12\), not \(5, 12\)"),
        (Weights(*(W[None] for W in triple(ONE))), ValueError, r"the shape \(6, 12\), not \(1, 6, 12\)"),
    ],
)
def test_wrong_weights(model, weights, error, message):
    with pytest.raises(error, match=message):
        gradients(model, weights, TASK, TASK.batch(2, seed=0))
    with pytest.raises(error, match=message):
        model.inspect(weights, TASK, "bAd", "d")


def test_wrong_hidden_layers_are_refused_wherever_a_model_meets_a_task():
    small = sf.SlotFreeTransformer(key_dim=6, n_hidden=7)
    message = "n_hidden must be at least 8 with input projections, one unit for each token of an item, not 7"
    with pytest.raises(ValueError, match=message):
        gradients(small, ONE, TASK, TASK.batch(2, seed=0))
    with pytest.raises(ValueError, match=message):
        small.inspect(ONE, TASK, "bAd", "d")


def test_gradients_of_sequences_of_another_task_are_refused():
    task = sf.CaseSequenceTask(4, 4)
    model = sf.SlotFreeTransformer()
    weights = initial_weights(model, task, seed=0)
    for other in (sf.CaseSequenceTask(6, 4), sf.CaseSequenceTask(4, 3)):
        with pytest.raises(ValueError, match=r"sequences.* must"):
            gradients(model, weights, task, other.batch(50, seed=0))
