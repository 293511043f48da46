"""A distributed context: against its plain twin, against finite differences, and by laws."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain import (
    PlainWinners,
    distributed_models,
    key_of,
    named_tasks,
    numbered,
    random_weights,
    squared_error,
    storages,
    tasks,
    triple,
)
from test_gradients import slope
from test_twin import assert_close, assert_same_batch

import slotfree as sf
from slotfree.attention.gradients import gradients
from slotfree.attention.key_rules import MHN_AS_PRINTED
from slotfree.attention.storages.base import Storage
from slotfree.attention.weights import Weights, to_slow

TASK = sf.CaseSequenceTask()


def names_of(task, sequences):
    """The first sequence by numbers of tokens."""
    return sequences.context[0], int(sequences.queries[0, 0])


@pytest.mark.parametrize("rule", ["fixed", "mhn", "query-key"])
@pytest.mark.parametrize("reading", ["all", "winners"])
def test_random_initial_weights_may_be_normalised_too(rule, reading):
    """A control: units that stored nothing are read, but do not count in Z."""
    storage = sf.Winners(k=4, fan_in=0.5, start="random", beta=0.5, reading=reading)
    model = sf.SlotFreeTransformer(rule, key_dim=6, n_hidden=12, storage=storage)
    assert_same_batch(model, TASK, random_weights(model, TASK, 1, 0.3), 20, 2)


def after_context(model, task, weights, sequences, seed):
    """The fast weights of each query: what the rules hold as it is."""
    twin = PlainWinners(model, task, key_of(seed))
    return twin, [
        (twin.store(triple(weights), twin.start(n), X, n)[0], x_q, y) for n, X, x_q, y in numbered(task, sequences)
    ]


@settings(max_examples=60)
@given(st.data(), st.integers(1, 3), st.integers(0, 2**32))
def test_values_and_queries_descend_the_loss(data, size, seed):
    """∂L/∂W_V and ∂L/∂W_Q of L = Σ |W_V W_IH s/(f_out Z) − y|², with fast weights held."""
    task = data.draw(named_tasks())
    model = data.draw(distributed_models(task, beta=1.5, reading="all"))
    weights, sequences = random_weights(model, task, seed, 0.5), task.batch(size, seed=seed)
    twin, held = after_context(model, task, weights, sequences, seed)
    computed, _, _ = gradients(model, weights, task, sequences, seed=seed)

    def loss(W_Q, W_V):
        slow = (W_Q, weights.W_K, W_V)
        return sum(squared_error(twin.answer(slow, fast, x_q)[2], y) for fast, x_q, y in held)

    for gradient, expected in (
        (computed.W_Q, slope(lambda W: loss(W, weights.W_V), weights.W_Q)),
        (computed.W_V, slope(lambda W: loss(weights.W_Q, W), weights.W_V)),
    ):
        np.testing.assert_allclose(gradient, expected, rtol=1e-6, atol=1e-7 * max(1, np.abs(expected).max()))


def test_credit_agrees_with_finite_differences_to_nine_digits():
    """With f_out < 1 and ε < 1 too."""
    storage = sf.Winners(k=3, fan_in=0.3, item_fan_out=0.6, rate=0.4, beta=1.0)
    model = sf.SlotFreeTransformer(key_dim=10, n_hidden=20, storage=storage)
    weights, sequences = random_weights(model, TASK, 0, 0.5), TASK.batch(8, seed=0)
    twin, held = after_context(model, TASK, weights, sequences, 0)

    def loss(W_Q):
        slow = (W_Q, weights.W_K, weights.W_V)
        return sum(squared_error(twin.answer(slow, fast, x_q)[2], y) for fast, x_q, y in held)

    computed = gradients(model, weights, TASK, sequences, seed=0)[0].W_Q
    expected = slope(loss, weights.W_Q)
    assert np.abs(expected).max() > 0.1
    assert np.abs(computed - expected).max() < 1e-8 * np.abs(expected).max()


@settings(max_examples=40)
@given(st.data(), st.integers(1, 3), st.integers(0, 2**32))
def test_keys_by_the_mhn_rule_descend_its_loss(data, size, seed):
    """∂L_K/∂W_K of L_K = Σ |W_VH s_K/Z_K − y|², with fast weights and x̃ held."""
    task = data.draw(named_tasks())
    model = data.draw(distributed_models(task, rules=("mhn",), beta=1.5, reading="all"))
    weights, sequences = random_weights(model, task, seed, 0.5), task.batch(size, seed=seed)
    twin, after = after_context(model, task, weights, sequences, seed)
    held = [(fast, twin.answer(triple(weights), fast, x_q)[1], y) for fast, x_q, y in after]

    def loss(W_K):
        return sum(squared_error(twin.read_by_key(W_K, fast, x), y) for fast, x, y in held)

    computed, expected = gradients(model, weights, task, sequences, seed=seed)[0].W_K, slope(loss, weights.W_K)
    np.testing.assert_allclose(computed, expected, rtol=1e-6, atol=1e-7 * max(1, np.abs(expected).max()))


@settings(max_examples=60)
@given(tasks(), st.sampled_from(["fixed", "mhn", "query-key"]), st.booleans(), st.integers(0, 2**32))
def test_the_papers_storage_is_the_case_of_one_winner_with_all_connections(task, rule, projections, seed):
    """k = f = ε = γ = 1, projections of each token's own, a random start, and no normalisation."""
    address = "own" if projections else "start"
    storage = sf.Winners(1, fan_in=1.0, normalise=False, projection_gain=1.0, beta=1.0, start="random", address=address)
    ours, papers = (
        sf.SlotFreeTransformer(rule, projections, 6, 2 * task.n_letters + 3, choice) for choice in (storage, "winner")
    )
    weights, sequences = random_weights(ours, task, seed, 0.4), task.batch(6, seed=seed)
    (found, *scores), (expected, *same) = (
        gradients(model, weights, task, sequences, seed=seed) for model in (ours, papers)
    )
    for computed, theirs in zip(triple(found), triple(expected), strict=True):
        assert_close(computed, theirs)
    assert_close(scores, same)


@settings(max_examples=60)
@given(st.data(), st.integers(0, 2**32))
def test_winners_move_towards_the_item_and_the_others_keep_what_they_have(data, seed):
    task = data.draw(tasks())
    model = data.draw(distributed_models(task))
    weights, sequences = random_weights(model, task, seed, 0.5), task.batch(1, seed=seed)
    trace = model.inspect(weights, task, *names_of(task, sequences), seed=seed)
    rate, k = model.storage.rate, model.storage.k
    assert trace.winners.shape == (task.context_length, k)
    assert trace.g.shape == (task.context_length + 1, model.n_hidden)
    assert not trace.g[0].any()
    for step, (token, winners) in enumerate(zip(sequences.context[0], trace.winners, strict=True), start=1):
        assert len(set(winners.tolist())) == k
        others = np.setdiff1d(np.arange(model.n_hidden), winners)
        for by_unit in (trace.W_HK, trace.W_VH.swapaxes(1, 2), trace.W_IH.swapaxes(1, 2), trace.g):
            np.testing.assert_array_equal(by_unit[step][others], by_unit[step - 1][others])
        np.testing.assert_allclose(trace.g[step][winners], rate + (1 - rate) * trace.g[step - 1][winners])
        np.testing.assert_allclose(
            trace.W_VH[step][:, winners], rate * weights.W_V[:, [token]] + (1 - rate) * trace.W_VH[step - 1][:, winners]
        )
    assert trace.attention.sum() == pytest.approx(1)
    if model.storage.start == "zero":
        assert (trace.W_HK[-1] != 0).sum(axis=1).max() <= max(1, np.floor(model.storage.fan_in * model.key_dim + 0.5))


@settings(max_examples=40)
@given(st.data(), st.integers(0, 2**32))
def test_the_trace_is_that_of_the_plain_twin(data, seed):
    task = data.draw(tasks())
    model = data.draw(distributed_models(task))
    weights, sequences = random_weights(model, task, seed, 0.5), task.batch(1, seed=seed)
    trace = model.inspect(weights, task, *names_of(task, sequences), seed=seed)
    twin = PlainWinners(model, task, key_of(seed))
    ((_, X, x_q, _),) = numbered(task, sequences)
    fast, winners = twin.store(triple(weights), twin.start(0), X)
    np.testing.assert_array_equal(np.sort(trace.winners), np.sort(winners))
    for found, expected in zip((trace.W_HK, trace.W_VH, trace.W_IH, trace.g), fast, strict=True):
        assert_close(found[-1], expected)
    s, x, y_hat, y_val = twin.answer(triple(weights), fast, x_q)
    for found, expected in zip(
        (trace.attention, trace.reinstated, trace.output, trace.stored_output), (s, x, y_hat, y_val), strict=True
    ):
        assert_close(found, expected)


@settings(max_examples=60)
@given(st.data(), st.integers(0, 2**32))
def test_nothing_of_a_sequence_is_left_when_the_next_begins(data, seed):
    task = data.draw(named_tasks())
    model = data.draw(distributed_models(task))
    slow = to_slow(random_weights(model, task, seed))
    engine, fresh = model.engine(task, 3), model.engine(task, 3)
    for number, items in enumerate(task.batch(3, seed=seed).items):
        engine.start(number)
        for step, item in enumerate(items):
            engine.present(slow, item, step)
    for found, expected in zip(engine.start(7), fresh.start(7), strict=True):
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(engine.fast.g, 0)
    np.testing.assert_array_equal(engine.fast.is_live, fresh.fast.is_live)
    np.testing.assert_array_equal(engine.fast.count, fresh.fast.count)


@settings(max_examples=60)
@given(storages(start="zero"), st.integers(1, 12), st.integers(5, 30), st.integers(0, 2**32))
def test_connections(storage, key_dim, n_hidden, seed):
    """Each unit has as many connections as it should, of its own or the same for all; tokens drive different units."""
    if storage.address == "own":
        n_hidden = max(n_hidden, 8 * storage.k)
    model = sf.SlotFreeTransformer(key_dim=key_dim, n_hidden=n_hidden, storage=storage)
    fast = model.engine(TASK, 0, seed).fast
    seen = min(max(int(storage.fan_in * key_dim + 0.5), 1), key_dim)
    assert fast.inputs.shape == (n_hidden, seen)
    assert (np.diff(fast.inputs, axis=1) > 0).all()
    assert 0 <= fast.inputs.min() <= fast.inputs.max() < key_dim
    if storage.masks == "shared":
        assert (fast.inputs == fast.inputs[0]).all()
    reached = max(int(storage.item_fan_out * 8 + 0.5), 1)
    assert (fast.reaches[:, :8].sum(axis=1) == reached).all()
    assert fast.fan_out == pytest.approx(fast.reaches[:, :8].mean())
    if storage.address in ("start", "oldest"):
        assert (fast.projected == -1).all()
    else:
        assert all(len(set(row)) == storage.k for row in fast.projected[:8].tolist())
    assert fast.projected[:8].max() < n_hidden
    if storage.address == "letter":
        np.testing.assert_array_equal(fast.projected[:4], fast.projected[4:8])
    if storage.address == "own":
        assert len(np.unique(fast.projected[:8])) == 8 * storage.k
    assert model.storage.n_weights(n_hidden, key_dim, 8, 2) == n_hidden * (seen + reached + 3)


def test_wiring_belongs_to_the_weights():
    """Runs differ in their connections, and what is done with the weights of a run has those of that run."""
    model = sf.SlotFreeTransformer(n_hidden=40, storage=sf.Winners(k=3, fan_in=0.1))
    result = sf.train(model, TASK, runs=3, iterations=3, batch_size=4, snapshots=(1,), seed=0, jobs=1)
    assert len(set(result.weights.wiring.tolist())) == 3
    np.testing.assert_array_equal(result.snapshots[1].wiring, result.weights.wiring)
    assert result.weights[1].drawn_by == result.weights.wiring[1]
    traces = [model.inspect(result.weights[run], TASK, "bADc", "d") for run in range(3)]
    again = model.inspect(result.weights[1], TASK, "bADc", "d")
    np.testing.assert_array_equal(traces[1].W_HK, again.W_HK)
    assert ((traces[0].W_HK != 0) != (traces[1].W_HK != 0)).any()
    np.testing.assert_array_equal(result.dataset()["wiring"], result.weights.wiring)
    resumed = sf.train(model, TASK, runs=3, iterations=1, start=result.weights, seed=1, jobs=1)
    np.testing.assert_array_equal(resumed.weights.wiring, result.weights.wiring)


@pytest.mark.parametrize("projections", [True, False])
def test_a_distributed_context_is_learnt(projections):
    """Of ten other runs of each, all were at 1.00 after 300 steps."""
    model = sf.SlotFreeTransformer(input_projections=projections, n_hidden=50, storage=sf.Winners(k=3, fan_in=0.1))
    result = sf.train(model, TASK, runs=2, iterations=400, seed=0)
    assert (result.accuracy[:, -50:].mean(axis=1) > 0.98).all()


def test_without_anything_stored_nothing_is_answered():
    model = sf.SlotFreeTransformer(n_hidden=20, storage=sf.Winners())
    engine = model.engine(TASK, 0)
    engine.start(0)
    activity = engine.answer(to_slow(random_weights(model, TASK, 0)), 9)
    assert not activity.y_val.any()
    assert not activity.x.any()


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"k": 0}, ValueError, "k must be an integer from 1"),
        ({"k": 2.5}, TypeError, "k must be an integer"),
        ({"fan_in": 0}, ValueError, "fan_in must be"),
        ({"fan_in": 1.5}, ValueError, "fan_in must be"),
        ({"item_fan_out": -0.1}, ValueError, "item_fan_out must be"),
        ({"rate": float("nan")}, ValueError, "rate must be"),
        ({"rate": 1e-9}, ValueError, "rate must be at least 1e-06, not 1e-09"),
        ({"normalise": 1}, TypeError, "normalise must be True or False"),
        ({"projection_gain": 0}, ValueError, "projection_gain must be a number > 0"),
        ({"beta": -1}, ValueError, "beta must be a number > 0"),
        ({"reading": "some"}, ValueError, "reading must be 'all' or 'winners', not 'some'"),
        ({"masks": None}, ValueError, "masks must be 'own' or 'shared', not None"),
        ({"start": "one"}, ValueError, "start must be 'zero' or 'random', not 'one'"),
        ({"address": "word"}, ValueError, "address must be 'token', 'own', .* 'key' or 'oldest', not 'word'"),
    ],
)
def test_wrong_storages(wrong, error, message):
    with pytest.raises(error, match=message):
        sf.Winners(**wrong)


def test_layers_that_are_too_small():
    def start(n_hidden, **changes):
        sf.SlotFreeTransformer(n_hidden=n_hidden, storage=sf.Winners(**changes)).engine(TASK, 0)

    with pytest.raises(ValueError, match="n_hidden must be at least k = 3, the number of winners, not 2"):
        start(2)
    with pytest.raises(ValueError, match="n_hidden must be at least 24 where each of 8 tokens has k = 3 units"):
        start(23, address="own")
    start(24, address="own")


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("letter", "address='letter' requires input_projections=True"),
        ("key", "address='key' requires a KeyValueMemory"),
    ],
)
def test_addresses_that_a_model_does_not_have(address, message):
    model = sf.SlotFreeTransformer(input_projections=False, n_hidden=9, storage=sf.Winners(address=address))
    with pytest.raises(ValueError, match=message):
        model.engine(TASK, 0)


def test_a_rule_that_reads_fast_weights_of_another_layout_is_refused():
    with pytest.raises(ValueError, match="key_rule 'mhn-as-printed' reads fast weights of one winner"):
        sf.SlotFreeTransformer(MHN_AS_PRINTED, storage=sf.Winners())


def test_it_is_a_storage():
    assert isinstance(sf.Winners(), Storage)
    assert sf.Winners() == sf.Winners(3, 0.1)
    assert hash(sf.Winners()) == hash(sf.Winners())


def test_weights_without_wiring_are_refused_but_to_start_from():
    """Connections belong to what was learnt; a training that starts from weights without them draws them by run."""
    model = sf.SlotFreeTransformer(n_hidden=20, storage=sf.Winners())
    bare = Weights(*triple(random_weights(model, TASK, 0)))
    for use in (
        lambda: model.inspect(bare, TASK, "bADc", "d"),
        lambda: model.predict(bare, TASK, ["bADc"], ["d"]),
        lambda: model.stream(bare, TASK),
        lambda: gradients(model, bare, TASK, TASK.batch(2, seed=0)),
    ):
        with pytest.raises(ValueError, match=r"weights must have a wiring.*as result\.weights\[0\] has"):
            use()
    result = sf.train(model, TASK, runs=2, iterations=1, start=bare, seed=0)
    assert len(set(result.weights.wiring.tolist())) == 2


def test_gradients_of_a_stream_go_on_from_sequence_to_sequence():
    task = sf.LatestCase(4, 2)
    model = sf.SlotFreeTransformer(n_hidden=30, storage=sf.Winners(k=2, fan_in=0.2))
    weights, sequences = random_weights(model, task, 0, 0.3), task.batch(30, seed=0)
    found, accuracy, _ = gradients(model, weights, task, sequences, seed=1)
    twin = PlainWinners(model, task, key_of(1))
    fast, expected, right = twin.start(0), 0.0, 0
    items = np.concatenate([X for _, X, _, _ in numbered(task, sequences)], axis=1)
    for n, (_, _, x_q, y) in enumerate(numbered(task, sequences)):
        after, _ = twin.store(triple(weights), fast, items[:, : 2 * (n + 1)])
        expected = expected + twin.gradients(triple(weights), after, x_q, y)[0]
        right += np.argmax(twin.answer(triple(weights), after, x_q)[-1]) == np.argmax(y)
    assert_close(found.W_Q, expected)
    assert accuracy == pytest.approx(right / 30)


@pytest.mark.parametrize("numbers", [[[1], [-1]], np.array([[5], [2**63]], np.uint64)])
def test_one_wrong_wiring_of_several_is_found(numbers):
    one = triple(random_weights(sf.SlotFreeTransformer(), TASK, 0))
    with pytest.raises(ValueError, match="wiring must hold integers from 0 to 2"):
        Weights(*(np.stack([part, part]) for part in one), np.ravel(numbers))


@pytest.mark.parametrize("wiring", [[1, 2], -1, 0.5, np.uint64(2**63 + 5)])
def test_wrong_wiring(wiring):
    weights = random_weights(sf.SlotFreeTransformer(), TASK, 0)
    with pytest.raises(ValueError, match=r"wiring must hold integers from 0 to 2\*\*63 - 1"):
        Weights(*triple(weights), wiring)
