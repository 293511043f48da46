"""What the attention items measure in training runs: how it ends, how fast it gets there, and what emerges when."""

from collections.abc import Callable
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

Values = NDArray[np.float64]

SMOOTHED = 25  # iterations that are averaged before curves are compared or drawn
LEARNT = 0.99  # accuracy at which a run counts as having learnt the task
RESAMPLES = 2000


def ending(runs: xr.DataArray) -> Values:
    """Mean over the last fifth of training of each run: 1,000 batches of the paper's 5,000."""
    last = runs.sizes["iteration"] // 5
    values: Values = runs.isel(iteration=slice(-last, None)).mean("iteration").values
    return values


def smoothed(runs: xr.DataArray) -> xr.DataArray:
    """Means over 25 iterations, (run, iteration); a block bears the number of its first iteration."""
    return (
        runs.coarsen(iteration=SMOOTHED, boundary="trim")
        .mean()
        .assign_coords(iteration=np.arange(runs.sizes["iteration"] // SMOOTHED) * SMOOTHED)
    )


def learnt_at(accuracy: xr.DataArray) -> Values:
    """Iteration at which the smoothed accuracy of each run first reaches 0.99; infinity if it never does."""
    blocks = smoothed(accuracy)
    reached = blocks.values >= LEARNT
    first = blocks["iteration"].values[reached.argmax(axis=1)]
    return np.where(reached.any(axis=1), first, np.inf)


def half_times(data: xr.Dataset) -> dict[str, Values]:
    """Iteration at which each structure's contrast first reaches half of its final value, by run."""
    times = {}
    for name in data["structure"].values.tolist():
        contrast = data["contrast"].sel(structure=name)
        reached = contrast.values >= contrast.values[:, -1:] / 2
        times[name] = data["measured"].values[reached.argmax(axis=1)].astype(float)
    return times


def median_interval(values: Values, seed: int) -> tuple[float, tuple[float, float]]:
    """Median and its 99% bootstrap interval."""
    return _bootstrap([values], lambda medians: medians[0], seed)


def median_difference(x: Values, y: Values, seed: int) -> tuple[float, tuple[float, float]]:
    """Difference of the medians of independent runs, and its 99% bootstrap interval."""
    return _bootstrap([x, y], lambda medians: medians[0] - medians[1], seed)


def _bootstrap(
    groups: list[Values], combine: Callable[[list[Any]], Any], seed: int
) -> tuple[float, tuple[float, float]]:
    rng = np.random.default_rng(seed)
    medians = [np.median(rng.choice(group, (RESAMPLES, len(group))), axis=1) for group in groups]
    with np.errstate(invalid="ignore"):  # infinity minus infinity: neither ever learns
        found = combine([np.median(group) for group in groups])
        resampled = combine(medians)
    known = resampled[~np.isnan(resampled)]
    if not len(known):
        return float(found), (float("nan"), float("nan"))
    low, high = np.quantile(known, [0.005, 0.995], method="inverted_cdf")
    return float(found), (float(low), float(high))
