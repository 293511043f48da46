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
    hits = _ones(retrieved & patterns)
    found: dict[Metric, NDArray[np.float64]] = {}
    for metric in metrics:
        if metric == "accuracy":
            found[metric] = hits / _ones(patterns)
        elif metric == "precision":
            found[metric] = hits / np.maximum(_ones(retrieved), 1)
        else:
            found[metric] = hits / _ones(retrieved | patterns)
    return found


def _ones(rows: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Return the number of ones of each row; twice as quick as a sum of 64 bits."""
    ones: NDArray[np.uint32] = rows.sum(axis=1, dtype=np.uint32)
    return ones
