"""The learning rules against central finite differences of the loss that each of them descends."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain import (
    PlainBaseline,
    PlainSlotFree,
    any_tasks,
    baselines,
    examples,
    key_of,
    random_weights,
    slot_free_models,
    softmax,
    squared_error,
    tasks,
    triple,
)

import slotfree as sf
from slotfree.attention.gradients import gradients

STEP = 1e-5  # cancellation and the third derivative both leave about ten digits


def slope(loss, W):
    """∂ loss / ∂ W by central differences, entry by entry."""
    result = np.empty_like(W)
    for index in np.ndindex(W.shape):
        up, down = W.copy(), W.copy()
        up[index] += STEP
        down[index] -= STEP
        result[index] = (loss(up) - loss(down)) / (2 * STEP)
    return result


def assert_slope(gradient, slope):
    np.testing.assert_allclose(gradient, slope, rtol=1e-6, atol=1e-8 * np.abs(slope).max(initial=1))


def after_context(model, task, weights, sequences, seed):
    """The fast weights of each sequence when the query comes: what the rules hold as it is."""
    twin = PlainSlotFree(model, task, key_of(seed))
    return [
        (twin.store(triple(weights), twin.start(n), example.X)[0], example)
        for n, example in enumerate(examples(task, sequences))
    ]


@settings(max_examples=60)
@given(st.data(), st.integers(1, 3), st.integers(0, 2**32))
def test_values_and_queries_of_slot_free_models(data, size, seed):
    """∂L/∂W_V and ∂L/∂W_Q of L = Σ |W_V W_IH softmax(W_HK W_Q x_q) − y|², with fast weights held."""
    task = data.draw(any_tasks())
    model = data.draw(slot_free_models(task))
    weights, sequences = random_weights(model, task, seed, 0.5), task.batch(size, seed=seed)
    held = after_context(model, task, weights, sequences, seed)
    computed, _, _ = gradients(model, weights, task, sequences, seed=seed)

    def loss(W_Q, W_V):
        return sum(squared_error(W_V @ W_IH @ softmax(W_HK @ W_Q @ x_q), y) for (W_HK, _, W_IH), (_, x_q, y) in held)

    assert_slope(computed.W_Q, slope(lambda W: loss(W, weights.W_V), weights.W_Q))
    assert_slope(computed.W_V, slope(lambda W: loss(weights.W_Q, W), weights.W_V))


@pytest.mark.parametrize("rule", ["mhn", "query-key"])
@settings(max_examples=40)
@given(data=st.data(), size=st.integers(1, 3), seed=st.integers(0, 2**32))
def test_keys(rule, data, size, seed):
    """∂L_K/∂W_K of L_K = Σ |W_VH softmax(W_HK W_K x̃) − y|², or Σ |W_K x̃ − q|², with fast weights, x̃ and q held."""
    task = data.draw(any_tasks())
    model = data.draw(slot_free_models(task, rules=(rule,)))
    weights, sequences = random_weights(model, task, seed, 0.5), task.batch(size, seed=seed)
    held = [
        (fast, PlainSlotFree.answer(triple(weights), fast, x_q)[1], weights.W_Q @ x_q, y)
        for fast, (_, x_q, y) in after_context(model, task, weights, sequences, seed)
    ]

    def loss(W_K):
        if rule == "query-key":
            return sum(squared_error(W_K @ x, q) for _, x, q, _ in held)
        return sum(squared_error(W_VH @ softmax(W_HK @ W_K @ x), y) for (W_HK, W_VH, _), x, _, y in held)

    assert_slope(gradients(model, weights, task, sequences, seed=seed)[0].W_K, slope(loss, weights.W_K))


@pytest.mark.parametrize("rule", ["fixed", "mhn", "query-key"])
def test_no_key_rule_is_the_slope_of_the_whole_loss(rule):
    """That would go back in time, through what was stored: just what these rules do without."""
    task, seed = sf.CaseSequenceTask(3, 3), 4
    model = sf.SlotFreeTransformer(rule, key_dim=5, n_hidden=6, storage="perfect")
    weights, sequences = random_weights(model, task, seed, 0.5), task.batch(4, seed=seed)
    twin = PlainSlotFree(model, task, key_of(seed))

    def whole_loss(W_K):
        slow = (weights.W_Q, W_K, weights.W_V)
        return sum(
            squared_error(twin.answer(slow, twin.store(slow, twin.start(n), X)[0], x_q)[2], y)
            for n, (X, x_q, y) in enumerate(examples(task, sequences))
        )

    through_time = slope(whole_loss, weights.W_K)
    local = gradients(model, weights, task, sequences, seed=seed)[0].W_K
    assert np.linalg.norm(through_time) > 0.1
    assert np.linalg.norm(local - through_time) > 0.5 * np.linalg.norm(through_time)


def baseline_loss(model, task, weights, sequences):
    """L = Σ |ŷ − y|² as a function of one of the matrices, by its position."""
    twin, slow = PlainBaseline(model, task), triple(weights)
    whole = examples(task, sequences)

    def loss(which, W):
        changed = [W if n == which else kept for n, kept in enumerate(slow)]
        return sum(squared_error(twin.answer(changed, X, x_q, twin.beta)[-1], y) for X, x_q, y in whole)

    return loss


@settings(max_examples=40)
@given(any_tasks(), baselines().filter(lambda m: m.gradients == "exact"), st.integers(1, 3), st.integers(0, 99))
def test_exact_gradients_of_the_baseline_are_those_of_the_whole_loss(task, model, size, seed):
    weights, sequences = random_weights(model, task, seed, 0.5), task.batch(size, seed=seed)
    loss = baseline_loss(model, task, weights, sequences)
    computed, _, _ = gradients(model, weights, task, sequences)
    for which, (gradient, W) in enumerate(zip(triple(computed), triple(weights), strict=True)):
        assert_slope(gradient, slope(lambda W, which=which: loss(which, W), W))


def test_published_gradients_of_the_baseline_are_not_those_of_its_loss():
    """Those of W_Q and W_K are larger and turned, that of W_V is turned."""
    task, model = sf.CaseSequenceTask(), sf.BaselineTransformer(gradients="published")
    weights, sequences = random_weights(model, task, 0, 0.7), task.batch(16, seed=0)
    loss = baseline_loss(model, task, weights, sequences)
    published, _, _ = gradients(model, weights, task, sequences)
    for which, (gradient, W) in enumerate(zip(triple(published), triple(weights), strict=True)):
        true = slope(lambda W, which=which: loss(which, W), W)
        cosine = np.vdot(gradient, true) / np.linalg.norm(gradient) / np.linalg.norm(true)
        assert cosine < 0.98
        if which < 2:
            assert np.linalg.norm(gradient) > 1.5 * np.linalg.norm(true)


def test_published_and_exact_gradients_have_the_same_output():
    task = sf.CaseSequenceTask()
    exact, published = (sf.BaselineTransformer(gradients=kind) for kind in ("exact", "published"))
    weights, sequences = random_weights(exact, task, 0), task.batch(50, seed=0)
    assert gradients(exact, weights, task, sequences)[1:] == gradients(published, weights, task, sequences)[1:]
    traces = [model.inspect(weights, task, "bADc", "d") for model in (exact, published)]
    np.testing.assert_array_equal(traces[0].output, traces[1].output)


@settings(max_examples=20)
@given(tasks(), st.integers(1, 8), st.integers(0, 99))
def test_with_beta_1_published_gradients_are_exact(task, key_dim, seed):
    exact, published = (sf.BaselineTransformer(key_dim, 1.0, kind) for kind in ("exact", "published"))
    weights, sequences = random_weights(exact, task, seed), task.batch(5, seed=seed)
    a, b = (gradients(model, weights, task, sequences)[0] for model in (exact, published))
    for one, other in zip(triple(a), triple(b), strict=True):
        np.testing.assert_array_equal(one, other)
