"""How well what a memory retrieves, R, agrees with the pattern, P: the metrics that ``sf.retention`` measures.

    accuracy    ρ = |R ∩ P| / |P|      how much of the pattern is retrieved
    precision   |R ∩ P| / |R|          how much of what is retrieved belongs to the pattern; 0 if nothing is retrieved
    overlap     |R ∩ P| / |R ∪ P|      both at once (Jaccard's index)

R, P are the sets of units that are one. The paper measures accuracy. It counts hits only: a memory that retrieves ones
everywhere has an accuracy of 1. Where R and P have as many ones, precision equals accuracy, and overlap = ρ / (2 − ρ).
"""

from collections.abc import Iterable
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.kernels.theory.shared_ones import count_shared

Metric: TypeAlias = Literal["accuracy", "precision", "overlap"]
METRICS: tuple[Metric, ...] = get_args(Metric)


def checked_metrics(metrics: Iterable[Metric]) -> tuple[Metric, ...]:
    """Return the names of metrics, given as one or many, as a tuple."""
    named: tuple[Metric, ...] = (metrics,) if isinstance(metrics, str) else tuple(metrics)  # type: ignore[assignment]
    if not named or set(named) - set(METRICS) or len(set(named)) < len(named):
        raise ValueError(f"metrics must be one or more of {', '.join(METRICS)}, each once, not {checks.shown(metrics)}")
    return named


def agreement(
    retrieved: NDArray[np.uint8], patterns: NDArray[np.uint8], metrics: Iterable[Metric]
) -> dict[Metric, NDArray[np.float64]]:
    """Return metrics (T,) by name, of what was retrieved (T, n_visible) for patterns (T, n_visible), none empty."""
    hits, ones = _shared(retrieved, patterns), _shared(patterns, patterns)
    found: dict[Metric, NDArray[np.float64]] = {}
    for metric in metrics:
        if metric == "accuracy":
            found[metric] = hits / ones
        elif metric == "precision":
            found[metric] = hits / np.maximum(_shared(retrieved, retrieved), 1)
        else:
            found[metric] = hits / (_shared(retrieved, retrieved) + ones - hits)
    return found


def _shared(x: NDArray[np.uint8], y: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Return how many ones each row of x shares with that of y."""
    ones = np.empty(len(x), np.uint32)
    count_shared(np.ascontiguousarray(x), np.ascontiguousarray(y), ones)
    return ones
