"""Training: pictures of curves, and panels of every run at the end, of medians, and of matrices with token names."""

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from matplotlib.image import AxesImage
from numpy.typing import NDArray

from slotfree import checks
from slotfree.attention.measures import SMOOTHED, smoothed
from slotfree.attention.result import TrainingResult
from slotfree.drawing.labelled import by_label
from slotfree.drawing.literal import literal
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import colours, in_style

Results = TrainingResult | Mapping[str, TrainingResult] | Sequence[TrainingResult]

CURVES = f"lines: median of the runs, bands: quartiles; means over {SMOOTHED} iterations"


def dots(
    axis: Axes,
    place: float,
    values: NDArray[np.float64],
    colour: str,
    jitter: np.random.Generator,
    *,
    shown: int | None = None,
) -> None:
    """Draw a number of each run as a dot about a place on the axis, and their median as a bar.

    Parameters
    ----------
    shown : runs whose dots are large, all if it is None; those of further runs are small and faint.
    """
    shown = len(values) if shown is None else shown
    around = place + jitter.uniform(-0.18, 0.18, len(values))
    axis.plot(around[shown:], values[shown:], "o", ms=2, mew=0, color=colour, alpha=0.6)
    axis.plot(around[:shown], values[:shown], "o", ms=4, mew=0, color=colour, alpha=0.75)
    axis.hlines(np.median(values), place - 0.32, place + 0.32, color="black", lw=2)


def name_places(axis: Axes, labels: Sequence[str]) -> None:
    """Name the places of ``dots``."""
    axis.set_xticks(range(len(labels)), [label.replace(", ", ",\n") for label in labels], fontsize=7)
    axis.tick_params(axis="x", length=0)


def smoothing(iterations: int) -> int:
    """How many iterations are averaged: 25, or a tenth of a training that is shorter than ten such blocks."""
    return min(SMOOTHED, max(iterations // 10, 1))


def block_means(runs: xr.DataArray, over: int) -> xr.DataArray:
    """Means over so many iterations, as ``smoothed`` has them over 25; a block bears the number of its first."""
    starts = np.arange(runs.sizes["iteration"] // over) * over
    return runs.coarsen(iteration=over, boundary="trim").mean().assign_coords(iteration=starts)


def along_training(
    picture: Picture,
    axis: Axes,
    runs: xr.DataArray,
    colour: str,
    label: str,
    *,
    style: str = "-",
    over: int = SMOOTHED,
    row: Mapping[str, object],
    table: str = "",
) -> None:
    """Draw the median over runs along training, with a band from the first to the third quartile, and record them.

    Parameters
    ----------
    runs : accuracy or loss, (run, iteration).
    style : of the line.
    over : how many iterations are averaged; ``CURVES`` says what the default is.
    row : what tells this curve from the others in the table.
    """
    means = block_means(runs, over)
    middle = means["iteration"].values + over / 2
    low, median, high = np.quantile(means.transpose("run", "iteration").values, [0.25, 0.5, 0.75], axis=0)
    axis.fill_between(middle, low, high, color=colour, alpha=0.15, lw=0)
    axis.plot(middle, median, style, color=colour, lw=1.4, label=label)
    axis.set_xlabel("training iteration")
    columns = {"iteration": means["iteration"].values, "median": median, "first_quartile": low, "third_quartile": high}
    picture.record_columns(columns, table=table, **row)


def first_run(
    picture: Picture,
    axis: Axes,
    runs: xr.DataArray,
    colour: str,
    *,
    every_batch: bool = False,
    row: Mapping[str, object],
    table: str = "",
) -> None:
    """Draw the first run along training, and record it; faint behind it, if asked for, each of its batches.

    Parameters
    ----------
    runs : accuracy or loss, (run, iteration).
    row : what tells this curve from the others in the table.
    """
    run = runs.isel(run=[0])
    if every_batch:
        axis.plot(run["iteration"].values, run.values[0], color=colour, lw=0.4, alpha=0.4)
    means = smoothed(run)
    axis.plot(means["iteration"].values + SMOOTHED / 2, means.values[0], color=colour, lw=1.4)
    axis.set_xlabel("training iteration")
    picture.record_columns({"iteration": means["iteration"].values, "mean": means.values[0]}, table=table, **row)


def matrix(
    picture: Picture,
    axis: Axes,
    values: NDArray[np.float64],
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    limit: float | None = None,
    row: Mapping[str, object],
    table: str = "",
) -> AxesImage:
    """Draw a matrix with the names of its rows and columns, and record its entries; colours are symmetric about 0.

    Parameters
    ----------
    limit : the value of the strongest colour; by default the largest magnitude of the entries.
    row : what tells this matrix from the others in the table.
    """
    limit = float(np.abs(values).max()) if limit is None else limit
    image = axis.imshow(values, cmap="RdBu_r", vmin=-limit, vmax=limit, aspect="equal", interpolation="nearest")
    axis.set_xticks(range(len(columns)), map(literal, columns))
    axis.set_yticks(range(len(rows)), map(literal, rows))
    axis.tick_params(length=0, labelsize=7)
    for side in axis.spines.values():
        side.set_visible(False)
    for name, entries in zip(rows, values, strict=True):
        picture.record_columns({"column": columns, "value": entries}, table=table, **row, row=name)
    return image


def colour_scale(
    figure: Figure | SubFigure, image: AxesImage, axes: Axes | Sequence[Axes], label: str, shrink: float = 0.8
) -> None:
    """Draw the colour scale of a matrix."""
    bar = figure.colorbar(image, ax=axes, shrink=shrink, pad=0.02)
    bar.set_label(label, fontsize=8)
    bar.ax.tick_params(labelsize=7)
    bar.outline.set_visible(False)


def show_training(
    results: Results, metric: Literal["accuracy", "loss"] = "accuracy", *, labels: str | Sequence[str] | None = None
) -> Picture:
    """Draw accuracy along training: lines are the median of the runs, bands go from the least to the largest.

    Parameters
    ----------
    results : what ``sf.train`` returned, or several by label, {"query-key": ..., "fixed": ...}.
    metric : "accuracy", or "loss".
    labels : instead of those of the mapping, or for a list.

    Examples
    --------
    >>> import slotfree as sf
    >>> result = sf.train(sf.BaselineTransformer(), sf.CaseSequenceTask(), runs=2, iterations=20, seed=0)
    >>> show_training(result).axes.shape
    (1, 1)
    """
    checks.one_of("metric", metric, ("accuracy", "loss"))
    every = by_label("results", results, TrainingResult, labels)
    with in_style():
        picture = Picture(width=6.0, height=3.1)
        axis = picture.axes[0, 0]
        for (label, result), colour in zip(every.items(), colours(len(every)), strict=True):
            runs = xr.DataArray(getattr(result, metric), dims=("run", "iteration"))
            runs = runs.assign_coords(iteration=np.arange(runs.sizes["iteration"]))
            over = smoothing(runs.sizes["iteration"])
            along_training(picture, axis, runs, colour, literal(label), over=over, row={"label": label})
        longest = max(result.accuracy.shape[1] for result in every.values())
        axis.set(xlim=(0, longest), ylabel=metric, ylim=(0, 1.03) if metric == "accuracy" else (0, None))
        if any(every):
            picture.explain(axis.get_legend_handles_labels()[0], _note(every))
        else:
            axis.set_title(_note(every), fontsize=8)
        picture.alt = _alt(every, picture, metric)
    return picture


def _note(every: Mapping[str, TrainingResult]) -> str:
    """How curves were made of runs."""
    runs = sorted({len(result.accuracy) for result in every.values()})
    many = f"{runs[0]} runs" if len(runs) == 1 else f"{runs[0]} to {runs[-1]} runs"
    widths = {smoothing(result.accuracy.shape[1]) for result in every.values()}
    mean = f"means over {max(widths)} iterations" if max(widths) > 1 else "each iteration"
    return f"one run; {mean}" if runs == [1] else f"line: median of {many}, band: quartiles; {mean}"


def _alt(every: Mapping[str, TrainingResult], picture: Picture, metric: str) -> str:
    """Where each training began and ended."""
    said = []
    for label, result in every.items():
        rows = [row for row in picture.tables[""] if row["label"] == label]
        runs, iterations = result.accuracy.shape
        words = f"from {rows[0]['median']:.2f} to {rows[-1]['median']:.2f} in {iterations:,} iterations"
        said.append(f"{f'{label}: ' if label else ''}{words}, {runs} {'run' if runs == 1 else 'runs'}")
    return f"{metric.capitalize()} along training, the median of the runs. {'; '.join(said)}."
