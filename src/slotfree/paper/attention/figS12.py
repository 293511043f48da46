"""Figure S12: how the baseline learns, with the gradients that the paper ran; figure S13 has the same panels."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from numpy.typing import NDArray

from slotfree.attention.measures import half_times, smoothed
from slotfree.attention.weights import letter_blocks
from slotfree.drawing import training as panels
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, GREY
from slotfree.paper.shared.descents import BLOCK, descents
from slotfree.paper.shared.emergence import (
    STRUCTURES,
    claim_before,
    claim_grown,
    claim_periods,
    claim_present,
    claim_steady,
    claim_told_from_chance,
    claim_values_in_first_descent,
    contrast_at,
    shares_of_end,
)
from slotfree.paper.shared.transformers import BASELINES, PUBLISHED, SNAPSHOTS, TASK, Transformer, training
from slotfree.study import estimate
from slotfree.study.claim import Claim, Printed, Source, above, of_paper
from slotfree.study.item import Item
from slotfree.study.results import Results
from slotfree.study.training import weights_at

MATRICES = {
    "W_V": "values $W_V$",
    "W_K^T W_K": "upper- and\nlowercase keys",
    "W_Q^T W_K": "queries\nand keys",
}
STYLES = {"query-key": ("-", 3.0), "key-key": ("--", 1.5)}  # which may lie upon each other
MATRIX = {"query-key": "W_QᵀW_K", "key-key": "W_KᵀW_K"}
MOMENT = "#2E8B57"
APPEARS = 900  # iteration at which, in the paper's run, structure in keys and queries begins to appear


def draw(transformer: Transformer, r: Results) -> Picture:
    """Draw accuracy (A) and loss (B) of the first run, its weights at four moments (C), and what emerged when (D)."""
    data = r[training(transformer)]
    kept = data["snapshot"].values.tolist()
    moments = [n for n in kept if n in SNAPSHOTS[transformer]] or kept[-1:]
    picture = Picture(width=12, height=7.4)
    picture.figure.clear()  # its panels stand in parts of their own: A and B, C, D
    picture.figure.suptitle(transformer.label)
    halves: Any = picture.figure.subfigures(2, 1, height_ratios=(1, 1.6))
    upper, lower = halves
    moments_part, emergence_part = lower.subfigures(1, 2, width_ratios=(2.1, 1))
    first, second = upper.subplots(1, 2)
    for axis, quantity, label in ((first, "accuracy", "batch accuracy"), (second, "loss", "batch loss |ŷ − y|²")):
        row = {"quantity": quantity}
        panels.first_run(picture, axis, data[quantity], transformer.colour, row=row, table="-run")
        for moment in moments:
            axis.axvline(moment, color=MOMENT, ls="--", lw=0.9)
        axis.set_ylabel(label)
    mark_descents(second, data["loss"].isel(run=[0]))
    picture.panel(first, "A", "Accuracy of one run")
    picture.panel(second, "B", "Loss of one run")
    draw_moments(picture, moments_part, data, moments)
    draw_emergence(picture, emergence_part.subplots(), data)
    return picture


def mark_descents(axis: Axes, loss: xr.DataArray) -> None:
    """Mark where a loss falls most steeply in its two periods of descent, and where it is slowest between them."""
    found, curve = descents(loss, 2), smoothed(loss).isel(run=0)
    for places, label, face in ((found.steepest, "steepest", BLACK), (found.slowest, "slowest between", "white")):
        known = places[np.isfinite(places)]
        heights = np.interp(known, curve["iteration"].values, curve.values)
        axis.plot(known, heights, "o", ms=5, mfc=face, mec=BLACK, label=label, zorder=4)
    axis.legend(loc="upper right", fontsize=7)


def draw_moments(picture: Picture, part: Any, data: xr.Dataset, moments: list[int]) -> None:
    """Draw the weights of the first run at moments of training, a column for each; rows have one colour scale."""
    names, L = TASK.token_names, TASK.n_letters
    labels = ((("lower", "upper"), names[: 2 * L]), (names[L : 2 * L], names[:L]), (names[2 * L :], names[: 2 * L]))
    found = {moment: matrices_at(data, moment) for moment in moments}
    axes = part.subplots(len(MATRICES), len(moments), squeeze=False, height_ratios=(1.0, 2, 2))
    for i, (name, (rows, columns)) in enumerate(zip(MATRICES, labels, strict=True)):
        limit = max(float(np.abs(matrices[i]).max()) for matrices in found.values())
        for axis, (moment, matrices) in zip(axes[i], found.items(), strict=True):
            row = {"iteration": moment, "matrix": name}
            image = panels.matrix(picture, axis, matrices[i], rows, columns, limit=limit, row=row, table="-weights")
        panels.colour_scale(part, image, list(axes[i]), "weight" if name == "W_V" else "dot product")
        axes[i, 0].set_ylabel(MATRICES[name])
    for axis, moment in zip(axes[0], moments, strict=True):
        axis.set_title(f"iteration {moment}")
    axes[0, 0].set_title("C", loc="left", fontweight="bold")


def matrices_at(data: xr.Dataset, moment: int) -> tuple[NDArray[np.float64], ...]:
    """What the weights of the first run make of letters after a number of steps: values, keys, queries and keys."""
    weights = weights_at(data, moment)[0]
    blocks = letter_blocks(weights)
    queried = np.hstack([blocks["query-lower"], blocks["query-upper"]])
    return weights.W_V[:, : 2 * TASK.n_letters], blocks["key-key"], queried


def draw_emergence(picture: Picture, axis: Axes, data: xr.Dataset) -> None:
    """Draw each contrast as a share of its final value, median and range over runs, and when it reaches a half."""
    times, at = half_times(data), data["measured"].values
    for name, (label, colour) in STRUCTURES.items():
        contrast = data["contrast"].sel(structure=name).values
        least, middle, largest = np.quantile(contrast / contrast[:, -1:], [0, 0.5, 1], axis=0)
        half = float(np.median(times[name]))
        style, width = STYLES.get(name, ("-", 1.5))
        axis.fill_between(at, least, largest, color=colour, alpha=0.15, lw=0)
        axis.plot(at, middle, style, lw=width, color=colour, label=f"{label}: half at {half:.0f}")
        axis.plot(half, 0.5, "o", color=colour, ms=5)
        columns = {"iteration": at, "median_share": middle, "least": least, "largest": largest}
        picture.record_columns(columns, structure=name)
    axis.axhline(0.5, color=GREY, lw=0.6)
    axis.set(xlabel="training iteration", ylabel="contrast, share of its end", ylim=(-0.1, 2.4))
    axis.legend(loc="upper right", fontsize=7)
    picture.panel(axis, "D", f"What emerges when, {data.sizes['run']} runs")


def claims(r: Results) -> Iterator[Claim]:
    """What the SI says of the baseline: what emerges when, for all three versions, and the stages of its run."""
    data = r[training(PUBLISHED)]
    yield claim_steady(data["accuracy"])
    for transformer in BASELINES:
        yield from claims_order(transformer, r)
    yield claim_values_in_first_descent(data)
    yield from claims_stagnation(data)
    yield claim_second_descent(data, r.seed)
    both = ("query-key", "key-key")
    yield claim_present(data, APPEARS, both, "the requisite structure in these matrices begins to appear")
    yield claim_grown(
        data, (APPEARS, 1200), both, "representations of letter identity and alignment … have grown strong"
    )


def claims_order(transformer: Transformer, r: Results) -> Iterator[Claim]:
    """Values before keys and queries, which come together, in two periods of the loss."""
    data, model = r[training(transformer)], transformer.label
    source: Source = "paper" if transformer is PUBLISHED else "ours"
    for later in ("query-key", "key-key"):
        yield claim_before(
            data,
            f"values-before-{later}-{transformer.name}",
            f"Case “robustly emerges … before” letter identity and alignment of queries and keys ({model})",
            ("values", later),
            source=source,
            seed=r.seed,
        )
    times = half_times(data)
    yield Claim(
        f"together-{transformer.name}",
        f"Key–key and query–key structure emerge “in parallel” ({model}): iterations by which key–key is later at half "
        f"of its final contrast (at {np.median(times['key-key']):.0f}, measured every {every(data)}), median of all "
        "runs, no difference.",
        source=source,
        paper="in parallel",
        estimate=estimate.median(times["key-key"] - times["query-key"], seed=r.seed),
        limits=Printed(0, rounding=every(data) / 2, spread=0),
    )
    yield claim_periods(
        data["loss"],
        f"two-descents-{transformer.name}",
        f"The loss exhibits “two periods of descent with a period of stagnation in between” ({model})",
        2,
        source=source,
    )


def every(data: xr.Dataset) -> int:
    """Iterations from one measurement of the structure of the weights to the next."""
    return int(np.diff(data["measured"].values[:2])[0])


def claims_stagnation(data: xr.Dataset) -> Iterator[Claim]:
    """What the weights do where the loss stagnates: values grow, and the other structures are yet to appear."""
    slowest = descents(data["loss"], 2).slowest[:, 0]
    before, after = (contrast_at(data, "values", slowest + step) for step in (-BLOCK, BLOCK))
    yield of_paper(
        "values-grow-meanwhile",
        "While the loss stagnates, “case representations in W_V grow stronger”: growth of their contrast from "
        f"{BLOCK} iterations before to {BLOCK} after the slowest place of the loss, mean of all runs.",
        paper="stronger",
        estimate=estimate.mean(after - before),
        limits=above(0),
    )
    for structure in ("query-key", "key-key"):
        then, later = (shares_of_end(data, structure, where) for where in (slowest, APPEARS))
        yield of_paper(
            f"nothing-else-{structure}",
            f"While the loss stagnates, “entries in” {MATRIX[structure]} “exhibit no discernible structure”, which "
            f"“begins to appear” by iteration {APPEARS}: contrast at iteration {APPEARS} "
            f"({np.median(later):.1%} of its end, median) minus that at the slowest place of the loss "
            f"({np.median(then):.1%}), as shares of its end, mean of all runs.",
            paper="no discernible structure",
            estimate=estimate.mean((later - then)[np.isfinite(then)]),
            limits=above(0),
        )
        yield claim_told_from_chance(
            data, f"told-from-chance-{structure}", structure, slowest, "at the slowest place of the loss"
        )


def claim_second_descent(data: xr.Dataset, seed: int) -> Claim:
    """The claim that the loss falls for the second time where keys and queries take shape."""
    steepest, half = descents(data["loss"], 2).steepest[:, 1], half_times(data)["query-key"]
    return of_paper(
        "structure-with-second-descent",
        "Structure in keys and queries “appears to correlate with the loss decreasing for a second time”: correlation "
        "over runs between where that is steepest and where query–key contrast reaches half of its final value.",
        paper="correlates",
        estimate=estimate.bootstrap(
            lambda correlation: correlation, np.stack([steepest, half], axis=1), of=correlations, seed=seed
        ),
        limits=above(0),
    )


def correlations(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Correlation of two quantities in many resampled groups, (resamples, n, 2) to (resamples,), for ``bootstrap``."""
    x, y = np.moveaxis(rows - rows.mean(axis=1, keepdims=True), -1, 0)
    with np.errstate(invalid="ignore"):
        found: NDArray[np.float64] = (x * y).sum(axis=1) / np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
    return found


ITEM = Item(
    name="figS12",
    number="Figure S12",
    title="How the baseline learns",
    text="First the values learn case, and accuracy waits; then queries and keys take shape, together, and the loss "
    "falls a second time. Panel D counts it over all runs: the curve of the values rises long before the other two, "
    "which lie on each other.",
    alt="Accuracy and loss of one run of the baseline with four marked iterations; heat maps of values, keys and "
    "queries at these iterations, in which structure appears from left to right; and the strength of the three "
    "structures along training, over all runs.",
    experiments=tuple(map(training, BASELINES)),
    draw=partial(draw, PUBLISHED),
    claims=claims,
)
