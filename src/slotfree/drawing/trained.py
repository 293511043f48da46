"""How training went: accuracy or loss along it, of one training or of several."""

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
import xarray as xr

from slotfree import checks
from slotfree.attention.result import TrainingResult
from slotfree.drawing.labelled import by_label
from slotfree.drawing.literal import literal
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import colours, in_style
from slotfree.drawing.training import along_training, smoothing

Results = TrainingResult | Mapping[str, TrainingResult] | Sequence[TrainingResult]


def show_training(
    results: Results, metric: Literal["accuracy", "loss"] = "accuracy", *, labels: str | Sequence[str] | None = None
) -> Picture:
    """Draw accuracy along training: lines are the median of the runs, bands go from the least to the largest.

    Parameters
    ----------
    results : what ``sf.train`` returned, or several by label, {"query-key": ..., "fixed": ...}.
    metric : "accuracy", or "loss".
    labels : instead of those of the mapping, or for a list.
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
