"""What a trained model answers, on sequences that a user gives."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.attention.weights import Weights, one_model, to_slow
from slotfree.kernels.attention.training import ALIKE, APART, STREAM, Shown
from slotfree.tasks.base import Task, reset
from slotfree.tasks.given_sequences import read_sequences
from slotfree.tasks.sequences import Sequences

Array = NDArray[np.float64]


class Transformer(ABC):
    """What all models share: what they answer."""

    @property
    @abstractmethod
    def key_dim(self) -> int:
        """N."""

    @property
    def is_wired(self) -> bool:
        """Whether connections of the fast weights are drawn at random."""
        return False

    @abstractmethod
    def engine(self, task: Task, key: int, wiring: int = 0) -> Any:
        """Return what computes batches of a task."""

    def outputs(self, weights: Weights, task: Task, contexts: Any, queries: Any, *, seed: checks.Seed = 0) -> Array:
        """Return what is reported for many sequences: (n, n_outputs), or (n, A, n_outputs).

        It is ŷ of a model with slots, and ŷ_val of one without.

        Parameters
        ----------
        weights : of one model.
        contexts, queries : such as ["bADc", "aBcD"] and ["d", "a"], or [["d", "a"], ["b", "c"]] for several queries
            after each context; or integers, (n, C) or (n, C, T), and (n,) or (n, A). Letters may come back. In fast
            weights the latest counts if it was stored in the units of the earlier one, else the better match with the
            query; to a model with slots, a context is a set, and it cannot know which is the latest. Queries for
            letters that are not there are answered from what is most like them.
        seed : of the fast weights before a context, the same for all, so that no answer depends on the others. If the
            task is a stream (``reset`` is False), contexts follow each other, and what was stored stays; to a model
            with slots, each stands alone, and nothing is random.
        """
        key = fast_key(checks.generator(seed, "fast weights"))
        return reported(self, weights, task, read_sequences(task, contexts, queries), key)

    def predict(
        self, weights: Weights, task: Task, contexts: Any, queries: Any, *, seed: checks.Seed = 0
    ) -> NDArray[np.int64]:
        """Return the number of the largest output, (n,) or (n, A), of equal ones the first; see ``outputs``."""
        return answers(self.outputs(weights, task, contexts, queries, seed=seed))


def fast_key(rng: np.random.Generator) -> int:
    """Draw a key for the streams of initial fast weights."""
    return int(rng.integers(0, 2**64, dtype=np.uint64))


def reported(
    model: Transformer, weights: Weights, task: Task, sequences: Sequences, key: int, *, alike: bool = True
) -> Array:
    """Return the reported outputs, (n, n_outputs), or (n, A, n_outputs) for several queries after each context.

    Sequences begin alike, or each with fast weights of its own, drawn under the key; in a stream, only the first
    begins.
    """
    weights = one_model(weights, model, task)
    engine = model.engine(task, key, weights.drawn_by)
    n, C, T = sequences.items.shape
    items, queries = np.ascontiguousarray(sequences.items).reshape(n * C, T), sequences.queries
    after = np.repeat(np.arange(C - 1, n * C, C), queries.shape[1])
    begin = (ALIKE if alike else APART) if reset(task) else STREAM
    if begin == STREAM:
        engine.steps.start(engine.fast, engine.setup, 0)
    _, out = engine.play(to_slow(weights), Shown(items, 0, C, begin), queries.ravel(), after)
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
