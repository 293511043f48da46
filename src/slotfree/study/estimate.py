"""Estimates: numbers with their 99 % uncertainty. Every interval that is shown or judged is made here.

``among`` several numbers that are judged together, each interval is wider, so that all of them hold with 99 %.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

Values = NDArray[np.float64]

TAIL = 0.005  # probability beyond each end of an interval
NORMAL = float(stats.norm.isf(TAIL))  # standard errors from the middle of a normal distribution to an end: 2.576
RESAMPLES = 2000


@dataclass(frozen=True)
class Estimate:
    """A number and the ends of its 99 % interval; both are the number if it has no sampling error, NaN if not known.

    >>> abs(Estimate(-2, -3, -1))
    Estimate(value=2, low=1, high=3)
    """

    value: float
    low: float
    high: float

    def __neg__(self) -> "Estimate":
        return Estimate(-self.value, -self.high, -self.low)

    def __abs__(self) -> "Estimate":
        low, high = sorted((abs(self.low), abs(self.high)))
        return Estimate(abs(self.value), 0.0 if self.low <= 0 <= self.high else low, high)

    @property
    def reach(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


def exact(value: float) -> Estimate:
    """A number without sampling error."""
    return Estimate(float(value), float(value), float(value))


def normal(value: float, error: float) -> Estimate:
    """A number with a normal distribution of known standard error."""
    return _around(value, NORMAL * float(error))


def mean(values: ArrayLike, *, among: int = 1) -> Estimate:
    """Mean of independent values, or of differences of pairs (Student's t); ``among`` several judged together."""
    x = np.asarray(values, np.float64)
    if len(x) < 2:
        return Estimate(float(x.mean()) if len(x) else np.nan, np.nan, np.nan)
    error = x.std(ddof=1) / np.sqrt(len(x))
    return _around(x.mean(), stats.t.isf(TAIL / among, len(x) - 1) * error)


def deviation(values: ArrayLike) -> Estimate:
    """Standard deviation of independent values that have a normal distribution."""
    x = np.asarray(values, np.float64)
    if len(x) < 2:
        return Estimate(np.nan, np.nan, np.nan)
    freedom = len(x) - 1
    value = x.std(ddof=1)
    low, high = (value * np.sqrt(freedom / stats.chi2.isf(tail, freedom)) for tail in (TAIL, 1 - TAIL))
    return Estimate(float(value), float(low), float(high))


def means(rows: ArrayLike) -> list[Estimate]:
    """Mean of each of several quantities over independent runs, (n, …)."""
    x = np.asarray(rows, np.float64)
    return [mean(column) for column in x.reshape(len(x), -1).T]


def difference(x: ArrayLike, y: ArrayLike, *, among: int = 1) -> Estimate:
    """Mean of x less that of y, of independent values (Welch's t); ``among`` several that are judged together."""
    a, b = np.asarray(x, np.float64), np.asarray(y, np.float64)
    if min(len(a), len(b)) < 2:
        return Estimate(float(a.mean() - b.mean()) if min(len(a), len(b)) else np.nan, np.nan, np.nan)
    u, v = a.var(ddof=1) / len(a), b.var(ddof=1) / len(b)
    freedom = (u + v) ** 2 / (u**2 / (len(a) - 1) + v**2 / (len(b) - 1)) if u + v > 0 else 1.0
    return _around(a.mean() - b.mean(), stats.t.isf(TAIL / among, freedom) * np.sqrt(u + v))


def smallest_of(estimates: Iterable[Estimate]) -> Estimate:
    """The smallest of several numbers: value and ends of the interval are the smallest of theirs.

    It lies above a limit if all of the numbers reliably do; to err, all of them would have to err together.
    """
    return _extreme(np.min, estimates)


def largest_of(estimates: Iterable[Estimate]) -> Estimate:
    """The largest of several numbers, which lies below a limit if every one of them reliably does."""
    return _extreme(np.max, estimates)


def clearest_of(estimates: Iterable[Estimate]) -> Estimate:
    """Of several differences, the one that is farthest from 0 for the width of its interval: if it is 0, all are.

    The intervals must hold together: ``among`` them.
    """
    every = list(estimates)
    if any(np.isnan(e.reach) for e in every):
        return Estimate(np.nan, np.nan, np.nan)
    return max(every, key=lambda e: np.inf if e.reach == 0 < abs(e.value) else abs(e.value) / (e.reach or 1))


def _extreme(of: Callable[..., Any], estimates: Iterable[Estimate]) -> Estimate:
    value, low, high = of([(e.value, e.low, e.high) for e in estimates], axis=0)  # NaN if one of them is
    return Estimate(float(value), float(low), float(high))


def share(count: int, of: int) -> Estimate:
    """Share of independent trials in which something happened (Clopper and Pearson's interval)."""
    if of < 1:
        return Estimate(np.nan, np.nan, np.nan)
    low = 0.0 if count == 0 else float(stats.beta.isf(1 - TAIL, count, of - count + 1))
    high = 1.0 if count == of else float(stats.beta.isf(TAIL, count + 1, of - count))
    return Estimate(count / of, low, high)


def median(values: ArrayLike, *, seed: int = 0) -> Estimate:
    """Median of independent values (bootstrap)."""
    return bootstrap(lambda middle: middle, values, of=medians, seed=seed)


def median_difference(x: ArrayLike, y: ArrayLike, *, seed: int = 0) -> Estimate:
    """Median of x less that of y, of independent values (bootstrap)."""
    return bootstrap(lambda a, b: a - b, x, y, of=medians, seed=seed)


def chance_above(x: ArrayLike, y: ArrayLike, *, seed: int = 0) -> Estimate:
    """Chance that a value of x is larger than one of y, of independent values (bootstrap)."""

    def chance(a: Values, b: Values) -> Values:
        above: Values = (a[..., :, None] > b[..., None, :]).mean(axis=(-2, -1))
        return above

    return bootstrap(chance, x, y, of=lambda rows: rows, seed=seed)


def medians(rows: Values) -> Values:
    """Medians of many resampled groups, (resamples, n, …) to (resamples, …), for ``bootstrap``."""
    found: Values = np.median(rows, axis=1)
    return found


def bootstrap(
    combine: Callable[..., Any], *groups: ArrayLike, of: Callable[[Values], Values], seed: int = 0
) -> Estimate:
    """A statistic of groups of independent values, with the percentiles that it has in resampled groups.

    Parameters
    ----------
    combine : of one statistic for each group, the number that is estimated.
    groups : the values of each group, (n,) or (n, …).
    of : the statistic of many resampled groups at once, (resamples, n, …) to (resamples, …).
    """
    rng = np.random.default_rng(seed)
    arrays = [np.asarray(group, np.float64) for group in groups]
    if min(len(x) for x in arrays) < 2:
        known = all(len(x) for x in arrays)
        return Estimate(float(combine(*(of(x[None])[0] for x in arrays))) if known else np.nan, np.nan, np.nan)
    chosen = [rng.integers(0, len(x), (RESAMPLES, len(x))) for x in arrays]
    with np.errstate(invalid="ignore"):  # infinity less infinity: neither group has a finite statistic
        found = combine(*(of(x[None])[0] for x in arrays))
        resampled = combine(*(of(x[i]) for x, i in zip(arrays, chosen, strict=True)))
    return resampled_estimate(found, resampled)


def resampled_estimate(value: float, resampled: ArrayLike) -> Estimate:
    """A statistic with its values in resampled data; unknown if more than a tenth of these are."""
    values = np.asarray(resampled, np.float64)
    known = values[~np.isnan(values)]
    if not len(known) or len(known) < 0.9 * len(values):
        return Estimate(float(value), np.nan, np.nan)
    low, high = np.quantile(known, [TAIL, 1 - TAIL], method="inverted_cdf")
    return Estimate(float(value), float(low), float(high))


def jackknife(value: float, without: ArrayLike, *, among: int = 1) -> Estimate:
    """A statistic, with its values without each of n independent parts of the data, (n,); ``among`` several."""
    n = len(np.asarray(without))
    if n < 2:
        return Estimate(float(value), np.nan, np.nan)
    return _around(value, stats.t.isf(TAIL / among, n - 1) * jackknife_error(without))


def jackknife_error(without: ArrayLike) -> float:
    """Standard error of a statistic from its values without each of n independent parts of the data, (n,)."""
    values = np.asarray(without, np.float64)
    n = len(values)
    with np.errstate(invalid="ignore"):  # an infinite value has an unknown error
        return float(np.sqrt((n - 1) / n * ((values - values.mean()) ** 2).sum()))


def chosen_largest(values: ArrayLike, errors: ArrayLike) -> Estimate:
    """Largest of several numbers with standard errors, with an interval that allows for the choice (Bonferroni).

    Unlike ``largest_of``, its lower end is below a limit with 99 % probability if all of the numbers are.
    """
    x, e = np.asarray(values, np.float64), np.asarray(errors, np.float64)
    reach = stats.norm.isf(TAIL / e.size) * e
    return Estimate(float(x.max()), float((x - reach).max()), float((x + reach).max()))


def _around(value: Any, reach: Any) -> Estimate:
    return Estimate(float(value), float(value - reach), float(value + reach))
