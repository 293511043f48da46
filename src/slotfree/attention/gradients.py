"""Gradients of a batch, without a step."""

import numpy as np

from slotfree import checks
from slotfree.attention.models import Engine, Model
from slotfree.attention.prediction import fast_key
from slotfree.attention.weights import Weights, from_slow, one_model, to_slow
from slotfree.kernels.attention.training import Scores
from slotfree.tasks.base import Task, check_sequences, reset
from slotfree.tasks.sequences import Sequences


def gradients(
    model: Model, weights: Weights, task: Task, sequences: Sequences, *, seed: checks.Seed = 0
) -> tuple[Weights, float, float]:
    """Return the gradients of a batch, summed over its sequences and their queries, its accuracy, and its loss.

    The seed draws initial fast weights. Sequences of a stream follow each other. A step of training divides the sum by
    the number of queries after each context.
    """
    one_model(weights, model, task)
    check_sequences(task, sequences)
    key = fast_key(checks.generator(seed, "fast weights"))
    return batch_gradients(model.engine(task, key, weights.drawn_by), weights, sequences, is_reset=reset(task))


def batch_gradients(
    engine: Engine, weights: Weights, sequences: Sequences, *, is_reset: bool = True
) -> tuple[Weights, float, float]:
    """The same on an engine."""
    for part in engine.gradient:
        part[:] = 0.0
    block = sequences.batches(len(sequences))._replace(reset=is_reset)
    scores = Scores(np.empty(1), np.empty(1))
    engine.train(to_slow(weights), block, np.zeros(3), scores)
    if not all(np.isfinite(part).all() for part in engine.gradient):
        raise FloatingPointError("the gradients are not finite: the weights are too large")
    return from_slow(engine.gradient), float(scores.accuracy[0]), float(scores.loss[0])
