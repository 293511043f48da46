"""What a task is: anything that gives sequences of tokens, and the output that is right for each."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.tasks.sequences import NO_ANSWER, Sequences


class Task(Protocol):
    """A task, for any model: a context of items is shown, then queries, and one of several outputs is right for each.

    A class needs these four members, and nothing of this package but ``Sequences``. A frozen dataclass is best: it can
    be compared, shown, and sent to other processes. It may have more:

    ``n_item_tokens`` : tokens that can be in a context, the first of all; the others only ask. By default, all can.
    ``token_names``, ``output_names`` : labels of results; by default, numbers.
    ``n_queries`` : A, queries after each context; by default, 1.
    ``item_size`` : T, tokens in each item; by default, as many as in what is drawn.
    ``item_parts`` : for each of the T tokens of an item, a name and the range of the tokens that can be there, such as
        {"keys": range(3), "values": range(3, 12)}; by default, all item tokens can.
    ``reset`` : whether each context begins with empty fast weights; by default, True. If False, the sequences of a
        batch are a stream: they follow each other, and what was stored stays.
    ``query_of`` : for each of the item tokens, the token that asks for it, or −1 if none does. Lags need it. Where it
        is there, no other token can be given as a query.
    ``sequence(context, query)`` : one sequence by names, for ``inspect`` and ``predict``, with the right output, or
        ``NO_ANSWER`` if none is; several queries are a list. By default, numbers are taken, and no answer is known.
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
        checks.integer(f"task.{name}", getattr(task, name), 1, checks.MANY)
    if not callable(task.batch):  # type: ignore[attr-defined]
        raise TypeError(f"task.batch must be a method that draws sequences, not {checks.shown(task.batch)}")  # type: ignore[attr-defined]
    n_tokens = task.n_tokens  # type: ignore[attr-defined]
    checks.integer("task.n_item_tokens", getattr(task, "n_item_tokens", n_tokens), 1, n_tokens, "n_tokens")
    checks.integer("task.n_queries", getattr(task, "n_queries", 1), 1, checks.MANY)
    checks.yes_or_no("task.reset", getattr(task, "reset", True))
    if hasattr(task, "query_of"):
        query_of(task)  # type: ignore[arg-type]


def n_item_tokens(task: Task) -> int:
    """How many tokens can be in a context; they are the first of all."""
    return int(getattr(task, "n_item_tokens", task.n_tokens))


def n_queries(task: Task) -> int:
    """A, how many queries follow each context."""
    return int(getattr(task, "n_queries", 1))


def reset(task: Task) -> bool:
    """Whether each context begins with empty fast weights; if not, sequences are a stream."""
    return bool(getattr(task, "reset", True))


def query_of(task: Task) -> NDArray[np.int64]:
    """The token that asks for each of the item tokens, −1 if none does, (n_item_tokens,), checked."""
    if not hasattr(task, "query_of"):
        raise TypeError(
            "task must have query_of, which says for each of its item tokens which token asks for it, or -1 if none "
            f"does, as CaseSequenceTask has; {checks.shown(task)} is without"
        )
    tokens, n_items = np.asarray(task.query_of), n_item_tokens(task)
    fine = tokens.shape == (n_items,) and tokens.dtype.kind in "iu"
    if not fine or not -1 <= tokens.min() <= tokens.max() < task.n_tokens:
        raise ValueError(
            f"task.query_of must hold an integer from -1 to {task.n_tokens - 1} for each of the {n_items} item "
            f"tokens, not {checks.shown(task.query_of)}"
        )
    return np.ascontiguousarray(tokens, np.int64)


def check_queries(task: Task, queries: NDArray[np.int64], name: str) -> None:
    """Raise an error if a token is given as a query that asks for nothing, as far as the task says what asks."""
    if hasattr(task, "query_of"):
        asks = np.zeros(task.n_tokens, bool)
        asks[query_of(task)[query_of(task) >= 0]] = True
        fine = asks[queries]
        if not fine.all():
            tokens = np.flatnonzero(asks)
            known = f"from {tokens[0]} to {tokens[-1]}" if tokens.size else "of which this task has none"
            raise ValueError(f"{name} must be tokens that ask for an item, {known}, not {queries[~fine].flat[0]}")


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


def check_sequences(task: Task, sequences: object, name: str = "sequences", *, answered: bool = True) -> None:
    """Raise an error if these are not sequences of a task: kernels use their numbers as indices.

    If ``answered``, they are to learn from: after each context there are as many queries as the task has, and each has
    an answer. If not, there may be any number of queries, and no output has to be right.
    """
    if not isinstance(sequences, Sequences):
        raise TypeError(f"{name} must be Sequences, not {checks.shown(sequences)}")
    if not len(sequences) or sequences.items.shape[1] != task.context_length or not sequences.items.shape[2]:
        raise ValueError(
            f"{name} must be Sequences with contexts of context_length = {task.context_length} items, at least one, "
            f"not with a context of the shape {sequences.context.shape}"
        )
    asked = sequences.queries.shape[1]
    if not asked or (answered and asked != n_queries(task)):
        number = f"n_queries = {n_queries(task)} queries" if answered else "at least one query"
        raise ValueError(f"{name} must be Sequences with {number} after each context, not with {asked}")
    limits = {"context": min(n_item_tokens(task), task.n_tokens), "query": task.n_tokens, "target": task.n_outputs}
    for part, limit in limits.items():
        values = getattr(sequences, part)
        low = NO_ANSWER if part == "target" and not answered else 0
        if values.size and not low <= values.min() <= values.max() < limit:
            wrong = values[(values < low) | (values >= limit)][0]
            unanswered = part == "target" and wrong == NO_ANSWER
            why = ", NO_ANSWER: learning needs an output that is right" if unanswered else ""
            raise ValueError(f"{name}.{part} must hold integers from {low} to {limit - 1}, not {wrong}{why}")
