"""Panels of curves by memory age: with their uncertainty, and with marks where one reliably leads."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from numpy.typing import NDArray

from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import AGE, GREY, cue_title
from slotfree.forgetting import metrics

LineStyle = str | tuple[float, tuple[float, ...]]

# How the kinds of tested patterns are drawn, and what they are called.
STORED_OR_NOT = {"real": ("-", "stored"), "pseudo": (":", "never stored")}


class Named(Protocol):
    """What a curve is of: it has a name in tables, and a label and a colour in figures."""

    @property
    def name(self) -> str:
        """As tables call it."""

    @property
    def label(self) -> str:
        """As figures call it."""

    @property
    def colour(self) -> str:
        """Of its curves."""


def age_axis(axis: Axes, n_ages: int, label: bool = True) -> None:
    """Ages on a logarithmic axis: young ones, where much happens, have room."""
    log_scale(axis, "x")
    axis.set_xlim(0.9, n_ages * 1.1)
    if label:
        axis.set_xlabel(AGE)


def accuracy_axis(axis: Axes, label: bool = True) -> None:
    """Accuracy from none to all of a pattern."""
    axis.set_ylim(0, 1.03)
    if label:
        axis.set_ylabel("accuracy ρ")


def raw_difference_axis(axis: Axes, label: bool = True) -> None:
    """R.D., which is about 0 where nothing is left."""
    axis.set_ylim(-0.05, 1.05)
    if label:
        axis.set_ylabel("raw difference R.D.")


def d_prime_axis(axis: Axes, label: bool = True) -> None:
    """The paper's d' on an axis that is linear up to 1 and logarithmic beyond: it runs from tens to zero."""
    if label:
        axis.set_ylabel("sensitivity d' (paper's)\nlinear to 1, then logarithmic")
    axis.set_yscale("symlog", linthresh=1, linscale=1)
    axis.set_ylim(-0.5, 150)
    axis.set_yticks([0, 0.5, 1, 3, 10, 30, 100], ["0", "0.5", "1", "3", "10", "30", "100"])
    axis.axhline(0, color=GREY, lw=0.6)


VALUE_AXES = {"accuracy": accuracy_axis, "raw_difference": raw_difference_axis, "d_prime": d_prime_axis}


def by_age(
    picture: Picture,
    axis: Axes,
    samples: xr.DataArray,
    colour: str,
    label: str,
    *,
    style: LineStyle = "-",
    every_age: bool = True,
    row: Mapping[str, object],
) -> None:
    """Draw the mean over samples (or runs) of a curve by age, and record it.

    Faint, each age (if asked for); solid, ages averaged within a sixteenth of a decade; band: ± 1 standard error.

    Parameters
    ----------
    samples : (sample, age), or (run, age).
    row : what tells this curve from the others in the table: its columns come first, then age, mean and standard_error.
    """
    members = next(str(name) for name in samples.dims if name != "age")
    if not samples.get_index("age").is_monotonic_increasing:
        samples = samples.sortby("age")
    values = samples.transpose(members, "age").values
    values = np.where(np.isfinite(values), values, np.nan)
    ages = samples["age"].values
    bins = _bins(ages)
    with np.errstate(invalid="ignore"):
        binned = np.array([_mean(values[:, a:b].T) for a, b in bins]).T
        mean, count = _mean(binned), np.isfinite(binned).sum(axis=0)
        error = np.sqrt(np.nansum((binned - mean) ** 2, axis=0) / np.maximum(count - 1, 1) / np.maximum(count, 1))
    centres = np.sqrt([ages[a] * float(ages[b - 1]) for a, b in bins])
    if every_age:
        axis.plot(ages, _mean(values), ls=style, color=colour, lw=0.5, alpha=0.3, rasterized=True)
    axis.fill_between(centres, mean - error, mean + error, color=colour, alpha=0.25, lw=0)
    dot = "o" if len(centres) == 1 else ""  # a line of one point would not be seen
    axis.plot(centres, mean, ls=style, marker=dot, ms=4, color=colour, lw=1.5, label=label)
    summary = metrics.curve(samples.rename({members: "sample"}))
    columns = {"age": ages, "mean": summary["mean"].values, "standard_error": summary["error"].values}
    picture.record_columns(columns, table="", **row)


def accuracies(
    picture: Picture,
    axis: Axes,
    curves: Iterable[tuple[Named, xr.DataArray]],
    *,
    kinds: Mapping[str, tuple[str, str]] = STORED_OR_NOT,
    every_age: bool = True,
    row: Mapping[str, object],
) -> None:
    """Draw accuracies for several kinds of patterns.

    Parameters
    ----------
    curves : whose they are, and the accuracies (run, kind, age).
    kinds : style and words of each kind that is drawn.
    row : the columns of the table in their order; "model" and "kind" are filled in here.
    """
    for model, runs in curves:
        for kind, (style, words) in kinds.items():
            by_age(
                picture,
                axis,
                runs.sel(kind=kind, drop=True),
                model.colour,
                f"{model.label}, {words}",
                style=style,
                every_age=every_age,
                row={**row, "model": model.name, "kind": kind},
            )


def compared(
    picture: Picture, axis: Axes, curves: Sequence[tuple[Named, xr.DataArray]], *, row: Mapping[str, object]
) -> None:
    """Draw two curves, with a segment above them for each age at which one reliably leads.

    Parameters
    ----------
    curves : of two: whose they are, and the samples (sample, age).
    row : the columns of the table in their order; "model" is filled in here.
    """
    for model, samples in curves:
        by_age(picture, axis, samples, model.colour, model.label, row={**row, "model": model.name})
    (a, x), (b, y) = curves
    for height, lead, leader in ((0.985, metrics.leads(x, y), a), (0.955, metrics.leads(y, x), b)):
        ages = lead["age"].values[lead.values]
        at = np.full(len(ages), height)
        above = axis.get_xaxis_transform()
        axis.hlines(at, ages - 0.5, ages + 0.5, color=leader.colour, lw=2.5, transform=above)


def columns_by_cue(picture: Picture, cues: Sequence[float], n_ages: int) -> None:
    """Mark a figure that has a column for each cue level, and letters for its rows; all have the same ages."""
    for (row, column), axis in np.ndenumerate(picture.axes):
        letter = chr(ord("A") + row) if column == 0 else ""
        picture.panel(axis, letter, cue_title(cues[column]) if row == 0 else "")
        age_axis(axis, n_ages, label=row == len(picture.axes) - 1)


def _bins(ages: NDArray[Any]) -> list[tuple[int, int]]:
    """Where the ages of each sixteenth of a decade begin and end among ascending ages; none is empty."""
    oldest = ages.max()
    n_edges = max(int(16 * np.log10(oldest)) + 1, 2)
    edges = np.unique(np.geomspace(1, oldest + 1, n_edges).round().astype(int))
    return [(a, b) for a, b in pairwise(np.searchsorted(ages, edges).tolist()) if a < b]


def _mean(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean over the first axis of what is not NaN; NaN where all is."""
    count = np.isfinite(values).sum(axis=0)
    mean: NDArray[np.float64] = np.nansum(values, axis=0) / np.where(count > 0, count, np.nan)
    return mean
