"""Files of training results: everything comes back, and nothing that is not whole is used."""

import json
from dataclasses import dataclass, fields, replace

import numpy as np
import pytest
from hostile import duplicate, entry_with, header_with, metadata_with, numbers_with, put
from hypothesis import given, settings
from hypothesis import strategies as st
from mutated_files import flipped, mutants, quick_file, sealed
from own_key_rule import AFTER_MISTAKES
from own_task import ColourOfShape
from plain import baselines, distributed_models, named_tasks, slot_free_models

import slotfree as sf
from slotfree.attention.description import model_of, model_words, task_of, task_words
from slotfree.attention.key_rules import MHN_AS_PRINTED
from slotfree.attention.storages.one_winner import OneWinner
from slotfree.attention.training import TrainingResult
from slotfree.paper.shared.printed_values import AsPrinted

TASK = sf.CaseSequenceTask()
SMALL = {"runs": 2, "iterations": 20, "batch_size": 8, "seed": 0}
MODELS = [
    sf.BaselineTransformer(5, beta=0.3, gradients="published"),
    sf.SlotFreeTransformer(key_dim=5),
    sf.SlotFreeTransformer("mhn", key_dim=5, storage=OneWinner(initial_keys=0.1)),
    sf.SlotFreeTransformer("fixed", key_dim=5, storage="perfect"),
    sf.SlotFreeTransformer(key_dim=5, storage=AsPrinted()),
    sf.SlotFreeTransformer(MHN_AS_PRINTED, False, key_dim=5),
    sf.SlotFreeTransformer(key_dim=5, storage=sf.Winners(k=2, fan_in=0.4, rate=0.3, beta=1.7)),
]


def assert_same(found, result):
    """Equal in every part, to the bit."""
    assert (found.model, found.task, found.attrs) == (result.model, result.task, result.attrs)
    assert found.dataset().identical(result.dataset())
    assert list(found.snapshots) == list(result.snapshots)
    pairs = zip(found.snapshots.values(), result.snapshots.values(), strict=True)
    for one, other in ((found.weights, result.weights), *pairs):
        for field in fields(one):
            np.testing.assert_array_equal(getattr(one, field.name), getattr(other, field.name))


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("task", [TASK, sf.LatestCase(3, 5), sf.AssociativeRecall(4, 3, 2, 2, absent=0.1)])
def test_everything_comes_back(model, task, tmp_path):
    if not isinstance(model, sf.BaselineTransformer):
        model = replace(model, n_hidden=12)
    result = sf.train(model, task, snapshots=(0, 7, 20), **SMALL)
    result.save(tmp_path / "result")
    found = TrainingResult.load(tmp_path / "result", model=model)
    assert_same(found, result)
    sequences = task.batch(5, seed=0)
    context, query = sequences.context, sequences.query
    np.testing.assert_array_equal(found.outputs(context, query), result.outputs(context, query))
    content = (tmp_path / "result").read_bytes()
    found.save(tmp_path / "result")
    assert (tmp_path / "result").read_bytes() == content
    assert_same(sf.TrainingResult.load(tmp_path / "result", task=task, model=model), result)


@settings(max_examples=150)
@given(named_tasks(), st.data())
def test_models_and_tasks_in_words_and_back(task, data):
    model = data.draw(st.one_of(slot_free_models(task), distributed_models(task), baselines()))
    assert model_of(model_words(model)) == model == model_of(model_words(model), model)
    assert task_of(task_words(task)) == task == task_of(task_words(task), task)


@dataclass(frozen=True)
class OwnStorage(AsPrinted):
    """One of another class."""

    strength_of_mine: float = 0.5


@pytest.mark.parametrize(
    ("own", "name"),
    [
        (sf.SlotFreeTransformer(AFTER_MISTAKES, key_dim=5), "after-mistakes"),
        (sf.SlotFreeTransformer(key_dim=5, storage=OwnStorage()), "OwnStorage"),
    ],
)
def test_a_key_rule_or_a_storage_of_ones_own(own, name, tmp_path):
    result = replace(sf.train(MODELS[1], TASK, **SMALL), model=own)
    result.save(tmp_path / "result")
    with pytest.raises(ValueError, match=rf"model must be given, as load\(path, model=...\).*{name!r}, which is not"):
        TrainingResult.load(tmp_path / "result")
    with pytest.raises(ValueError, match=r"model must be the one that was saved, .*, not .*.key_dim.: 6,"):
        TrainingResult.load(tmp_path / "result", model=replace(own, key_dim=6))
    with pytest.raises(TypeError, match="model must be a BaselineTransformer or a SlotFreeTransformer, not 'mine'"):
        TrainingResult.load(tmp_path / "result", model="mine")
    assert_same(TrainingResult.load(tmp_path / "result", model=own), result)


def test_a_task_of_ones_own(tmp_path):
    result = sf.train(MODELS[1], ColourOfShape(), **SMALL)
    result.save(tmp_path / "result")
    with pytest.raises(ValueError, match=r"task must be given, as load\(path, task=...\).*'ColourOfShape'"):
        TrainingResult.load(tmp_path / "result")
    for other in (TASK, ColourOfShape(n_shapes=5)):
        with pytest.raises(ValueError, match=r"task must be the one that was saved, .*n_shapes.*, not"):
            TrainingResult.load(tmp_path / "result", task=other)
    with pytest.raises(TypeError, match="task must have n_tokens"):
        TrainingResult.load(tmp_path / "result", task="mine")
    assert_same(TrainingResult.load(tmp_path / "result", task=ColourOfShape()), result)


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    path = tmp_path_factory.mktemp("results") / "good"
    sf.train(MODELS[-1], TASK, snapshots=(3,), **SMALL).save(path)
    return path.read_bytes()


def model_with(**changes):
    def change(header):
        model = json.loads(header["__metadata__"]["model"])
        header["__metadata__"]["model"] = json.dumps(model | changes)

    return header_with(change)


def without_checksum(header):
    del header["__metadata__"]["checksum"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda content: content[:-1], "its arrays end at byte"),
        (lambda content: b"", "0 bytes are too few"),
        (metadata_with(format="slotfree.Stream"), "its format is 'slotfree.Stream', not 'slotfree.TrainingResult'"),
        (metadata_with(version="9"), "its version is '9'"),
        (metadata_with(mine="1"), "its metadata has the keys"),
        (header_with(without_checksum), "its metadata has the keys"),
        (metadata_with(model="{"), "its model or its task is wrong: "),
        (metadata_with(model="[]"), "its model or its task is wrong: "),
        (metadata_with(model="[" * 10_000), "its model or its task is wrong: "),
        (metadata_with(task='{"is": "Task"}'), "the class must be one of CaseSequenceTask, LatestCase, Associative"),
        (metadata_with(task='{"is": "CaseSequenceTask", "n_letters": 0, "context_length": 4}'), "n_letters must be"),
        (metadata_with(task='{"is": "CaseSequenceTask", "n_letters": 5, "context_length": 4}'), "W_Q has the shape"),
        (metadata_with(task='{"context_length": 4, "is": "CaseSequenceTask", "n_letters": 4}'), "not written as"),
        (model_with(key_dim=6), r"W_Q has the shape \(2, 5, 12\); its model and its task ask for \(2, 6, 12\)"),
        (model_with(key_rule="mine"), "the key rule must be one of fixed, mhn, query-key, mhn-as-printed, not 'mine'"),
        (model_with(key_rule=[]), "the key rule must be one of"),
        (model_with(storage={"is": "Slots"}), "the class must be one of OneWinner, Perfect, Winners"),
        (model_with(storage="winner"), "a description must be a JSON object, not 'winner'"),
        (model_with(n_hidden=1), "its model is not one for its task: .n_hidden must be at least k = 2"),
        (metadata_with(attrs="{"), "its attrs are wrong"),
        (metadata_with(attrs='{"seed": 1}'), "its attrs do not map words to words"),
        (duplicate("attrs"), "the key attrs appears twice"),
        (header_with(lambda header: header.update(W_X=header.pop("W_Q"))), "its arrays are"),
        (entry_with("loss", dtype="I64"), "loss does not hold numbers of its type"),
        (numbers_with("accuracy", put((0, 0), 1.5)), "accuracy must be from 0 to 1"),
        (numbers_with("loss", put((0, 0), -1)), "loss at least 0"),
        (numbers_with("loss", put((0, 0), np.nan)), "loss does not hold numbers of its type that are finite"),
        (numbers_with("W_V", put((0, 0, 0), np.inf)), "W_V does not hold numbers of its type that are finite"),
        (entry_with("wiring", dtype="U64"), "wiring does not hold numbers of its type"),
    ],
)
def test_damaged_files(good, change, message, tmp_path):
    path = tmp_path / "bad"
    content = change(good)
    path.write_bytes(content if "keys" in message or "twice" in message else sealed(content))
    with pytest.raises(sf.FormatError, match=message):
        TrainingResult.load(path)


def test_a_change_of_any_bit_is_noticed(good):
    rng = np.random.default_rng(0)
    with quick_file() as path:
        for bit in rng.choice(8 * len(good), 500, replace=False):
            path.write_bytes(flipped(good, int(bit)))
            with pytest.raises(sf.FormatError):
                TrainingResult.load(path)


@pytest.mark.long
def test_mutated_files(good):
    """Each is refused with a FormatError, or is a result that can be used and saved."""
    loaded, count = 0, 4000
    with quick_file() as path:
        for mutant in mutants(good, np.random.default_rng(0), count, [good]):
            path.write_bytes(mutant)
            try:
                found = TrainingResult.load(path)
            except sf.FormatError:
                continue
            loaded += 1
            try:
                found.predict([[0] * found.task.context_length], [found.task.n_tokens - 1])
            except FloatingPointError:
                continue
            found.save(path)
            assert_same(TrainingResult.load(path), found)
    assert count / 50 < loaded < count / 2
