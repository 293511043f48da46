"""The Case Sequence Task: valid sequences, all of them, each as likely as any other."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import slotfree as sf
from slotfree.tasks import case_sequence
from slotfree.tasks.sequences import NO_ANSWER


def as_tuples(sequences):
    return [
        (*context, query, target)
        for context, query, target in zip(
            sequences.context.tolist(), sequences.query.tolist(), sequences.target.tolist(), strict=True
        )
    ]


def is_valid(task, sequence):
    """By the words of the paper, token by token."""
    L = task.n_letters
    *context, query, target = sequence
    lower = set(range(L))
    letters = [token if token in lower else token - L for token in context]
    asked = query - 2 * L
    shown_as = asked + L if target == 1 else asked
    return (
        len(context) == task.context_length == len(set(letters))
        and set(letters) <= lower
        and asked in letters
        and target in (0, 1)
        and shown_as in context
    )


@settings(max_examples=200)
@given(st.integers(1, 40), st.data(), st.integers(1, 30), st.integers(0, 2**64))
def test_every_drawn_sequence_is_valid(n_letters, data, size, seed):
    task = sf.CaseSequenceTask(n_letters, data.draw(st.integers(1, n_letters)))
    batch = task.batch(size, seed=seed)
    assert len(batch) == size
    assert all(is_valid(task, sequence) for sequence in as_tuples(batch))


@pytest.mark.parametrize(("L", "C"), [(1, 1), (2, 1), (2, 2), (3, 1), (3, 2), (3, 3), (4, 2)])
def test_all_sequences_are_all_that_are_valid_and_each_once(L, C):
    task = sf.CaseSequenceTask(L, C)
    expected = {s for s in product(*[range(2 * L)] * C, range(2 * L, 3 * L), (0, 1)) if is_valid(task, s)}
    listed = as_tuples(task.all_sequences())
    assert len(listed) == len(set(listed)) == task.n_sequences
    assert set(listed) == expected


def test_how_many_there_are():
    assert sf.CaseSequenceTask().n_sequences == 24 * 16 * 4 == len(sf.CaseSequenceTask().all_sequences())
    assert sf.CaseSequenceTask(40, 3).n_sequences == 40 * 39 * 38 * 8 * 3


def test_too_many_to_list(monkeypatch):
    task = sf.CaseSequenceTask(7, 7)
    assert task.n_sequences == 4_515_840
    with pytest.raises(ValueError, match=r"7.* has 4515840 sequences; at most 1000000 can be listed: lower n_letters"):
        task.all_sequences()
    small = sf.CaseSequenceTask(2, 1)
    monkeypatch.setattr(case_sequence, "MOST_LISTED", small.n_sequences)
    assert len(small.all_sequences()) == small.n_sequences


@pytest.mark.parametrize(("L", "C"), [(3, 2), (3, 3), (4, 2)])
def test_every_sequence_is_equally_likely(L, C):
    """60 expected of each; a smaller p-value is found by chance once in 1000 times."""
    task = sf.CaseSequenceTask(L, C)
    counts = Counter(as_tuples(task.batch(60 * task.n_sequences, seed=0)))
    assert len(counts) == task.n_sequences
    assert stats.chisquare(list(counts.values())).pvalue > 0.001


def test_sequences_in_a_row_are_independent():
    """All 256 pairs of neighbours, 40 expected of each."""
    task = sf.CaseSequenceTask(2, 2)
    drawn = as_tuples(task.batch(2 * 256 * 40, seed=1))
    counts = Counter(zip(drawn[::2], drawn[1::2], strict=True))
    assert len(counts) == task.n_sequences**2 == 256
    assert stats.chisquare(list(counts.values())).pvalue > 0.001


def test_the_same_seed_repeats_and_others_do_not():
    task = sf.CaseSequenceTask()
    expected = as_tuples(task.batch(20, seed=3))
    assert as_tuples(task.batch(20, seed=3)) == expected
    assert as_tuples(task.batch(20, seed=np.random.SeedSequence(3))) == expected
    assert as_tuples(task.batch(20, seed=4)) != expected


@settings(max_examples=30)
@given(st.integers(1, 6), st.data(), st.integers(1, 9), st.integers(1, 9), st.integers(0, 99))
def test_a_generator_advances_and_goes_on_where_it_was(n_letters, data, first, second, seed):
    """Two batches in a row are one batch of their sizes: it does not matter how many are drawn at a time."""
    task = sf.CaseSequenceTask(n_letters, data.draw(st.integers(1, n_letters)))
    rng = np.random.default_rng(seed)
    parts = as_tuples(task.batch(first, seed=rng)) + as_tuples(task.batch(second, seed=rng))
    assert parts == as_tuples(task.batch(first + second, seed=np.random.default_rng(seed)))


@pytest.mark.parametrize(
    ("context", "query", "answer"),
    [
        ("bADc", "d", (11, 1)),
        ("bADc", "d?", (11, 1)),
        ("bADc", "D", (11, 1)),
        (["b", "A", "D", "c"], "c", (10, 0)),
        ([1, 4, 7, 2], 11, (11, 1)),
        (np.array([1, 4, 7, 2]), np.int64(10), (10, 0)),
        ((1, 4, 7, 2), "a", (8, 1)),
    ],
)
def test_one_sequence_by_names_and_by_numbers(context, query, answer):
    sequence = sf.CaseSequenceTask().sequence(context, query)
    assert len(sequence) == 1
    assert as_tuples(sequence) == [(1, 4, 7, 2, *answer)]


@settings(max_examples=50)
@given(st.integers(1, 30), st.data(), st.integers(0, 99))
def test_names_and_numbers_mean_the_same(n_letters, data, seed):
    """Also beyond the alphabet, where letters have longer names."""
    task = sf.CaseSequenceTask(n_letters, data.draw(st.integers(1, n_letters)))
    drawn = task.batch(1, seed=seed)
    by_number = task.sequence(drawn.context[0], int(drawn.query[0]))
    by_name = task.sequence([task.token_names[t] for t in drawn.context[0]], task.token_names[drawn.query[0]])
    assert as_tuples(by_number) == as_tuples(by_name) == as_tuples(drawn)


@pytest.mark.parametrize(
    ("context", "query", "error", "message"),
    [
        ("bADc", "e", ValueError, r"query must be one of a\?, b\?, c\?, d\?, not 'e'"),
        ("bADc", "", ValueError, r"query must be one of a\?, b\?, c\?, d\?, not ''"),
        ("bADc", 3, ValueError, "query must be an integer from 8 to 11, not 3"),
        ("bADc", 12, ValueError, "query must be an integer from 8 to 11, not 12"),
        ("bADc", 8.0, TypeError, "query must be an integer from 8 to 11, not 8.0"),
        ("bADx", "d", ValueError, "context must hold tokens out of a, b, c, d, A, B, C, D, not 'x'"),
        (["b", "A", "D", "c?"], "d", ValueError, r"context must hold tokens out of .* C, D, not 'c\?'"),
        ("bAD", "d", ValueError, "context must hold context_length = 4 letters, in either case, not 'bAD'"),
        ("bADca", "d", ValueError, "context must hold context_length = 4 letters, in either case, not 'bADca'"),
        ([], 11, ValueError, r"context must hold context_length = 4 letters, in either case, not \[\]"),
        (3, 11, ValueError, "context must hold context_length = 4 letters, in either case, not 3"),
        ([1, 4, 7, 8], 11, ValueError, "a token of context must be an integer from 0 to 7, not 8"),
        ([1, 4, 7, -1], 11, ValueError, "a token of context must be an integer from 0 to 7, not -1"),
        ([1, 4, 7, 2.5], 11, TypeError, "a token of context must be an integer from 0 to 7, not "),
    ],
)
def test_wrong_sequences(context, query, error, message):
    with pytest.raises(error, match=message):
        sf.CaseSequenceTask().sequence(context, query)


def test_of_letters_that_come_back_the_latest_counts():
    task = sf.CaseSequenceTask()
    assert task.sequence("bABc", "b").target.tolist() == [1]
    assert task.sequence("BAbc", "b").target.tolist() == [0]
    assert task.sequence([5, 4, 1, 2], [9, 8]).target.tolist() == [[0, 1]]


def test_for_a_letter_that_is_not_in_the_context_there_is_no_answer():
    task = sf.CaseSequenceTask(4, 2)
    for query in ("c", 10):
        sequence = task.sequence("aB", query)
        assert sequence.query.tolist() == [10]
        assert sequence.target.tolist() == [NO_ANSWER]


def test_drawn_sequences_are_those_of_version_0_9():
    """The paper's results rest on them."""
    drawn = sf.CaseSequenceTask(5, 3).batch(3, seed=7)
    assert as_tuples(drawn) == [(1, 0, 8, 10, 0), (9, 7, 8, 14, 1), (8, 5, 2, 12, 0)]


@given(st.integers(1, 9))
def test_each_letter_is_asked_for_by_its_query_in_either_case(n_letters):
    task = sf.CaseSequenceTask(n_letters, 1)
    names = task.token_names
    assert [names[q] for q in task.query_of] == [f"{name.lower()}?" for name in names[: task.n_item_tokens]]


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"n_letters": 0}, ValueError, "n_letters must be an integer from 1 to 715827882, not 0"),
        ({"n_letters": 4.0}, TypeError, "n_letters must be an integer from 1 to 715827882, not 4.0"),
        ({"context_length": 5}, ValueError, "context_length must be an integer from 1 to n_letters = 4, not 5"),
        ({"context_length": 0}, ValueError, "context_length must be an integer from 1 to n_letters = 4, not 0"),
        ({"n_letters": 3}, ValueError, "context_length must be an integer from 1 to n_letters = 3, not 4"),
        (
            {"context_length": True},
            TypeError,
            "context_length must be an integer from 1 to n_letters = 4, not True",
        ),
    ],
)
def test_wrong_tasks(wrong, error, message):
    with pytest.raises(error, match=message):
        sf.CaseSequenceTask(**wrong)


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"size": 0}, ValueError, "size must be an integer from 1 to 2147483647, not 0"),
        ({"size": 1.5}, TypeError, "size must be an integer from 1 to 2147483647, not 1.5"),
        ({"seed": -1}, ValueError, "seed must be an integer ≥ 0, not -1"),
        ({"seed": "0"}, TypeError, "seed must be an integer, a numpy.random.SeedSequence or a numpy.random"),
    ],
)
def test_wrong_batches(wrong, error, message):
    with pytest.raises(error, match=message):
        sf.CaseSequenceTask().batch(**{"size": 3, "seed": 0} | wrong)


def test_the_seed_must_be_given():
    with pytest.raises(TypeError, match="seed"):
        sf.CaseSequenceTask().batch(3)


def test_token_names():
    assert sf.CaseSequenceTask(3, 2).token_names == ("a", "b", "c", "A", "B", "C", "a?", "b?", "c?")
    assert sf.CaseSequenceTask(26, 2).token_names[25:27] == ("z", "A")
    many = sf.CaseSequenceTask(27, 2).token_names
    assert many[0] == "x1"
    assert many[26:28] == ("x27", "X1")
    assert many[-1] == "x27?"
    assert len(set(many)) == len(many) == 81


def test_one_hot():
    task = sf.CaseSequenceTask(2, 2)
    assert task.n_tokens == 6
    assert task.one_hot(4).tolist() == [0, 0, 0, 0, 1, 0]
    assert task.one_hot([[0, 5]]).tolist() == [[[1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1]]]


def test_the_case_code_solves_the_task():
    """The value of the token that was asked for is the target."""
    task = sf.CaseSequenceTask(3, 2)
    assert task.case_code.tolist() == [[1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1]]
    every = task.all_sequences()
    asked = [
        next(t for t in context if t % 3 == query % 3)
        for context, query in zip(every.context, every.query, strict=True)
    ]
    assert task.case_code[:, asked].argmax(axis=0).tolist() == every.target.tolist()
