"""What a task is: anything that gives sequences of tokens, and the output that is right for each."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from slotfree import checks
from slotfree.kernels.sequences import all_below
from slotfree.tasks.sequences import Sequences


class Task(Protocol):
    """A task, for any model: a context of items is shown, then a query, and one of several outputs is right.

    A class needs these four members, and nothing of this package but ``Sequences``. A frozen dataclass is best: it can
    be compared, shown, and sent to other processes. It may have more:

    ``n_item_tokens`` : tokens that can be in a context, the first of all; the others only ask. By default, all can.
    ``token_names``, ``output_names`` : labels of results; by default, numbers.
    ``sequence(context, query)`` : one sequence by names, for ``inspect``; by default, it takes numbers.
    """

    @property
    def n_tokens(self) -> int:
        """D, all tokens: those of items and those that ask."""

    @property
    def n_outputs(self) -> int:
        """The number of different answers."""

    @property
    def context_length(self) -> int:
        """C, the items of a context."""

    def batch(self, size: int, *, seed: np.random.Generator) -> Sequences:
        """Draw sequences, with all that is random from the generator."""


def check_task(task: object) -> None:
    """Raise an error if an object is not a task; the message says what it lacks."""
    lacking = [name for name in ("n_tokens", "n_outputs", "context_length", "batch") if not hasattr(task, name)]
    if lacking or isinstance(task, type):
        why = "a class and not an object of it" if isinstance(task, type) else f"without {', '.join(lacking)}"
        raise TypeError(
            "task must have n_tokens, n_outputs, context_length and batch(size, seed=...), as CaseSequenceTask has; "
            f"{checks.shown(task)} is {why}"
        )
    for name in ("n_tokens", "n_outputs", "context_length"):
        checks.whole(f"task.{name}", getattr(task, name), 1, checks.MANY)
    if not callable(task.batch):  # type: ignore[attr-defined]
        raise TypeError(f"task.batch must be a method that draws sequences, not {checks.shown(task.batch)}")  # type: ignore[attr-defined]
    n_tokens = task.n_tokens  # type: ignore[attr-defined]
    checks.whole("task.n_item_tokens", getattr(task, "n_item_tokens", n_tokens), 1, n_tokens, "n_tokens")


def n_item_tokens(task: Task) -> int:
    """How many tokens can be in a context; they are the first of all."""
    return int(getattr(task, "n_item_tokens", task.n_tokens))


def token_names(task: Task) -> Sequence[str | int]:
    """Labels of the tokens."""
    return list(getattr(task, "token_names", range(task.n_tokens)))


def output_names(task: Task) -> Sequence[str | int]:
    """Labels of the outputs."""
    return list(getattr(task, "output_names", range(task.n_outputs)))


def draw(task: Task, size: int, rng: np.random.Generator) -> Sequences:
    """Draw sequences of a task, checked."""
    sequences = task.batch(size, seed=rng)
    check_sequences(task, sequences, "task.batch(...)")
    if len(sequences) != size:
        raise ValueError(f"task.batch must return size = {size} sequences, not {len(sequences)}")
    return sequences


def check_sequences(task: Task, sequences: object, name: str = "sequences") -> None:
    """Raise an error if these are not sequences of a task: kernels use their numbers as indices."""
    if not isinstance(sequences, Sequences):
        raise TypeError(f"{name} must be Sequences, not {checks.shown(sequences)}")
    if not len(sequences) or sequences.items.shape[1] != task.context_length or not sequences.items.shape[2]:
        raise ValueError(
            f"{name} must be Sequences with contexts of context_length = {task.context_length} items, at least one, "
            f"not with a context of the shape {sequences.context.shape}"
        )
    limits = {"context": min(n_item_tokens(task), task.n_tokens), "query": task.n_tokens, "target": task.n_outputs}
    for part, limit in limits.items():
        values = getattr(sequences, part)
        if not all_below(limit, values):
            wrong = values[(values < 0) | (values >= limit)][0]
            raise ValueError(f"{name}.{part} must hold whole numbers from 0 to {limit - 1}, not {wrong}")


def one_sequence(task: Task, context: object, query: object) -> Sequences:
    """Return one sequence, as the task's own ``sequence`` reads it, or by numbers of tokens; its target may be 0."""
    if hasattr(task, "sequence"):
        sequences: Sequences = task.sequence(context, query)
    else:
        sequences = Sequences(np.asarray(context)[None], np.asarray(query)[None], np.zeros(1, np.int64))
    check_sequences(task, sequences)
    return sequences
