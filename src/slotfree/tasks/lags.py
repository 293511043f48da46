"""How long ago it was shown what a query asks for."""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.attention.lags import fill_lags
from slotfree.tasks.base import Task, check_sequences, query_of, reset
from slotfree.tasks.sequences import Sequences


def lags(task: Task, sequences: Sequences) -> NDArray[np.int64]:
    """Return for each query how many items came after the latest one that it asks for, (n, A).

    It is 0 for the last item that was shown before the query, and −1 if none was shown. A query asks for an item if it
    is the query of one of the item's tokens, by ``task.query_of``. In a task that is not reset, sequences are one
    stream in their order, and items of earlier ones are counted.
    """
    check_sequences(task, sequences, answered=False)
    found = np.empty_like(sequences.queries)
    fill_lags(sequences.items, sequences.queries, query_of(task), task.n_tokens, reset(task), found)
    return found
