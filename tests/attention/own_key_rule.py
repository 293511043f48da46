"""A key rule of one's own, in one file: the delta rule towards the query, but only after a wrong answer."""

import numba
import numpy as np

from slotfree.attention.key_rules import KeyRule


@numba.njit
def after_mistakes(slow, fast, activity, q, target, gradient):
    """2 (W_K x̃ − q) x̃ᵀ if the reported output is wrong, else 0."""
    if np.argmax(activity.y_val) != target:
        k = activity.x @ slow.K  # W_K x̃
        gradient += np.outer(activity.x, 2 * (k - q))


AFTER_MISTAKES = KeyRule("after-mistakes", after_mistakes, rates=(5e-3, 2e-4, 5e-3))
