"""What checks of equations share: softmax, and slopes by finite differences."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]

STEP = 1e-5  # of finite differences: cancellation and the third derivative leave nine or ten digits
ROUNDING = 1e-12  # what may differ where two computations are the same
DIFFERENCES = 1e-6  # what may differ, relative to the largest entry, where one of two is by finite differences


def softmax(drives: Vector) -> Vector:
    """Exponentials, normalised."""
    raised = np.exp(drives - drives.max(axis=-1, keepdims=True))
    found: Vector = raised / raised.sum(axis=-1, keepdims=True)
    return found


def slope(loss: Callable[[Matrix], float], W: Matrix, step: float = STEP) -> Matrix:
    """∂ loss / ∂ W by central differences, entry by entry; for a quadratic loss exact but for rounding."""
    found = np.empty_like(W)
    for index in np.ndindex(W.shape):
        change = np.zeros_like(W)
        change[index] = step
        found[index] = (loss(W + change) - loss(W - change)) / (2 * step)
    return found


def relative_difference(found: Matrix, expected: Matrix) -> float:
    """The largest difference of two arrays, relative to the largest entry of the second."""
    return float(np.abs(found - expected).max() / np.abs(expected).max())
