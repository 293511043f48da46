"""Trained models answer: as ``inspect`` does, whatever else is in the batch."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from own_task import ColourOfShape
from plain import any_tasks, baselines, distributed_models, named_tasks, random_weights, slot_free_models

import slotfree as sf
from slotfree.attention.training import initial_weights

TASK = sf.CaseSequenceTask()


@st.composite
def models(draw, task):
    """Every model that fits a task that says which query asks for which token."""
    return draw(st.one_of(slot_free_models(task), distributed_models(task), baselines()))


def seen_inside(model, weights, task, context, query, seed):
    """The reported output as ``inspect`` shows it."""
    if isinstance(model, sf.BaselineTransformer):
        return model.inspect(weights, task, context, query).output
    return model.inspect(weights, task, context, query, seed=seed).stored_output


@settings(max_examples=120)
@given(st.data(), st.integers(1, 4), st.integers(0, 2**32))
def test_outputs_are_those_of_inspect_sequence_by_sequence(data, size, seed):
    """To the bit: a batch is the same as one by one, and so is every query after a context."""
    task = data.draw(named_tasks())
    model = data.draw(models(task))
    weights, sequences = random_weights(model, task, seed), task.batch(size, seed=seed)
    outputs = model.outputs(weights, task, sequences.context, sequences.query, seed=seed)
    assert outputs.shape == (*sequences.query.shape, task.n_outputs)
    for n in range(size):
        for a, query in enumerate(sequences.queries[n]):
            expected = seen_inside(model, weights, task, sequences.context[n], int(query), seed)
            np.testing.assert_array_equal(outputs.reshape(size, -1, task.n_outputs)[n, a], expected)
    answers = model.predict(weights, task, sequences.context, sequences.query, seed=seed)
    np.testing.assert_array_equal(answers, outputs.argmax(axis=-1))


@settings(max_examples=30)
@given(st.data(), st.integers(0, 2**32))
def test_the_order_of_sequences_does_not_matter(data, seed):
    task = data.draw(any_tasks())
    model = data.draw(slot_free_models(task))
    weights, sequences = random_weights(model, task, seed), task.batch(6, seed=seed)
    order = np.random.default_rng(seed).permutation(6)
    whole = model.outputs(weights, task, sequences.context, sequences.query)
    other = model.outputs(weights, task, sequences.context[order], sequences.query[order])
    np.testing.assert_array_equal(other, whole[order])


@pytest.fixture(scope="module")
def trained():
    return sf.train(sf.SlotFreeTransformer(), TASK, runs=2, iterations=2000, seed=0)


def test_a_trained_model_knows_every_sequence(trained):
    every = TASK.all_sequences()
    answers = trained.predict(every.context, every.query)
    assert answers.shape == (2, 1536)
    right = (answers == every.target).mean(axis=1)
    np.testing.assert_allclose(right, trained.accuracy[:, -200:].mean(axis=1), atol=0.05)
    assert right.min() > 0.95


def test_names_and_numbers_are_the_same_and_runs_are_in_front(trained):
    contexts, queries = ["bADc", "aBcD"], [["d", "a"], ["B", "c?"]]
    outputs = trained.outputs(contexts, queries, seed=3)
    assert outputs.shape == (2, 2, 2, 2)
    numbers = trained.outputs(np.array([[1, 4, 7, 2], [0, 5, 2, 7]]), np.array([[11, 8], [9, 10]]), seed=3)
    np.testing.assert_array_equal(outputs, numbers)
    for run in range(2):
        model = trained.model
        np.testing.assert_array_equal(
            outputs[run], model.outputs(trained.weights[run], TASK, contexts, queries, seed=3)
        )
        answers = model.predict(trained.weights[run], TASK, contexts, queries, seed=3)
        assert answers.tolist() == trained.predict(contexts, queries, seed=3)[run].tolist()
    names = [TASK.output_names[answer] for answer in trained.predict(["bADc"], ["d"])[:, 0]]
    assert names == ["uppercase"] * 2


def test_letters_that_come_back_or_are_not_there(trained):
    """They are answered, and change nothing for other sequences."""
    odd = trained.predict(["aAaA", "aaaa", "bADc"], ["a", "d", "d"])
    assert set(np.unique(odd)) <= {0, 1}
    assert (odd[:, 2] == 1).all()


def test_every_model_of_a_result_can_be_asked():
    result = sf.train(sf.BaselineTransformer(beta=1.0), TASK, runs=2, iterations=1500, seed=0)
    every = TASK.all_sequences()
    assert (result.predict(every.context, every.query) == every.target).mean() > 0.95


def test_the_seed_draws_the_fast_weights_before_a_context():
    """Without projections, the answer depends on them; with the same seed it is the same."""
    model = sf.SlotFreeTransformer(input_projections=False, key_dim=4)
    weights = random_weights(model, TASK, 0, 0.3)
    one, same, other = (model.outputs(weights, TASK, ["bADc"], ["d"], seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, same)
    assert (one != other).any()


def test_sequences_of_a_stream_follow_each_other():
    task = sf.LatestCase(6, 3)
    model = sf.SlotFreeTransformer(key_dim=8, n_hidden=30, storage=sf.Winners(k=2, fan_in=0.5))
    weights, sequences = initial_weights(model, task, seed=0), task.batch(40, seed=1)
    outputs = model.outputs(weights, task, sequences.context, sequences.query, seed=5)
    stream = model.stream(weights, task, seed=5)
    for n in range(40):
        stream.store(sequences.context[n])
        np.testing.assert_array_equal(outputs[n], stream.outputs(sequences.query[n]))
    alone = model.outputs(weights, task, sequences.context[-1:], sequences.query[-1:], seed=5)
    assert (alone != outputs[-1]).any()


WEIGHTS = random_weights(sf.BaselineTransformer(), TASK, 0)


@pytest.mark.parametrize("model", [sf.BaselineTransformer(), sf.SlotFreeTransformer(key_dim=10)])
@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((WEIGHTS, TASK, ["bADc"], ["e"]), ValueError, r"query must be one of a\?, b\?, c\?, d\?, not 'e'"),
        ((WEIGHTS, TASK, ["bAD"], ["d"]), ValueError, "context must hold context_length = 4 letters"),
        ((WEIGHTS, TASK, ["bADc"], ["d", "a"]), ValueError, "queries must hold a row for each context"),
        ((WEIGHTS, TASK, "bADc", "d"), ValueError, "contexts must be a list or an array with at least one row"),
        (("mine", TASK, ["bADc"], ["d"]), TypeError, "weights must be Weights of one model, .* not 'mine'"),
        ((WEIGHTS, sf.CaseSequenceTask(5), ["bADc"], ["d"]), ValueError, r"weights.W_Q must have the shape \(10, 15\)"),
        ((WEIGHTS, ColourOfShape(), [[[0, 5]] * 3], [11]), ValueError, "query must hold integers from 0 to 10"),
    ],
)
def test_wrong_arguments(model, arguments, error, message):
    with pytest.raises(error, match=message):
        model.predict(*arguments)


@pytest.mark.parametrize("model", [sf.BaselineTransformer(), sf.SlotFreeTransformer(key_dim=10)])
def test_inside_one_query_is_seen(model):
    model.inspect(WEIGHTS, TASK, "bADc", ["d"])
    with pytest.raises(ValueError, match="query must be one query, not 2"):
        model.inspect(WEIGHTS, TASK, "bADc", ["d", "a"])


def test_weights_that_are_too_large():
    model = sf.SlotFreeTransformer(key_dim=4)
    with pytest.raises(FloatingPointError, match="the outputs are not finite: the weights are too large"):
        model.predict(random_weights(model, TASK, 0, 1e200), TASK, ["bADc"], ["d"])
