"""What several items compute the same way: samples, leads, and claims about who leads where."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray
from scipy import stats

from slotfree.forgetting import metrics
from slotfree.forgetting.fits import ExponentialFit
from slotfree.forgetting.protocol import labelled
from slotfree.paper.items import Context


def d_prime(context: Context, experiment: str, cue: float) -> xr.DataArray:
    """d' of each sample at one cue level, (sample, age)."""
    data = context.results[experiment].sel(cue=cue, drop=True)
    return metrics.d_prime(data, n_samples(context, data))


def raw_difference(context: Context, experiment: str, cue: float) -> xr.DataArray:
    """R.D. of each sample at one cue level, (sample, age)."""
    data = context.results[experiment].sel(cue=cue, drop=True)
    return metrics.raw_difference(data, n_samples(context, data))


def n_samples(context: Context, data: xr.Dataset) -> int:
    """How many samples the runs of an experiment make; a sample has as many runs in all experiments."""
    return max(1, data.sizes["run"] // context.scale.runs_per_sample)


def accuracy(context: Context, experiment: str, cue: float, kind: str) -> xr.DataArray:
    """Accuracy of the runs that accuracy curves show, (run, age)."""
    runs = slice(context.scale.accuracy_runs)
    return context.results[experiment]["accuracy"].sel(cue=cue, kind=kind, drop=True).isel(run=runs)


def over_ages(samples: xr.DataArray, first: int, last: int) -> xr.DataArray:
    """Mean over a range of ages in each sample; infinite values are left out."""
    part = samples.where(np.isfinite(samples)).sel(age=slice(first, last))
    return part.mean("age")


def lead_over_ages(a: xr.DataArray, b: xr.DataArray, first: int, last: int) -> tuple[float, tuple[float, float]]:
    """Mean of a − b over a range of ages, with a 99% interval from the spread over samples."""
    x, y = (over_ages(samples, first, last).values for samples in (a, b))
    return difference_interval(x, y)


def difference_interval(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[float, tuple[float, float]]:
    """Difference of two means of independent values and its 99% interval (Welch's t)."""
    u, v = x.var(ddof=1) / len(x), y.var(ddof=1) / len(y)
    difference = float(x.mean() - y.mean())
    freedom = (u + v) ** 2 / (u**2 / (len(x) - 1) + v**2 / (len(y) - 1)) if u + v > 0 else 1.0
    reach = float(stats.t.isf(0.005, freedom) * np.sqrt(u + v))
    return difference, (difference - reach, difference + reach)


def mean_interval(values: NDArray[np.float64]) -> tuple[float, tuple[float, float]]:
    """Mean of independent values and its 99% interval (Student's t)."""
    mean = float(values.mean())
    reach = float(stats.t.isf(0.005, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values)))
    return mean, (mean - reach, mean + reach)


def faster(a: ExponentialFit, b: ExponentialFit) -> tuple[float, tuple[float, float]]:
    """How much faster a decays than b, β_a − β_b, and its 99% bootstrap interval."""
    low, high = np.quantile(a.beta_boot - b.beta_boot, [0.005, 0.995])
    return a.beta - b.beta, (float(low), float(high))


def first_lead(
    context: Context, a: str, b: str, cue: float, *, resamples: int = 200
) -> tuple[float, tuple[float, float]]:
    """Age, up to 100, from which experiment a reliably leads b in d', and a 98% interval from bootstrap over runs.

    All resamples are computed at once, as if they were cue levels of one dataset.
    """
    rng = np.random.default_rng(context.seed)
    resampled = []
    for name in (a, b):
        accuracy = context.results[name]["accuracy"].sel(cue=cue, age=slice(100)).transpose("run", "kind", "age")
        runs = accuracy.sizes["run"]
        chosen = rng.integers(0, runs, (resamples + 1, runs))
        chosen[0] = np.arange(runs)
        data = labelled(accuracy.values[chosen].swapaxes(0, 1), range(resamples + 1), accuracy["kind"].values.tolist())
        resampled.append(metrics.d_prime(data, context.scale.samples))
    starts = metrics.first_reliable_age(metrics.leads(resampled[0], resampled[1])).values
    found = starts[1:][np.isfinite(starts[1:])]
    # If many resamples have no start, neither has the interval.
    low, high = np.quantile(found, [0.01, 0.99]) if len(found) >= 0.9 * resamples else (np.nan, np.nan)
    return float(starts[0]), (float(low), float(high))


def curve_table(curves: Mapping[Any, xr.DataArray], names: list[str]) -> tuple[list[str], list[list[object]]]:
    """Curves by age as the rows of a table: the key's words, age, mean, standard error."""
    rows: list[list[object]] = []
    for key, samples in curves.items():
        members = next(str(name) for name in samples.dims if name != "age")
        summary = metrics.curve(samples.rename({members: "sample"}))
        for age, mean, error in zip(
            summary["age"].values.tolist(),
            summary["mean"].values.tolist(),
            summary["error"].values.tolist(),
            strict=True,
        ):
            rows.append([*key, age, round(mean, 6), round(error, 6)])
    return [*names, "age", "mean", "standard_error"], rows


def crossing(
    a: xr.DataArray, b: xr.DataArray, first: int, *, resamples: int = 200, seed: int = 0
) -> tuple[float, tuple[float, float]]:
    """Age, from first on, at which a smoothed over 51 ages overtakes b for good, and a 98% bootstrap interval."""
    rng = np.random.default_rng(seed)
    gaps = np.zeros((resamples + 1, a.sel(age=slice(first, None)).sizes["age"]))
    for samples, sign in ((a, 1), (b, -1)):
        values = samples.transpose("sample", "age").sel(age=slice(first, None)).values
        n = len(values)
        weights = rng.multinomial(n, np.full(n, 1 / n), size=resamples + 1).astype(float)
        weights[0] = 1
        finite = np.isfinite(values)
        gaps += sign * (weights @ np.where(finite, values, 0)) / np.maximum(weights @ finite, 1)
    sums = np.cumsum(np.pad(gaps, ((0, 0), (1, 0))), axis=1)
    ahead = sums[:, 51:] - sums[:, :-51] > 0
    # For good: the length of the unbroken lead at the end.
    lead = np.where(ahead.all(axis=1), ahead.shape[1], ahead[:, ::-1].argmin(axis=1))
    ages = np.where(lead > 0, first + 25 + ahead.shape[1] - lead, np.nan)
    low, high = np.nanquantile(ages[1:], [0.01, 0.99]) if np.isfinite(ages[1:]).any() else (np.nan, np.nan)
    return float(ages[0]), (float(low), float(high))
