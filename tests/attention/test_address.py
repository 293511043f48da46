"""Address rules: match or oldest, by its laws and in every place where items are stored; and names in older files."""

import json

import numpy as np
import pytest
from hostile import metadata_with, settings_with
from hypothesis import given
from hypothesis import strategies as st
from mutated_files import sealed
from plain import key_of, random_weights, tasks, triple
from plain import plain as twin_of

import slotfree as sf
from slotfree.attention.falls import warn_of_falls
from slotfree.attention.storages.address import least_match

OLDEST = sf.Winners(k=3, fan_in=1.0, address="oldest")
TASK = sf.CaseSequenceTask()


def pairs(n_pairs, seed, n=64, v=4):
    rng = np.random.default_rng(seed)
    keys = rng.normal(size=(n_pairs, n))
    return keys / np.linalg.norm(keys, axis=1, keepdims=True), rng.normal(size=(n_pairs, v))


@given(st.integers(1, 4), st.integers(0, 30), st.sampled_from([1e-60, 1.0, 300.0]), st.integers(0, 2**32))
def test_new_keys_go_round_like_in_a_ring(k, n_pairs, length, seed):
    """Keys that are not alike take the units in order, again and again: the last n_h/k are held, and read exactly."""
    memory = sf.KeyValueMemory(64, 4, 4 * k, sf.Winners(k, 1.0, address="oldest"), seed=seed)
    keys, values = pairs(n_pairs, seed)
    memory.store(length * keys, values)
    last = np.arange(max(0, n_pairs - 4), n_pairs)
    held = np.zeros((4 * k, 64))
    for pair in last:
        held[pair % 4 * k : (pair % 4 + 1) * k] = length * keys[pair]
    np.testing.assert_array_equal(memory.keys, held)
    if n_pairs:
        np.testing.assert_allclose(memory.read(length * keys[last]), values[last], atol=1e-3)


@given(st.sampled_from([1.0, 0.5]), st.integers(0, 2**32))
def test_a_key_that_comes_back_updates_its_units_and_is_new_again(rate, seed):
    """Also if it is only alike; what is evicted next is what was neither stored nor updated for longest."""
    memory = sf.KeyValueMemory(64, 4, 9, sf.Winners(3, 1.0, rate=rate, address="oldest"), seed=0)
    keys, values = np.linalg.qr(pairs(4, seed)[0].T)[0].T, pairs(4, seed)[1]  # at right angles
    memory.store(keys[:3], values[:3])
    memory.store(keys[0] + 0.2 * keys[3], -values[0])
    np.testing.assert_allclose(memory.values[:, :3].T, [(1 - rate) * rate * values[0] - rate * values[0]] * 3)
    memory.store(keys[3], values[3])
    kept = np.repeat([values[0] * (rate - rate**2 - rate), values[3] * rate, values[2] * rate], 3, axis=0)
    kept[3:6] += (1 - rate) * rate * values[1]
    np.testing.assert_allclose(memory.values.T, kept)


def test_the_match_is_the_mean_of_the_best():
    """One of two best units alone is no match, whatever it holds; the threshold itself is none."""
    for gain, share, expected in ((0.5, 1.0, [0, 1]), (0.49, 0.0, [0, 1]), (0.51, 0.0, [2, 3]), (0.5, 0.0, [2, 3])):
        memory = sf.KeyValueMemory(2, 1, 4, sf.Winners(2, 1.0, projection_gain=gain, address="oldest"), seed=0)
        memory.store([1, 0], [1])
        memory._pairs.fast.keys[0, 1] = [share, 0]
        memory.store([1, 0], [2])
        assert np.flatnonzero(memory.values[0] == 2).tolist() == expected


def test_units_that_were_never_written_come_first_then_the_oldest_with_the_lowest_number():
    memory = sf.KeyValueMemory(64, 1, 7, OLDEST, seed=0)
    keys, _ = pairs(4, 0)
    for key, units in zip(keys, ([0, 1, 2], [3, 4, 5], [0, 1, 6], [2, 3, 4]), strict=True):
        memory.store(key, [1])
        assert np.flatnonzero((memory.keys == key).all(axis=1)).tolist() == units


@pytest.mark.parametrize(("k", "fan_in", "n_hidden"), [(1, 1.0, 256), (3, 1.0, 256), (4, 0.25, 256), (4, 0.25, 1024)])
def test_the_default_match_is_between_chance_and_an_equal_key(k, fan_in, n_hidden):
    """Of new keys, hardly any overwrites what is held; of keys that come back, most find their units."""
    memory = sf.KeyValueMemory(64, 4, n_hidden, sf.Winners(k, fan_in, address="oldest"), seed=0)
    n = n_hidden // k
    keys, values = pairs(2 * n, 1)
    memory.store(keys, values)
    new, held = keys[n:], memory._pairs.fast.when[0].copy()
    assert len(np.unique(held)) > 0.97 * n
    before = np.array([(held == t + 1).sum() for t in range(n, 2 * n)])
    assert (before >= k - 1).mean() > 0.9
    memory.store(new, -values[n:])
    found = (memory.read(new) * -values[n:]).sum(axis=1) / (values[n:] ** 2).sum(axis=1)
    assert (found > 0.9).mean() > 0.85
    assert 0.5 < least_match(n_hidden, k, round(64 * fan_in)) <= 0.95


@given(st.data(), st.integers(0, 2**32))
def test_what_inspect_shows_is_what_training_does(data, seed):
    """Winners, ties among them, of the first sequence under a seed are those of the plain twin, which trains alike."""
    task = data.draw(tasks())
    storage = sf.Winners(data.draw(st.integers(1, 3)), 0.5, address="oldest", projection_gain=0.5)
    model = sf.SlotFreeTransformer(key_dim=6, n_hidden=data.draw(st.integers(3, 12)), storage=storage)
    weights, sequences = random_weights(model, task, seed), task.batch(1, seed=seed)
    trace = model.inspect(weights, task, sequences.context[0], int(sequences.queries[0, 0]), seed=seed)
    twin = twin_of(model, task, key_of(seed))
    X = np.eye(task.n_tokens)[sequences.context[0]].T
    _, winners = twin.store(triple(weights), twin.start(0), X)
    np.testing.assert_array_equal(trace.winners, winners)


def test_it_is_learnt_and_lives_on(tmp_path):
    """In training, in a stream, and in the stream's file, which goes on to the bit."""
    model = sf.SlotFreeTransformer(n_hidden=20, storage=sf.Winners(k=1, fan_in=1.0, address="oldest"))
    result = sf.train(model, TASK, runs=2, iterations=600, seed=0)
    assert (result.accuracy[:, -50:].mean(axis=1) > 0.98).all()
    stream = model.stream(result.weights[0], TASK)
    stream.store("bADcBaDcbA" * 3)
    stream.save(tmp_path / "stream")
    again = sf.Stream.load(tmp_path / "stream")
    for each in (stream, again):
        each.store("dCbaAB")
    for one, other in zip(stream.fast_weights, again.fast_weights, strict=True):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(stream._engine.fast.when, again._engine.fast.when)


@pytest.mark.parametrize("storage", [OLDEST, sf.Winners(2, 0.3, rate=0.5, address="oldest"), sf.Winners()])
def test_a_memory_goes_on_from_its_file(tmp_path, storage):
    memory = sf.KeyValueMemory(64, 4, 21, storage, seed=0)
    keys, values = pairs(40, 0)
    memory.store(keys[:20], values[:20])
    memory.save(tmp_path / "m")
    again = sf.KeyValueMemory.load(tmp_path / "m")
    for each in (memory, again):
        each.store(2 * keys[10:], values[10:])
    np.testing.assert_array_equal(memory.keys, again.keys)
    np.testing.assert_array_equal(memory.read(keys), again.read(keys))


@pytest.mark.parametrize("ages", [[0, 1, 1, 1, 0, 0], [1, 1, 1, 3, 3, 3], [1, 1, 1, 2, 2, 0]])
def test_ages_that_cannot_be_are_refused(tmp_path, ages):
    memory = sf.KeyValueMemory(64, 4, 6, OLDEST, seed=0)
    memory.store(*pairs(2, 0))
    memory._pairs.fast.when[:] = ages
    memory.save(tmp_path / "m")
    with pytest.raises(sf.FormatError, match="when must be numbers of pairs from 1 to 2"):
        sf.KeyValueMemory.load(tmp_path / "m")


@pytest.mark.parametrize("address", [None, "letter", "oldest"])
def test_connections_are_those_that_fast_weights_have(address):
    storage = sf.Winners(2, 0.3, item_fan_out=0.5, address=address)
    model = sf.SlotFreeTransformer(n_hidden=30, storage=storage)
    result = sf.train(model, TASK, runs=2, iterations=2, seed=0)
    wires, other = (model.connections(result.weights[run], TASK) for run in range(2))
    trace = model.inspect(result.weights[0], TASK, "bADc", "d")
    stored = np.unique(trace.winners)
    np.testing.assert_array_equal(trace.W_HK[-1][stored] != 0, wires.keys[stored])
    assert not (trace.W_IH[-1].T != 0)[~wires.tokens].any()
    assert (wires.keys != other.keys).any()
    shown = TASK.token_names.index("b")
    if address == "oldest":
        assert (wires.projected == -1).all()
    else:
        assert set(trace.winners[0]) == set(wires.projected[shown])


def test_a_storage_without_drawn_connections_has_none_to_show():
    model = sf.SlotFreeTransformer()
    with pytest.raises(ValueError, match="storage must be Winners, whose connections are drawn, not 'winner'"):
        model.connections(random_weights(model, TASK, 0), TASK)


def as_before(storage):
    """The settings of a storage as files of version 0.16 have them."""
    told = {**vars(storage), "projection_gain": storage.projection_gain or 3.0}
    told["projections"] = told.pop("address") or "token"
    return told


def test_files_of_earlier_versions_are_read(tmp_path):
    """There, an address was called projections, and a memory without β had 1/(f ε)."""
    memory = sf.KeyValueMemory(64, 4, 21, sf.Winners(2, 0.25, rate=0.5, projection_gain=3.0, beta=8.0), seed=0)
    memory.store(*pairs(9, 0))
    memory.save(tmp_path / "m")
    old = settings_with(storage=as_before(memory.settings.storage) | {"beta": None})((tmp_path / "m").read_bytes())
    (tmp_path / "m").write_bytes(sealed(old))
    assert sf.KeyValueMemory.load(tmp_path / "m").settings == memory.settings
    for projections, address in ((True, "letter"), (True, None), (False, None)):
        storage = sf.Winners(2, projection_gain=3.0, address=address)
        model = sf.SlotFreeTransformer(input_projections=projections, n_hidden=20, storage=storage)
        stream = model.stream(random_weights(model, TASK, 0), TASK)
        stream.save(tmp_path / "s")
        words = {"is": "SlotFreeTransformer", "key_rule": "query-key", "input_projections": projections, "key_dim": 50}
        words |= {"n_hidden": 20, "storage": {"is": "Winners", **as_before(storage)}}
        old = metadata_with(model=json.dumps(words))((tmp_path / "s").read_bytes())
        (tmp_path / "s").write_bytes(sealed(old))
        assert sf.Stream.load(tmp_path / "s").model == model
        assert sf.Stream.load(tmp_path / "s", model=model).model == model


RECALL = sf.AssociativeRecall(64, 64, 16)


@pytest.mark.parametrize("address", [None, "oldest"])
def test_keys_that_grow_do_not_take_the_units_of_others(address):
    """With γ = 3, accuracy rose to 0.94 and was at 0.70 after 1000 steps."""
    model = sf.SlotFreeTransformer(n_hidden=320, storage=sf.Winners(k=5, fan_in=0.2, address=address))
    accuracy = sf.train(model, RECALL, runs=1, iterations=800, seed=1).accuracy
    assert accuracy[0, -100:].mean() > 0.97


def test_a_training_that_forgets_is_not_silent():
    model = sf.SlotFreeTransformer(n_hidden=320, storage=sf.Winners(k=5, fan_in=0.2, projection_gain=3.0))
    with pytest.warns(
        UserWarning, match=r"the accuracy of run 0 rose to 0.9\d and fell to 0.[67]\d. Keys .* address='oldest'"
    ):
        sf.train(model, RECALL, runs=1, iterations=1000, seed=0)


def test_a_fall_is_told_from_noise():
    thin, papers = sf.SlotFreeTransformer(storage=sf.Winners()), sf.SlotFreeTransformer()
    rng = np.random.default_rng(0)
    warn_of_falls(thin, rng.binomial(64, 0.75, (20, 500)) / 64)
    warn_of_falls(thin, np.ones((1, 10)))
    falls = np.ones((2, 500))
    falls[1, 300:] = 0.85
    warn_of_falls(papers, falls)
    with pytest.warns(UserWarning, match="the accuracy of run 1 rose to 1.00 and fell to 0.85"):
        warn_of_falls(thin, falls)
