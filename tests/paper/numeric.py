"""What checks of equations share: slopes by finite differences, and what may differ."""

import numpy as np

STEP = 1e-5  # of finite differences: cancellation and the third derivative leave nine or ten digits
ROUNDING = 1e-12  # what may differ where two computations are the same
DIFFERENCES = 1e-6  # what may differ, relative to the largest entry, where one of two is by finite differences


def slope(loss, W, step=STEP):
    """∂ loss / ∂ W by central differences, entry by entry; for a quadratic loss exact but for rounding."""
    found = np.empty_like(W)
    for index in np.ndindex(W.shape):
        change = np.zeros_like(W)
        change[index] = step
        found[index] = (loss(W + change) - loss(W - change)) / (2 * step)
    return found


def relative_difference(found, expected):
    """The largest difference of two arrays, relative to the largest entry of the second."""
    return np.abs(found - expected).max() / np.abs(expected).max()
