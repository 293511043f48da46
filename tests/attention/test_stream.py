"""A trained model as a memory without a window: against plain twins, and by laws."""

import copy
import dataclasses
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutated_files import mutants, quick_file
from own_task import ColourOfShape
from plain import PlainWinners, distributed_models, key_of, named_tasks, plain, random_weights, triple
from plain import slot_free_models as every_slot_free_model
from test_twin import assert_close

import slotfree as sf
from slotfree.attention.storages.perfect import Perfect
from slotfree.attention.stream import Stream
from slotfree.attention.training import initial_weights
from slotfree.tasks.given_items import read_items

TASK = sf.CaseSequenceTask()
PAIRS = sf.AssociativeRecall(3, 4, 2)
WINNERS = sf.SlotFreeTransformer(key_dim=8, n_hidden=12, storage=sf.Winners(k=2, fan_in=0.5, rate=0.6))


@st.composite
def slot_free_models(draw, task):
    return draw(every_slot_free_model(task).filter(lambda model: model.storage != "perfect"))


@st.composite
def streams(draw):
    """A model that can have a stream, weights, its task, some items, (n, T), and a seed."""
    task = draw(named_tasks())
    model = draw(st.one_of(slot_free_models(task), distributed_models(task)))
    seed = draw(st.integers(0, 2**32))
    return model, random_weights(model, task, seed, 0.5), task, drawn_items(task, draw(st.integers(1, 30)), seed), seed


def drawn_items(task, n, seed):
    """Items of a task one after the other, (n, T)."""
    items = task.batch(-(-n // task.context_length), seed=np.random.default_rng(seed)).items
    return items.reshape(-1, items.shape[2])[:n]


def asking(task):
    return np.arange(task.n_item_tokens, task.n_tokens)


def same(one, other):
    """Whether two streams are the same to the bit, and answer so."""
    for a, b in zip(one.fast_weights, other.fast_weights, strict=True):
        np.testing.assert_array_equal(a, b)
    queries = asking(one.task)
    np.testing.assert_array_equal(one.outputs(queries), other.outputs(queries))
    assert one.n_stored == other.n_stored


@settings(max_examples=25)
@given(st.data(), st.integers(0, 2**32))
def test_hundreds_of_items_as_the_plain_twins_store_them(data, seed):
    task = data.draw(named_tasks())
    model = data.draw(st.one_of(slot_free_models(task), distributed_models(task)))
    weights, items = random_weights(model, task, seed, 0.3), drawn_items(task, 300, seed)
    stream, twin = model.stream(weights, task, seed=seed), plain(model, task, key_of(seed))
    tokens = np.eye(task.n_tokens)
    for begin, end in ((0, 20), (20, 300)):
        stream.store(items[begin:end])
        X = tokens[items[:end]].sum(axis=1).T
        fast, winners = twin.store(triple(weights), twin.start(0), X)
        found = stream.fast_weights
        for computed, expected in zip(found, fast, strict=False):
            assert_close(computed, expected)
        used = np.isin(np.arange(model.n_hidden), winners)
        np.testing.assert_array_equal(found.g > 0, used)
        if isinstance(twin, PlainWinners):
            assert_close(found.g, fast.g)
        else:
            assert found.g[used].tolist() == [1] * used.sum()
        for query in asking(task):
            assert_close(stream.outputs(query), twin.answer(triple(weights), fast, tokens[query])[-1])
    assert stream.n_stored == 300


@settings(max_examples=60)
@given(streams(), st.data())
def test_many_at_once_are_the_same_as_one_by_one(drawn, data):
    model, weights, task, items, seed = drawn
    whole, parts, single = (model.stream(weights, task, seed=seed) for _ in range(3))
    whole.store(items)
    cut = data.draw(st.integers(0, len(items)))
    parts.store(items[:cut])
    parts.store(items[cut:])
    for item in items:
        single.store(item)
    same(whole, parts)
    same(whole, single)
    queries = asking(task)
    together = whole.outputs(queries)
    assert [whole.answer(query) for query in queries] == together.argmax(axis=1).tolist()
    for query, expected in zip(queries, together, strict=True):
        np.testing.assert_array_equal(whole.outputs(query), expected)


@settings(max_examples=60)
@given(streams())
def test_a_context_is_stored_as_in_a_sequence(drawn):
    """A stream begins as ``inspect`` and ``predict`` do."""
    model, weights, task, _, seed = drawn
    sequences = task.batch(1, seed=seed)
    stream = model.stream(weights, task, seed=seed)
    stream.store(sequences.items[0])
    trace = model.inspect(weights, task, sequences.context[0], sequences.queries[0, :1], seed=seed)
    for found, name in zip(stream.fast_weights, ("W_HK", "W_VH", "W_IH", "g"), strict=True):
        np.testing.assert_array_equal(found, getattr(trace, name)[-1])
    np.testing.assert_array_equal(stream.outputs(sequences.queries[0, 0]), trace.stored_output)
    outputs = model.outputs(weights, task, sequences.context, sequences.queries, seed=seed)[0]
    np.testing.assert_array_equal(stream.outputs(sequences.queries[0]), outputs)


@settings(max_examples=60)
@given(streams())
def test_asking_changes_nothing(drawn):
    model, weights, task, items, seed = drawn
    asked, silent = (model.stream(weights, task, seed=seed) for _ in range(2))
    with quick_file() as path:
        for item in items:
            for stream in (asked, silent):
                stream.store(item)
            asked.answer(asking(task))
        files = []
        for stream in (asked, silent):
            stream.save(path)
            files.append(path.read_bytes())
        assert files[0] == files[1]
    same(asked, silent)


@settings(max_examples=60)
@given(streams(), st.data())
def test_asking_while_storing(drawn, data):
    """``play`` is ``store`` and ``answer`` in turn."""
    model, weights, task, items, seed = drawn
    after = sorted(data.draw(st.lists(st.integers(0, len(items) - 1), max_size=8)))
    queries = [data.draw(st.sampled_from(asking(task).tolist())) for _ in after]
    played, stream = (model.stream(weights, task, seed=seed) for _ in range(2))
    found = played.play(items, queries, np.array(after, np.int64))
    expected = []
    for n, item in enumerate(items):
        stream.store(item)
        expected += [stream.answer(query) for query, when in zip(queries, after, strict=True) if when == n]
    assert found.tolist() == expected
    same(played, stream)


@settings(max_examples=60)
@given(streams(), st.data())
def test_a_loaded_stream_goes_on_to_the_bit(drawn, data):
    model, weights, task, items, seed = drawn
    whole, half = (model.stream(weights, task, seed=seed) for _ in range(2))
    cut = data.draw(st.integers(0, len(items)))
    half.store(items[:cut])
    with quick_file() as path:
        half.save(path)
        loaded = Stream.load(path)
        assert (loaded.model, loaded.task) == (model, task)
        same(loaded, half)
        for stream in (whole, loaded):
            stream.store(items[0 if stream is whole else cut :])
        same(loaded, whole)
        files = []
        for stream in (whole, loaded):
            stream.save(path)
            files.append(path.read_bytes())
        assert files[0] == files[1]


def test_names_of_any_length():
    one, other = (WINNERS.stream(random_weights(WINNERS, TASK, 0), TASK) for _ in range(2))
    one.store("bADcaAb")
    other.store("b")
    other.store(["A", "D"])
    other.store([])
    other.store("")
    assert other.play("", [], []).tolist() == other.play("", [], ()).tolist() == []
    other.store(("c", 0))
    other.store(np.array([[4], [1]], np.uint8))
    same(one, other)
    assert one.n_stored == 7
    assert one.answer("d") == one.answer("D") == one.answer("d?") == one.answer(11)
    assert isinstance(one.answer("d"), int)
    assert one.answer(["d", "a?", "B"]).tolist() == one.answer([11, 8, 9]).tolist()
    assert one.answer([]).shape == (0,)
    assert "7 items stored" in repr(one)


def test_pairs_by_name():
    one, other, third = (WINNERS.stream(random_weights(WINNERS, PAIRS, 0), PAIRS) for _ in range(3))
    one.store("a3c1b4")
    third_as_names = read_items(PAIRS, ("a", 5), 2).tolist()
    assert third_as_names == read_items(PAIRS, np.array(["a", "3"]), 2).tolist() == [[0, 5]]
    other.store(["a3", ("c", "1"), "b4"])
    third.store([[0, 5], [2, 3]])
    third.store([1, 6])
    same(one, other)
    same(one, third)
    many = sf.AssociativeRecall(30, 12, 2)
    stream = WINNERS.stream(random_weights(WINNERS, many, 0), many)
    stream.store(("x12", "3"))
    stream.store([("x12", "10"), ("x7", "1")])
    assert stream.n_stored == 3
    assert stream.answer("x7") == stream.answer(30 + 12 + 6)


def test_a_task_of_ones_own_takes_numbers(tmp_path):
    task = ColourOfShape()
    stream = WINNERS.stream(random_weights(WINNERS, task, 0), task)
    stream.store([[0, 5], [2, 4]])
    stream.answer([7, 9])
    stream.save(tmp_path / "s")
    with pytest.raises(ValueError, match=r"task must be given, as load\(path, task=...\).*'ColourOfShape'"):
        Stream.load(tmp_path / "s")
    with pytest.raises(ValueError, match=r"task must be the one that was saved, .*, not .*.n_shapes.: 5,"):
        Stream.load(tmp_path / "s", task=ColourOfShape(5))
    same(Stream.load(tmp_path / "s", task=task), stream)


@dataclasses.dataclass(frozen=True)
class OwnStorage(Perfect):
    """Units by drive, in a class of its own."""

    def setup(self, key, input_projections):
        return sf.attention.storages.one_winner.OneWinner().setup(key, input_projections)


def test_a_storage_of_ones_own(tmp_path):
    model = sf.SlotFreeTransformer(key_dim=4, storage=OwnStorage())
    stream = model.stream(random_weights(model, TASK, 0), TASK)
    stream.store("bADcb" * 10)
    stream.save(tmp_path / "s")
    with pytest.raises(ValueError, match=r"model must be given, as load\(path, model=...\).*'OwnStorage'"):
        Stream.load(tmp_path / "s")
    same(Stream.load(tmp_path / "s", model=model), stream)


def test_an_empty_stream_answers():
    """0 from ``Winners``, so the first output is the answer; random numbers from the paper's storage."""
    stream = WINNERS.stream(random_weights(WINNERS, TASK, 0), TASK)
    assert stream.outputs("a").tolist() == [0, 0]
    assert stream.answer("a") == 0
    model = sf.SlotFreeTransformer(key_dim=4)
    outputs = model.stream(random_weights(model, TASK, 0), TASK).outputs(["a", "b"])
    assert ((outputs > 0) & (outputs < 1)).all()


@pytest.mark.parametrize("rate", [1.0, 0.3])
def test_long_streams_stay_within_bounds(rate):
    """Fast weights are means of what was stored, however much that is."""
    model = sf.SlotFreeTransformer(key_dim=20, n_hidden=40, storage=sf.Winners(k=4, fan_in=0.2, rate=rate))
    weights = initial_weights(model, TASK, seed=0)
    stream = model.stream(weights, TASK)
    stream.store(np.random.default_rng(0).integers(0, 8, 200_000))
    W_HK, W_VH, W_IH, g = stream.fast_weights
    slack = 1 + 1e-12
    assert np.abs(W_HK).max() <= np.abs(weights.W_K).max() * slack
    assert W_VH.min() >= 0
    assert W_VH.max() <= weights.W_V.max() * slack
    assert W_IH.min() >= 0
    np.testing.assert_allclose(W_IH.sum(axis=0), g, rtol=1e-12)
    assert g.max() <= slack
    assert np.isfinite(stream.outputs(["a", "b", "c", "d"])).all()


def test_a_model_with_slots_has_no_stream():
    model = sf.BaselineTransformer()
    with pytest.raises(TypeError, match="a BaselineTransformer has no stream: it would need a slot for each item"):
        model.stream(random_weights(model, TASK, 0), TASK)
    perfect = sf.SlotFreeTransformer(storage="perfect")
    with pytest.raises(ValueError, match=r"storage must find units by their drives, not 'perfect': .* needs unit t"):
        perfect.stream(random_weights(perfect, TASK, 0), TASK)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda s: s.store("bAe"), ValueError, "items must hold tokens out of a, b, c, d, A, B, C, D, not 'e'"),
        (lambda s: s.store(8), ValueError, "items must be integers from 0 to 7, not 8"),
        (lambda s: s.store([0, -1]), ValueError, "items must be integers from 0 to 7, not -1"),
        (lambda s: s.store(2**63), ValueError, r"items must be below 2\*\*63, not 9223372036854775808"),
        (lambda s: s.answer(2**63), ValueError, r"queries must be below 2\*\*63, not 9223372036854775808"),
        (lambda s: s.store(["b", 12]), ValueError, "a token of items must be an integer from 0 to 7, not 12"),
        (lambda s: s.store(["b", 8]), ValueError, "a token of items must be an integer from 0 to 7, not 8"),
        (lambda s: s.answer(["b", 12]), ValueError, "a token of queries must be an integer from 0 to 11, not 12"),
        (lambda s: s.store([["b", 2**70]]), TypeError, "items must be names of tokens or integers"),
        (lambda s: s.store([0.5]), TypeError, r"items must be names of tokens or integers, not \[0.5\]"),
        (lambda s: s.store([True]), TypeError, "items must be names of tokens or integers"),
        (lambda s: s.store(None), TypeError, "items must be names of tokens or integers, not None"),
        (
            lambda s: s.store([[0, 1]]),
            ValueError,
            r"items with one token each, such as 'a', not \[\[0, 1\]\]",
        ),
        (lambda s: s.answer("e"), ValueError, r"queries must be one of a\?, b\?, c\?, d\?, not 'e'"),
        (
            lambda s: s.answer("da"),
            ValueError,
            r"must be one of .*, not 'da'; several are a list, \['d', 'a'\]",
        ),
        (lambda s: s.answer("de"), ValueError, r"queries must be one of a\?, b\?, c\?, d\?, not 'de'$"),
        (lambda s: s.answer(0), ValueError, "queries must be tokens that ask for an item, from 8 to 11, not 0"),
        (lambda s: s.answer([8, 7]), ValueError, "queries must be tokens that ask for an item, from 8 to 11, not 7"),
        (lambda s: s.answer(["a", 7]), ValueError, "queries must be tokens that ask for an item, from 8 to 11, not 7"),
        (lambda s: s.play("bAD", [7], [0]), ValueError, "queries must be tokens that ask for an item"),
        (lambda s: s.store(["bA", "D"]), ValueError, "items must hold tokens out of a, b, .*, not 'bA'"),
        (lambda s: s.store([b"b"]), TypeError, "items must be names of tokens or integers"),
        (lambda s: s.store(["b", b"b"]), ValueError, "items must be items with one token each, such as 'a'"),
        (lambda s: s.play("", ["a"], [0]), ValueError, "after must hold 1 integers"),
        (lambda s: s.answer(12), ValueError, "queries must be integers from 0 to 11, not 12"),
        (
            lambda s: s.answer([[8]]),
            ValueError,
            r"queries must be one query, or \(n,\) queries, not of the shape \(1, 1\)",
        ),
        (lambda s: s.answer({}), TypeError, "queries must be names of tokens or integers, not {}"),
        (
            lambda s: s.play("bAD", ["a"], [3]),
            ValueError,
            r"after must hold 1 integers from 0 to 2, ascending, not",
        ),
        (lambda s: s.play("bAD", ["a", "b"], [1, 0]), ValueError, "after must hold 2 integers .* ascending"),
        (lambda s: s.play("bAD", ["a", "b"], [1]), ValueError, "after must hold 2 integers"),
        (lambda s: s.play("bAD", ["a"], [0.5]), ValueError, "after must hold 1 integers"),
        (lambda s: s.model.stream(s.weights, "task"), TypeError, "task must have n_tokens"),
        (lambda s: s.model.stream(s.weights, sf.CaseSequenceTask(5)), ValueError, "weights.W_Q must have the shape"),
        (
            lambda s: s.model.stream(sf.train(s.model, TASK, runs=2, iterations=1, seed=0).weights, TASK),
            ValueError,
            r"must have the shape \(8, 12\), not \(2, 8, 12\): it must be of one model, such as result.weights\[0\]",
        ),
        (lambda s: s.model.stream(s.weights, TASK, seed="x"), TypeError, "seed must be an integer"),
    ],
)
def test_wrong_arguments(call, error, message):
    stream = WINNERS.stream(random_weights(WINNERS, TASK, 0), TASK)
    stream.store("bADc")
    before = stream.fast_weights
    with pytest.raises(error, match=message):
        call(stream)
    for part, other in zip(before, stream.fast_weights, strict=True):
        np.testing.assert_array_equal(part, other)


def test_items_of_several_tokens():
    stream = WINNERS.stream(random_weights(WINNERS, PAIRS, 0), PAIRS)
    for wrong in ("a3c", ["a"], [0, 1, 2], 0, [[0, 1, 2]], ["a12", "b34"], ["a", "3", "c", "1"], ["a3", 1], [["a3"]]):
        with pytest.raises(ValueError, match=r"items must be items with 2 tokens each, such as \('c', '4'\), not"):
            stream.store(wrong)
    for wrong, message in (
        ("1a", "the keys of items must hold tokens out of a, b, c, not '1'"),
        (["a3", "bb"], "the values of items must hold tokens out of 1, 2, 3, 4, not 'b'"),
        (["a3", ("b", 2)], "a token of the values of items must be an integer from 3 to 6, not 2"),
        ([[0, 3], [0, 0]], "the values of items must be integers from 3 to 6, not 0"),
        ([[3, 3]], "the keys of items must be integers from 0 to 2, not 3"),
        ([-1, 3], "the keys of items must be integers from 0 to 2, not -1"),
    ):
        with pytest.raises(ValueError, match=message):
            stream.store(wrong)
    assert stream.n_stored == 0


@settings(max_examples=100)
@given(st.lists(st.text("abc1234?", max_size=3), min_size=2, max_size=2), st.sampled_from([PAIRS, TASK]))
def test_what_a_stream_takes_is_what_a_sequence_takes(items, task):
    """Two readers would be two notations."""
    task = dataclasses.replace(task, context_length=2) if task is TASK else task
    first = task.token_names[task.n_item_tokens]
    stream = WINNERS.stream(random_weights(WINNERS, task, 0), task)
    if stream.task is not TASK and items[0] in task.token_names[:3] and items[1] in task.token_names[3:7]:
        return  # ("a", "3") is one item
    try:
        expected = task.sequence(items, first).items[0]
    except ValueError:
        with pytest.raises(ValueError, match="items"):
            stream.store(items)
    else:
        np.testing.assert_array_equal(read_items(task, items, task.item_size), expected)


@pytest.mark.parametrize(
    "parts", [{"keys": range(3)}, {"keys": range(3), "values": range(3, 8)}, {"keys": range(-1, 3), "values": 4}]
)
def test_wrong_parts_of_items(parts):
    task = type("Altered", (sf.AssociativeRecall,), {"item_parts": parts})(3, 4, 2)
    with pytest.raises(ValueError, match=r"task.item_parts must hold 2 ranges within range\(0, 7\)"):
        WINNERS.stream(random_weights(WINNERS, PAIRS, 0), task).store("a3")


def test_weights_that_are_too_large():
    stream = WINNERS.stream(random_weights(WINNERS, TASK, 0, 1e200), TASK)
    stream.store("bADc")
    with pytest.raises(FloatingPointError, match="the weights are too large"):
        stream.answer("a")
    with pytest.raises(FloatingPointError, match="the weights are too large"):
        stream.play("b", ["a"], [0])


@pytest.mark.parametrize("model", [WINNERS, sf.SlotFreeTransformer(key_dim=8)])
def test_threads_take_turns(model):
    """One stores, others ask: all they see is some state of serial use, and so is the end."""
    shared, serial = (model.stream(random_weights(model, TASK, 0, 0.5), TASK) for _ in range(2))
    parts, queries = np.split(drawn_items(TASK, 20_000, 0), 4), np.tile(asking(TASK), 2000)
    rows = [serial.outputs(queries)]
    for part in parts:
        serial.store(part)
        rows.append(serial.outputs(queries))
    with ThreadPoolExecutor(3) as pool:
        storing = pool.submit(lambda: [shared.store(part) for part in parts])
        seen = list(pool.map(lambda _: shared.outputs(queries), range(20)))
        storing.result()
    assert {each.tobytes() for each in seen} <= {each.tobytes() for each in rows}
    same(shared, serial)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda stream: pickle.loads(pickle.dumps(stream))])
def test_copies_go_on_by_themselves(copied):
    stream = WINNERS.stream(random_weights(WINNERS, TASK, 0), TASK)
    stream.store("bADc")
    other = copied(stream)
    same(other, stream)
    other.store("aB")
    assert (stream.n_stored, other.n_stored) == (4, 6)
    stream.store("aB")
    same(other, stream)


@pytest.mark.long
@pytest.mark.parametrize("storage", ["winner", WINNERS.storage])
def test_mutated_files(storage):
    """Each is refused with a FormatError, or is a stream that can be used and saved."""
    model = sf.SlotFreeTransformer(key_dim=4, n_hidden=9, storage=storage)
    stream, loaded, count = model.stream(random_weights(model, TASK, 0), TASK), 0, 3000
    with quick_file() as path:
        stream.save(path)
        others = [path.read_bytes()]
        stream.store("bADcA")
        stream.save(path)
        good = path.read_bytes()
        for mutant in mutants(good, np.random.default_rng(0), count, [good, *others]):
            path.write_bytes(mutant)
            try:
                found = Stream.load(path)
            except sf.FormatError:
                continue
            loaded += 1
            found.store("abCD" * 5)
            try:
                found.answer(asking(found.task))
            except FloatingPointError:
                continue
            found.save(path)
            same(Stream.load(path), found)
    assert count / 50 < loaded < count / 2
