"""Curves by age of one cue level, and estimates from them: who leads, where, and from which age on."""

from itertools import pairwise

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree.forgetting import metrics
from slotfree.forgetting.fits import FIT_AGES, ExponentialFit, fit_of, fitted_part
from slotfree.forgetting.protocol import labelled
from slotfree.study import estimate
from slotfree.study.estimate import Estimate

RUNS_PER_SAMPLE = 20  # as in the paper (SI, "Sensitivity metric d'")
ACCURACY_RUNS = 100  # runs of the paper's accuracy curves
OLDER = (30, 300)  # ages of what is called older memories
RESAMPLES = 200
WINDOW = 51  # ages that are averaged before curves are compared
PER_DECADE = 6  # blocks of ages that are compared: of equal width on a logarithmic axis


def n_samples(runs: int) -> int:
    """How many samples runs make: of 20 runs each, as in the paper, or two where runs are few."""
    return max(runs // RUNS_PER_SAMPLE, 2 if runs % 2 == 0 else 1)


def d_prime(data: xr.Dataset, cue: float) -> xr.DataArray:
    """d' of each sample of runs at one cue level, (sample, age): the paper's definition, without a correction."""
    return metrics.d_prime(data.sel(cue=cue, drop=True), n_samples(data.sizes["run"]), corrected=False)


def auc_d_prime(data: xr.Dataset, cue: float) -> xr.DataArray:
    """Signal detection's d', from the AUC, of each sample of runs at one cue level, (sample, age)."""
    return metrics.auc_d_prime(data.sel(cue=cue, drop=True), samples=n_samples(data.sizes["run"]))


def raw_difference(data: xr.Dataset, cue: float) -> xr.DataArray:
    """R.D. of each sample of runs at one cue level, (sample, age)."""
    return metrics.raw_difference(data.sel(cue=cue, drop=True), n_samples(data.sizes["run"]))


def accuracy(data: xr.Dataset, cue: float, kind: str | None = None) -> xr.DataArray:
    """Accuracy of the runs that accuracy curves show, (run, age); of all kinds if none is named, (run, kind, age)."""
    runs = data["accuracy"].sel(cue=cue, drop=True).isel(run=slice(ACCURACY_RUNS))
    return runs if kind is None else runs.sel(kind=kind, drop=True)


def over_ages(samples: xr.DataArray, ages: tuple[int, int]) -> NDArray[np.float64]:
    """Mean over a range of ages in each sample, both ends included.

    Infinite values are left out; ages that are not there have no mean, NaN.
    """
    values = samples.sel(age=slice(*ages)).transpose(..., "age").values
    finite = np.isfinite(values)
    count = finite.sum(axis=1)
    means: NDArray[np.float64] = np.where(finite, values, 0).sum(axis=1) / np.where(count > 0, count, np.nan)
    return means


def lead(a: xr.DataArray, b: xr.DataArray, ages: tuple[int, int]) -> Estimate:
    """Mean of a − b over a range of ages, from the spread over samples."""
    return estimate.difference(over_ages(a, ages), over_ages(b, ages))


def blocks(first: int, last: int) -> list[tuple[int, int]]:
    """Split the ages from first to last, six blocks to a factor of ten: (1, 1), (2, 2), (3, 4), (5, 6), (7, 9)."""
    n = max(round(PER_DECADE * np.log10((last + 1) / first)), 1)
    edges = np.unique(np.geomspace(first, last + 1, n + 1).round().astype(int)).tolist()
    return [(a, b - 1) for a, b in pairwise(edges)]


def block_leads(a: xr.DataArray, b: xr.DataArray, ages: tuple[int, int]) -> list[Estimate]:
    """Mean of a − b in each block of a range of ages; their intervals hold together."""
    parts = blocks(*ages)
    return [estimate.difference(over_ages(a, part), over_ages(b, part), among=len(parts)) for part in parts]


def share_of_lead(a: xr.DataArray, b: xr.DataArray, ages: tuple[int, int]) -> Estimate:
    """Share of a range of ages at which a reliably leads b (jackknife over samples).

    A resample with repeated samples would look more certain than the data; leaving samples out does not.
    """
    part = slice(*ages)
    x, y = a.sel(age=part), b.sel(age=part)
    n = x.sizes["sample"]
    if not x.sizes["age"] or n < 3:
        return Estimate(np.nan, np.nan, np.nan)
    kept = [np.delete(np.arange(n), i) for i in range(n)]
    without = [float(metrics.leads(x.isel(sample=i), y.isel(sample=i)).mean()) for i in kept]
    found = estimate.jackknife(float(metrics.leads(x, y).mean()), without)
    return Estimate(found.value, max(found.low, 0.0), min(found.high, 1.0))


def constants(fit: ExponentialFit) -> dict[str, Estimate]:
    """C and β of an exponential fit, with the standard errors that they have in resampled runs."""
    return {
        "C": estimate.normal(fit.C, fit.C_boot.std(ddof=1)),
        "beta": estimate.normal(fit.beta, fit.beta_boot.std(ddof=1)),
    }


def r_squared(data: xr.Dataset, cue: float, ages: int = FIT_AGES) -> Estimate:
    """r² of the exponential fit to R.D. (jackknife over runs, which makes the interval rather too wide).

    Resampled runs would have a noisier mean than the runs themselves, and so a lower r².
    """
    delta = fitted_part(metrics.differences(data).sel(cue=cue), ages)
    runs = delta.values
    without = (runs.sum(axis=0) - runs) / (len(runs) - 1)
    found, *others = (fit_of(row[None], delta["age"].values).r_squared for row in (runs.mean(axis=0), *without))
    return estimate.jackknife(found, others)


def faster(a: ExponentialFit, b: ExponentialFit) -> Estimate:
    """How much faster a decays than b, β_a − β_b (bootstrap)."""
    return estimate.resampled_estimate(a.beta - b.beta, a.beta_boot - b.beta_boot)


def first_leads(a: xr.Dataset, b: xr.Dataset, cue: float, *, seed: int) -> NDArray[np.float64]:
    """Age, up to 100, from which a reliably leads b in d': in the data, and in resampled runs, (1 + resample,).

    All resamples are computed at once, as if they were cue levels of one dataset; other cue levels have the same runs.
    """
    rng = np.random.default_rng(seed)
    resampled = []
    for data in (a, b):
        young = data["accuracy"].sel(cue=cue, age=slice(100)).transpose("run", "kind", "age")
        runs = young.sizes["run"]
        chosen = rng.integers(0, runs, (RESAMPLES + 1, runs))
        chosen[0] = np.arange(runs)
        every = labelled(
            {"accuracy": young.values[chosen].swapaxes(0, 1)}, range(RESAMPLES + 1), young["kind"].values.tolist()
        )
        resampled.append(metrics.d_prime(every, n_samples(runs), corrected=False))
    starts: NDArray[np.float64] = metrics.first_reliable_age(metrics.leads(resampled[0], resampled[1])).values
    return starts


def crossing(a: xr.DataArray, b: xr.DataArray, first: int, *, seed: int) -> Estimate:
    """Age, from first on, at which a, averaged over 51 ages, overtakes b for good (bootstrap over samples)."""
    if a.sel(age=slice(first, None)).sizes["age"] < WINDOW:
        return Estimate(np.nan, np.nan, np.nan)
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
