"""What a sweep measures in the training of a transformer: how it ends, and how fast it gets there."""

from collections.abc import Iterator

import numpy as np
import xarray as xr

from slotfree.attention.measures import SMOOTHED, ending, learnt_at


def transformer_measures(data: xr.Dataset) -> Iterator[dict[str, float]]:
    """Yield the measures of one model, over the runs that did not diverge.

    ending is the mean over the last fifth of training; learnt_at the iteration at which the accuracy, averaged over 25
    iterations, first reaches 0.99: the median run, infinite if that one never does. learnt counts the runs that do.

    Parameters
    ----------
    data : accuracy and loss (run, iteration); NaN for runs that diverged.
    """
    kept = data.isel(run=np.flatnonzero(np.isfinite(data["accuracy"].values).all(axis=1)))
    measures: dict[str, float] = {"diverged": data.sizes["run"] - kept.sizes["run"]}
    for name in ("accuracy", "loss"):
        ends = ending(kept[name]) if kept.sizes["run"] else np.array([np.nan])
        for word, of in (("median", np.median), ("min", np.min), ("max", np.max)):
            measures[f"ending_{name}_{word}"] = float(of(ends))
    if kept.sizes["run"] and data.sizes["iteration"] >= SMOOTHED:
        times = learnt_at(kept["accuracy"])
        measures |= {"learnt": int(np.isfinite(times).sum()), "learnt_at_median": float(np.median(times))}
    else:
        measures |= {"learnt": 0, "learnt_at_median": float("nan")}
    yield measures
