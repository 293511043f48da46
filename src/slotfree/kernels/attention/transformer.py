"""What transformers with slots and without share: their slow weights, their activity, the score, and the descent.

The slow weights are ``Q`` (D, N), ``K`` (D, N) and ``V`` (n_outputs, D): W_Q and W_K transposed, so that the key of a
token is a row, and W_V. Their gradients are laid out in the same way.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.lanes import add_scaled
from slotfree.kernels.compile import inner

Array = NDArray[np.float64]

Sizes = NamedTuple(
    "Sizes",
    [
        ("n_units", int),  # n_h hidden units, or C slots: one for each item
        ("key_dim", int),  # N
        ("n_tokens", int),  # D
        ("n_outputs", int),
    ],
)

SlowWeights = NamedTuple("SlowWeights", [("Q", Array), ("K", Array), ("V", Array)])

Activity = NamedTuple(
    "Activity",
    [
        ("h", Array),  # (n_units,) drives
        ("s", Array),  # (n_units,) attention
        ("c", Array),  # (n_units,) credit
        ("x", Array),  # (D,) reinstated input x̃
        ("back", Array),  # (D,) the error carried back to the items
        ("k", Array),  # (N,) a key
        ("delta", Array),  # (N,) gradient in the key layer
        ("error", Array),  # (n_outputs,) ŷ − y
        ("y_hat", Array),  # (n_outputs,) output that is trained
        ("y_val", Array),  # (n_outputs,) output that is reported
    ],
)

State = NamedTuple(
    "State",
    [
        ("slow", SlowWeights),
        ("gradient", SlowWeights),
        ("activity", Activity),
        ("fast", Any),  # what holds the context: slots, or fast weights as the storage lays them out
    ],
)


def empty_activity(sizes: Sizes) -> Activity:
    """Return room for the activity of all layers."""
    n_units, key_dim, n_tokens, n_outputs = sizes
    units, layers = (n_units,) * 3, (n_tokens, n_tokens, key_dim, key_dim, n_outputs, n_outputs, n_outputs)
    return Activity(*(np.zeros(size) for size in (*units, *layers)))


def empty_slow(sizes: Sizes) -> SlowWeights:
    """Return weights, or gradients, of 0."""
    keys = (sizes.n_tokens, sizes.key_dim)
    return SlowWeights(np.zeros(keys), np.zeros(keys), np.zeros((sizes.n_outputs, sizes.n_tokens)))


@inner
def against(target: int, y_hat: Array, error: Array) -> None:
    """error = ŷ − y, with the one-hot y of the target."""
    for o in range(error.size):
        error[o] = y_hat[o]
    error[target] -= 1.0


@inner
def score(y_val: Array, target: int) -> tuple[float, float]:
    """Return whether the reported output is right (1 or 0), and its squared error.

    The answer is the largest output; of equal ones, the first.
    """
    wrong = y_val[target] - 1.0
    answer, squares = 0, wrong * wrong
    for o in range(y_val.size):
        if y_val[o] > y_val[answer]:
            answer = o
        if o != target:
            squares += y_val[o] * y_val[o]
    return (1.0 if answer == target else 0.0), squares


@inner
def descend(slow: SlowWeights, gradient: SlowWeights, rates: Array) -> None:
    """W ← W − η ∂L/∂W for W_Q, W_K, W_V, each with its own η; then the gradients are 0."""
    for n, (W, G) in enumerate(((slow.Q, gradient.Q), (slow.K, gradient.K), (slow.V, gradient.V))):
        for row in range(W.shape[0]):
            add_scaled(G[row], -rates[n], W[row])
            for column in range(W.shape[1]):
                G[row, column] = 0.0
