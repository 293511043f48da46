"""What a trained model answers, on sequences that a user gives."""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from slotfree.attention.weights import Weights, one_model, to_slow
from slotfree.tasks.base import Task, reset
from slotfree.tasks.sequences import Sequences

Array = NDArray[np.float64]


class Responds(Protocol):
    """A model, as far as it answers."""

    @property
    def key_dim(self) -> int:
        """N."""

    @property
    def is_wired(self) -> bool:
        """Whether connections of fast weights are drawn at random."""

    def engine(self, task: Task, key: int, wiring: int = 0) -> Any:
        """Return what computes batches of a task."""


def reported(
    model: Responds, weights: Weights, task: Task, sequences: Sequences, key: int, *, alike: bool = True
) -> Array:
    """Return the reported outputs, (n, n_outputs), or (n, A, n_outputs) for several queries after each context.

    Sequences begin alike, or each with fast weights of its own, drawn under the key; in a stream, only the first
    begins.
    """
    weights = one_model(weights, model, task)
    engine = model.engine(task, key, weights.drawn_by)
    out = np.empty((1, *sequences.queries.shape, task.n_outputs))
    block = sequences.batches(len(sequences))._replace(reset=reset(task))
    engine.respond(to_slow(weights), block, out, alike=alike)
    return finite(out.reshape(*sequences.query.shape, task.n_outputs))


def only_query(sequence: Sequences) -> int:
    """Return the token that asks after one context, if it is one."""
    if sequence.queries.shape[1] != 1:
        raise ValueError(f"query must be one query, not {sequence.queries.shape[1]}: what is inside is seen for one")
    return int(sequence.queries[0, 0])


def finite(outputs: Array) -> Array:
    """Return outputs if they are numbers."""
    if not np.isfinite(outputs).all():
        raise FloatingPointError("the outputs are not finite: the weights are too large")
    return outputs


def answers(outputs: Array) -> NDArray[np.int64]:
    """The number of the largest output, of equal ones the first."""
    numbers: NDArray[np.int64] = outputs.argmax(axis=-1)
    return numbers
