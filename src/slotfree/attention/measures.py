"""Measures of training: how it ends, how fast it gets there, and what emerges when."""

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree import checks

Values = NDArray[np.float64]

SMOOTHED = 25  # iterations that are averaged before curves are compared or drawn
LEARNT = 0.99  # accuracy at which a run counts as having learnt the task


def ending(runs: xr.DataArray) -> Values:
    """Mean over the last fifth of training of each run: 1,000 batches of the paper's 5,000."""
    last = runs.sizes["iteration"] // 5
    values: Values = runs.isel(iteration=slice(-last, None)).mean("iteration").values
    return values


def smoothed(runs: xr.DataArray) -> xr.DataArray:
    """Means over 25 iterations, (…, iteration); a block bears the number of its first iteration."""
    return (
        runs.coarsen(iteration=SMOOTHED, boundary="trim")
        .mean()
        .assign_coords(iteration=np.arange(runs.sizes["iteration"] // SMOOTHED) * SMOOTHED)
    )


def learnt_at(accuracy: xr.DataArray, level: float = LEARNT) -> Values:
    """Iteration at which the smoothed accuracy (…, iteration) first reaches a level, (…); infinity if it never does.

    Dimensions go by name, in any order: one of them is iteration, of 25 at least. The level is in (0, 1].
    """
    if not isinstance(accuracy, xr.DataArray):
        raise TypeError(f"accuracy must be a DataArray with the dimension iteration, not a {type(accuracy).__name__}")
    sizes = dict(accuracy.sizes)
    if sizes.get("iteration", 0) < SMOOTHED:
        raise ValueError(f"accuracy must have at least {SMOOTHED} along iteration, not the sizes {sizes}")
    blocks = smoothed(accuracy).transpose(..., "iteration")
    reached = blocks.values >= checks.fraction("level", level)
    first = blocks["iteration"].values[reached.argmax(axis=-1)]
    return np.where(reached.any(axis=-1), first, np.inf)


def half_times(data: xr.Dataset) -> dict[str, Values]:
    """Iteration at which each structure's contrast first reaches half of its final value, by run."""
    times = {}
    for name in data["structure"].values.tolist():
        contrast = data["contrast"].sel(structure=name)
        reached = contrast.values >= contrast.values[:, -1:] / 2
        times[name] = data["measured"].values[reached.argmax(axis=1)].astype(float)
    return times
