"""What a sweep measures in a memory: where it starts, how it fades, and how sure that is."""

from collections.abc import Iterator

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree.retention import metrics
from slotfree.retention.fits import exponential_fit

Values = NDArray[np.float64]

D_PRIME_AGES = (1, 10, 100)
WINDOW = 5  # ages that are averaged to see whether a memory is still there
RESAMPLES = 200


def memory_measures(data: xr.Dataset) -> Iterator[dict[str, float]]:
    """Yield the measures of one memory for each cue; names that end in _se are standard errors.

    initial_accuracy is that of the newest pattern; baseline that of patterns never stored;
    initial_raw_difference is R.D. at age 1, area its sum over all tested ages: C, beta and half_life = ln 2 / β
    are those of R.D. ~ C exp(−β (age − 1)) over the first fit_ages ages.

    Parameters
    ----------
    data : accuracy (run, cue, kind, age) as ``retention`` returns it.
    """
    for cue in data["cue"].values.tolist():
        one = data.sel(cue=[cue])
        accuracy = one["accuracy"].isel(cue=0)
        delta = metrics.differences(one).isel(cue=0).transpose("run", "age").values
        over_runs = {
            "initial_accuracy": accuracy.sel(kind="real", age=1).values,
            "baseline": accuracy.sel(kind="pseudo").mean("age").values,
            "initial_raw_difference": delta[:, 0],
            "area": delta.sum(axis=1),
        }
        measures: dict[str, float] = {"cue": cue}
        for name, values in over_runs.items():
            measures |= {name: float(values.mean()), f"{name}_se": _error(values)}
        yield measures | _decay(one, cue, fit_ages(delta)) | _d_primes(one)


def fit_ages(delta: Values) -> int:
    """How many ages an exponential is fitted to: about two half-lives, as far as the memory can be seen.

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


def _decay(data: xr.Dataset, cue: float, ages: int) -> dict[str, float]:
    """The exponential and its half-life: NaN where nothing can be fitted, infinite where nothing decays."""
    nan = float("nan")
    found = dict.fromkeys(("C", "C_se", "beta", "beta_se", "half_life", "half_life_se"), nan) | {"fit_ages": ages}
    if ages < 2:
        return found
    try:
        fit = exponential_fit(data, cue, ages=ages, resamples=RESAMPLES if data.sizes["run"] > 1 else 0)
    except ValueError:  # fewer than two ages with a positive R.D.
        return found
    beta_error = _spread(fit.beta_boot)
    found |= {"C": fit.C, "C_se": _spread(fit.C_boot), "beta": fit.beta, "beta_se": beta_error}
    if fit.beta <= 0:
        return found | {"half_life": float("inf")}
    half_life = float(np.log(2) / fit.beta)
    return found | {"half_life": half_life, "half_life_se": half_life * beta_error / fit.beta}


def _d_primes(data: xr.Dataset) -> dict[str, float]:
    """d' over all runs at some ages; its error is √((1 + d'²/2)/runs), that of normal δ in many runs."""
    found: dict[str, float] = {}
    runs, tested = data.sizes["run"], data.sizes["age"]
    d_prime = metrics.d_prime(data, samples=1).isel(sample=0, cue=0)
    for age in D_PRIME_AGES:
        value = float(d_prime.sel(age=age)) if runs > 1 and age <= tested else float("nan")
        error = np.sqrt((1 + value**2 / 2) / runs) if np.isfinite(value) else float("nan")
        found |= {f"d_prime_{age}": value, f"d_prime_{age}_se": float(error)}
    return found


def _error(values: Values) -> float:
    """Standard error of a mean over runs; NaN for a single one."""
    return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else float("nan")


def _spread(values: Values) -> float:
    """Standard deviation of what is finite."""
    finite = values[np.isfinite(values)]
    return float(finite.std(ddof=1)) if len(finite) > 1 else float("nan")
