"""Accuracy by lag: against one query at a time, and against the definition of lags."""

import functools
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from own_task import ColourOfShape
from plain import any_tasks, random_weights

import slotfree as sf
from slotfree.attention.lag import accuracy_by_lag, known
from slotfree.runs.seeds import seed_for
from slotfree.tasks.lags import lags
from slotfree.tasks.sequences import Sequences

TASK = sf.CaseSequenceTask()
WINNERS = sf.SlotFreeTransformer(key_dim=8, n_hidden=12, storage=sf.Winners(k=2, fan_in=0.5, rate=0.6))


@functools.cache
def trained():
    task = sf.LatestCase(4, 4, reset=True)
    model = sf.SlotFreeTransformer(n_hidden=40, storage=sf.Winners(k=3, fan_in=0.2, address="letter"))
    return sf.train(model, task, runs=2, iterations=3000, seed=0)


@settings(max_examples=80)
@given(st.one_of(any_tasks(), st.builds(sf.LatestCase, st.integers(1, 5), st.integers(1, 5), st.booleans())), st.data())
def test_what_is_known_in_a_stream(task, data):
    """Each query has, as long as it is known, the lag that ``lags`` finds in the stream."""
    if not hasattr(task, "query_of"):
        with pytest.raises(TypeError, match="task must have query_of"):
            known(task, task.batch(2, seed=0))
        return
    sequences = task.batch(data.draw(st.integers(1, 8)), seed=data.draw(st.integers(0, 2**32)))
    items, end = sequences.items.reshape(-1, sequences.items.shape[2]), sequences.items[:, :, 0].size
    shown_as = {name: getattr(task, name) for name in ("n_tokens", "n_item_tokens", "n_outputs", "query_of")}
    every = SimpleNamespace(**shown_as, context_length=1, reset=False)
    found = list(zip(*known(task, sequences), strict=True))
    assert len(found) == len({(shown, query) for shown, query, _, _ in found}) > 0
    for shown, query, _, until in found:
        asked = Sequences(items[:, None], np.full(end, query), np.zeros(end, np.int64))
        behind = lags(every, asked)[:, 0]
        assert behind[shown:until].tolist() == list(range(until - shown))
        assert until == end or behind[until] == 0


def test_accuracy_by_lag_one_query_at_a_time():
    """As ``store`` and ``answer`` find it, query by query, for letters that were not shown again."""
    result = trained()
    task, seed = sf.LatestCase(4, 4), seed_for(3, "lag", 1)
    found = accuracy_by_lag(result.model, result.weights, task, n_items=40, lags=[0, 2, 5], skip=4, seed=3)
    sequences = task.batch(10, seed=np.random.default_rng(seed_for(seed, "sequences")))
    stream = result.model.stream(result.weights[1], task, seed=seed_for(seed, "fast weights"))
    items, asked = sequences.context.ravel().tolist(), {(n, q) for n, q in enumerate(sequences.query.tolist())}
    latest = {}  # of each letter, when it was shown, and its case
    counts = {lag: [] for lag in (0, 2, 5)}
    wanted = set()  # items that the task asks for, at any time
    for n, item in enumerate(items):
        latest[item % 4] = n
        wanted |= {latest[q - 8] for sequence, q in asked if sequence == n // 4 and n % 4 == 3}
    latest = {}
    for n, item in enumerate(items):
        stream.store(item)
        latest[item % 4] = n
        for letter, shown in latest.items():
            if shown in wanted and shown >= 4 and n - shown in counts:
                counts[n - shown].append(stream.answer(8 + letter) == items[shown] // 4)
    assert found.asked[1].values.tolist() == [len(right) for right in counts.values()]
    np.testing.assert_allclose(found.accuracy[1], [np.mean(right) for right in counts.values()], atol=1e-15)


def test_runs_and_limits_of_accuracy_by_lag():
    result = trained()
    task, lags_asked = sf.LatestCase(4, 4), [0, 1, 3, 9]
    found = accuracy_by_lag(result.model, result.weights, task, n_items=200, lags=lags_asked, skip=0, seed=3)
    assert found.accuracy.dims == ("run", "lag")
    assert found.asked.shape == (2, 4)
    assert found.asked[0].values.tolist() != found.asked[1].values.tolist(), "each run has a stream of its own"
    alone = accuracy_by_lag(result.model, result.weights[0], task, n_items=200, lags=lags_asked, skip=0, seed=3)
    np.testing.assert_array_equal(alone.accuracy, found.accuracy[0])
    few = accuracy_by_lag(result.model, result.weights, task, n_items=200, lags=lags_asked, per_lag=7, seed=3)
    assert few.asked.max() == 7


def test_the_latest_case_is_remembered_until_it_is_overwritten():
    result = trained()
    assert (result.accuracy[:, -300:].mean(axis=1) > 0.95).all()
    curve = accuracy_by_lag(result.model, result.weights, sf.LatestCase(4, 4), n_items=20_000)
    assert curve.lag.values.tolist() == [0, 1, 2, 3, 4, 6, 8, 12, 16]
    assert (curve.accuracy > 0.9).all()
    assert curve.attrs["made_by"] == "accuracy_by_lag"
    contexts = accuracy_by_lag(result.model, result.weights, TASK, n_items=20_000)
    assert (contexts.asked.sel(lag=[0, 3]) > 0).all()
    assert (contexts.asked.sel(lag=[8, 16]) == 0).all(), "all letters come back in each context"
    assert contexts.accuracy.sel(lag=16).isnull().all()


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        (
            {"model": sf.BaselineTransformer()},
            TypeError,
            "model must be a SlotFreeTransformer, which can have",
        ),
        (
            {"weights": 3},
            TypeError,
            "or with runs in front, such as result.weights, not 3",
        ),
        ({"task": ColourOfShape()}, TypeError, "task must have query_of"),
        ({"lags": [2, 1]}, ValueError, r"lags must hold integers from 0 on, in ascending order, not \[2, 1\]"),
        ({"lags": [-1]}, ValueError, "lags must hold"),
        ({"lags": []}, ValueError, "lags must hold"),
        ({"n_items": 0}, ValueError, "n_items must be an integer from 1"),
        ({"per_lag": 0}, ValueError, "per_lag must be an integer from 1"),
        ({"skip": 100}, ValueError, "skip must be an integer from 0 to n_items - 1 = 99, not 100"),
        ({"seed": -1}, ValueError, "seed must be an integer ≥ 0"),
    ],
)
def test_wrong_arguments_of_lags(changes, error, message):
    right = {"model": WINNERS, "weights": random_weights(WINNERS, TASK, 0), "task": TASK, "n_items": 100}
    with pytest.raises(error, match=message):
        accuracy_by_lag(**right | changes)
