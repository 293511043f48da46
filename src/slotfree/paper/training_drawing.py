"""How training runs are drawn: every run at the end, medians along the way, matrices with the names of tokens."""

from collections.abc import Mapping, Sequence

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from matplotlib.image import AxesImage
from numpy.typing import NDArray

from slotfree.paper.training_measures import SMOOTHED, ending, smoothed
from slotfree.paper.training_runs import SHOWN
from slotfree.paper.transformers import Transformer

CURVES = f"lines: median of the runs, bands: least to largest; means over {SMOOTHED} iterations"


def endings(axis: Axes, transformers: Sequence[Transformer], data: Mapping[str, xr.Dataset], quantity: str) -> None:
    """Draw the end of each run as a dot, and the median of each model as a bar."""
    spread = np.random.default_rng(0)
    for place, transformer in enumerate(transformers):
        values = ending(data[transformer.name][quantity].isel(run=slice(SHOWN)))
        around = place + spread.uniform(-0.18, 0.18, len(values))
        axis.plot(around, values, "o", ms=4, mew=0, color=transformer.colour, alpha=0.75)
        axis.hlines(np.median(values), place - 0.32, place + 0.32, color="black", lw=2)
    axis.set_xticks(range(len(transformers)), [t.label.replace(", ", ",\n") for t in transformers], fontsize=7)
    axis.tick_params(axis="x", length=0)


def curves(axis: Axes, transformers: Sequence[Transformer], data: Mapping[str, xr.Dataset], quantity: str) -> None:
    """Draw the median over runs along training, with a band from the least to the largest."""
    for transformer in transformers:
        runs = smoothed(data[transformer.name][quantity].isel(run=slice(SHOWN)))
        middle = runs["iteration"].values + SMOOTHED / 2
        axis.fill_between(
            middle, runs.min("run").values, runs.max("run").values, color=transformer.colour, alpha=0.15, lw=0
        )
        axis.plot(middle, runs.median("run").values, color=transformer.colour, lw=1.4, label=transformer.label)
    axis.set_xlabel("training iteration")


def matrix(
    axis: Axes, values: NDArray[np.float64], rows: Sequence[str], columns: Sequence[str], limit: float | None = None
) -> AxesImage:
    """Draw a matrix with the names of its rows and columns; colours are symmetric about 0."""
    limit = float(np.abs(values).max()) if limit is None else limit
    image = axis.imshow(values, cmap="RdBu_r", vmin=-limit, vmax=limit, aspect="equal", interpolation="nearest")
    axis.set_xticks(range(len(columns)), columns)
    axis.set_yticks(range(len(rows)), rows)
    axis.tick_params(length=0, labelsize=7)
    for side in axis.spines.values():
        side.set_visible(False)
    return image


def scale_of(
    figure: Figure | SubFigure, image: AxesImage, axes: Axes | Sequence[Axes], words: str, shrink: float = 0.8
) -> None:
    """Draw the colour scale of a matrix."""
    bar = figure.colorbar(image, ax=axes, shrink=shrink, pad=0.02)
    bar.set_label(words, fontsize=8)
    bar.ax.tick_params(labelsize=7)
    bar.outline.set_visible(False)
