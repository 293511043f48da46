"""What is done with sequences and streams, the same for every model: train, respond, store, ask.

A model brings its steps, which are kernels; ``setup`` is what they need besides its state.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.attention.sequences import SequenceArrays
from slotfree.kernels.attention.transformer import Array, State, descend, score
from slotfree.kernels.compile import inner, lean

Integers = NDArray[np.int64]

Scores = NamedTuple("Scores", [("accuracy", Array), ("loss", Array)])  # of each step


class Steps(NamedTuple):
    """The steps of a sequence.

    Attributes
    ----------
    start : (fast, setup, number) begins the sequence with this number.
    present : (slow, fast, activity, item, step, setup) stores an item; returns the unit that did, or the first of them.
    answer : (slow, fast, activity, query) is the query step.
    learn : (slow, fast, activity, query, target, gradient) adds the gradients of W_V and W_Q after it.
    """

    start: Callable[..., None]
    present: Callable[..., int]
    answer: Callable[..., None]
    learn: Callable[..., None]


@inner
def show(steps: Steps, state: State, context: Integers, number: int, setup: Any, starts: bool) -> None:
    """Store each item of a context, (C, T). The number chooses the initial fast weights, if the sequence starts."""
    if starts:
        steps.start(state.fast, setup, number)
    for t in range(len(context)):
        steps.present(state.slow, state.fast, state.activity, context[t], t, setup)


@lean
def train(
    steps: Steps,
    key_rule: Callable[..., None],
    state: State,
    sequences: SequenceArrays,
    setup: Any,
    rates: Array,
    scores: Scores,
    descends: bool,
) -> int:
    """Take a step of gradient descent on each batch of a block, (steps, B, C, T); or only add the gradients up.

    Gradients are summed over a batch and the queries of each sequence; accuracy and loss are means. What is stored
    stays, if sequences are a stream. Return how many steps were taken before a loss was not finite.
    """
    slow, gradient, activity = state.slow, state.gradient, state.activity
    batches: int = len(sequences.query)
    _, size, asked = sequences.query.shape
    for i in range(batches):
        right, lost = 0.0, 0.0
        for b in range(size):
            number = sequences.first + i * size + b
            show(steps, state, sequences.context[i, b], number, setup, sequences.reset or number == 0)
            for a in range(asked):
                query, target = sequences.query[i, b, a], sequences.target[i, b, a]
                steps.answer(slow, state.fast, activity, query)
                steps.learn(slow, state.fast, activity, query, target, gradient)
                key_rule(slow, state.fast, activity, slow.Q[query], target, gradient.K)
                r, e = score(activity.y_val, target)
                right += r
                lost += e
        scores.accuracy[i], scores.loss[i] = right / (size * asked), lost / (size * asked)
        if not np.isfinite(scores.loss[i]):
            return i
        if descends:
            descend(slow, gradient, rates)
    return batches


@lean
def respond(steps: Steps, state: State, sequences: SequenceArrays, setup: Any, alike: bool, out: Array) -> None:
    """Write the reported output for each query, (steps, B, A, n_outputs), to out; targets are not looked at.

    If sequences begin alike, as number 0 does, what is reported does not depend on their places; if they are a stream,
    only the first begins.
    """
    batches, size, asked = sequences.query.shape
    for i in range(batches):
        for b in range(size):
            number = 0 if alike and sequences.reset else i * size + b
            show(steps, state, sequences.context[i, b], number, setup, sequences.reset or number == 0)
            for a in range(asked):
                steps.answer(state.slow, state.fast, state.activity, sequences.query[i, b, a])
                for o in range(out.shape[3]):
                    out[i, b, a, o] = state.activity.y_val[o]


@lean
def play(
    steps: Steps,
    state: State,
    items: Integers,
    first: int,
    setup: Any,
    units: Integers,
    queries: Integers,
    after: Integers,
    out: Array,
) -> None:
    """Store items of a stream, and ask query n when item ``after[n]`` of them has been stored; ``after`` ascends.

    Parameters
    ----------
    items : (n_items, T), the first of which has the number ``first``.
    units : (n_items,), to be filled with the unit that each item is stored by.
    queries, after : (n,); −1 is before all items.
    out : (n, n_outputs), to be filled with the reported outputs.
    """
    n = 0
    for t in range(-1, len(items)):
        if t >= 0:
            units[t] = steps.present(state.slow, state.fast, state.activity, items[t], first + t, setup)
        while n < queries.size and after[n] == t:
            steps.answer(state.slow, state.fast, state.activity, queries[n])
            for o in range(out.shape[1]):
                out[n, o] = state.activity.y_val[o]
            n += 1
