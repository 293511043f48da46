"""Curves by age of one cue level, and estimates from them: who leads, where, and from which age on."""

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree.forgetting import metrics
from slotfree.forgetting.fits import ExponentialFit
from slotfree.forgetting.protocol import labelled
from slotfree.study import estimate
from slotfree.study.estimate import Estimate

RUNS_PER_SAMPLE = 20  # as in the paper (SI, "Sensitivity metric d'")
ACCURACY_RUNS = 100  # runs of the paper's accuracy curves
OLDER = (30, 300)  # ages of what is called older memories
RESAMPLES = 200
WINDOW = 51  # ages that are averaged before curves are compared


def n_samples(runs: int) -> int:
    """How many samples runs make: of 20 runs each, as in the paper, or two where runs are few."""
    return max(runs // RUNS_PER_SAMPLE, 2 if runs % 2 == 0 else 1)


def d_prime(data: xr.Dataset, cue: float) -> xr.DataArray:
    """d' of each sample of runs at one cue level, (sample, age)."""
    return metrics.d_prime(data.sel(cue=cue, drop=True), n_samples(data.sizes["run"]))


def raw_difference(data: xr.Dataset, cue: float) -> xr.DataArray:
    """R.D. of each sample of runs at one cue level, (sample, age)."""
    return metrics.raw_difference(data.sel(cue=cue, drop=True), n_samples(data.sizes["run"]))


def accuracy(data: xr.Dataset, cue: float, kind: str) -> xr.DataArray:
    """Accuracy of the runs that accuracy curves show, (run, age)."""
    return data["accuracy"].sel(cue=cue, kind=kind, drop=True).isel(run=slice(ACCURACY_RUNS))


def over_ages(samples: xr.DataArray, ages: tuple[int, int]) -> NDArray[np.float64]:
    """Mean over a range of ages in each sample, both ends included; infinite values are left out."""
    part = samples.where(np.isfinite(samples)).sel(age=slice(*ages))
    means: NDArray[np.float64] = part.mean("age").values
    return means


def lead(a: xr.DataArray, b: xr.DataArray, ages: tuple[int, int]) -> Estimate:
    """Mean of a − b over a range of ages, from the spread over samples."""
    return estimate.difference(over_ages(a, ages), over_ages(b, ages))


def faster(a: ExponentialFit, b: ExponentialFit) -> Estimate:
    """How much faster a decays than b, β_a − β_b (bootstrap)."""
    return estimate.resampled_estimate(a.beta - b.beta, a.beta_boot - b.beta_boot)


def first_lead(a: xr.Dataset, b: xr.Dataset, cue: float, *, seed: int) -> Estimate:
    """Age, up to 100, from which a reliably leads b in d' (bootstrap over runs).

    All resamples are computed at once, as if they were cue levels of one dataset.
    """
    rng = np.random.default_rng(seed)
    resampled = []
    for data in (a, b):
        young = data["accuracy"].sel(cue=cue, age=slice(100)).transpose("run", "kind", "age")
        runs = young.sizes["run"]
        chosen = rng.integers(0, runs, (RESAMPLES + 1, runs))
        chosen[0] = np.arange(runs)
        every = labelled(young.values[chosen].swapaxes(0, 1), range(RESAMPLES + 1), young["kind"].values.tolist())
        resampled.append(metrics.d_prime(every, n_samples(runs)))
    starts = metrics.first_reliable_age(metrics.leads(resampled[0], resampled[1])).values
    return estimate.resampled_estimate(starts[0], starts[1:])


def crossing(a: xr.DataArray, b: xr.DataArray, first: int, *, seed: int) -> Estimate:
    """Age, from first on, at which a, averaged over 51 ages, overtakes b for good (bootstrap over samples)."""
    rng = np.random.default_rng(seed)
    gaps = np.zeros((RESAMPLES + 1, a.sel(age=slice(first, None)).sizes["age"]))
    for samples, sign in ((a, 1), (b, -1)):
        values = samples.transpose("sample", "age").sel(age=slice(first, None)).values
        n = len(values)
        weights = rng.multinomial(n, np.full(n, 1 / n), size=RESAMPLES + 1).astype(float)
        weights[0] = 1
        finite = np.isfinite(values)
        gaps += sign * (weights @ np.where(finite, values, 0)) / np.maximum(weights @ finite, 1)
    sums = np.cumsum(np.pad(gaps, ((0, 0), (1, 0))), axis=1)
    ahead = sums[:, WINDOW:] - sums[:, :-WINDOW] > 0
    # For good: the length of the unbroken lead at the end.
    unbroken = np.where(ahead.all(axis=1), ahead.shape[1], ahead[:, ::-1].argmin(axis=1))
    ages = np.where(unbroken > 0, first + WINDOW // 2 + ahead.shape[1] - unbroken, np.nan)
    return estimate.resampled_estimate(ages[0], ages[1:])
