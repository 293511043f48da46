"""What the paper's diagrams share: small models, trained in a moment, and slopes of losses by finite differences."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from slotfree.attention.baseline import BaselineTransformer
from slotfree.attention.models import Model
from slotfree.attention.training import train
from slotfree.attention.weights import Weights
from slotfree.drawing.picture import Picture
from slotfree.runs.seeds import seed_for
from slotfree.tasks.case_sequence import CaseSequenceTask

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]

STEP = 1e-5  # of finite differences: cancellation and the third derivative both leave about ten digits
ROUNDING = 1e-12  # what may differ where two computations are the same
DIFFERENCES = 1e-6  # what may differ, relative to the largest entry, where one of two is by finite differences


@lru_cache(maxsize=16)
def trained(model: Model, task: CaseSequenceTask, iterations: int, seed: int) -> Weights:
    """The weights of a small model after so many steps of training; of the paper's rates, the baseline's times 5."""
    rates = 5e-3 if isinstance(model, BaselineTransformer) else None
    root = seed_for(seed, "diagrams", repr(model))
    return train(model, task, runs=1, iterations=iterations, learning_rates=rates, seed=root, jobs=1).weights[0]


def softmax(drives: Vector) -> Vector:
    """Exponentials, normalised."""
    raised = np.exp(drives - drives.max(axis=-1, keepdims=True))
    found: Vector = raised / raised.sum(axis=-1, keepdims=True)
    return found


def slope(loss: Callable[[Matrix], float], W: Matrix) -> Matrix:
    """∂ loss / ∂ W by central differences, entry by entry."""
    found = np.empty_like(W)
    for index in np.ndindex(W.shape):
        up, down = W.copy(), W.copy()
        up[index] += STEP
        down[index] -= STEP
        found[index] = (loss(up) - loss(down)) / (2 * STEP)
    return found


def relative_difference(found: Matrix, expected: Matrix) -> float:
    """The largest difference of two arrays, relative to the largest entry of the second."""
    return float(np.abs(found - expected).max() / np.abs(expected).max())


def record(picture: Picture, panel: str, **arrays: object) -> None:
    """Add numbers that a diagram shows to its table: a row for each entry of each array that is not NaN, from 1 on."""
    for name, values in arrays.items():
        for index, value in np.ndenumerate(np.asarray(values, np.float64)):
            if np.isnan(value):
                continue
            place = " ".join(str(i + 1) for i in index)
            picture.record({"panel": panel, "what": name, "place": place, "value": float(value)})
