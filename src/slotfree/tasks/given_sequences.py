"""Whole sequences as users write them, contexts and queries, by names or by numbers."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.tasks.base import Task, check_queries, check_sequences, reset
from slotfree.tasks.lags import lags
from slotfree.tasks.sequences import NO_ANSWER, Sequences


def one_sequence(task: Task, context: Any, query: Any) -> Sequences:
    """Return one sequence, as the task's own ``sequence`` reads it, or by numbers of tokens, without an answer."""
    sequence = _one(task, context, query)
    check_queries(task, sequence.queries, "queries")
    return sequence


def _one(task: Task, context: Any, query: Any) -> Sequences:
    """One sequence, of which it is not yet checked that its queries ask for something."""
    if hasattr(task, "sequence"):
        sequences: Sequences = task.sequence(context, query)
    else:
        asked = _numbers("query", query)
        sequences = Sequences(_numbers("context", context)[None], asked[None], np.full((1, *asked.shape), NO_ANSWER))
    check_sequences(task, sequences, answered=False)
    return sequences


def read_sequences(task: Task, contexts: Any, queries: Any) -> Sequences:
    """Return sequences, with contexts and queries as the task's own ``sequence`` reads them, or by numbers of tokens.

    A target is the right output if the task has ``sequence``, and ``NO_ANSWER`` if it has not, or if what the query
    asks for was not shown. In a task that is not reset, it may have been shown in an earlier context, if the task has
    ``query_of``.

    Parameters
    ----------
    contexts : one after the other, such as ["bADc", "aBcD"], or integers (n, C) or (n, C, T).
    queries : one for each context, such as ["d", "a"], or several, [["d", "a"], ["b", "c"]]; or integers (n,) or
        (n, A). A need not be the task's.
    """
    contexts, queries = _rows("contexts", contexts), _rows("queries", queries)
    if len(queries) != len(contexts):
        raise ValueError(
            "queries must hold a row for each context, with one query or several, "
            f"not {len(queries)} for {len(contexts)} contexts"
        )
    if hasattr(task, "sequence"):
        sequences = _read(task, contexts, queries)
    else:
        asked = _numbers("queries", queries)
        sequences = Sequences(_numbers("contexts", contexts), asked, np.full(asked.shape, NO_ANSWER))
    check_sequences(task, sequences, answered=False)
    check_queries(task, sequences.queries, "queries")
    return sequences


def _numbers(name: str, values: Any) -> NDArray[Any]:
    """Integers numbers as an array."""
    try:
        found = checks.unmasked(name, values)
    except ValueError:
        raise ValueError(f"{name} must be of the same length each, not {checks.shown(values)}") from None
    if found.size and found.dtype.kind not in "iu":
        raise TypeError(f"{name} must be integers, as the task has no sequence(...), not {checks.shown(values)}")
    return checks.int64(name, found)


def _read(task: Task, contexts: list[Any], queries: list[Any]) -> Sequences:
    """Sequences as the task's own ``sequence`` reads them; of a stream, each with what was shown before."""
    read = [_row(task, n, *row) for n, row in enumerate(zip(contexts, queries, strict=True))]
    if len({(one.context.shape, one.query.shape) for one in read}) > 1:
        raise ValueError("contexts, and queries, must all be of the same length, and items have as many tokens each")
    context, query, target = (
        np.concatenate([getattr(one, part) for one in read]) for part in ("context", "query", "target")
    )
    sequences, C = Sequences(context, query, target), task.context_length
    if not reset(task) and hasattr(task, "query_of"):
        lag, targets = lags(task, sequences), sequences.targets  # a view
        for i, a in np.argwhere(lag >= C):  # latest shown in an earlier context, which knows the answer
            earlier = i + (C - 1 - lag[i, a]) // C
            targets[i, a] = _one(task, contexts[earlier], queries[i]).targets[0, a]
    return sequences


def _row(task: Task, n: int, context: Any, query: Any) -> Sequences:
    """One sequence; an error says in which row it is."""
    try:
        return _one(task, context, query)
    except (TypeError, ValueError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"row {n} of contexts and queries: {error}") from error


def _rows(name: str, values: Any) -> list[Any]:
    """A list of rows; of an array, in plain numbers, which are quicker to read one by one."""
    rows = [] if isinstance(values, str) or not np.iterable(values) else list(values)
    if not rows:
        raise ValueError(f"{name} must be a list or an array with at least one row, not {checks.shown(values)}")
    return values.tolist() if isinstance(values, np.ndarray) else rows
