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
from slotfree.drawing.style import BLUE, GREEN, GREY, ORANGE
from slotfree.paper.transformers import BASELINES, BETA_ONE, PUBLISHED, SNAPSHOTS, TASK, Transformer, training
from slotfree.study import estimate
from slotfree.study.claim import Claim, Limits, above, at_least, within
from slotfree.study.item import Item
from slotfree.study.results import Results
from slotfree.study.training import weights_at

STRUCTURES = {"values": ("values", ORANGE), "query-key": ("query–key", BLUE), "key-key": ("key–key", GREEN)}
MATRICES = {
    "W_V": "values $W_V$",
    "W_K^T W_K": "upper- and\nlowercase keys",
    "W_Q^T W_K": "queries\nand keys",
}
STYLES = {"query-key": ("-", 3.0), "key-key": ("--", 1.5)}  # which may lie upon each other
MOMENT = "#2E8B57"
APART = 0.1
# Of the loss: two descents, and the stagnation between them.
DESCENTS, STAGNATION = ((0, 300), (900, 1200)), (400, 700)


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
    picture.panel(first, "A", "Accuracy of one run")
    picture.panel(second, "B", "Loss of one run")
    draw_moments(picture, moments_part, data, moments)
    draw_emergence(picture, emergence_part.subplots(), data)
    return picture


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
    for transformer in BASELINES:
        yield from claims_order(transformer, r)
    data = r[training(PUBLISHED)]
    yield claim_share(data, 900, "has begun to appear", within(0.02, 0.5), seed=r.seed)
    yield claim_share(data, 1200, "has grown strong", at_least(0.5), seed=r.seed)
    yield claim_descents(data, seed=r.seed)


def claims_order(transformer: Transformer, r: Results) -> Iterator[Claim]:
    """Values before keys and queries, which come together."""
    data = r[training(transformer)]
    words = f"Baseline ({transformer.label})"
    is_said = transformer is not BETA_ONE
    for later in ("query-key", "key-key"):
        yield claim_before(
            data,
            f"values-before-{later}-{transformer.name}",
            f"{words}: case is learnt first",
            ("values", later),
            is_said=is_said,
            seed=r.seed,
        )
    times = half_times(data)
    apart = (times["key-key"] - times["query-key"]) / np.maximum(times["query-key"], 1)
    yield Claim(
        f"together-{transformer.name}",
        f"{words}: key–key and query–key structure emerge in parallel: how much later key–key is, as a share of when "
        f"query–key is, median of all runs, within {APART}.",
        source="paper" if is_said else "ours",
        paper="in parallel",
        estimate=estimate.median(apart, seed=r.seed),
        limits=within(-APART, APART),
    )


def claim_before(
    data: xr.Dataset, name: str, words: str, order: tuple[str, str], *, is_said: bool = True, seed: int
) -> Claim:
    """The claim that one structure emerges before another in the same run."""
    times = half_times(data)
    earlier, later = order
    return Claim(
        name,
        f"{words}: iterations by which {STRUCTURES[earlier][0]} reaches half of its final contrast before "
        f"{STRUCTURES[later][0]}, median of all runs.",
        source="paper" if is_said else "ours",
        paper="before",
        estimate=estimate.median(times[later] - times[earlier], seed=seed),
        limits=above(0),
    )


def shares(data: xr.Dataset, iteration: int, *structures: str) -> NDArray[np.float64]:
    """The contrasts of structures at an iteration as shares of their final values, (run, structure)."""
    contrast = data["contrast"].sel(structure=list(structures)).transpose("run", "structure", "measured")
    found: NDArray[np.float64] = (
        contrast.sel(measured=iteration, method="nearest") / contrast.isel(measured=-1)
    ).values
    return found


def claim_share(data: xr.Dataset, iteration: int, words: str, limits: Limits, *, seed: int) -> Claim:
    """How far keys and queries have come at an iteration."""
    return Claim(
        f"structure-at-{iteration}",
        f"Baseline (published): at iteration {iteration} structure in keys and queries {words}: share of the final "
        "contrast, median of all runs.",
        source="paper",
        paper=words,
        estimate=estimate.bootstrap(
            lambda median: median,
            shares(data, iteration, "query-key", "key-key"),
            of=lambda resampled: np.median(resampled, axis=(1, 2)),
            seed=seed,
        ),
        limits=limits,
    )


def claim_descents(data: xr.Dataset, *, seed: int) -> Claim:
    """The claim that the loss stagnates between two descents."""
    ends = [n for span in (STAGNATION, *DESCENTS) for n in span]

    def stagnation(medians: NDArray[np.float64]) -> NDArray[np.float64]:
        falls = medians[..., 0::2] - medians[..., 1::2]
        smaller = falls[..., 1:].min(axis=-1)
        share: NDArray[np.float64] = falls[..., 0] / np.where(smaller > 0, smaller, np.nan)
        return np.where(smaller > 0, share, np.inf)

    return Claim(
        "two-descents",
        "Baseline (published): the loss descends twice with a stagnation between: its fall over iterations 400 to 700, "
        "as a share of the smaller of those over 0 to 300 and 900 to 1200, at most 0.25.",
        source="paper",
        paper="stagnates",
        estimate=estimate.bootstrap(
            stagnation,
            smoothed(data["loss"]).sel(iteration=ends, method="nearest").values,
            of=estimate.medians,
            seed=seed,
        ),
        limits=within(-0.25, 0.25),
    )


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
