"""How long ago it was shown what a query asks for."""

import numpy as np
from numpy.typing import NDArray

from slotfree.tasks.base import Task, check_sequences, query_of, reset
from slotfree.tasks.sequences import Sequences


def lags(task: Task, sequences: Sequences) -> NDArray[np.int64]:
    """Return for each query how many items came after the latest one that it asks for, (n, A).

    It is 0 for the last item that was shown before the query, and −1 if none was shown. A query asks for an item if it
    is the query of one of the item's tokens, by ``task.query_of``. In a task that is not reset, sequences are one
    stream in their order, and items of earlier ones are counted.
    """
    check_sequences(task, sequences, answered=False)
    n, C, T = sequences.items.shape
    shown, width = shown_for_queries(task, sequences.items.reshape(n * C, T))
    last = np.arange(C - 1, n * C, C)[:, None]  # the item before the queries of each sequence
    begun = last - C if reset(task) else -1
    own = sequences.queries * width
    latest = shown[np.searchsorted(shown, own + last, side="right") - 1] - own  # below 0: one of another query
    return np.where(latest > begun, last - latest, -1)


def shown_for_queries(task: Task, items: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """Return the numbers of items, (n, T), by the query that asks for them, and the distance between two queries.

    They are query · distance + item, ascending, with one before all and one behind.
    """
    asks, width = query_of(task)[items], len(items) + 1
    numbers = (asks * width + np.arange(len(items))[:, None])[asks >= 0]
    return np.concatenate([[-1], np.sort(numbers), [task.n_tokens * width]]), width
