"""What figures S12 and S13 have in common: what is learnt when, in one run and over all runs."""

from typing import Any

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from slotfree.attention.weights import letter_blocks
from slotfree.paper import drawing, training_drawing
from slotfree.paper.items import Context, Output
from slotfree.paper.training_measures import SMOOTHED, half_times, median_interval, smoothed
from slotfree.paper.training_runs import SHOWN, training, weights_at
from slotfree.paper.transformers import Transformer

WORDS = {"values": "values", "query-key": "query–key", "key-key": "key–key"}
COLOURS = {"values": "#E69F00", "query-key": "#0072B2", "key-key": "#009E73"}
GREEN = "#2E8B57"


def make(item: str, transformer: Transformer, context: Context) -> Output:
    """Draw accuracy (A) and loss (B) of the first run, its weights at four moments (C), and what emerged when (D)."""
    data = context.results[transformer.name]
    experiment = training(transformer)
    moments = [n for n in data["snapshot"].values.tolist() if n in experiment.snapshots] or [context.scale.iterations]
    figure, _ = drawing.new_figure(1, 1, context.scale, width=12, height=8.2)
    figure.clear()
    parts: Any = figure.subfigures(2, 1, height_ratios=(1, 1.9))
    top, below = parts
    first, second, third = top.subplots(1, 3)
    for axis, quantity, words in ((first, "accuracy", "batch accuracy"), (second, "loss", "batch loss |ŷ − y|²")):
        means = smoothed(data[quantity].isel(run=[0]))
        axis.plot(means["iteration"].values + SMOOTHED / 2, means.values[0], color=transformer.colour, lw=1.3)
        for moment in moments:
            axis.axvline(moment, color=GREEN, ls="--", lw=0.9)
        axis.set(xlabel="training iteration", ylabel=words)
    draw_emergence(third, data)
    figure.suptitle(f"{transformer.label}" + ("" if context.scale.is_paper else f" ({context.scale.name} scale)"))
    task = experiment.task
    names, L = task.token_names, task.n_letters
    axes = below.subplots(3, len(moments), squeeze=False, height_ratios=(1.0, 2, 2))
    limits = limits_of(data, moments)
    for column, moment in enumerate(moments):
        weights = weights_at(data, moment)[0]
        blocks = letter_blocks(weights)
        queried = np.hstack([blocks["query-lower"], blocks["query-upper"]])
        pictures = (
            (weights.W_V[:, : 2 * L], ("lower", "upper"), names[: 2 * L], limits[0]),
            (blocks["key-key"], names[L : 2 * L], names[:L], limits[1]),
            (queried, names[2 * L :], names[: 2 * L], limits[2]),
        )
        for row, (values, left, lower, limit) in enumerate(pictures):
            image = training_drawing.matrix(axes[row, column], values, left, lower, limit)
            if column == len(moments) - 1:
                training_drawing.scale_of(below, image, list(axes[row]), ("weight", "dot product", "dot product")[row])
        axes[0, column].set_title(f"iteration {moment}")
    for row, words in enumerate(("values $W_V$", "upper- and\nlowercase keys", "queries\nand keys")):
        axes[row, 0].set_ylabel(words)
    drawing.panel(first, "A", "Accuracy of one run")
    drawing.panel(second, "B", "Loss of one run")
    drawing.panel(third, "D", f"What emerges when, {data.sizes['run']} runs")
    axes[0, 0].set_title("C", loc="left", fontweight="bold")
    rows: list[list[object]] = [
        [name, int(measured), round(float(median), 6), round(float(low), 6), round(float(high), 6)]
        for name in WORDS
        for measured, median, low, high in zip(
            data["measured"].values,
            *np.quantile(data["contrast"].sel(structure=name).values, [0.5, 0, 1], axis=0),
            strict=True,
        )
    ]
    claims = context.claims(item)
    header = ["structure", "iteration", "median_contrast", "least", "largest"]
    return Output(figure, claims, {item: (header, rows)})


def limits_of(data: xr.Dataset, moments: list[int]) -> tuple[float, float, float]:
    """The largest magnitude of each kind of matrix over the moments shown: one colour scale for each row."""
    found = [weights_at(data, moment)[0] for moment in moments]
    blocks = [letter_blocks(weights) for weights in found]
    return (
        max(float(np.abs(w.W_V).max()) for w in found),
        max(float(np.abs(b["key-key"]).max()) for b in blocks),
        max(float(np.abs(b[name]).max()) for b in blocks for name in ("query-lower", "query-upper")),
    )


def draw_emergence(axis: Axes, data: xr.Dataset) -> None:
    """Draw each contrast as a share of its final value, median and range over runs, and when it reaches a half."""
    times = half_times(data)
    for name, words in WORDS.items():
        contrast = data["contrast"].sel(structure=name).isel(run=slice(SHOWN)).values
        share = contrast / contrast[:, -1:]
        at = data["measured"].values
        axis.fill_between(at, share.min(axis=0), share.max(axis=0), color=COLOURS[name], alpha=0.15, lw=0)
        median = float(np.median(times[name]))
        style = "--" if name == "key-key" else "-"  # it may lie upon query-key
        axis.plot(at, np.median(share, axis=0), style, color=COLOURS[name], label=f"{words}: half at {median:.0f}")
        axis.plot(median, 0.5, "o", color=COLOURS[name], ms=5)
    axis.axhline(0.5, color="#999999", lw=0.6)
    axis.set(xlabel="training iteration", ylabel="contrast, share of its end", ylim=(-0.1, 1.9))
    axis.legend(loc="upper right", fontsize=7)


def judge_order(
    output: Output, name: str, words: str, later: str, earlier: str, context: Context, data: xr.Dataset
) -> None:
    """Add the claim that one structure emerges before another: paired over runs."""
    times = half_times(data)
    lead, interval = median_interval(times[later] - times[earlier], context.seed)
    output.claims.positive(
        name,
        f"{words}: iterations by which {WORDS[earlier]} reaches half of its final contrast before {WORDS[later]} "
        "(median of all runs, 99%).",
        paper="before",
        measured=lead,
        interval=interval,
    )


def together(times: dict[str, np.ndarray], seed: int) -> tuple[float, tuple[float, float]]:
    """How far apart query-key and key-key structure emerge, as a share of when they do, and its 99% interval."""
    return median_interval((times["key-key"] - times["query-key"]) / np.maximum(times["query-key"], 1), seed)


def shares(data: xr.Dataset, iteration: int) -> dict[str, np.ndarray]:
    """Each contrast at an iteration as a share of its final value, by run."""
    contrast = data["contrast"]
    share = contrast.sel(measured=iteration, method="nearest") / contrast.isel(measured=-1)
    return {name: share.sel(structure=name).values for name in data["structure"].values.tolist()}
