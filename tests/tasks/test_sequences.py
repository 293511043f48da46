"""Sequences of any task: their shapes, what is checked, and what users write."""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest
from dictionary import asked_of_a_dictionary
from hypothesis import given, settings
from hypothesis import strategies as st

import slotfree as sf
from slotfree.tasks.base import check_sequences, check_task, draw, n_queries, query_of, reset
from slotfree.tasks.given_items import read_queries
from slotfree.tasks.given_sequences import one_sequence, read_sequences
from slotfree.tasks.sequences import NO_ANSWER, Sequences

RECALL = sf.AssociativeRecall(5, 3, 4, n_queries=2)


@dataclass(frozen=True)
class Plain:
    """A task that has only what it needs."""

    n_tokens: int = 6
    n_outputs: int = 2
    context_length: int = 3

    def batch(self, size, *, seed):
        return Sequences(np.zeros((size, 3), int), np.zeros(size, int), np.zeros(size, int))


def parts(sequences):
    return [getattr(sequences, part).tolist() for part in ("context", "query", "target")]


def test_one_query_or_several():
    one = Sequences([[0, 1], [2, 3]], [4, 5], [0, 1])
    assert (one.queries.tolist(), one.targets.tolist()) == ([[4], [5]], [[0], [1]])
    several = Sequences([[0, 1], [2, 3]], [[4, 5, 4], [5, 4, 4]], [[0, 1, 0], [1, 1, 1]])
    assert several.queries is several.query
    assert several.targets is several.target
    assert len(several) == 2


@pytest.mark.parametrize("A", [1, 3])
def test_batches_always_have_a_dimension_for_queries(A):
    task = sf.AssociativeRecall(5, 3, 4, n_queries=A)
    drawn = task.batch(12, seed=0)
    batches = drawn.batches(4)
    assert batches.context.shape == (3, 4, 4, 2)
    assert batches.query.shape == batches.target.shape == (3, 4, A)
    for i in range(12):
        assert batches.context[divmod(i, 4)].tolist() == drawn.context[i].tolist()
        assert batches.query[divmod(i, 4)].tolist() == drawn.query[i].tolist()
        assert batches.target[divmod(i, 4)].tolist() == drawn.target[i].tolist()
    with pytest.raises(ValueError, match="size must divide the number of sequences, 12, not 5"):
        drawn.batches(5)


@pytest.mark.parametrize(
    "arrays",
    [
        ([[0]], [[1, 2]], [0]),
        ([[0]], [1], [[0]]),
        ([[0]], [[1, 2]], [[0]]),
        ([[0]], [[[1]]], [[[0]]]),
        ([[0], [0]], [[1, 2]], [[0, 0]]),
    ],
)
def test_wrong_shapes(arrays):
    with pytest.raises(ValueError, match=r"the shapes \(n, C\) or \(n, C, T\), \(n,\) or \(n, A\), and that of query"):
        Sequences(*arrays)


def test_learning_needs_an_answer_and_asking_does_not():
    sequences = Sequences([[0, 1, 2]], [5], [NO_ANSWER])
    check_sequences(Plain(), sequences, answered=False)
    message = r"sequences.target must hold integers from 0 to 1, not -1, NO_ANSWER: learning needs an output"
    with pytest.raises(ValueError, match=message):
        check_sequences(Plain(), sequences)
    with pytest.raises(ValueError, match=r"sequences\.target must hold integers from -1 to 1, not -2$"):
        check_sequences(Plain(), Sequences([[0, 1, 2]], [5], [-2]), answered=False)
    with pytest.raises(ValueError, match=r"sequences\.target must hold integers from -1 to 1, not 2$"):
        check_sequences(Plain(), Sequences([[0, 1, 2]], [5], [2]), answered=False)
    with pytest.raises(ValueError, match=r"sequences\.query must hold integers from 0 to 5, not -1$"):
        check_sequences(Plain(), Sequences([[0, 1, 2]], [-1], [0]), answered=False)


def test_the_number_of_queries_is_checked():
    three = Sequences([[[0, 5]] * 4], [[8, 9, 10]], [[0, 0, 0]])
    check_sequences(RECALL, three, answered=False)
    with pytest.raises(ValueError, match="must be Sequences with n_queries = 2 queries after each context, not with 3"):
        check_sequences(RECALL, three)
    none = Sequences([[[0, 5]] * 4], np.empty((1, 0), int), np.empty((1, 0), int))
    with pytest.raises(ValueError, match="must be Sequences with at least one query after each context, not with 0"):
        check_sequences(RECALL, none, answered=False)

    class Liar(Plain):
        n_queries = 2

    with pytest.raises(ValueError, match=r"task.batch\(...\) must be Sequences with n_queries = 2 queries .* with 1"):
        draw(Liar(), 3, np.random.default_rng(0))


def test_sequences_without_contexts_are_refused():
    with pytest.raises(ValueError, match="with contexts of context_length = 3 items, at least one"):
        check_sequences(Plain(), Sequences(np.empty((0, 3), int), np.empty(0, int), np.empty(0, int)))


def test_what_a_task_does_not_say():
    task = Plain()
    check_task(task)
    assert (n_queries(task), reset(task)) == (1, True)
    assert n_queries(RECALL) == 2
    with pytest.raises(TypeError, match="task must have query_of"):
        query_of(task)


@pytest.mark.parametrize(
    ("member", "value", "error", "message"),
    [
        ("n_queries", 0, ValueError, "task.n_queries must be an integer from 1 to 2147483647, not 0"),
        ("n_queries", 1.0, TypeError, "task.n_queries must be an integer from 1 to 2147483647, not 1.0"),
        ("reset", "no", TypeError, "task.reset must be True or False, not 'no'"),
        ("query_of", [1], ValueError, "task.query_of must hold an integer from -1 to 5 for each of the 6 item"),
    ],
)
def test_wrong_optional_members(member, value, error, message):
    with pytest.raises(error, match=message):
        check_task(type("Altered", (Plain,), {member: value})())


def test_queries_by_names_and_numbers():
    assert read_queries(sf.CaseSequenceTask(), ["a?", 11]).tolist() == [8, 11]
    with pytest.raises(ValueError, match="a token of queries must be an integer from 0 to 11, not 12"):
        read_queries(sf.CaseSequenceTask(), ["a?", 12])


def test_one_sequence_has_no_answer_where_the_task_knows_none():
    assert parts(one_sequence(Plain(), [0, 1, 2], 5)) == [[[0, 1, 2]], [5], [NO_ANSWER]]
    assert parts(one_sequence(Plain(), [0, 1, 2], np.uint8(5))) == [[[0, 1, 2]], [5], [NO_ANSWER]]
    assert one_sequence(sf.CaseSequenceTask(4, 2), "aB", "c").target.tolist() == [NO_ANSWER]


def test_many_by_names():
    task = sf.CaseSequenceTask()
    read = read_sequences(task, ["bADc", "aBcD", "aBcA"], ["d", "a", "d"])
    assert parts(read) == [[[1, 4, 7, 2], [0, 5, 2, 7], [0, 5, 2, 4]], [11, 8, 11], [1, 0, NO_ANSWER]]
    read = read_sequences(task, ["bADc", "aBcD"], [["d", "a?"], ["b", "b"]])
    assert parts(read)[1:] == [[[11, 8], [9, 9]], [[1, 1], [1, 1]]]
    read = read_sequences(sf.AssociativeRecall(3, 9, 2), [["a3", "b1"], ["c2", "c9"]], ["b", "c"])
    assert read.target.tolist() == [0, 8]


@settings(max_examples=60)
@given(
    st.sampled_from([RECALL, sf.CaseSequenceTask(5, 3), sf.LatestCase(7, 2), sf.LatestCase(7, 2, reset=True)]),
    st.integers(1, 20),
    st.integers(0, 99),
)
def test_many_by_numbers_and_by_names_are_what_was_drawn(task, size, seed):
    """Of a stream, with letters that only earlier contexts show."""
    drawn, names = task.batch(size, seed=seed), np.array(task.token_names)
    for contexts, queries in (
        (drawn.context, drawn.query),
        (drawn.context.tolist(), drawn.query.tolist()),
        (names[drawn.context].tolist(), names[drawn.query].tolist()),
    ):
        assert parts(read_sequences(task, contexts, queries)) == parts(drawn)


def test_queries_for_all_letters_at_any_time_in_a_stream():
    task = sf.LatestCase(6, 2)
    drawn = task.batch(40, seed=0)
    read = read_sequences(task, drawn.context, np.tile(np.arange(12, 18), (40, 1)))
    assert read.target.tolist() == asked_of_a_dictionary(task, read)[0]
    assert NO_ANSWER in read.target[0]
    assert NO_ANSWER not in read.target[-1]


def test_of_a_task_without_names_by_numbers_only():
    contexts = np.array([[0, 1, 2], [3, 4, 5]])
    assert parts(read_sequences(Plain(), contexts, [5, 4])) == [contexts.tolist(), [5, 4], [NO_ANSWER] * 2]
    assert read_sequences(Plain(), contexts, [[5], [4]]).target.tolist() == [[NO_ANSWER], [NO_ANSWER]]
    two = read_sequences(Plain(), [[[0, 1]] * 3], [5])
    assert two.items.shape == (1, 3, 2)


@pytest.mark.parametrize(
    ("contexts", "queries", "error", "message"),
    [
        ("bADc", "d", ValueError, "contexts must be a list or an array with at least one row, not 'bADc'"),
        ([], [], ValueError, r"contexts must be a list or an array with at least one row, not \[\]"),
        (["bADc"], "d", ValueError, "queries must be a list or an array with at least one row, not 'd'"),
        (["bADc"], 11, ValueError, "queries must be a list or an array with at least one row, not 11"),
        (["bADc"], ["d", "a"], ValueError, "queries must hold a row for each context, .* not 2 for 1 contexts"),
        (["bADc", "bADc"], [["d", "a"], ["d"]], ValueError, "contexts, and queries, must all be of the same length"),
        (["bADc", "bADc"], ["d", ["d"]], ValueError, "contexts, and queries, must all be of the same length"),
        (["bADc"], [[]], ValueError, "at least one query after each context, not with 0"),
        (
            ["bADc", "bAD"],
            ["d", "d"],
            ValueError,
            "row 1 of contexts and queries: context must hold .* not 'bAD'",
        ),
        (["bADc"], ["e"], ValueError, r"query must be one of a\?, b\?, c\?, d\?, not 'e'"),
        (np.zeros((1, 4)), [11], TypeError, "a token of context must be an integer from 0 to 7, not 0.0"),
    ],
)
def test_what_cannot_be_read(contexts, queries, error, message):
    with pytest.raises(error, match=message):
        read_sequences(sf.CaseSequenceTask(), contexts, queries)


@pytest.mark.parametrize(
    ("contexts", "queries", "error", "message"),
    [
        ([[0, 1, 2], [0, 1]], [5, 5], ValueError, r"contexts must be of the same length each, not \[\[0, 1, 2\]"),
        ([[0, 1, 2]] * 2, [[5], [5, 4]], ValueError, "queries must be of the same length each"),
        (["abc"], [5], TypeError, r"contexts must be integers, as the task has no sequence\(...\), not \['abc'\]"),
    ],
)
def test_what_cannot_be_read_by_numbers(contexts, queries, error, message):
    with pytest.raises(error, match=message):
        read_sequences(Plain(), contexts, queries)


def test_only_tokens_that_ask_are_queries():
    task = type("Asking", (Plain,), {"n_item_tokens": 4, "query_of": [4, 4, 5, -1]})()
    assert read_sequences(task, [[0, 1, 2]], [5]).query.tolist() == [5]
    for read in (lambda: read_sequences(task, [[0, 1, 2]], [3]), lambda: one_sequence(task, [0, 1, 2], 3)):
        with pytest.raises(ValueError, match="queries must be tokens that ask for an item, from 4 to 5, not 3"):
            read()


def test_what_a_task_s_own_sequence_returns_is_checked():
    members = {"n_tokens": 6, "n_outputs": 2, "context_length": 1}
    task = SimpleNamespace(**members, sequence=lambda context, query: Sequences([[6]], [0], [0]))
    with pytest.raises(ValueError, match=r"sequences\.context must hold integers from 0 to 5, not 6"):
        read_sequences(task, [[0]], [0])
    task = SimpleNamespace(**members, sequence=lambda context, query: [0])
    with pytest.raises(TypeError, match=r"sequences must be Sequences, not \[0\]"):
        read_sequences(task, [[0]], [0])
