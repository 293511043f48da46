"""A block of training steps: the same for every model."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from slotfree.kernels.attention.baseline import ask_slots as ask
from slotfree.kernels.attention.baseline import reply_slots as reply
from slotfree.kernels.attention.baseline import show_slots as show
from slotfree.kernels.attention.sequences import SequenceArrays
from slotfree.kernels.attention.transformer import Array, descend, score
from slotfree.kernels.compile import lean, once, part, with_kernels

Scores = NamedTuple("Scores", [("accuracy", Array), ("loss", Array)])  # of each step


def train(state: Any, sequences: SequenceArrays, setup: Any, rates: Array, scores: Scores, descends: bool) -> int:
    """Take a step of gradient descent on each batch of a block, (steps, B, C, T); or only add the gradients up.

    Gradients are summed over a batch and the queries of each sequence; accuracy and loss are means. Return how many
    steps were taken before a loss was not finite. A template, in which ``show`` is the context of a sequence and
    ``ask`` a query of a model; ``setup`` is what that model needs besides its state.
    """
    steps: int = len(sequences.query)
    _, size, asked = sequences.query.shape
    for i in range(steps):
        right, lost = 0.0, 0.0
        for b in range(size):
            show(state, sequences, i, b, sequences.first + i * size + b, setup)
            for a in range(asked):
                ask(state, sequences, i, b, a, setup)
                r, e = score(state.activity.y_val, sequences.target[i, b, a])
                right += r
                lost += e
        scores.accuracy[i], scores.loss[i] = right / (size * asked), lost / (size * asked)
        if not np.isfinite(scores.loss[i]):
            return i
        if descends:
            descend(state.slow, state.gradient, rates)
    return steps


def respond(state: Any, sequences: SequenceArrays, setup: Any, alike: bool, out: Array) -> None:
    """Write the reported output for each query, (steps, B, A, n_outputs), to out; targets are not looked at.

    If sequences begin alike, as number 0 does, what is reported does not depend on their places; if they are a stream,
    only the first begins. A template, as ``train`` is, in which ``reply`` is a query without gradients.
    """
    steps, size, asked = sequences.query.shape
    for i in range(steps):
        for b in range(size):
            show(state, sequences, i, b, 0 if alike and sequences.reset else i * size + b, setup)
            for a in range(asked):
                reply(state, sequences, i, b, a, setup)
                for o in range(out.shape[3]):
                    out[i, b, a, o] = state.activity.y_val[o]


class Compiled(NamedTuple):
    """The templates above, compiled for one model."""

    train: Any
    respond: Any


@once
def compiled(
    show: Callable[..., None], ask: Callable[..., None], reply: Callable[..., None], **parts: Callable[..., object]
) -> Compiled:
    """Return ``train`` and ``respond`` of a model; always the same for the same kernels.

    Parameters
    ----------
    show, ask, reply : the context of a sequence, a query with its gradients, and a query alone, of the model: kernels;
        or templates, if there are parts.
    parts : kernels by the names that they have in these templates.
    """
    steps = {"show": show, "ask": ask, "reply": reply}
    if parts:
        steps = {name: with_kernels(step, part, **_used(step, parts)) for name, step in steps.items()}
    return Compiled(*(with_kernels(template, lean, **_used(template, steps)) for template in (train, respond)))


def _used(
    template: Callable[..., object], parts: Mapping[str, Callable[..., object]]
) -> dict[str, Callable[..., object]]:
    """The parts that a template calls."""
    return {name: kernel for name, kernel in parts.items() if name in template.__code__.co_names}
