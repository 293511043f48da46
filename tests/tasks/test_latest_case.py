"""A stream of letters whose case changes: what is drawn, against a dictionary and known laws."""

import pickle
from collections import Counter
from itertools import product

import numpy as np
import pytest
from dictionary import asked_of_a_dictionary
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import slotfree as sf
from slotfree.tasks.base import check_task, draw, reset
from slotfree.tasks.sequences import NO_ANSWER

TASKS = st.builds(sf.LatestCase, st.integers(1, 9), st.integers(1, 12), st.booleans())


@settings(max_examples=200)
@given(TASKS, st.integers(1, 40), st.integers(0, 2**64))
def test_targets_are_those_of_a_dictionary_filled_item_by_item(task, size, seed):
    """Nothing is asked for that the dictionary does not know."""
    drawn = draw(task, size, np.random.default_rng(seed))
    assert drawn.context.shape == (size, task.context_length)
    targets, lags = asked_of_a_dictionary(task, drawn)
    assert drawn.targets.tolist() == targets
    assert np.min(lags) >= 0


def test_a_stream_asks_for_letters_of_earlier_sequences():
    """With 8 letters and 2 in each context, 6 of 8 queries in the end; only reset ones never do."""
    stream, alone = (sf.LatestCase(8, 2, reset=reset).batch(4000, seed=0) for reset in (False, True))
    inside = [(drawn.context % 8 == drawn.query[:, None] % 8).any(axis=1)[100:].mean() for drawn in (stream, alone)]
    assert inside[1] == 1
    expected = 1 - (7 / 8) ** 2  # that a letter, any of 8, is one of the two
    assert abs(inside[0] - expected) < 3.3 * (expected * (1 - expected) / 3900) ** 0.5
    assert (reset(sf.LatestCase()), reset(sf.LatestCase(reset=True))) == (False, True)


def test_tokens_are_uniform_and_independent():
    """All 8² pairs of neighbours, across contexts too, 50 expected of each."""
    tokens = sf.LatestCase(4, 3).batch(3200, seed=1).context.ravel()[:6400]
    counts = Counter(zip(tokens[::2].tolist(), tokens[1::2].tolist(), strict=True))
    assert set(counts) == set(product(range(8), repeat=2))
    assert stats.chisquare(list(counts.values())).pvalue > 0.001


def test_all_letters_seen_are_asked_for_equally_often_however_often_they_came():
    """Of contexts a a b, in any order, half of the queries are for b."""
    drawn = sf.LatestCase(2, 3, reset=True).batch(4000, seed=2)
    letters = drawn.context % 2
    mixed = np.isin(letters.sum(axis=1), (1, 2))
    rare = np.where(letters.sum(axis=1) == 1, 1, 0)
    asked = (drawn.query % 2 == rare)[mixed]
    assert stats.binomtest(int(asked.sum()), len(asked)).pvalue > 0.001


def test_a_new_call_begins_a_new_stream():
    """What came before is not asked for: with one letter in each context, the first query is for it."""
    task, rng = sf.LatestCase(6, 1), np.random.default_rng(3)
    for _ in range(50):
        drawn = task.batch(3, seed=rng)
        assert drawn.query[0] % 6 == drawn.context[0, 0] % 6


@settings(max_examples=30)
@given(TASKS, st.integers(0, 99))
def test_the_same_seed_gives_the_same_bits(task, seed):
    copy = pickle.loads(pickle.dumps(task))
    assert copy == task
    check_task(copy)
    one, other = task.batch(7, seed=seed), copy.batch(7, seed=seed)
    longer = task.batch(12, seed=seed)
    for part in ("context", "query", "target"):
        np.testing.assert_array_equal(getattr(one, part), getattr(other, part))
        np.testing.assert_array_equal(getattr(one, part), getattr(longer, part)[:7])


def test_one_sequence():
    task = sf.LatestCase(3, 5)
    assert task.sequence("aBAab", "a").target.tolist() == [0]
    assert task.sequence("aBAab", ["b", "c"]).target.tolist() == [[0, NO_ANSWER]]
    assert task.token_names == sf.CaseSequenceTask(3, 3).token_names
    with pytest.raises(ValueError, match="context must hold context_length = 5 letters, in either case, not 'aB'"):
        task.sequence("aB", "a")


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"n_letters": 0}, ValueError, "n_letters must be an integer from 1 to 715827882, not 0"),
        ({"context_length": 0}, ValueError, "context_length must be an integer from 1 to 2147483647, not 0"),
        ({"reset": 0}, TypeError, "reset must be True or False, not 0"),
    ],
)
def test_wrong_tasks(wrong, error, message):
    with pytest.raises(error, match=message):
        sf.LatestCase(**wrong)


def test_wrong_batches():
    with pytest.raises(TypeError, match=r"size must be an integer from 1 to 2147483647, not 1\.5"):
        sf.LatestCase().batch(1.5, seed=0)
