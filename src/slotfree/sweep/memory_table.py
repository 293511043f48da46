"""What a sweep measures in a memory: how accurate it is at first and how it fades, with standard errors."""

from collections.abc import Iterator

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree.forgetting import metrics
from slotfree.forgetting.fits import exponential_fit, resampled_means
from slotfree.forgetting.merit import half_life

Values = NDArray[np.float64]

D_PRIME_AGES = (1, 10, 100)
WINDOW = 5  # ages that are averaged to see whether a memory is still there
RESAMPLES = 200


def memory_measures(data: xr.Dataset) -> Iterator[dict[str, float]]:
    """Yield the measures of one memory for each cue; names that end in _se are standard errors.

    initial_accuracy, baseline, initial_raw_difference, half_life and area are merits
    (``slotfree.forgetting.merit``): the baseline is a mean over all tested ages, R.D. is accuracy less baseline, and
    the area is a sum over all tested ages. C and beta are the constants of R.D. ~ C exp(−β (age − 1)), fitted to the
    first fit_ages ages. Where R.D. is not an exponential, the half-life is not ln 2 / β.

    Parameters
    ----------
    data : accuracy (run, cue, kind, age) as ``retention`` returns it.
    """
    for cue in data["cue"].values.tolist():
        one = data.sel(cue=[cue])
        accuracy = one["accuracy"].isel(cue=0)
        delta = metrics.differences(one).isel(cue=0).transpose("run", "age").values
        newest, baseline = accuracy.sel(kind="real", age=1).values, accuracy.sel(kind="pseudo").mean("age").values
        over_runs = {
            "initial_accuracy": newest,
            "baseline": baseline,
            "initial_raw_difference": newest - baseline,
            "area": delta.sum(axis=1),
        }
        measures: dict[str, float] = {"cue": cue}
        for name, values in over_runs.items():
            measures |= {name: float(values.mean()), f"{name}_se": _error(values)}
        ages = fit_ages(delta)
        yield measures | _constants(one, cue, ages) | _half_life(accuracy) | {"fit_ages": ages} | _d_primes(one)


def fit_ages(delta: Values) -> int:
    """Return how many ages an exponential is fitted to: about two half-lives, as far as the memory can be seen.

    The fit ends where the mean R.D. of five ages falls to a quarter of what it was at first, so that slow and fast
    memories are compared over the same part of their decay: about 250 ages for the paper's K-winner, where the paper
    has 200. It ends before that where this mean falls to twice the standard error of one age: ages with R.D. ≤ 0 have
    no logarithm, and where a memory is lost the others alone would look like one that does not decay.

    Parameters
    ----------
    delta : δ, (run, age).
    """
    mean = delta.mean(axis=0)
    runs = len(delta)
    error = np.sqrt(delta.var(axis=0, ddof=1).mean() / runs) if runs > 1 else 0.0
    sums = np.concatenate([[0.0], np.cumsum(mean)])
    ends = np.minimum(np.arange(len(mean)) + WINDOW, len(mean))
    ahead = (sums[ends] - sums[:-1]) / (ends - np.arange(len(mean)))
    gone = np.flatnonzero(ahead <= max(ahead[0] / 4, 2 * error, metrics.ROUNDING))
    return int(gone[0]) if len(gone) else len(mean)


def _constants(data: xr.Dataset, cue: float, ages: int) -> dict[str, float]:
    """Return the constants of the exponential: NaN where nothing can be fitted."""
    try:
        fit = exponential_fit(data, cue, ages=ages, resamples=_resamples(data))
    except ValueError:  # fewer than two ages, or fewer with a positive R.D.
        return dict.fromkeys(("C", "C_se", "beta", "beta_se"), float("nan"))
    return {"C": fit.C, "C_se": _spread(fit.C_boot), "beta": fit.beta, "beta_se": _spread(fit.beta_boot)}


def _half_life(accuracy: xr.DataArray) -> dict[str, float]:
    """Return the half-life and its bootstrap error.

    The error is infinite where some resample of the runs has no half-life: nothing at first, or more than half at last.
    """
    baseline = accuracy.sel(kind="pseudo").mean("age")
    runs = (accuracy.sel(kind="real") - baseline).transpose("run", "age").values
    means = resampled_means(runs, _resamples(accuracy))
    curves = xr.Dataset({"raw_difference": (("resample", "age"), means)}, {"age": accuracy["age"]})
    value, *others = half_life(curves).values
    error = _spread(np.array(others)) if np.isfinite(others).all() else float("inf")
    return {"half_life": float(value), "half_life_se": error}


def _resamples(data: xr.Dataset | xr.DataArray) -> int:
    return RESAMPLES if data.sizes["run"] > 1 else 0


def _d_primes(data: xr.Dataset) -> dict[str, float]:
    """Return the paper's d' over all runs at some ages; its error is √((1 + d'²/2)/runs), of normal δ in many runs."""
    found: dict[str, float] = {}
    runs, tested = data.sizes["run"], data.sizes["age"]
    d_prime = metrics.d_prime(data, samples=1).isel(sample=0, cue=0)
    for age in D_PRIME_AGES:
        value = float(d_prime.sel(age=age)) if age <= tested else float("nan")
        error = np.sqrt((1 + value**2 / 2) / runs) if np.isfinite(value) else float("nan")
        found |= {f"d_prime_{age}": value, f"d_prime_{age}_se": float(error)}
    return found


def _error(values: Values) -> float:
    """Return the standard error of a mean over runs; NaN for a single run."""
    return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else float("nan")


def _spread(values: Values) -> float:
    """Return the standard deviation of the finite values."""
    finite = values[np.isfinite(values)]
    return float(finite.std(ddof=1)) if len(finite) > 1 else float("nan")
