"""Runs of the protocol with ages in bins: merits and d' of many runs, and of all runs but one.

A run keeps, for each cue, the mean ``accuracy`` of stored patterns in each bin of ages and the ``baseline``, the mean
accuracy for patterns never stored, and the means of their squares, ``square`` and ``baseline_square``, from which the
spread of single patterns follows. Bins are those of ``slotfree.forgetting.merit``, labelled by their mean age.
"""

from collections.abc import Callable
from math import ceil
from typing import TypeVar

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike, NDArray

from slotfree.forgetting.merit import merits
from slotfree.memory.kwinner import KWinnerSettings

SETTLED = 4  # wins of a unit, times ε, after which little is left of its first weights: e⁻⁴
LEAST_STORED = 1000  # patterns, before those that are tested

Table = TypeVar("Table", xr.Dataset, xr.DataArray)


def settling(settings: KWinnerSettings) -> int:
    """Return after how many patterns a new memory is in its steady state: each unit has won 4/ε times, on average."""
    wins = SETTLED / settings.learning_rate
    return max(LEAST_STORED, ceil(wins * settings.n_hidden / settings.k_hidden))


def bin_sizes(ages: ArrayLike) -> NDArray[np.int64]:
    """Return how many ages there are in each bin, from the mean ages of all bins; the first begins with age 1."""
    sizes: list[int] = []
    for mean in np.asarray(ages, np.float64):
        sizes.append(round(2 * (mean - sum(sizes)) - 1))
    return np.array(sizes, np.int64)


def binned_merits(mean: xr.Dataset) -> xr.Dataset:
    """Return the merits of memories, (…), from the means over their runs; R.D. is summed over all ages tested."""
    raw = mean["accuracy"] - mean["baseline"]
    sizes = xr.DataArray(bin_sizes(mean["age"].values), dims="age")
    found = merits(mean[["accuracy", "baseline"]].assign(raw_difference=raw))
    return found.assign(area=(raw * sizes).sum("age"))


def binned_d_prime(mean: xr.Dataset) -> xr.DataArray:
    """Return the paper's d' = R.D. over the spread of single patterns' δ, (…, age), from the means over runs.

    All runs and ages of a bin are taken together; a bin needs several ages for a spread within runs.
    """
    spread = mean["square"] - mean["accuracy"] ** 2 + mean["baseline_square"] - mean["baseline"] ** 2
    d_prime: xr.DataArray = (mean["accuracy"] - mean["baseline"]) / np.sqrt(spread)
    return d_prime


def leave_one_out(data: xr.Dataset, measure: Callable[[xr.Dataset], Table]) -> tuple[Table, Table]:
    """Return a measure of the mean over runs, (…), and of the means over all runs but one, (run, …)."""
    n = data.sizes["run"]
    total = data.sum("run")
    return measure(total / n), measure((total - data) / (n - 1))
