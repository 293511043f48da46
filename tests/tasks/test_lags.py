"""How long ago it was shown what a query asks for, against a plain count."""

from types import SimpleNamespace

import numpy as np
import pytest
from dictionary import asked_of_a_dictionary
from hypothesis import given, settings
from hypothesis import strategies as st

import slotfree as sf
from slotfree.tasks.lags import lags
from slotfree.tasks.sequences import Sequences

TASKS = st.sampled_from(
    [
        sf.CaseSequenceTask(5, 3),
        sf.LatestCase(5, 3),
        sf.LatestCase(5, 7, reset=True),
        sf.LatestCase(30, 2),
        sf.AssociativeRecall(6, 3, 4, n_queries=3),
        sf.AssociativeRecall(6, 3, 5, n_queries=2, repeats=True, absent=0.4),
    ]
)


@settings(max_examples=150)
@given(TASKS, st.integers(1, 30), st.integers(0, 2**32))
def test_lags_are_those_of_a_plain_count(task, size, seed):
    drawn = task.batch(size, seed=seed)
    found = lags(task, drawn)
    assert found.dtype == np.int64
    assert found.tolist() == asked_of_a_dictionary(task, drawn)[1]


def test_by_hand():
    task = sf.CaseSequenceTask()
    for context, query, lag in (("bADc", "c", 0), ("bADc", "b", 3), ("bABc", "b", 1), ("bABc", "d", -1)):
        assert lags(task, task.sequence(context, query)).tolist() == [[lag]]


def test_in_a_stream_items_of_earlier_sequences_count():
    stream = sf.LatestCase(4, 2)
    sequences = Sequences([[0, 1], [2, 2], [1, 6]], [8, 8, 11], [0, 0, -1])
    assert lags(stream, sequences).tolist() == [[1], [3], [-1]]
    assert lags(sf.LatestCase(4, 2, reset=True), sequences).tolist() == [[1], [-1], [-1]]


def test_a_task_of_ones_own_needs_query_of():
    """Items of two tokens, each of which has a query of its own; token 2 has none."""
    members = {"n_tokens": 5, "n_item_tokens": 3, "n_outputs": 2, "context_length": 2}
    sequences = Sequences([[[0, 1], [2, 1]]], [[3, 4]], [[0, 1]])
    with pytest.raises(TypeError, match=r"task must have query_of, .* or -1 if none does, .* is without"):
        lags(SimpleNamespace(**members), sequences)
    for queries in ([3, 4, -1], (3, 4, -1), np.array([3, 4, -1], np.int8)):
        assert lags(SimpleNamespace(**members, query_of=queries), sequences).tolist() == [[1, 0]]


@pytest.mark.parametrize("wrong", [[3, 4], [3, 4, 5], [3, 4, -2], [3.0, 4.0, 0.0], 3, [[3, 4, -1]], "abc"])
def test_wrong_query_of(wrong):
    task = SimpleNamespace(n_tokens=5, n_item_tokens=3, n_outputs=2, context_length=1, query_of=wrong)
    message = "task.query_of must hold an integer from -1 to 4 for each of the 3 item tokens, not "
    with pytest.raises(ValueError, match=message):
        lags(task, Sequences([[0]], [3], [0]))


def test_tokens_that_are_not_the_task_s_are_refused():
    with pytest.raises(ValueError, match=r"sequences\.context must hold integers from 0 to 7, not 8"):
        lags(sf.LatestCase(4, 1), Sequences([[8]], [8], [0]))
    with pytest.raises(ValueError, match=r"sequences\.query must hold integers from 0 to 11, not 12"):
        lags(sf.LatestCase(4, 1), Sequences([[7]], [12], [0]))
