"""A block of training steps: the same for every model."""

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


def train(state: Any, sequences: SequenceArrays, setup: Any, rates: Array, scores: Scores, descends: bool) -> int:
    """Take a step of gradient descent on each batch of a block, (steps, B, C, T); or only add the gradients up.

    Gradients are summed over a batch; accuracy and loss are its means. Return how many steps were taken before a loss
    was not finite. A template, in which ``sequence`` is one sequence of a model; ``setup`` is what that model needs
    besides its state.
    """
    steps, size = len(sequences.query), sequences.query.shape[1]
    for i in range(steps):
        right, lost = 0.0, 0.0
        for b in range(size):
            sequence(state, sequences, i, b, setup)
            r, e = score(state.activity.y_val, sequences.target[i, b])
            right += r
            lost += e
        scores.accuracy[i], scores.loss[i] = right / size, lost / size
        if not np.isfinite(scores.loss[i]):
            return i
        if descends:
            descend(state.slow, state.gradient, rates)
    return steps


def compiled(sequence: Callable[..., None], **parts: Callable[..., object]) -> Any:
    """Return ``train`` of a model; always the same for the same kernels.

    Parameters
    ----------
    sequence : one sequence of the model, a kernel; or a template, if there are parts: kernels by the names in it.
    """
    with _ONE_AT_A_TIME:
        return _compiled(sequence, **parts)


@cache
def _compiled(sequence: Callable[..., None], **parts: Callable[..., object]) -> Any:
    kernel = with_kernels(sequence, part, **parts) if parts else sequence
    return with_kernels(train, lean, sequence=kernel)
