"""Old from new: what signal detection makes of familiarities, with intervals.

An observer says "old" where familiarity is above a criterion. With the familiarities of old items, F, and of new, G:

    hits, false alarms    P(F > c), P(G > c), at each criterion c; both are the ROC
    AUC                   P(F > G) + ½ P(F = G)
    2AFC                  the same for pairs of one run and age, which an observer would be shown
    d', detection         (mean F − mean G) / √((var F + var G) / 2)
    d', paper             mean δ / spread of δ = F − G of such pairs: smaller by √2 where F and G are independent
    zROC slope            of Φ⁻¹(hits) on Φ⁻¹(false alarms), by least squares; σ_G/σ_F for normal familiarities

Runs are independent; intervals are jackknifed over them.
"""

import operator
from collections.abc import Iterable
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import xarray as xr
from numpy.typing import NDArray
from scipy import stats
from scipy.special import ndtri

from slotfree import checks
from slotfree.forgetting.merit import age_edges

Floats: TypeAlias = NDArray[np.float64]
BOUNDS = ("value", "low", "high")
NAMES = ("auc", "two_choice", "d_prime", "d_prime_paper", "z_slope")
CRITERIA = 5  # between six levels of confidence, each given equally often


def detection(
    data: xr.Dataset,
    bands: Iterable[tuple[int, int]] | None = None,
    *,
    criteria: int = CRITERIA,
    level: float = 0.95,
) -> xr.Dataset:
    """Return how well old items are told from new ones, for bands of ages.

    Parameters
    ----------
    data : with ``familiarity`` (run, kind, age), as ``recognition`` returns it: kinds "real" and "pseudo".
    bands : first and last ages, [(1, 10), (11, 100)]; by default two per decade, and all ages together at the end.
    criteria : how many; they divide all familiarities of a band into equally frequent levels of confidence.
    level : how often intervals are to hold the truth, in (0, 1].

    Returns
    -------
    Dataset with ``auc``, ``two_choice``, ``d_prime`` (detection), ``d_prime_paper`` and ``z_slope`` (band, bound),
    where bounds are "value", "low" and "high", NaN for a single run; and ``hits`` and ``false_alarms`` (band,
    criterion, bound). The coordinates ``first`` and ``last`` are the ages of a band.

    Examples
    --------
    >>> import slotfree as sf
    >>> data = sf.forgetting.recognition(sf.KWinnerSettings(), runs=4, n_stored=300, n_tested=50, seed=0)
    >>> found = detection(data, [(1, 50)])
    >>> bool(found["auc"].sel(bound="value").item() > 0.9)
    True
    """
    criteria, level = checks.integer("criteria", criteria, 1), checks.fraction("level", level)
    kinds = ("real", "pseudo")
    if "familiarity" not in data or not {"run", "kind", "age"} <= set(data["familiarity"].dims):
        raise ValueError("data must hold familiarity (run, kind, age), as slotfree.forgetting.recognition returns it")
    if not set(kinds) <= set(data["kind"].values.tolist()):
        raise ValueError(f"data must hold the kinds real and pseudo, not {data['kind'].values.tolist()}")
    ordered = data["familiarity"].sortby("age")
    if not np.isfinite(ordered.values).all():
        raise ValueError("data must hold finite familiarities, and has some that are not")
    ages = ordered["age"].values
    spans = _bands(bands, ages)
    found = np.empty((len(spans), len(NAMES) + 2 * criteria, len(BOUNDS)))
    for b, (first, last) in enumerate(spans):
        some = ordered.isel(age=_of(ages, first, last))
        old, new = (some.sel(kind=kind).transpose("run", "age").values for kind in kinds)
        found[b] = jackknifed(old, new, criteria, level)
    variables = {name: (("band", "bound"), found[:, i]) for i, name in enumerate(NAMES)}
    rates = found[:, len(NAMES) :].reshape(len(spans), 2, criteria, len(BOUNDS))
    per_criterion = ("band", "criterion", "bound")
    return xr.Dataset(
        {**variables, "hits": (per_criterion, rates[:, 0]), "false_alarms": (per_criterion, rates[:, 1])},
        {
            "bound": list(BOUNDS),
            "first": ("band", [first for first, _ in spans]),
            "last": ("band", [last for _, last in spans]),
            "criterion": np.arange(1, criteria + 1),
        },
    )


def jackknifed(old: Floats, new: Floats, criteria: int = CRITERIA, level: float = 0.95) -> Floats:
    """Return the statistics of familiarities (run, pair), each with its interval, (statistic, bound)."""
    without = without_each(old, new, criteria) if len(old) > 1 else np.empty((0, len(NAMES) + 2 * criteria))
    return with_interval(statistics(old, new, criteria), without, level)


def with_interval(value: Floats, without: Floats, level: float) -> Floats:
    """Return statistics with their intervals, (statistic, bound), from those without each of the runs (run, statistic).

    The jackknife's standard error, with Student's t; NaN for less than two runs.
    """
    n = len(without)
    if n < 2:
        return np.stack([value, value * np.nan, value * np.nan], axis=1)
    error = np.sqrt((n - 1) / n * ((without - without.mean(axis=0)) ** 2).sum(axis=0))
    reach = stats.t.isf((1 - level) / 2, n - 1) * error
    return np.stack([value, value - reach, value + reach], axis=1)


def statistics(old: Floats, new: Floats, criteria: int = CRITERIA) -> Floats:
    """Return NAMES, and hits and false alarms at each criterion, the strictest first, of familiarities (run, pair)."""
    f, g, delta = np.sort(old, axis=None), np.sort(new, axis=None), (old - new).ravel()
    levels = np.quantile(np.concatenate([f, g]), _shares(criteria))
    hits, alarms = (1 - np.searchsorted(x, levels, "right") / x.size for x in (f, g))
    auc, pairs = _below(f, g).sum() / (f.size * g.size), (np.sign(delta).mean() + 1) / 2
    return _in_order(auc, pairs, f.mean() - g.mean(), (f.var() + g.var()) / 2, delta.var(), hits, alarms)


def without_each(old: Floats, new: Floats, criteria: int = CRITERIA) -> Floats:
    """Return the statistics without each of the runs, (run, statistic): what a run adds is taken from what all have.

    All familiarities are sorted once, and those of a run are looked up among them.
    """
    (runs, n_pairs), left = old.shape, old.size - old.shape[1]
    by_run = [np.sort(x, axis=1) for x in (old, new)]
    f, g = (np.sort(x, axis=None) for x in by_run)
    of_run = _below(by_run[0], g).sum(axis=1) + (f.size - _below(by_run[1], f)).sum(axis=1)
    wins = _below(f, g).sum() - of_run + [_below(*own).sum() for own in zip(*by_run, strict=True)]
    signs = np.sign(old - new).sum(axis=1)
    pairs = ((signs.sum() - signs) / left + 1) / 2
    moments = [(x.mean(axis=1), x.var(axis=1)) for x in (old, new, old - new)]

    pooled = np.concatenate([old, new], axis=1)
    order = np.argsort(pooled, axis=None)
    ordered = pooled.ravel()[order]
    places = np.argsort(order // (2 * n_pairs), kind="stable").reshape(runs, -1)  # of each run's, in order
    at = (_shares(criteria) * (2 * left - 1)).astype(int)
    part = _shares(criteria) * (2 * left - 1) - at
    found = np.empty((runs, len(NAMES) + 2 * criteria))
    for i, taken in enumerate(places - np.arange(2 * n_pairs)):
        low, high = (ordered[k + np.searchsorted(taken, k, "right")] for k in (at, at + 1))
        levels = np.where(part < 0.5, low + (high - low) * part, high - (high - low) * (1 - part))  # as np.quantile
        above = [
            (x.size - np.searchsorted(x, levels, "right")) - (n_pairs - np.searchsorted(own[i], levels, "right"))
            for x, own in zip((f, g), by_run, strict=True)
        ]
        means, variances = zip(*(_joined(np.delete(m, i), np.delete(v, i)) for m, v in moments), strict=True)
        spreads = (variances[0] + variances[1]) / 2, variances[2]
        rates = (count / left for count in above)
        found[i] = _in_order(wins[i] / left**2, pairs[i], means[0] - means[1], *spreads, *rates)
    return found


def _shares(criteria: int) -> Floats:
    """Return the quantiles at which the criteria are, the strictest first."""
    return np.arange(criteria, 0, -1) / (criteria + 1)


def _below(x: Floats, ordered: Floats) -> Floats:
    """Return how many of ordered values are below each x; equal ones count half."""
    found: Floats = (np.searchsorted(ordered, x, "left") + np.searchsorted(ordered, x, "right")) / 2
    return found


def _joined(means: Floats, variances: Floats) -> tuple[float, float]:
    """Return the mean and the variance of the values of all runs, from those of each."""
    return float(means.mean()), float(variances.mean() + means.var())


def _in_order(
    auc: float, pairs: float, difference: float, variance: float, of_pairs: float, hits: Floats, alarms: Floats
) -> Floats:
    """Return the statistics in their order; variances are those of single items, and of δ."""
    with np.errstate(divide="ignore", invalid="ignore"):
        primes = [np.divide(difference, np.sqrt(each)) for each in (variance, of_pairs)]
    return np.array([auc, pairs, *primes, z_slope(hits, alarms), *hits, *alarms])


def z_slope(hits: Floats, false_alarms: Floats) -> float:
    """Return the slope of the ROC in z-coordinates, by least squares; NaN if fewer than two points are on it.

    Rates of 0 and 1 have no z, and points that are equal count once.

    Examples
    --------
    >>> round(z_slope(np.array([0.476, 0.621, 0.722, 0.817, 0.93]), np.array([0.072, 0.153, 0.252, 0.425, 0.707])), 2)
    0.76
    """
    inside = (hits > 0) & (hits < 1) & (false_alarms > 0) & (false_alarms < 1)
    points = np.unique(np.stack([false_alarms[inside], hits[inside]]), axis=1)
    if points.shape[1] < 2 or np.ptp(points[0]) == 0:
        return float("nan")
    x, y = ndtri(points)
    return float(np.polyfit(x, y, 1)[0])


def _bands(bands: Iterable[tuple[int, int]] | None, ages: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Return bands of ages, checked."""
    youngest, oldest = int(ages[0]), int(ages[-1])
    if bands is None:
        edges = age_edges(oldest, 2).tolist()
        single = [(a, b - 1) for a, b in pairwise(edges) if _of(ages, a, b - 1).any()]
        return [*single, (youngest, oldest)] if len(single) > 1 else single
    if not isinstance(bands, Iterable) or isinstance(bands, str):
        raise TypeError(f"bands must be pairs of ages such as [(1, 10), (11, 100)], not {checks.shown(bands)}")
    found = [_band(band) for band in bands]
    for first, last in found:
        if not 1 <= first <= last <= oldest or not _of(ages, first, last).any():
            right = f"from {youngest} to {oldest}, the oldest, in order"
            raise ValueError(f"bands must be ages {right}, not {(first, last)}")
    if not found:
        raise ValueError("bands must be at least one pair of ages")
    return found


def _band(band: Any) -> tuple[int, int]:
    """Return the first and the last age of a band."""
    ends = tuple(band) if isinstance(band, Iterable) and not isinstance(band, str) else ()
    if len(ends) != 2:
        raise TypeError(f"bands must be pairs of ages such as (1, 10), not {checks.shown(band)}")
    try:
        first, last = map(operator.index, ends)
    except TypeError:
        raise TypeError(f"bands must be pairs of ages, which are integers, not {checks.shown(band)}") from None
    return first, last


def _of(ages: NDArray[np.int64], first: int, last: int) -> NDArray[np.bool_]:
    return (ages >= first) & (ages <= last)
