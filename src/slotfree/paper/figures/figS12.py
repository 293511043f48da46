"""Figure S12: how the baseline learns, with the gradients that the paper ran."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from slotfree.paper.shared.emergence import draw, half, periods
from slotfree.paper.shared.transformers import PUBLISHED, training
from slotfree.study import Estimate, Item, Results, estimate, measure

UNTIL = 2500  # iteration at which the axes end
APPEARS = 900  # iteration at which, in the paper's run, structure in keys and queries begins to appear


@measure
def with_second_descent(r: Results) -> Estimate:
    """Correlation over runs of where the loss falls steepest again and where query–key contrast is at its half."""
    steepest, reached = periods(PUBLISHED, 2)(r).steepest[:, 1], half(PUBLISHED, "query-key")(r)
    rows = np.stack([steepest, reached], axis=1)
    return estimate.bootstrap(lambda found: found, rows, of=correlations, seed=r.seed)


def correlations(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Correlation of two quantities in many resampled groups, (resamples, n, 2) to (resamples,), for ``bootstrap``."""
    x, y = np.moveaxis(rows - rows.mean(axis=1, keepdims=True), -1, 0)
    with np.errstate(invalid="ignore"):
        return np.asarray((x * y).sum(axis=1) / np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1)))


ITEM = Item(
    name="figS12",
    number="Figure S12",
    title="How the baseline learns",
    text="First the values learn case, and accuracy waits; then queries and keys take shape, together, and the loss "
    "falls a second time. Panel D counts it over all runs: the curve of the values rises long before the other two, "
    "which lie on each other.",
    alt="Accuracy and loss of one run of the baseline with four marked iterations; heat maps of values, keys and "
    "queries at these iterations, in which structure appears from left to right; and the strength of the three "
    "structures along training, over all runs.",
    experiments=(training(PUBLISHED),),
    draw=partial(draw, PUBLISHED, UNTIL),
)
