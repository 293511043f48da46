"""The item on associative recall: verdicts on made-up rows, and what is drawn of those that are recorded."""

import numpy as np
import pytest

from slotfree.beyond import recall
from slotfree.beyond.recall import CROWDING, DELTA, ITEM, LOCAL, OLDEST, PAIRS, RAVEN, START, STREAM, Row
from slotfree.study.results import Results


def verdicts(monkeypatch, accuracies):
    """Of rows on the first task and the stream, five runs each, with a state of 1024 numbers."""
    rng, rows = np.random.default_rng(0), {}
    for (model, task), accuracy in accuracies.items():
        runs = (accuracy + 0.0005 * rng.normal(size=5)).tolist()
        ages = {str(2**i): runs for i in range(7)} if task == STREAM else {}
        size = {OLDEST: 50.0, DELTA: 1024.0}.get(model, 96.0)
        rows[model, task, 1024] = Row(model, task, 1024, 0.01, 1000.0, size, 0, runs, 300, True, ages)
    monkeypatch.setattr(recall, "recorded", lambda: rows)
    return {judge.name.partition(".")[2]: judge.claim(Results({}, None, 0)).verdict for judge in ITEM.claims}


def test_verdicts_follow_the_numbers(monkeypatch):
    found = verdicts(monkeypatch, {(OLDEST, PAIRS): 0.995, (DELTA, PAIRS): 0.998, (LOCAL, PAIRS): 0.5,
                                   (START, PAIRS): 0.6, (RAVEN, PAIRS): 0.999, (CROWDING, PAIRS): 0.996})  # fmt: skip
    told = {name: verdict for name, verdict in found.items() if verdict != "inconclusive"}
    assert told == {
        "harness-delta-1024": "confirmed",
        "local-pairs": "contradicted",
        "delta-16-pairs-1024": "confirmed",
        "paper-pairs": "confirmed",
        "router-pairs": "contradicted",
        "crowding": "confirmed",
        "touched": "confirmed",
    }


@pytest.mark.parametrize(("accuracy", "verdict"), [(0.016, "inconclusive"), (0.2, "confirmed")])
def test_models_that_have_learnt_nothing_are_not_level(monkeypatch, accuracy, verdict):
    found = verdicts(monkeypatch, {(OLDEST, STREAM): accuracy, (DELTA, STREAM): accuracy})
    assert found["delta-stream-by-age-1024"] == verdict


def test_what_is_recorded_is_of_the_models_and_tasks_that_are_drawn():
    rows = recall.recorded().values()
    assert {row.model for row in rows} <= {*recall.LABELS, *recall.SLOT_FREE}
    assert {row.task for row in rows} <= {*recall.BY_STATE}
    assert all(len(row.accuracies) == (5 if row.fresh else 3) for row in rows)
    table = recall.draw(Results({}, None, 0)).tables[""]
    assert len(table) == sum(row.model in recall.LABELS and row.task in recall.BY_STATE for row in rows)
