"""How good a memory is, in single numbers of its retention curve, predicted or measured.

A *curve* is a dataset with ``accuracy`` (cue, age), ``baseline`` (cue) and ``raw_difference`` (cue, age), accuracy less
baseline, as ``predict_retention`` returns it; ``mean_curve`` makes one of measured runs. Ages may be few and far
between: between them, curves are taken as straight lines.
"""

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree import checks

PER_DECADE = 8  # bins of ages
CRITERION = 0.2  # of R.D.


def mean_curve(data: xr.Dataset) -> xr.Dataset:
    """Return the curve of measured runs, the mean over them.

    Patterns never stored have no age: the baseline is their mean accuracy over all of them.

    Parameters
    ----------
    data : what ``retention`` returned: ``accuracy`` (run, cue, kind, age).
    """
    accuracy = data["accuracy"].mean("run")
    stored = accuracy.sel(kind="real", drop=True)
    baseline = accuracy.sel(kind="pseudo", drop=True).mean("age")
    return xr.Dataset({"accuracy": stored, "baseline": baseline, "raw_difference": stored - baseline})


def age_edges(last: int, per_decade: int = PER_DECADE) -> NDArray[np.int64]:
    """First ages of bins of about equal ratio, and the age after the last bin: 1, 2, 3, …, last + 1."""
    checks.whole("last", last, 1)
    n_edges = int(np.ceil(per_decade * np.log10(last + 1))) + 1
    return np.unique(np.geomspace(1, last + 1, max(n_edges, 2)).round().astype(np.int64))


def bin_means(values: NDArray[np.float64], last: int) -> NDArray[np.float64]:
    """Means over the bins of ages 1..last, of an array (…, age) that begins with age 1 and has every age."""
    edges = age_edges(checks.whole("last", last, 1, values.shape[-1], "the ages"))
    means: NDArray[np.float64] = np.add.reduceat(values[..., :last], edges[:-1] - 1, axis=-1) / np.diff(edges)
    return means


def bin_ages(last: int) -> NDArray[np.float64]:
    """Mean age of each bin."""
    return bin_means(np.arange(1.0, last + 1), last)


def initial_accuracy(curve: xr.Dataset) -> xr.DataArray:
    """Accuracy of the newest pattern, (cue)."""
    return curve["accuracy"].sortby("age").isel(age=0, drop=True)


def half_life(curve: xr.Dataset) -> xr.DataArray:
    """How many patterns stored later halve R.D., (cue): R.D.(1 + half-life) = R.D.(1)/2, the first time it does.

    For C e^{−β(a − 1)} it is ln 2/β. Infinite if R.D. is not halved within the ages of the curve; NaN where nothing is
    remembered at first.
    """
    raw = curve["raw_difference"].transpose(..., "age").sortby("age")
    first = raw.isel(age=0, drop=True)
    since: xr.DataArray = _last_age(raw, first / 2) - raw["age"].values[0]
    return since.where(first > 0)


def area(curve: xr.Dataset, last: int | None = None) -> xr.DataArray:
    """Sum of R.D. over all ages up to the last, (cue): what is remembered in excess of chance, in whole patterns."""
    raw = curve["raw_difference"].sortby("age").sel(age=slice(last))
    ends = (raw.isel(age=0, drop=True) + raw.isel(age=-1, drop=True)) / 2
    return raw.integrate("age") + ends  # where all ages are there, this is their sum


def memories(curve: xr.Dataset, criterion: float = CRITERION) -> xr.DataArray:
    """How many of the newest patterns are retrieved above a criterion, R.D. ≥ criterion, (cue).

    The criterion is one of R.D., not of accuracy: accuracy alone may be high for patterns never stored. Infinite if all
    ages of the curve are above it, 0 if not even the newest pattern is.
    """
    criterion = checks.fraction("criterion", criterion)
    raw = curve["raw_difference"].transpose(..., "age").sortby("age")
    return _last_age(raw, xr.full_like(raw.isel(age=0, drop=True), criterion))


def merits(curve: xr.Dataset, *, area_ages: int | None = None, criterion: float = CRITERION) -> xr.Dataset:
    """All of these numbers, and the baseline and R.D. of the newest pattern, (cue).

    Parameters
    ----------
    area_ages : the ages over which R.D. is summed, from 1; by default all.
    criterion : the least R.D. of a pattern that counts as retrieved.
    """
    return xr.Dataset(
        {
            "initial_accuracy": initial_accuracy(curve),
            "baseline": curve["baseline"],
            "initial_raw_difference": curve["raw_difference"].isel(age=0, drop=True),
            "half_life": half_life(curve),
            "area": area(curve, area_ages),
            "memories": memories(curve, criterion),
        }
    )


def _last_age(raw: xr.DataArray, level: xr.DataArray) -> xr.DataArray:
    """Age at which each curve first falls below its level: between ages, to fractions; infinite if it does not."""
    ages = raw["age"].values.astype(float)
    y = raw.values.reshape(-1, len(ages)) - level.values.reshape(-1, 1)
    below = y < 0
    found = np.full(len(y), np.inf)
    for row in np.flatnonzero(below.any(axis=1)):
        i = int(below[row].argmax())
        found[row] = 0.0 if i == 0 else np.interp(0, [-y[row, i - 1], -y[row, i]], ages[i - 1 : i + 1])
    return level.copy(data=found.reshape(level.shape))
