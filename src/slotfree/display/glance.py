"""Small pictures of what a memory holds, for notebooks: they are drawn from a few of its numbers, and at once."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from slotfree.display import svg
from slotfree.display.html import Html

SHOWN = 10_000  # weights in a picture, at most


def some_of(weights: NDArray[Any]) -> NDArray[Any]:
    """Return some of an array's numbers, drawn evenly over all of it; all of them if they are few.

    A step of constant length would meet the same column of every row, where the step is a multiple of a row.
    """
    flat = weights.reshape(-1)
    if flat.size <= SHOWN:
        return flat
    edges = np.linspace(0, flat.size, SHOWN + 1)
    within = np.random.default_rng(0).random(SHOWN)  # the same places whenever it is shown
    places = edges[:-1] + within * np.diff(edges)
    return flat[np.minimum(places.astype(np.int64), flat.size - 1)]


def of_weights(weights: NDArray[Any]) -> Html:
    """Draw how weights from 0 to 1 are distributed, given some of them."""
    alt = f"Histogram of {weights.size:,} weights from 0 to 1; their mean is {weights.mean(dtype=np.float64):.3f}."
    return svg.histogram(weights, low=0.0, high=1.0, alt=alt, below=f"weights W', {weights.size:,} of them")


def of_share(part: float, whole: float, what: str) -> Html:
    """Draw how much of something is in use."""
    share = part / whole if whole else 0.0
    words = f"{100 * share:.0f} % of {what}"
    return svg.share(share, alt=f"A bar that is {100 * share:.0f} % full: {words}.", below=words)
