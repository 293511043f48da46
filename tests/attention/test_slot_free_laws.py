"""What it means to have no slots: learning from what is there at the query, and a state that no context can fill."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain import PlainSlotFree, examples, key_of, random_weights, slot_free_models, tasks, triple
from scipy import stats

import slotfree as sf
from slotfree.attention.gradients import gradients
from slotfree.attention.weights import Weights, to_slow
from slotfree.kernels.attention.fast_weights import softmax
from slotfree.kernels.attention.slot_free import learn as learn_values_and_queries
from slotfree.kernels.attention.training import Scores


def names_of(task, sequences, n=0):
    """A drawn sequence as ``inspect`` takes it."""
    names = task.token_names
    return "".join(names[t] for t in sequences.context[n]), names[sequences.query[n]]


def overwrite(engine, value):
    """Forget everything that the engine holds, but for the fast weights."""
    for part in (*engine.activity, *engine.gradient):
        part[...] = value
    for part in engine.gradient:
        part[...] = 0


def add_gradients(engine, slow, block):
    scores = Scores(*np.empty((2, len(block.query))))
    assert engine.train(slow, block, np.zeros(3), scores) == len(block.query)


def learn(model, engine, slow, query, target):
    """The query step, and its gradients."""
    engine.answer(slow, query)
    seen = (slow, engine.fast, engine.activity)
    learn_values_and_queries(*seen, query, target, engine.gradient)
    model.rule.kernel(*seen, slow.Q[query], target, engine.gradient.K)
    return [part.copy() for part in engine.gradient]


@settings(max_examples=60)
@given(st.data(), st.integers(0, 2**32), st.sampled_from([np.nan, np.inf, 1e6]))
def test_gradients_need_the_fast_weights_and_nothing_else_of_the_past(data, seed, junk):
    task = data.draw(tasks())
    model = data.draw(slot_free_models(task))
    slow = to_slow(random_weights(model, task, seed))
    sequence, other = task.batch(1, seed=seed), task.batch(1, seed=seed + 1)
    query, target = int(sequence.query[0]), int(sequence.target[0])

    whole = model.engine(task, seed)
    add_gradients(whole, slow, sequence.batches(1)._replace(first=7))
    assert any(part.any() for part in whole.gradient)

    engine = model.engine(task, seed)
    engine.start(7)
    for step, item in enumerate(sequence.items[0]):
        engine.present(slow, item, step)
    sequence.context[...] = -1
    overwrite(engine, junk)
    for computed, expected in zip(learn(model, engine, slow, query, target), whole.gradient, strict=True):
        np.testing.assert_array_equal(computed, expected)

    # The same fast weights in the hands of an engine that has seen another context.
    stranger = model.engine(task, seed + 1)
    add_gradients(stranger, slow, other.batches(1))
    for mine, given_ in zip(stranger.fast, engine.fast, strict=True):
        mine[...] = given_
    overwrite(stranger, junk)
    for computed, expected in zip(learn(model, stranger, slow, query, target), whole.gradient, strict=True):
        np.testing.assert_array_equal(computed, expected)


@pytest.mark.parametrize(
    ("rule", "keys_use"), [("fixed", set()), ("query-key", {"HK", "IH"}), ("mhn", {"HK", "VH", "IH"})]
)
@pytest.mark.parametrize("part", ["HK", "VH", "IH"])
def test_gradients_change_with_the_fast_weights_that_their_equations_name(rule, keys_use, part):
    task = sf.CaseSequenceTask()
    model = sf.SlotFreeTransformer(rule, key_dim=5, n_hidden=12)
    slow = to_slow(random_weights(model, task, 0, 0.5))

    def gradient(change):
        engine = model.engine(task, 1)
        engine.start(0)
        for step, token in enumerate([1, 4, 7, 2]):
            engine.present(slow, np.array([token]), step)
        getattr(engine.fast, part)[...] += change
        return learn(model, engine, slow, 9, 0)

    rng = np.random.default_rng(2)
    change = 0.1 * rng.normal(size=getattr(model.engine(task, 0).fast, part).shape)
    changed = [not np.array_equal(a, b) for a, b in zip(gradient(0), gradient(change), strict=True)]
    assert changed == [part in {"HK", "IH"}, part in keys_use, part in {"HK", "IH"}]


def size_of(value):
    """Bytes of all arrays, however they are held; anything that could hide more is refused."""
    if isinstance(value, np.ndarray):
        assert value.base is None, "a view of something larger"
        return value.nbytes
    if isinstance(value, tuple):
        return sum(map(size_of, value))
    assert isinstance(value, int | float | np.uint64), type(value)
    return 0


def sizes_by_length(model):
    sizes, code = [], {"steps", "storage", "key_rules"}
    for length in range(1, 9):
        task = sf.CaseSequenceTask(8, length)
        engine = model.engine(task, 0)
        slow = to_slow(random_weights(model, task, 0))
        add_gradients(engine, slow, task.batch(6, seed=0).batches(3))
        sizes.append(sum(size_of(value) for name, value in vars(engine).items() if name not in code))
    return sizes


@pytest.mark.parametrize("rule", ["fixed", "mhn", "query-key"])
@pytest.mark.parametrize("projections", [True, False])
@pytest.mark.parametrize("storage", ["winner", sf.Winners()], ids=["one", "several"])
def test_a_longer_context_takes_no_more_room(rule, projections, storage):
    model = sf.SlotFreeTransformer(rule, key_dim=7, n_hidden=16, input_projections=projections, storage=storage)
    assert len(set(sizes_by_length(model))) == 1


def test_the_baseline_takes_room_for_every_item():
    per_item = 8 * (1 + 3 + 2)  # its slot, which holds its token; drive, attention, credit and output of the slot
    assert set(np.diff(sizes_by_length(sf.BaselineTransformer(key_dim=7)))) == {per_item}


@settings(max_examples=60)
@given(tasks(), st.integers(1, 12), st.booleans(), st.integers(0, 2**32))
def test_perfect_storage_is_softmax_attention(task, key_dim, projections, seed):
    """Lemma 8 of the SI, as far as it can be built: with n_h = C, the fast weights hold the slots."""
    baseline = sf.BaselineTransformer(key_dim, beta=1.0)
    model = sf.SlotFreeTransformer("query-key", projections, key_dim, task.context_length, "perfect")
    weights, sequences = random_weights(model, task, seed, 0.5), task.batch(3, seed=seed)
    close = {"rtol": 1e-12, "atol": 1e-14}

    ours, slots = (m.inspect(weights, task, *names_of(task, sequences)) for m in (model, baseline))
    np.testing.assert_allclose(ours.attention, slots.attention, **close)
    np.testing.assert_allclose(ours.reinstated, slots.reinstated, **close)
    np.testing.assert_allclose(ours.output, slots.output, **close)
    np.testing.assert_allclose(ours.stored_output, slots.output, **close)
    np.testing.assert_array_equal(ours.W_HK[-1], slots.keys)

    (mine, *scores), (theirs, *their_scores) = (gradients(m, weights, task, sequences) for m in (model, baseline))
    largest = max(1, np.abs(theirs.W_Q).max())
    np.testing.assert_allclose(mine.W_V, theirs.W_V, **close)
    np.testing.assert_allclose(mine.W_Q, theirs.W_Q, rtol=1e-12, atol=1e-14 * largest)
    np.testing.assert_allclose(scores, their_scores, **close)


def test_with_another_beta_it_is_not():
    task, model = sf.CaseSequenceTask(), sf.SlotFreeTransformer(key_dim=4, n_hidden=4, storage="perfect")
    weights = random_weights(model, task, 0)
    ours = model.inspect(weights, task, "bADc", "d")
    slots = sf.BaselineTransformer(4).inspect(weights, task, "bADc", "d")
    assert np.abs(ours.output - slots.output).max() > 0.01


@settings(max_examples=60)
@given(st.data(), st.integers(0, 2**32))
def test_step_by_step_is_the_same_as_in_batches(data, seed):
    task = data.draw(tasks())
    model = data.draw(slot_free_models(task))
    weights, sequences = random_weights(model, task, seed, 0.5), task.batch(1, seed=seed)
    trace = model.inspect(weights, task, *names_of(task, sequences), seed=seed)
    ((X, x_q, y),) = examples(task, sequences)

    twin = PlainSlotFree(model, task, key_of(seed))
    initial = twin.start(0)
    for traced, expected in zip((trace.W_HK, trace.W_VH, trace.W_IH), initial, strict=True):
        np.testing.assert_array_equal(traced[0], expected)
    fast, winners = twin.store(triple(weights), initial, X)
    assert trace.winners.tolist() == winners
    outcome = (trace.attention, trace.reinstated, trace.output, trace.stored_output)
    for traced, expected in zip(outcome, twin.answer(triple(weights), fast, x_q), strict=True):
        np.testing.assert_allclose(traced, expected, rtol=1e-11, atol=1e-13)

    gradient, accuracy, loss = gradients(model, weights, task, sequences, seed=seed)
    assert loss == pytest.approx(np.sum((trace.stored_output - y) ** 2), rel=1e-14)
    assert accuracy == (np.argmax(trace.stored_output) == sequences.target[0])
    np.testing.assert_allclose(gradient.W_V, 2 * np.outer(trace.output - y, trace.reinstated), rtol=1e-12, atol=1e-14)


@settings(max_examples=60)
@given(st.data(), st.integers(0, 2**32))
def test_the_winner_takes_key_value_and_item_and_the_others_keep_theirs(data, seed):
    task = data.draw(tasks())
    model = data.draw(slot_free_models(task))
    weights, sequences = random_weights(model, task, seed), task.batch(1, seed=seed)
    trace = model.inspect(weights, task, *names_of(task, sequences), seed=seed)
    assert trace.W_HK.shape == (task.context_length + 1, model.n_hidden, model.key_dim)
    for step, (token, winner) in enumerate(zip(sequences.context[0], trace.winners, strict=True), start=1):
        np.testing.assert_array_equal(trace.W_HK[step, winner], weights.W_K[:, token])
        np.testing.assert_array_equal(trace.W_VH[step, :, winner], weights.W_V[:, token])
        np.testing.assert_array_equal(trace.W_IH[step, :, winner], np.eye(task.n_tokens)[token])
        others = np.arange(model.n_hidden) != winner
        np.testing.assert_array_equal(trace.W_HK[step, others], trace.W_HK[step - 1, others])
        np.testing.assert_array_equal(trace.W_VH[step][:, others], trace.W_VH[step - 1][:, others])
        np.testing.assert_array_equal(trace.W_IH[step][:, others], trace.W_IH[step - 1][:, others])


@settings(max_examples=30)
@given(tasks(), st.integers(0, 2**32))
def test_with_projections_and_small_keys_each_letter_has_a_unit_of_its_own(task, seed):
    """A drive of 1 from the letter is more than any from keys shorter than 1."""
    model = sf.SlotFreeTransformer(key_dim=6, n_hidden=2 * task.n_letters + 3)
    weights, sequences = random_weights(model, task, seed, 0.1), task.batch(1, seed=seed)
    assert np.linalg.norm(weights.W_K, axis=0).max() < 1
    trace = model.inspect(weights, task, *names_of(task, sequences), seed=seed)
    assert trace.winners.tolist() == sequences.context[0].tolist()


@pytest.mark.parametrize("projections", [True, False])
def test_items_with_the_same_long_key_overwrite_each_other(projections):
    """The drive of a stored key, 4N, is more than 1, and more than that of fresh weights below 0.5, at most N."""
    task, model = sf.CaseSequenceTask(), sf.SlotFreeTransformer(key_dim=6, input_projections=projections)
    weights = random_weights(model, task, 0)
    weights = Weights(weights.W_Q, np.full_like(weights.W_K, 2.0), weights.W_V)
    trace = model.inspect(weights, task, "bADc", "d")
    (unit,) = set(trace.winners)
    np.testing.assert_array_equal(trace.W_IH[-1][:, unit], np.eye(task.n_tokens)[task.token_names.index("c")])
    np.testing.assert_array_equal(np.delete(trace.W_IH[-1], unit, axis=1), np.delete(trace.W_IH[0], unit, axis=1))


@pytest.mark.parametrize(("projections", "highest"), [(True, 0), (False, 0.5)])
def test_fast_weights_before_a_sequence(projections, highest):
    """W_VH, W_IH ~ U[0, 1), W_HK ~ U[0, 0.5) or 0: anew for each sequence, the same for the same number and key."""
    task, model = sf.CaseSequenceTask(), sf.SlotFreeTransformer(input_projections=projections)
    engine = model.engine(task, 5)
    draws = [engine.start(n) for n in range(300)]
    for part, high in ((0, highest), (1, 1), (2, 1)):  # W_HK, W_VH, W_IH
        values = np.array([draw[part] for draw in draws])
        if high == 0:
            assert not values.any()
            continue
        assert len(np.unique(values[:, 0, 0])) == len(draws)
        assert (values >= 0).all()
        assert (values < high).all()
        assert stats.kstest(values.ravel(), stats.uniform(0, high).cdf).pvalue > 0.001
        neighbours = np.corrcoef(values[:-1].ravel(), values[1:].ravel())[0, 1]
        assert abs(neighbours) < 4 / np.sqrt(values[1:].size)
    # Over numbers and positions, the three matrices are unrelated as well.
    VH, IH = (np.array([draw[part][:2] for draw in draws]).ravel() for part in (1, 2))
    assert abs(np.corrcoef(VH, IH)[0, 1]) < 4 / np.sqrt(VH.size)
    again, other = model.engine(task, 5).start(17), model.engine(task, 6).start(17)
    for part in (1, 2):
        np.testing.assert_array_equal(again[part], draws[17][part])
        assert (other[part] != again[part]).any()


def test_the_copy_that_start_returns_is_not_written_to():
    task, model = sf.CaseSequenceTask(), sf.SlotFreeTransformer(key_dim=4)
    engine = model.engine(task, 0)
    before = engine.start(0)
    kept = [part.copy() for part in before]
    engine.present(to_slow(random_weights(model, task, 0)), np.array([2]), 0)
    for part, same in zip(before, kept, strict=True):
        np.testing.assert_array_equal(part, same)
    assert any((a != b).any() for a, b in zip(engine.fast, kept, strict=True))


@pytest.mark.parametrize("beta", [1.0, 0.1, 7.0])
@pytest.mark.parametrize(
    ("drives", "expected"),
    [
        ([1e308, 0, -1e308], [1, 0, 0]),
        ([-1e308, -1e308], [0.5, 0.5]),
        ([1e308, 1e308, 1e307], [0.5, 0.5, 0]),
        ([1e5], [1]),
        ([-1e5, -1e5 - 1e4], [1, 0]),
    ],
)
def test_softmax_stays_finite_for_huge_drives(drives, expected, beta):
    s = np.empty(len(drives))
    softmax(np.array(drives, float), beta, s)
    np.testing.assert_array_equal(s, expected)


@pytest.mark.parametrize("rule", ["fixed", "mhn", "query-key"])
def test_gradients_stay_finite_for_huge_weights(rule):
    task, model = sf.CaseSequenceTask(), sf.SlotFreeTransformer(rule, key_dim=4)
    weights = random_weights(model, task, 0)
    huge = Weights(1e60 * weights.W_Q, 1e60 * weights.W_K, weights.W_V)
    gradient, _, loss = gradients(model, huge, task, task.batch(20, seed=0))
    assert np.isfinite(loss)
    assert all(np.isfinite(G).all() for G in triple(gradient))
    assert gradient.W_V.any()
