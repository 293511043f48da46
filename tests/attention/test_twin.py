"""Both transformers against their plain twins: gradients, accuracy, loss, and training step by step."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from own_task import ColourOfShape
from plain import (
    any_tasks,
    baselines,
    distributed_models,
    key_of,
    named_tasks,
    plain,
    random_weights,
    slot_free_models,
    triple,
)

import slotfree as sf
from slotfree.attention import training
from slotfree.attention.gradients import gradients as computed_gradients
from slotfree.attention.key_rules import MHN_AS_PRINTED
from slotfree.attention.prediction import fast_key
from slotfree.paper.shared.printed_values import AsPrinted
from slotfree.runs.seeds import seed_for
from slotfree.tasks.sequences import Sequences

SEVERAL = sf.Winners(k=2, fan_in=0.4, rate=0.6, item_fan_out=0.5)
SCALES = st.sampled_from([0.0, 0.05, 0.3, 1.0])  # with 0, all drives and all outputs tie


def assert_close(computed, expected):
    """Equal but for the order of additions, measured against the largest entry."""
    np.testing.assert_allclose(computed, expected, rtol=1e-10, atol=1e-12 * np.abs(expected).max(initial=1))


def assert_same_batch(model, task, weights, size, seed):
    sequences = task.batch(size, seed=seed)
    gradients, accuracy, loss = computed_gradients(model, weights, task, sequences, seed=seed)
    expected, right, error = plain(model, task, key_of(seed)).batch(triple(weights), sequences)
    for computed, gradient in zip(triple(gradients), expected, strict=True):
        assert_close(computed, gradient)
    assert accuracy == pytest.approx(right, abs=1e-15)
    assert_close(loss, error)


@pytest.mark.parametrize(("tasks", "models"), [(any_tasks, slot_free_models), (named_tasks, distributed_models)])
@settings(max_examples=200)
@given(data=st.data(), scale=SCALES, size=st.integers(1, 6), seed=st.integers(0, 2**32))
def test_gradients_of_slot_free_models(tasks, models, data, scale, size, seed):
    task = data.draw(tasks())
    model = data.draw(models(task))
    assert_same_batch(model, task, random_weights(model, task, seed, scale), size, seed)


@settings(max_examples=40)
@given(any_tasks(), st.booleans(), st.booleans(), SCALES, st.integers(1, 6), st.integers(0, 2**32))
def test_gradients_of_models_as_printed(task, is_storage, projections, scale, size, seed):
    """Those of the equations that are misprints: the update of W_VH, and the rule with W_Q for W_K."""
    misprint = {"storage": AsPrinted()} if is_storage else {"key_rule": MHN_AS_PRINTED}
    changes = {"key_rule": "mhn", "key_dim": 5, "n_hidden": 3 + task.n_item_tokens, **misprint}
    model = sf.SlotFreeTransformer(input_projections=projections, **changes)
    assert_same_batch(model, task, random_weights(model, task, seed, scale), size, seed)


@settings(max_examples=150)
@given(any_tasks(), baselines(), SCALES, st.integers(1, 6), st.integers(0, 2**32))
def test_gradients_of_the_baseline(task, model, scale, size, seed):
    assert_same_batch(model, task, random_weights(model, task, seed, scale), size, seed)


@pytest.mark.parametrize(
    "model",
    [
        sf.SlotFreeTransformer(),
        sf.SlotFreeTransformer("mhn", input_projections=False),
        sf.SlotFreeTransformer("fixed"),
        sf.BaselineTransformer(),
    ],
    ids=["query-key", "mhn", "fixed", "baseline"],
)
def test_gradients_at_the_papers_size(model):
    task = sf.CaseSequenceTask()
    assert_same_batch(model, task, training.initial_weights(model, task, seed=3), 64, 5)


def part_of(sequences, first, size):
    part = slice(first, first + size)
    return Sequences(sequences.context[part], sequences.query[part], sequences.target[part])


def plain_training(model, task, iterations, batch_size, rates, seed, run, block=200):
    """One run once more: batch by batch, with the streams that a run's number and the root seed give."""
    own = seed_for(np.random.SeedSequence(seed), "train", run)
    first = training.initial_weights(model, task, seed=seed_for(own, "weights"))
    slow = list(triple(first))
    rng = np.random.default_rng(seed_for(own, "sequences"))
    twin = plain(model, task, fast_key(np.random.default_rng(seed_for(own, "fast weights"))), first.drawn_by)
    history, accuracy, loss = [slow], [], []
    drawn = []
    for first in range(0, iterations, block):
        steps = min(block, iterations - first)
        every = task.batch(steps * batch_size, seed=rng)
        drawn += [part_of(every, i * batch_size, batch_size) for i in range(steps)]
    for i, sequences in enumerate(drawn):
        gradients, right, error = twin.batch(slow, sequences, first=i * batch_size)
        slow = [W - rate * G for W, rate, G in zip(slow, rates, gradients, strict=True)]
        history.append(slow)
        accuracy.append(right)
        loss.append(error)
    return history, accuracy, loss


@pytest.mark.parametrize("block", [200, 2])
@pytest.mark.parametrize("task", [sf.CaseSequenceTask(5, 4), ColourOfShape()], ids=["case", "colour"])
@pytest.mark.parametrize(
    ("model", "rates"),
    [
        (sf.SlotFreeTransformer("query-key", key_dim=6, n_hidden=12), (0.02, 0.003, 0.05)),
        (sf.SlotFreeTransformer("mhn", key_dim=6, n_hidden=9, input_projections=False), (0.02, 0.03, 0.05)),
        (sf.SlotFreeTransformer("fixed", key_dim=6, n_hidden=5, storage="perfect"), (0.02, 0.0, 0.05)),
        (sf.SlotFreeTransformer("mhn", key_dim=6, n_hidden=12, storage=AsPrinted()), (0.02, 0.03, 0.05)),
        (sf.SlotFreeTransformer("query-key", key_dim=6, n_hidden=18, storage=SEVERAL), (0.02, 0.003, 0.05)),
        (sf.SlotFreeTransformer("mhn", False, key_dim=6, n_hidden=18, storage=SEVERAL), (0.02, 0.03, 0.05)),
        (sf.SlotFreeTransformer("fixed", False, key_dim=6, n_hidden=18, storage=SEVERAL), (0.02, 0.0, 0.05)),
        (sf.BaselineTransformer(6), (0.02, 0.03, 0.05)),
        (sf.BaselineTransformer(6, gradients="published"), (0.02, 0.03, 0.05)),
    ],
    ids=str,
)
def test_training_step_by_step(model, rates, task, block, monkeypatch):
    """However many batches are drawn at a time."""
    monkeypatch.setattr(training, "BLOCK", block)
    named = {name: rate for name, rate in zip(("W_Q", "W_K", "W_V"), rates, strict=True) if rate}
    result = sf.train(
        model, task, runs=2, iterations=5, batch_size=7, learning_rates=named, snapshots=(0, 3), seed=11, jobs=1
    )
    for run in range(2):
        history, accuracy, loss = plain_training(model, task, 5, 7, rates, 11, run, block)
        for step, weights in ((0, result.snapshots[0]), (3, result.snapshots[3]), (5, result.weights)):
            for computed, expected in zip(triple(weights[run]), history[step], strict=True):
                assert_close(computed, expected)
        np.testing.assert_allclose(result.accuracy[run], accuracy, rtol=0, atol=1e-15)
        assert_close(result.loss[run], loss)


@pytest.mark.parametrize(
    ("model", "rates"),
    [
        (sf.SlotFreeTransformer("query-key", key_dim=6), (5e-3, 1e-4, 5e-3)),
        (sf.SlotFreeTransformer("mhn", key_dim=6), (5e-3, 5e-3, 5e-3)),
        (sf.SlotFreeTransformer("fixed", key_dim=6), (1e-3, 0, 1e-3)),
        (sf.BaselineTransformer(6), (1e-3, 1e-3, 1e-3)),
    ],
    ids=["query-key", "mhn", "fixed", "baseline"],
)
def test_the_papers_rates_are_the_default(model, rates):
    task = sf.CaseSequenceTask()
    result = sf.train(model, task, runs=1, iterations=1, batch_size=5, snapshots=(0,), seed=1, jobs=1)
    history, _, _ = plain_training(model, task, 1, 5, rates, 1, 0)
    for name, before, after, expected in zip(
        ("W_Q", "W_K", "W_V"), triple(result.snapshots[0][0]), triple(result.weights[0]), history[1], strict=True
    ):
        np.testing.assert_allclose(after - before, expected - before, rtol=1e-9, atol=1e-15, err_msg=name)
