"""Associative recall: what is drawn, against a dictionary and known laws; sequences by names."""

import pickle
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from dictionary import asked_of_a_dictionary
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import slotfree as sf
from slotfree.tasks.base import check_task, draw, output_names, query_of, token_names
from slotfree.tasks.sequences import NO_ANSWER


@st.composite
def recalls(draw):
    """Tasks of every kind, with many or few keys, that all fit."""
    n_keys, repeats = draw(st.integers(1, 12)), draw(st.booleans())
    n_pairs = draw(st.integers(1, 20 if repeats else n_keys))
    absent = draw(st.sampled_from([0.0, 0.3, 1.0])) if n_pairs < n_keys else 0.0
    n_queries = draw(st.integers(1, n_pairs))
    return sf.AssociativeRecall(n_keys, draw(st.integers(1, 9)), n_pairs, n_queries, repeats, absent)


@settings(max_examples=200)
@given(recalls(), st.integers(1, 20), st.integers(0, 2**64))
def test_targets_are_those_of_a_dictionary_filled_item_by_item(task, size, seed):
    drawn = draw(task, size, np.random.default_rng(seed))
    assert drawn.context.shape == (size, task.n_pairs, 2)
    assert drawn.query.shape == drawn.target.shape == (size, task.n_queries)
    targets, _ = asked_of_a_dictionary(task, drawn, missing=task.n_values)
    assert drawn.target.tolist() == targets


@settings(max_examples=200)
@given(recalls(), st.integers(0, 2**64))
def test_keys_are_keys_and_values_are_values(task, seed):
    drawn = task.batch(10, seed=seed)
    keys, values = drawn.context[..., 0], drawn.context[..., 1] - task.n_keys
    assert 0 <= keys.min() <= keys.max() < task.n_keys
    assert 0 <= values.min() <= values.max() < task.n_values
    assert drawn.query.min() >= task.n_item_tokens
    if not task.repeats:
        assert all(len(set(row)) == task.n_pairs for row in keys.tolist())


@settings(max_examples=200)
@given(recalls(), st.integers(0, 2**64))
def test_a_key_is_asked_for_again_only_when_all_of_its_kind_have_been(task, seed):
    """So all queries are different where there are enough keys."""
    drawn = task.batch(10, seed=seed)
    for items, queries in zip(drawn.context.tolist(), drawn.query.tolist(), strict=True):
        shown = {task.n_item_tokens + key for key, _ in items}
        for kind, most in ((shown, len(shown)), (set(queries) - shown, task.n_keys - len(shown))):
            asked = [query for query in queries if query in kind]
            for begin in range(0, len(asked), max(most, 1)):
                part = asked[begin : begin + most]
                assert len(set(part)) == len(part)
        if not task.repeats and not task.absent:
            assert len(set(queries)) == task.n_queries


def test_every_context_and_query_is_equally_likely():
    """Different keys: 3·2 orders, 2² values, 2 queries. 60 expected of each."""
    task = sf.AssociativeRecall(3, 2, 2)
    drawn = task.batch(60 * 48, seed=0)
    counts = Counter(zip(map(str, drawn.context.tolist()), drawn.query[:, 0].tolist(), strict=True))
    assert len(counts) == 48
    assert stats.chisquare(list(counts.values())).pvalue > 0.001


def test_keys_that_may_come_back_are_drawn_independently():
    """3² keys, 60 expected of each; where both are the same, it is the only one that is asked for."""
    task = sf.AssociativeRecall(3, 1, 2, repeats=True)
    drawn = task.batch(60 * 9, seed=1)
    keys = drawn.context[..., 0]
    counts = Counter(map(tuple, keys.tolist()))
    assert len(counts) == 9
    assert stats.chisquare(list(counts.values())).pvalue > 0.001
    asked = drawn.query[:, 0] - task.n_item_tokens
    assert (asked[:, None] == keys).any(axis=1).all()
    different = keys[:, 0] != keys[:, 1]
    assert stats.binomtest(int((asked == keys[:, 0])[different].sum()), int(different.sum())).pvalue > 0.001


@pytest.mark.parametrize("repeats", [False, True])
@pytest.mark.parametrize("absent", [0.1, 0.5])
def test_absent_is_the_share_of_queries_for_absent_keys(absent, repeats):
    """Each query by itself, whatever the others are; and all absent keys are as likely."""
    task = sf.AssociativeRecall(6, 2, 3, n_queries=3, repeats=repeats, absent=absent)
    drawn = task.batch(4000, seed=2)
    none = drawn.target == task.n_values
    assert stats.binomtest(int(none.sum()), none.size, absent).pvalue > 0.001
    per_context = np.bincount(none.sum(axis=1), minlength=4)
    assert stats.chisquare(per_context, 4000 * stats.binom(3, absent).pmf(range(4))).pvalue > 0.001
    first = np.bincount((drawn.query[:, 0] - task.n_item_tokens)[none[:, 0]], minlength=6)
    assert stats.chisquare(first).pvalue > 0.001


def test_without_absent_keys_there_is_no_output_for_them():
    task = sf.AssociativeRecall(4, 3, 2)
    assert task.n_outputs == 3
    assert output_names(task) == ["1", "2", "3"]
    assert output_names(replace(task, absent=0.1)) == ["1", "2", "3", "none"]
    assert replace(task, absent=0.1).n_outputs == 4


def test_tokens():
    task = sf.AssociativeRecall(2, 3, 1)
    assert token_names(task) == ["a", "b", "1", "2", "3", "a?", "b?"]
    assert (task.n_item_tokens, task.n_tokens, task.context_length) == (5, 7, 1)
    assert query_of(task).tolist() == [5, 6, -1, -1, -1]
    many = sf.AssociativeRecall(300, 40, 9)
    assert len(set(many.token_names)) == many.n_tokens == 640
    assert many.token_names[299:301] == ("x300", "1")
    check_task(many)


@settings(max_examples=50)
@given(recalls(), st.integers(0, 99))
def test_names_and_numbers_mean_what_was_drawn(task, seed):
    drawn, names = task.batch(1, seed=seed), task.token_names
    by_number = task.sequence(drawn.context[0], drawn.query[0])
    by_name = task.sequence(
        [[names[token] for token in item] for item in drawn.context[0]], [names[token] for token in drawn.query[0]]
    )
    for read in (by_number, by_name):
        for part in ("context", "query", "target"):
            np.testing.assert_array_equal(getattr(read, part), getattr(drawn, part))


def test_a_sequence_by_short_names():
    task = sf.AssociativeRecall(4, 3, 3)
    for query in ("c", "C", "c?", 9):
        sequence = task.sequence(["a3", "c1", "c2"], query)
        assert sequence.context.tolist() == [[[0, 6], [2, 4], [2, 5]]]
        assert (sequence.query.tolist(), sequence.target.tolist()) == ([9], [1])
    assert task.sequence(["a3", "c1", "c2"], "b").target.tolist() == [NO_ANSWER]
    assert replace(task, n_pairs=2, absent=0.5).sequence(["a3", "c1"], ["b", "a"]).target.tolist() == [[3, 2]]


@pytest.mark.parametrize(
    ("context", "query", "error", "message"),
    [
        (
            ["a3"],
            "a",
            ValueError,
            r"n_pairs = 2 pairs of a key and a value, such as \('a', '3'\), not \['a3'\]",
        ),
        (["a3", "b"], "a", ValueError, r"context must hold n_pairs = 2 pairs of a key and a value"),
        (
            [3, 4],
            "a",
            ValueError,
            r"n_pairs = 2 pairs of a key and a value, such as \('a', '3'\), not \[3, 4\]",
        ),
        (7, "a", ValueError, r"context must hold n_pairs = 2 pairs of a key and a value, such as \('a', '3'\), not 7"),
        (["a3", "b12"], "a", ValueError, r"pairs of a key and a value, such as \('a', '3'\), not \['a3', 'b12'\]"),
        ("a3b", "a", ValueError, r"context must hold n_pairs = 2 pairs of a key and a value"),
        (["a3", "e1"], "a", ValueError, "the keys of context must hold tokens out of a, b, c, d, not 'e'"),
        (["a3", "b4"], "a", ValueError, "the values of context must hold tokens out of 1, 2, 3, not '4'"),
        (["a3", (4, 5)], "a", ValueError, "a token of the keys of context must be an integer from 0 to 3, not 4"),
        (["a3", (0, 1)], "a", ValueError, "a token of the values of context must be an integer from 4 to 6, not 1"),
        (["a3", "b1"], "e", ValueError, r"query must be one of a\?, b\?, c\?, d\?, not 'e'"),
        (
            ["a3", "b1"],
            "ab",
            ValueError,
            r"query must be one of .*, not 'ab'; several are a list, \['a', 'b'\]",
        ),
        (["a3", "b1"], 6, ValueError, "query must be an integer from 7 to 10, not 6"),
        (["a3", "b1"], ["a", 11], ValueError, "query must be an integer from 7 to 10, not 11"),
    ],
)
def test_wrong_sequences(context, query, error, message):
    with pytest.raises(error, match=message):
        sf.AssociativeRecall(4, 3, 2).sequence(context, query)


def test_a_message_about_many_names_is_short():
    with pytest.raises(ValueError, match=r"one of x1\?, x2\?, .*, x14\?, …, x256\?, not 'x257'") as error:
        sf.AssociativeRecall(256, 2, 1).sequence([("x1", "1")], "x257")
    assert len(str(error.value)) < 200


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"n_keys": 0}, ValueError, "n_keys must be an integer from 1 to 715827882, not 0"),
        ({"n_values": 2.0}, TypeError, "n_values must be an integer from 1 to 715827882, not 2.0"),
        ({"n_pairs": 9}, ValueError, "n_pairs must be an integer from 1 to n_keys = 8, not 9"),
        ({"n_pairs": 0, "repeats": True}, ValueError, "n_pairs must be an integer from 1 to 2147483647, not 0"),
        ({"n_queries": 5}, ValueError, "n_queries must be an integer from 1 to n_pairs = 4, not 5"),
        ({"n_queries": 5, "repeats": True}, ValueError, "n_queries must be an integer from 1 to n_pairs = 4"),
        ({"repeats": 1}, TypeError, "repeats must be True or False, not 1"),
        ({"absent": 1.5}, ValueError, r"absent must be a number in \[0, 1\], not 1.5"),
        ({"absent": True}, TypeError, r"absent must be a number in \[0, 1\], not True"),
        ({"absent": 0.1, "n_pairs": 8}, ValueError, "absent must be 0 if n_pairs = 8 is not below n_keys = 8, not 0.1"),
        (
            {"absent": 0.1, "n_pairs": 9, "repeats": True},
            ValueError,
            "absent must be 0 if n_pairs = 9 is not below n_keys = 8",
        ),
    ],
)
def test_wrong_tasks(wrong, error, message):
    with pytest.raises(error, match=message):
        sf.AssociativeRecall(**{"n_keys": 8, "n_values": 3, "n_pairs": 4} | wrong)


def test_wrong_batches():
    with pytest.raises(ValueError, match="size must be an integer from 1 to 2147483647, not 0"):
        sf.AssociativeRecall(2, 2, 2).batch(0, seed=0)
    with pytest.raises(TypeError, match="seed must be"):
        sf.AssociativeRecall(2, 2, 2).batch(1, seed="0")


@settings(max_examples=50)
@given(recalls(), st.integers(1, 9), st.integers(1, 9), st.integers(0, 99))
def test_the_same_seed_gives_the_same_bits_however_many_are_drawn_at_a_time(task, first, second, seed):
    rng, copy = np.random.default_rng(seed), pickle.loads(pickle.dumps(task))
    assert copy == task
    parts = [task.batch(first, seed=rng), task.batch(second, seed=rng)]
    whole = copy.batch(first + second, seed=np.random.default_rng(seed))
    for part in ("context", "query", "target"):
        np.testing.assert_array_equal(np.concatenate([getattr(p, part) for p in parts]), getattr(whole, part))
    np.testing.assert_array_equal(task.batch(5, seed=seed).context, copy.batch(5, seed=seed).context)
