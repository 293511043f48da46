"""What is done with sequences and streams, the same for every model: train, respond, store, ask.

A model brings its steps, which are kernels; ``setup`` is what they need besides its state.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.attention.transformer import Array, State, descend, score
from slotfree.kernels.compile import ZERO, lean

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


class KeyRules(NamedTuple):
    """Rules for W_K that training is compiled with at a time; it is told by a number which of them it follows."""

    first: Callable[..., None]
    second: Callable[..., None]
    third: Callable[..., None]


STREAM, ALIKE, APART = 0, 1, 2  # how sequences begin: they go on, or as number 0 does, or as their number says

Shown = NamedTuple(
    "Shown",
    [
        ("items", Integers),  # (n_items, T) the T tokens of each item, sequence after sequence
        ("first", int),  # number of the first of these items
        ("length", int),  # C, items of a sequence
        ("begin", int),  # STREAM, ALIKE or APART
    ],
)

Asked = NamedTuple(
    "Asked",
    [
        ("queries", Integers),  # (n,) the tokens that ask
        ("after", Integers),  # (n,) after which of the items each asks, ascending; -1 is before all
        ("targets", Integers),  # (n,) the outputs that are right, if they are learnt from
    ],
)


@lean
def run(
    steps: Steps,
    key_rules: KeyRules,
    rule: int,
    state: State,
    setup: Any,
    shown: Shown,
    asked: Asked,
    learns: bool,
    batch: int,
    rates: Array,
    scores: Scores,
    units: Integers,
    out: Array,
) -> int:
    """Store items one after the other, and ask meanwhile; learn from the answers, or write them down.

    Gradients are summed over a batch; accuracy and loss are means. Return how many batches were learnt from before a
    loss was not finite.

    Parameters
    ----------
    learns : whether to add gradients up, and take a step of gradient descent with each batch if ``rates`` are not 0.
    batch : queries of a batch.
    units : (n_items,), to be filled with the unit that each item is stored by.
    out : (n, n_outputs), to be filled with the reported outputs, unless they are learnt from.
    """
    slow, fast, gradient, activity = state.slow, state.fast, state.gradient, state.activity
    descends = rates[0] != 0.0 or rates[1] != 0.0 or rates[2] != 0.0
    number, step = shown.first // shown.length, shown.first % shown.length
    n, last, done, right, lost = 0, batch, 0, 0.0, 0.0
    for t in range(-1, len(shown.items)):
        if t >= 0:
            if step == 0 and shown.begin != STREAM:
                steps.start(fast, setup, number if shown.begin == APART else ZERO)
            units[t] = steps.present(slow, fast, activity, shown.items[t], step, setup)
            step += 1
            if step == shown.length:
                number, step = number + 1, 0
        while n < asked.queries.size and asked.after[n] == t:
            query = asked.queries[n]
            steps.answer(slow, fast, activity, query)
            if learns:
                target = asked.targets[n]
                steps.learn(slow, fast, activity, query, target, gradient)
                if rule == 0:
                    key_rules.first(slow, fast, activity, slow.Q[query], target, gradient.K)
                elif rule == 1:
                    key_rules.second(slow, fast, activity, slow.Q[query], target, gradient.K)
                else:
                    key_rules.third(slow, fast, activity, slow.Q[query], target, gradient.K)
                r, e = score(activity.y_val, target)
                right += r
                lost += e
            else:
                for o in range(out.shape[1]):
                    out[n, o] = activity.y_val[o]
            n += 1
            if learns and n == last:
                scores.accuracy[done], scores.loss[done] = right / batch, lost / batch
                if not np.isfinite(scores.loss[done]):
                    return done
                if descends:
                    descend(slow, gradient, rates)
                last, done, right, lost = last + batch, done + 1, 0.0, 0.0
    return done
