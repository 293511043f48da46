"""Plain functions of a retention dataset: how much is retrieved beyond the baseline, and how reliably.

The paper groups its runs: a *sample* is a statistic of 20 runs, a curve is the mean over 10 samples, its standard
error the spread over them (SI, "Sensitivity metric d'"). With δ = ρ(real) − ρ(pseudo) for each run and age:

    R.D. = mean δ,    d' = mean δ / std δ    over the runs of a sample (population std).

Signal detection divides by the spread of single accuracies instead, so its d' is about √2 times as large: see "Two
definitions of d'" in "The memory model". With few runs, mean / std is too large on average; ``d_prime`` corrects that.

ρ is the accuracy, or another ``metric`` of ``slotfree.forgetting.agreement`` if the dataset holds it.
"""

from typing import Literal

import numpy as np
import xarray as xr
from scipy import stats
from scipy.special import gammaln, ndtri

from slotfree import checks
from slotfree.forgetting.agreement import METRICS, Metric

MOST_SAMPLES, FEWEST_RUNS = 10, 10  # of d': as many samples as the paper has, of at least this number of runs each
FEWEST_CORRECTED = 3  # runs
ROUNDING = 1e-12  # metrics are fractions of integers: a smaller spread is none


def differences(data: xr.Dataset, metric: Metric = "accuracy") -> xr.DataArray:
    """Return δ = ρ(real) − ρ(pseudo), (run, cue, age)."""
    real, pseudo = (_of_kind(data, metric, kind) for kind in ("real", "pseudo"))
    return real - pseudo


def raw_difference(data: xr.Dataset, samples: int = 10, metric: Metric = "accuracy") -> xr.DataArray:
    """Return R.D. = mean δ over the runs of each sample, (sample, cue, age)."""
    return _grouped(differences(data, metric), samples).mean("run")


def d_prime(
    data: xr.Dataset,
    samples: int | None = None,
    metric: Metric = "accuracy",
    *,
    definition: Literal["paper", "detection"] = "paper",
    corrected: bool = True,
) -> xr.DataArray:
    """Return d' of each sample of n runs, (sample, cue, age).

    - "paper": d' = mean δ / std δ, with m = n − 1 degrees of freedom;
    - "detection": d' = mean δ / √((var ρ(real) + var ρ(pseudo)) / 2), with m = 2 (n − 1).

    The second is signal detection's, √2 times the first if ρ(real) and ρ(pseudo) are independent. Where there is no
    spread, d' is infinite with the sign of δ, or 0 if δ is 0. ``curve`` counts the samples that are infinite.

    Parameters
    ----------
    samples : into which the runs are split; by default ``samples_of`` their number: at most 10, of at least 10 runs.
    definition : "paper" or "detection".
    corrected : take variances with n − 1 and multiply by Hedges' J = Γ(m/2) / (√(m/2) Γ((m − 1)/2)), which makes d'
        unbiased for normal δ; this needs 3 runs. The paper does not, False: its d' of 20 runs is too large by 7 %.

    Returns
    -------
    d', NaN where a sample has too few runs; its attributes say how it was made.
    """
    checks.one_of("definition", definition, ("paper", "detection"))
    ddof = int(checks.yes_or_no("corrected", corrected))
    samples = samples_of(data.sizes["run"]) if samples is None else samples
    real, pseudo = (_grouped(_of_kind(data, metric, kind), samples) for kind in ("real", "pseudo"))
    n = real.sizes["run"]
    mean = (real - pseudo).mean("run")
    if n < 2 + ddof:
        ratio = mean * np.nan
    else:
        spread, m = (real - pseudo).std("run", ddof=ddof), n - 1
        if definition == "detection":
            spread, m = ((real.var("run", ddof=ddof) + pseudo.var("run", ddof=ddof)) / 2) ** 0.5, 2 * (n - 1)
        spread = spread.where(spread > ROUNDING, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = (mean / spread).where((spread > 0) | (mean != 0), 0.0)
        if corrected:
            ratio = ratio * _hedges(m)
    how = {"definition": definition, "correction": "Hedges" if corrected else "none"}
    return ratio.assign_attrs(how, samples=samples, runs_per_sample=n)


def excess(runs: int) -> float:
    """Return the ratio by which the paper's d' of a sample of runs is too large on average: 1.07 for 20, NaN below 3.

    It holds for normal δ: the mean of the inverse of a standard deviation (ddof 0), relative to its inverse.
    """
    return float(np.sqrt(runs / (runs - 1)) / _hedges(runs - 1)) if runs >= FEWEST_CORRECTED else np.nan


def _hedges(m: int) -> float:
    """Return Γ(m/2) / (Γ((m − 1)/2) √(m/2)): Hedges' correction, for a spread with m degrees of freedom."""
    return float(np.exp(gammaln(m / 2) - gammaln((m - 1) / 2)) / np.sqrt(m / 2))


def samples_of(runs: int) -> int:
    """Return into how many samples runs are split: at most ten, of ten runs or more each, and as many in each."""
    return max(n for n in range(1, MOST_SAMPLES + 1) if runs % n == 0 and (n == 1 or runs // n >= FEWEST_RUNS))


def curve(samples: xr.DataArray) -> xr.Dataset:
    """Return the mean over samples and its standard error (ddof 1), over the finite ones.

    Returns
    -------
    Dataset with ``mean``, ``error`` (NaN with fewer than two finite samples) and ``n_infinite`` samples left out.
    """
    finite = samples.where(np.isfinite(samples))
    count = finite.count("sample")
    error = finite.std("sample", ddof=1) / np.sqrt(count) if samples.sizes["sample"] > 1 else count * np.nan
    return xr.Dataset({"mean": finite.mean("sample"), "error": error, "n_infinite": samples.sizes["sample"] - count})


def accuracy_curve(data: xr.Dataset, runs: int | None = None, metric: Metric = "accuracy") -> xr.Dataset:
    """Return the mean accuracy, or other metric, over (the first) runs and its standard error, (cue, kind, age)."""
    if runs is not None:
        runs = checks.integer("runs", runs, 1, data.sizes["run"], "the number of runs")
    values = _measured(data, metric).isel(run=slice(runs))
    error = values.std("run", ddof=1) / np.sqrt(values.sizes["run"])
    return xr.Dataset({"mean": values.mean("run"), "error": error})


def auc(data: xr.Dataset, metric: Metric = "accuracy", samples: int | None = None) -> xr.DataArray:
    """Return P(real > pseudo) + ½ P(real = pseudo) over all pairs of runs, (cue, age): the area under the ROC curve.

    With ``samples``, pairs are those of the runs of each sample, (sample, cue, age).
    """
    kinds = [_of_kind(data, metric, kind) for kind in ("real", "pseudo")]
    if samples is not None:
        kinds = [_grouped(values, samples) for values in kinds]
    real, pseudo = (values.transpose(..., "run") for values in kinds)
    # Ranks in the joint sample (Mann-Whitney): linear memory, where all pairs would be quadratic.
    n = real.sizes["run"]
    ranks = stats.rankdata(np.concatenate([real.values, pseudo.values], axis=-1), axis=-1)
    areas = (ranks[..., :n].sum(axis=-1) - n * (n + 1) / 2) / n**2
    return real.isel(run=0, drop=True).copy(data=areas)


def auc_d_prime(data: xr.Dataset, metric: Metric = "accuracy", samples: int | None = None) -> xr.DataArray:
    """Return √2 Φ⁻¹(AUC), (cue, age): signal detection's d', of the equal-variance Gaussians with this AUC.

    The AUC is kept half a run away from 0 and 1: a finite number of runs cannot show more, and one run nothing, NaN.
    With ``samples``, it is that of the runs of each sample, (sample, cue, age).
    """
    areas = auc(data, metric, samples)
    runs = data.sizes["run"] // (samples or 1)
    most = most_auc_d_prime(runs) if runs > 1 else np.nan
    return areas.copy(data=(np.sqrt(2) * ndtri(areas.values)).clip(-most, most))


def most_auc_d_prime(runs: int) -> float:
    """Return the largest AUC-based d' that a number of runs can show: with an AUC half a run away from 1."""
    return float(np.sqrt(2) * ndtri(1 - 0.5 / runs))


def leads(a: xr.DataArray, b: xr.DataArray, level: float = 0.01) -> xr.DataArray:
    """Return where a exceeds b: one-tailed two-sample t-test over samples (equal variances), p < level, uncorrected.

    Where a sample is infinite there is no such test, and no lead. Without any spread, a lead is any difference.
    """
    level = checks.fraction("level", level)
    x, y = a.transpose("sample", ...), b.transpose("sample", ...)
    n, m = x.sizes["sample"], y.sizes["sample"]
    if n + m < 3:
        raise ValueError(f"a and b must have at least three samples together, not {n} and {m}")
    with np.errstate(invalid="ignore"):
        difference = x.mean("sample") - y.mean("sample")
        pooled = (x.var("sample", ddof=0) * n + y.var("sample", ddof=0) * m) / (n + m - 2)
        reach = stats.t.isf(level, n + m - 2) * np.sqrt(pooled * (1 / n + 1 / m))
        lead: xr.DataArray = difference > reach
    return lead


def first_reliable_age(marks: xr.DataArray, window: int = 20, share: float = 0.8) -> xr.DataArray:
    """Return the first marked age that begins a window of which at least a share is marked, or NaN.

    Single ages are marked by chance (1 in 100); a lead is reliable from where mostly unbroken marks begin.
    """
    window = checks.integer("window", window, 1, marks.sizes["age"], "the number of ages")
    rows = marks.transpose(..., "age").values
    sums = np.cumsum(np.concatenate([np.zeros((*rows.shape[:-1], 1)), rows], axis=-1), axis=-1)
    starts = rows[..., : rows.shape[-1] - window + 1] & (sums[..., window:] - sums[..., :-window] >= share * window)
    ages = marks["age"].values[starts.argmax(axis=-1)].astype(float)
    return marks.isel(age=0, drop=True).copy(data=np.where(starts.any(axis=-1), ages, np.nan))


def lead_age(a: xr.Dataset, b: xr.Dataset, merit: str = "d_prime") -> xr.DataArray:
    """Return the age from which one predicted curve stays above another, (cue): NaN if it never does.

    Ages at which both are equal, such as those at which both are forgotten, do not end a lead.

    Parameters
    ----------
    a, b : what ``predict_retention`` returned for two memories, at the same ages; cues in both are compared.
    merit : "d_prime", "accuracy", "raw_difference" or "auc".

    Examples
    --------
    >>> import slotfree as sf
    >>> one = {"n_hidden": 100, "k_hidden": 1, "fan_in": 1, "learning_rate": 1}
    >>> lead_age(sf.predict_retention({}), sf.predict_retention(one)).values
    array([3., 3.])
    """
    checks.one_of("merit", merit, ("d_prime", "accuracy", "raw_difference", "auc"))
    for name, curve in (("a", a), ("b", b)):
        if merit not in curve or set(curve[merit].dims) - {"cue", "age"} or "age" not in curve[merit].dims:
            raise ValueError(f"{name} must be what sf.predict_retention returns, with {merit} (cue, age)")
    a, b = a.sortby("age"), b.sortby("age")
    if a["age"].values.tolist() != b["age"].values.tolist():
        raise ValueError("a and b must have the same ages")
    difference = (a[merit] - b[merit]).transpose(..., "age")
    if not difference.size:
        raise ValueError("a and b must have a cue in common")
    ages = difference["age"].values.astype(float)
    behind = np.where(difference < 0, ages, 0.0).max(axis=-1)[..., None]
    first = np.where((difference.values > 0) & (ages > behind), ages, np.inf).min(axis=-1)
    return difference.isel(age=0, drop=True).copy(data=np.where(np.isfinite(first), first, np.nan))


def check_kind(data: xr.Dataset, kind: str) -> None:
    """Raise an error if a kind of patterns was not tested."""
    if kind not in data["kind"]:
        raise ValueError(f"data must hold the kind {kind!r}, not only {data['kind'].values.tolist()}")


def _measured(data: xr.Dataset, metric: Metric) -> xr.DataArray:
    """Return a metric, (run, cue, kind, age), or raise an error if it was not measured."""
    checks.one_of("metric", metric, METRICS)
    if metric not in data:
        raise ValueError(f"data must hold the metric {metric!r}: measure it, retention(..., metrics=[{metric!r}])")
    return data[metric]


def _of_kind(data: xr.Dataset, metric: Metric, kind: str) -> xr.DataArray:
    """Return a metric of one kind of patterns, (run, cue, age), or raise an error if some of it is NaN."""
    values = _measured(data, metric)
    check_kind(data, kind)
    values = values.sel(kind=kind, drop=True)
    missing = np.flatnonzero(values.transpose("run", ...).isnull().values.reshape(values.sizes["run"], -1).any(axis=1))
    if missing.size:
        raise ValueError(f"data must hold the {metric} of every run, not NaN as in run {missing[0]} ({kind!r})")
    return values


def _grouped(delta: xr.DataArray, samples: int) -> xr.DataArray:
    """Split the runs into samples of equal size, in their order: (sample, run, ...)."""
    runs = delta.sizes["run"]
    samples = checks.integer("samples", samples, 1, runs, "the number of runs")
    if runs % samples:
        raise ValueError(f"samples must divide the number of runs, {runs}, not be {samples}")
    ordered = delta.transpose("run", ...).drop_vars("run", errors="ignore")
    values = ordered.values.reshape(samples, runs // samples, *ordered.shape[1:])
    return xr.DataArray(values, ordered.coords, ("sample", *ordered.dims))
