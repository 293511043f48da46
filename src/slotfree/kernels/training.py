"""One batch, and a block of training steps: the same for every model."""

from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from slotfree.kernels.baseline import slot_sequence as sequence
from slotfree.kernels.compile import lean, part, with_kernels
from slotfree.kernels.sequences import SequenceArrays
from slotfree.kernels.transformer import Array, descend, score

_ONE_AT_A_TIME = Lock()  # or two threads would compile the same

Scores = NamedTuple("Scores", [("accuracy", Array), ("loss", Array)])  # of each step


def batch(state: Any, sequences: SequenceArrays, i: int, setup: Any) -> tuple[float, float]:
    """Add the gradients of batch i, summed over its sequences; return its accuracy and its loss, the means over them.

    A template, in which ``sequence`` is one sequence of a model; ``setup`` is what that model needs besides its state.
    """
    right, lost = 0.0, 0.0
    size = sequences.query.shape[1]
    for b in range(size):
        sequence(state, sequences, i, b, setup)
        r, e = score(state.activity.y_val, sequences.target[i, b])
        right += r
        lost += e
    return right / size, lost / size


def train(state: Any, sequences: SequenceArrays, setup: Any, rates: Array, scores: Scores) -> int:
    """Take a step of gradient descent on each batch of a block, (steps, B, C, T).

    Return how many steps were taken before a loss was not finite. A template, in which ``batch`` is that of a model.
    """
    steps = len(sequences.query)
    for i in range(steps):
        scores.accuracy[i], scores.loss[i] = batch(state, sequences, i, setup)
        if not np.isfinite(scores.loss[i]):
            return i
        descend(state.slow, state.gradient, rates)
    return steps


def compiled(sequence: Callable[..., None], **parts: Callable[..., object]) -> tuple[Any, Any]:
    """Return ``batch`` and ``train`` of a model; always the same for the same kernels.

    Parameters
    ----------
    sequence : one sequence of the model, a kernel; or a template, if there are parts: kernels by the names in it.
    """
    with _ONE_AT_A_TIME:
        return _compiled(sequence, **parts)


@cache
def _compiled(sequence: Callable[..., None], **parts: Callable[..., object]) -> tuple[Any, Any]:
    kernel = with_kernels(sequence, part, **parts) if parts else sequence
    own_batch = with_kernels(batch, lean, sequence=kernel)
    return own_batch, with_kernels(train, lean, batch=own_batch)
