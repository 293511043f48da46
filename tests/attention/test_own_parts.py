"""A task, a key rule and a storage of one's own: what users add without touching the package."""

import os
import pickle
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest
from numba import njit
from own_key_rule import AFTER_MISTAKES, after_mistakes
from own_task import ColourOfShape
from plain import PlainBaseline, PlainSlotFree, examples, is_right, key_of, random_weights, triple

import slotfree as sf
from slotfree.attention.diagnosis import diagnose
from slotfree.attention.gradients import gradients
from slotfree.attention.key_rules import KEY_RULES, QUERY_KEY, KeyRule, key_rule
from slotfree.attention.storages.named import STORAGES, storage
from slotfree.attention.storages.one_winner import OneWinner
from slotfree.attention.storages.perfect import Perfect
from slotfree.attention.training import initial_weights
from slotfree.kernels.attention import slot_free
from slotfree.kernels.attention.fast_weights import FastWeights
from slotfree.kernels.attention.training import Steps, run
from slotfree.kernels.compile import with_steps
from slotfree.paper.shared.printed_values import AsPrinted
from slotfree.sweep.parameters import named
from slotfree.tasks.sequences import Sequences

TASK = ColourOfShape()
SMALL = {"runs": 2, "iterations": 20, "batch_size": 8, "seed": 0}


def test_tokens_beyond_the_weights_are_refused_whatever_a_task_says_of_itself():
    """Kernels use tokens as columns of the weights, of which there are n_tokens."""
    model = sf.BaselineTransformer(beta=1.0)
    task = SimpleNamespace(n_tokens=11, n_item_tokens=10**6, n_outputs=3, context_length=3)
    beyond = Sequences(np.full((1, 3), 11), np.zeros(1, np.int64), np.zeros(1, np.int64))
    with pytest.raises(ValueError, match=r"sequences\.context must hold integers from 0 to 10, not 11"):
        gradients(model, random_weights(model, TASK, 0), task, beyond)


@pytest.mark.parametrize(
    "model",
    [sf.BaselineTransformer(beta=1.0), *(sf.SlotFreeTransformer(rule) for rule in KEY_RULES)],
    ids=["baseline", *KEY_RULES],
)
def test_a_task_of_ones_own_is_learned(model):
    """Chance is a third; of ten other runs of each model none began above 0.5 or ended below 0.85."""
    result = sf.train(model, TASK, runs=2, iterations=2000, seed=0)
    assert result.W_V.shape == (2, 3, 11)
    assert (result.accuracy[:, :3].mean(axis=1) < 0.55).all()
    assert (result.accuracy[:, -200:].mean(axis=1) > 0.8).all()


def test_results_of_such_a_task_are_labelled_by_numbers_unless_it_has_names():
    result = sf.train(sf.BaselineTransformer(4), TASK, **SMALL)
    data = result.dataset()
    assert data["output"].values.tolist() == [0, 1, 2]
    assert data["token"].values.tolist() == list(range(11))

    class Named(ColourOfShape):
        output_names = ("red", "green", "blue")

    assert sf.train(sf.BaselineTransformer(4), Named(), **SMALL).dataset()["output"].values.tolist() == [
        "red", "green", "blue",
    ]  # fmt: skip


def test_such_a_task_is_trained_with_the_same_bits_whatever_is_kept():
    model, more = sf.SlotFreeTransformer(key_dim=6), SMALL | {"iterations": 250}
    plain, kept = sf.train(model, TASK, **more), sf.train(model, TASK, snapshots=(3, 200, 201), **more)
    np.testing.assert_array_equal(plain.loss, kept.loss)
    np.testing.assert_array_equal(plain.W_K, kept.W_K)


def test_a_sequence_by_numbers_of_tokens():
    """Two tokens in each item, and every part of the trace as the twins have it."""
    (example,) = examples(TASK, Sequences([[[0, 5], [2, 4], [1, 6]]], [9], [0]))
    context, query = [[0, 5], [2, 4], [1, 6]], 9
    model, slots = sf.SlotFreeTransformer(key_dim=5, n_hidden=8), sf.BaselineTransformer(5)
    weights = random_weights(model, TASK, 3, 0.5)
    trace = model.inspect(weights, TASK, context, query, seed=4)
    twin = PlainSlotFree(model, TASK, key_of(4))
    fast, winners = twin.store(triple(weights), twin.start(0), example.X)
    assert trace.winners.tolist() == winners
    for found, expected in zip((trace.W_HK, trace.W_VH, trace.W_IH), fast, strict=True):
        np.testing.assert_allclose(found[-1], expected, rtol=1e-12)
    trace = slots.inspect(weights, TASK, context, query)
    expected = PlainBaseline(slots, TASK).answer(triple(weights), example.X, example.x_q, 5**-0.5)
    for found, value in zip((trace.attention, trace.reinstated, trace.output), expected, strict=True):
        np.testing.assert_allclose(found, value, rtol=1e-12)
    np.testing.assert_allclose(trace.keys, (weights.W_K @ example.X).T, rtol=1e-12)


@pytest.mark.parametrize(
    ("missing", "message"),
    [
        ("batch", "context_length and batch.* is without batch"),
        ("n_outputs", "task must have n_tokens, n_outputs.* is without n_outputs"),
    ],
)
def test_what_a_task_lacks_is_named(missing, message):
    members = {"n_tokens": 4, "n_outputs": 2, "context_length": 2, "batch": TASK.batch}
    task = SimpleNamespace(**{name: value for name, value in members.items() if name != missing})
    with pytest.raises(TypeError, match=message):
        sf.train(sf.BaselineTransformer(), task, seed=0)


def altered(**members):
    return type("Altered", (ColourOfShape,), members)()


def returning(context, query, target):
    def batch(self, size, *, seed):
        return Sequences(np.tile(context, (size, 1, 1)), np.full(size, query), np.full(size, target))

    return altered(batch=batch)


ITEMS = [[0, 4], [1, 5], [2, 6]]


@pytest.mark.parametrize(
    ("task", "error", "message"),
    [
        (ColourOfShape, TypeError, "is a class and not an object of it"),
        (ColourOfShape(n_outputs=0), ValueError, "task.n_outputs must be an integer from 1 to 2147483647, not 0"),
        (altered(n_tokens=4.5), TypeError, "task.n_tokens must be an integer from 1 to 2147483647, not 4.5"),
        (altered(batch=3), TypeError, "task.batch must be a method that draws sequences, not 3"),
        (
            altered(n_item_tokens=12, n_tokens=11),
            ValueError,
            "task.n_item_tokens must be an integer from 1 to n_tokens = 11",
        ),
        (altered(batch=lambda self, size, seed: [1]), TypeError, r"task.batch\(...\) must be Sequences, not \[1\]"),
        (altered(batch=lambda self, size, seed: TASK.batch(3, seed=0)), ValueError, "must return size = 160 sequences"),
        (returning(ITEMS[:2], 7, 0), ValueError, "contexts of context_length = 3 items"),
        (returning(ITEMS, 11, 0), ValueError, r"task.batch\(...\).query must hold integers from 0 to 10, not 11"),
        (returning(ITEMS, -1, 0), ValueError, r"task.batch\(...\).query must hold integers from 0 to 10, not -1"),
        (returning(ITEMS, 7, 3), ValueError, r"task.batch\(...\).target must hold integers from 0 to 2, not 3"),
        (returning([[0, 4], [1, 5], [2, 7]], 7, 0), ValueError, r".context must hold integers from 0 to 6, not 7"),
    ],
)
def test_wrong_tasks(task, error, message):
    with pytest.raises(error, match=message):
        sf.train(sf.BaselineTransformer(4), task, **SMALL)


@pytest.mark.parametrize(
    ("arrays", "error", "message"),
    [
        (([[0.5]], [1], [0]), TypeError, "context must hold integers, not float64"),
        (([[0], [1]], [1], [0]), ValueError, r"the shapes .* not \(2, 1\), \(1,\) and \(1,\)"),
        (([0], [1], [0]), ValueError, r"the shapes .* not \(1,\), \(1,\) and \(1,\)"),
    ],
)
def test_wrong_sequences(arrays, error, message):
    with pytest.raises(error, match=message):
        Sequences(*arrays)


def test_a_diagnosis_compares_letters():
    model = sf.SlotFreeTransformer(key_dim=4)
    with pytest.raises(TypeError, match="task must be a CaseSequenceTask, whose letters are compared, not Colour"):
        diagnose(model, random_weights(model, TASK, 0), TASK)


def test_a_key_rule_of_ones_own():
    """Its gradient is that of the query-key rule over the sequences that were answered wrongly."""
    task = sf.CaseSequenceTask()
    model = sf.SlotFreeTransformer(AFTER_MISTAKES, key_dim=6, n_hidden=10)
    assert model.rates == {"W_Q": 5e-3, "W_K": 2e-4, "W_V": 5e-3}
    weights, sequences = random_weights(model, task, 0, 0.5), task.batch(30, seed=1)
    found, accuracy, _ = gradients(model, weights, task, sequences, seed=2)
    twin = PlainSlotFree(replace(model, key_rule="query-key"), task, key_of(2))
    expected = np.zeros_like(weights.W_K)
    for n, (X, x_q, y) in enumerate(examples(task, sequences)):
        fast, _ = twin.store(triple(weights), twin.start(n), X)
        if not is_right(twin.answer(triple(weights), fast, x_q)[-1], y):
            expected += twin.gradients(triple(weights), fast, x_q, y)[1]
    assert 0 < accuracy < 1
    np.testing.assert_allclose(found.W_K, expected, rtol=1e-10, atol=1e-12)


def test_it_learns_the_task_and_goes_to_other_processes():
    model = sf.SlotFreeTransformer(AFTER_MISTAKES)
    result = sf.train(model, sf.CaseSequenceTask(), runs=2, iterations=1600, seed=0)
    assert (result.accuracy[:, -100:].mean(axis=1) > 0.9).all()
    small = sf.train(model, sf.CaseSequenceTask(), **SMALL)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        elsewhere = sf.train(model, sf.CaseSequenceTask(), executor=pool, **SMALL)
    np.testing.assert_array_equal(small.W_K, elsewhere.W_K)


def test_a_kernel_that_may_change_is_never_taken_from_compiled_code_of_before():
    steps = OneWinner().kernels
    assert with_steps(run, *steps, QUERY_KEY.kernel) is run
    own = with_steps(run, *steps, after_mistakes)
    assert own is with_steps(run, *steps, after_mistakes) is not run
    assert not isinstance(own._cache, type(run._cache))


TRAINED = """
import slotfree as sf
from slotfree.kernels.attention import slot_free
from slotfree.kernels.attention.fast_weights import FastWeights
from slotfree.kernels.attention.training import Steps, run

result = sf.train(sf.SlotFreeTransformer("{rule}"), sf.CaseSequenceTask(), runs=1, iterations=1, seed=0)
result.predict(["bADc"], ["d"])
print(sum(run.stats.cache_misses.values()))
"""


def test_compiled_training_is_kept_for_the_next_process(tmp_path):
    """Steps are arguments of kernels, and must be the same in each process."""
    missed = []
    for rule in ("fixed", "query-key", "fixed"):
        command, own = (
            [sys.executable, "-c", TRAINED.format(rule=rule)],
            os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
        )
        missed.append(subprocess.run(command, env=own, check=True, capture_output=True, text=True).stdout.strip())
    assert missed == ["1", "0", "0"], "all rules of the paper are compiled together"


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"kernel": lambda: None}, TypeError, "kernel must be a function compiled by numba.njit, not <function"),
        ({"name": ""}, TypeError, "name must be a string, not ''"),
        ({"rates": (1e-3, 1e-3)}, TypeError, r"rates must be three learning rates, .* not \(0.001, 0.001\)"),
        ({"rates": (1e-3, 0, 1e-3)}, ValueError, "the rate of W_K must be a number > 0, not 0"),
        ({"n_hidden": 0}, ValueError, "n_hidden must be an integer from 1"),
    ],
)
def test_wrong_key_rules(wrong, error, message):
    with pytest.raises(error, match=message):
        KeyRule(**{"name": "mine", "kernel": after_mistakes} | wrong)


def test_a_choice_by_name_and_by_object_is_the_same():
    by_name, by_object = sf.SlotFreeTransformer("query-key"), sf.SlotFreeTransformer(QUERY_KEY, storage=OneWinner())
    assert by_name == by_object
    assert (by_object.key_rule, by_object.storage) == ("query-key", "winner")
    assert sf.SlotFreeTransformer(storage=Perfect()).storage == "perfect"
    assert by_name.rule is QUERY_KEY is key_rule("query-key")
    assert pickle.loads(pickle.dumps(by_object)) == by_name
    with pytest.raises(ValueError, match=r"a Storage, such as sf.Winners\(k=3\), not <class .*>, a class and not an"):
        storage(OneWinner)


def test_the_sweep_knows_every_choice():
    assert named("transformer")["key_rule"].words == tuple(KEY_RULES)
    assert set(named("transformer")["storage"].words) == {*STORAGES, sf.Winners.name}


@pytest.mark.parametrize("projections", [True, False])
def test_keys_that_are_there_before_a_context(projections):
    """W_HK ~ U[0, a) as asked for; the paper's, if nothing is."""
    task = sf.CaseSequenceTask()
    papers = {True: 0.0, False: 0.5}[projections]
    for chosen, high in ((OneWinner(), papers), (OneWinner(initial_keys=0.01), 0.01), (OneWinner(3), 3.0)):
        model = sf.SlotFreeTransformer(input_projections=projections, n_hidden=100, storage=chosen)
        before = model.inspect(random_weights(model, task, 0), task, "bADc", "d").W_HK[0]
        assert before.min() >= 0
        assert before.max() <= high
        assert before.max() > 0.99 * high or high == 0
    assert sf.SlotFreeTransformer(storage=OneWinner(0.01)).storage == OneWinner(0.01) != OneWinner()
    for wrong, error in ((0, ValueError), (-1.0, ValueError), (float("nan"), ValueError), ("0.5", TypeError)):
        with pytest.raises(error, match=f"initial_keys must be a number > 0, not {wrong!r}"):
            OneWinner(wrong)


def test_large_keys_before_a_context_overrule_projections():
    task, a = sf.CaseSequenceTask(6, 4), 20.0
    lost = {}
    for high in (1e-6, a):
        model = sf.SlotFreeTransformer("fixed", key_dim=50, n_hidden=12, storage=OneWinner(high))
        weights = initial_weights(model, task, seed=0)
        lost[high] = diagnose(model, weights, task, seed=0).lost
    assert lost[1e-6] == 0
    assert lost[a] > 0.1


@dataclass(frozen=True)
class OwnStorage(Perfect):
    """A class of its own, with the winners of the paper's storage."""

    def setup(self, key, input_projections):
        return OneWinner().setup(key, input_projections)


def test_a_storage_of_ones_own():
    task = sf.CaseSequenceTask()
    mine, papers = (sf.SlotFreeTransformer(key_dim=6, storage=choice) for choice in (OwnStorage(), "winner"))
    weights = random_weights(mine, task, 0)
    assert mine.storage == OwnStorage()
    found, expected = (model.inspect(weights, task, "bADc", "d") for model in (mine, papers))
    assert found.winners.tolist() == expected.winners.tolist()


class Wrapped(NamedTuple):
    """Fast weights that are laid out in another way."""

    inside: FastWeights


@njit
def start_wrapped(fast, setup, number):
    slot_free.start(fast.inside, setup, number)


@njit
def present_wrapped(slow, fast, activity, item, step, setup):
    return slot_free.present(slow, fast.inside, activity, item, step, setup)


@njit
def answer_wrapped(slow, fast, activity, query):
    slot_free.answer(slow, fast.inside, activity, query)


@njit
def learn_wrapped(slow, fast, activity, query, target, gradient):
    slot_free.learn(slow, fast.inside, activity, query, target, gradient)


@dataclass(frozen=True)
class WrappedStorage(OneWinner):
    """The paper's storage in another layout, with no kernels for key rules that read it."""

    kernels = Steps(start_wrapped, present_wrapped, answer_wrapped, learn_wrapped)
    key_rules = {}  # noqa: RUF012 (as a user writes it)

    def fast_weights(self, sizes, task, input_projections, wiring):
        return Wrapped(super().fast_weights(sizes, task, input_projections, wiring))


def test_a_storage_of_another_layout_needs_no_kernels_for_key_rules_that_do_not_read_it():
    task = sf.CaseSequenceTask()
    results = [
        sf.train(sf.SlotFreeTransformer("query-key", key_dim=6, storage=choice), task, **SMALL)
        for choice in (WrappedStorage(), "winner")
    ]
    for name in ("loss", "W_K"):
        np.testing.assert_array_equal(*(getattr(result, name) for result in results))
    with pytest.raises(
        ValueError, match="key_rule 'mhn' reads fast weights of one winner, which this storage does not"
    ):
        sf.SlotFreeTransformer("mhn", storage=WrappedStorage())


def test_storage_as_printed_needs_a_unit_for_each_projection():
    with pytest.raises(ValueError, match=r"n_hidden must be at least 8 with input projections.*, not 7"):
        sf.train(sf.SlotFreeTransformer(n_hidden=7, storage=AsPrinted()), sf.CaseSequenceTask(), **SMALL)


def test_values_as_printed_erase_what_other_units_hold():
    """An item of value [1, 0] sets the first row of W_VH to the one-hot vector of its unit; [0, 1] the second."""
    task = sf.CaseSequenceTask()
    model = sf.SlotFreeTransformer("fixed", key_dim=6, storage=AsPrinted())
    weights = random_weights(model, task, 0, 0.01)
    weights.W_V[:] = np.hstack([task.case_code, np.zeros((2, 4))])
    trace = model.inspect(weights, task, "aBcD", "a")
    units = np.eye(10)[trace.winners]
    for step, row in enumerate((0, 1, 0, 1)):
        np.testing.assert_array_equal(trace.W_VH[step + 1][row], units[step])
        np.testing.assert_array_equal(trace.W_VH[step + 1][1 - row], trace.W_VH[step][1 - row])


def test_records_of_ones_own_leave_the_kernels_on_disk_to_processes_that_do_not_know_them(tmp_path):
    """As a reader of a storage's fast weights they would be imported by every process that reads what is kept."""
    (tmp_path / "layout.py").write_text("from typing import NamedTuple\nclass Mine(NamedTuple):\n    n: int\n")
    code = "from slotfree.kernels.attention.key_rules import fixed; fixed({}, 0, 0, 0, 0, 0)"
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "kernels")}
    for record, path in (("(layout.Mine(1),)", tmp_path), ("0", tmp_path / "none")):
        lines = f"{'import layout; ' if 'layout' in record else ''}{code.format(record)}"
        done = subprocess.run(
            [sys.executable, "-c", lines],
            env=environment | {"PYTHONPATH": str(path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    assert list((tmp_path / "kernels").rglob("*.nbi"))
