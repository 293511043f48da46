"""Exponential decay: R.D.(a) ~ C exp(−β (a − 1)) (SI, "Raw Difference Metric")."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree import checks
from slotfree.forgetting.agreement import Metric
from slotfree.forgetting.metrics import differences

FIT_AGES = 200  # ages to which the paper fits, from 1
LEAST_AGES = 2  # with which there is a line


@dataclass(frozen=True)
class ExponentialFit:
    """A least-squares line through log R.D., and bootstrap values of its constants if there are any.

    Attributes
    ----------
    C, beta : the constants.
    r_squared : of the line, in log R.D.
    n_ages : ages used; those with R.D. ≤ 0 have no logarithm and are left out.
    C_boot, beta_boot : constants of fits to resampled runs.
    """

    C: float
    beta: float
    r_squared: float
    n_ages: int
    C_boot: NDArray[np.float64]
    beta_boot: NDArray[np.float64]

    def interval(self, name: str, level: float = 0.95) -> tuple[float, float]:
        """Return the bootstrap interval of "C" or "beta"; level, in (0, 1], is the share of resamples within it."""
        level = checks.fraction("level", level)
        if name not in ("C", "beta"):
            raise ValueError(f"name must be 'C' or 'beta', not {checks.shown(name)}")
        values = self.C_boot if name == "C" else self.beta_boot
        if not len(values):
            raise ValueError("an interval needs resamples ≥ 1, not 0")
        low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
        return float(low), float(high)


def exponential_fit(
    data: xr.Dataset,
    cue: float,
    *,
    ages: int = FIT_AGES,
    resamples: int = 1000,
    seed: int = 0,
    metric: Metric = "accuracy",
) -> ExponentialFit:
    """Fit R.D. of one cue level over ages 1..ages, ordinary least squares of log R.D. on (age − 1).

    Parameters
    ----------
    data : what ``retention`` returned.
    cue : the cue level.
    ages : the oldest age that is used. All ages up to it that there are enter the fit, two at least: if fewer patterns
        were tested, as many as were.
    resamples : bootstrap resamples of the runs, for intervals; 0 for none.
    seed : of the bootstrap.
    metric : of which R.D. is taken.
    """
    checks.integer("resamples", resamples, 0)
    ages = checks.integer("ages", ages, LEAST_AGES)
    if cue not in data["cue"]:
        raise ValueError(f"cue must be one of {np.atleast_1d(data['cue'].values).tolist()}, not {checks.shown(cue)}")
    delta = fitted_part(differences(data, metric).sel(cue=cue), ages)
    return fit_of(resampled_means(delta.values, resamples, checks.integer("seed", seed, 0)), delta["age"].values)


def fitted_part(delta: xr.DataArray, ages: int = FIT_AGES) -> xr.DataArray:
    """Return δ of one cue level at the ages from 1 to ages that there are, (run, age)."""
    part = delta.transpose("run", "age").sortby("age").sel(age=slice(1, ages))
    if part.sizes["age"] < LEAST_AGES:
        raise ValueError(
            f"data must hold at least {LEAST_AGES} ages from 1 to {ages} for an exponential, not {part.sizes['age']}"
        )
    return part


def resampled_means(runs: NDArray[np.float64], resamples: int, seed: int = 0) -> NDArray[np.float64]:
    """Return the mean over runs (run, age), and below it the means of bootstrap resamples of the runs."""
    n = len(runs)
    weights = np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n), size=resamples) / n
    return np.vstack([runs.mean(axis=0), weights @ runs])


def fit_of(curves: NDArray[np.float64], ages: NDArray[Any]) -> ExponentialFit:
    """Fit R.D. curves (row, age) at any ages: the first is the fit, the others its bootstrap values."""
    C, beta, r_squared, n_ages = _lines(curves, ages - 1.0)
    if n_ages[0] < LEAST_AGES:
        raise ValueError("an exponential needs at least two ages with a positive R.D.; use more runs or younger ages")
    return ExponentialFit(float(C[0]), float(beta[0]), float(r_squared[0]), int(n_ages[0]), C[1:], beta[1:])


def _lines(curves: NDArray[np.float64], since: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
    """Fit a line to the logarithm of each curve (row), where it is positive: C, β, r² and the number of ages used."""
    used = curves > 0
    n = used.sum(axis=1)
    log = np.log(np.where(used, curves, 1.0))
    with np.errstate(invalid="ignore", divide="ignore"):
        age = np.where(used, since, 0.0)
        mean_age, mean_log = age.sum(axis=1) / n, log.sum(axis=1) / n
        x = np.where(used, age - mean_age[:, None], 0.0)
        y = np.where(used, log - mean_log[:, None], 0.0)
        slope = (x * y).sum(axis=1) / (x * x).sum(axis=1)
        total = (y * y).sum(axis=1)
        residual = ((y - slope[:, None] * x) ** 2).sum(axis=1)
        r_squared = np.where(total > 0, 1 - residual / total, 1.0)
    return np.exp(mean_log - slope * mean_age), -slope, r_squared, n
