"""What emerges when in a training, and the stages of its loss: measures and panels that figures S12 and S13 share."""

from typing import Any

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from numpy.typing import NDArray
from scipy import stats

from slotfree.attention.measures import SMOOTHED, half_times, smoothed
from slotfree.attention.weights import letter_blocks
from slotfree.drawing import training as panels
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, BLUE, GREEN, GREY, ORANGE
from slotfree.paper.shared.descents import BLOCK, LEVEL, Descents, descents
from slotfree.paper.shared.transformers import SNAPSHOTS, TASK, Transformer, training
from slotfree.study import Results, estimate, measure
from slotfree.study.train_runs import weights_at

Values = NDArray[np.float64]
Flags = NDArray[np.bool_]

STRUCTURES = {"values": ("values", ORANGE), "query-key": ("query–key", BLUE), "key-key": ("key–key", GREEN)}
MATRICES = {
    "W_V": "values $W_V$",
    "W_K^T W_K": "upper- and\nlowercase keys",
    "W_Q^T W_K": "queries\nand keys",
}
STYLES = {"query-key": ("-", 3.0), "key-key": ("--", 1.5)}  # which may lie upon each other
MOMENT = "#2E8B57"
PAUSE = None  # a place in training: where the loss is slowest between its two periods of descent
Place = int | None  # an iteration, or PAUSE


@measure
def half(r: Results, transformer: Transformer, structure: str) -> Values:
    """Iteration at which the contrast of a structure first reaches half of its final value, in each run."""
    return half_times(r[training(transformer)])[structure]


@measure
def delay(r: Results, transformer: Transformer, earlier: str, later: str) -> Values:
    """Iterations from one structure's half to another's, in each run."""
    return half(transformer, later)(r) - half(transformer, earlier)(r)


@measure
def falls(r: Results, transformer: Transformer) -> Flags:
    """Accuracy falls reliably from one block of 100 iterations to a later one, {transformer.label}."""
    accuracy = r[training(transformer)]["accuracy"]
    return np.array([falls_reliably(run) for run in accuracy.transpose("run", "iteration").values])


def falls_reliably(curve: Values) -> bool:
    """Whether a noisy curve falls: half of the batches say where it falls most, the others whether it does."""
    blocks = curve[: len(curve) // BLOCK * BLOCK].reshape(-1, BLOCK)
    chosen, judged = blocks[:, 0::2].mean(axis=1), blocks[:, 1::2]
    end = int((np.maximum.accumulate(chosen) - chosen).argmax())
    start = int(chosen[: end + 1].argmax())
    error = np.sqrt((judged[start].var(ddof=1) + judged[end].var(ddof=1)) / judged.shape[1])
    return bool(judged[start].mean() - judged[end].mean() > stats.norm.isf(LEVEL) * error)


@measure
def periods(r: Results, transformer: Transformer, n: int) -> Descents:
    """The n most marked periods in which the loss falls."""
    return descents(r[training(transformer)]["loss"], n)


@measure
def values_in_first_descent(r: Results, model: Transformer) -> Flags:
    """Values are at half of their final contrast before the loss is slowest between two descents, {model.label}."""
    return np.asarray(half(model, "values")(r) < periods(model, 2)(r).slowest[:, 0])


@measure
def fall(r: Results, transformer: Transformer, first: int, last: int) -> Values:
    """How much the loss falls from iteration {first} to {last}, {transformer.label}."""
    curve = smoothed(r[training(transformer)]["loss"])
    ends = curve.sel(iteration=[first, last], method="nearest").values
    return np.asarray(ends[:, 0] - ends[:, 1])


@measure
def contrast(r: Results, transformer: Transformer, structure: str, place: Place, after: int = 0) -> Values:
    """The contrast of a structure some iterations after a place, in each run that has it."""
    return _at(r, transformer, r[training(transformer)]["contrast"].sel(structure=structure).values, place, after)


@measure
def share_of_end(r: Results, transformer: Transformer, structure: str, place: Place) -> Values:
    """The contrast of a structure as a share of its end, in each run that has the place."""
    found = r[training(transformer)]["contrast"].sel(structure=structure).values
    return _at(r, transformer, found / found[:, -1:], place)


def _at(r: Results, transformer: Transformer, found: Values, place: Place, after: int = 0) -> Values:
    """Of what is measured along training, (run, measured), the value at a place, for runs that have it; else a NaN."""
    at = periods(transformer, 2)(r).slowest[:, 0] if place is PAUSE else np.full(len(found), float(place))
    runs = np.flatnonzero(np.isfinite(at))
    nearest = np.abs(at[runs, None] + after - r[training(transformer)]["measured"].values).argmin(axis=1)
    return np.asarray(found[runs, nearest]) if len(runs) else np.array([np.nan])


@measure
def present(r: Results, transformer: Transformer, structures: tuple[str, ...], place: Place) -> Flags:
    """Whether contrasts are all beyond what 99 % of random initial weights have, in each run."""
    seen = []
    for name in structures:
        initial = contrast(transformer, name, 0)(r)
        spread = initial.std(ddof=1) if len(initial) > 1 else np.nan
        seen.append(contrast(transformer, name, place)(r) > estimate.NORMAL * spread)
    return np.asarray(np.all(seen, axis=0))


def draw(transformer: Transformer, until: int, r: Results) -> Picture:
    """Draw accuracy (A) and loss (B), the first run's weights at four moments (C), and what emerged when (D).

    Parameters
    ----------
    until : iteration at which the axes end; all of them have the same.
    """
    data = r[training(transformer)]
    kept = data["snapshot"].values.tolist()
    moments = [n for n in kept if n in SNAPSHOTS[transformer]] or kept[-1:]
    picture = Picture(width=12, height=7.4)
    picture.figure.clear()  # its panels stand in parts of their own: A and B, C, D
    lines = f"lines: one run in A and B, the median in D; bands: quartiles of {data.sizes['run']} runs"
    picture.figure.suptitle(f"{transformer.label} ({lines})", fontsize=10)
    halves: Any = picture.figure.subfigures(2, 1, height_ratios=(1, 1.6))
    upper, lower = halves
    moments_part, emergence_part = lower.subfigures(1, 2, width_ratios=(2.1, 1))
    first, second = upper.subplots(1, 2)
    end = min(until, data.sizes["iteration"])
    for axis, quantity, label in ((first, "accuracy", "batch accuracy"), (second, "loss", "batch loss |ŷ − y|²")):
        draw_quantity(picture, axis, data[quantity], transformer.colour)
        for moment in moments:
            axis.axvline(moment, color=MOMENT, ls="--", lw=0.9)
        axis.set(ylabel=label, xlim=(0, 1.03 * end))
    mark_descents(second, data["loss"].isel(run=[0]))
    picture.panel(first, "A", "Accuracy")
    picture.panel(second, "B", "Loss")
    draw_moments(picture, moments_part, data, moments)
    draw_emergence(picture, emergence_part.subplots(), transformer, r)
    emergence_part.axes[0].set_xlim(0, 1.03 * end)
    return picture


def draw_quantity(picture: Picture, axis: Axes, runs: xr.DataArray, colour: str) -> None:
    """Draw accuracy or loss of the first run, and the quartiles of all runs behind it."""
    means = smoothed(runs)
    low, high = np.quantile(means.transpose("run", "iteration").values, [0.25, 0.75], axis=0)
    axis.fill_between(means["iteration"].values + SMOOTHED / 2, low, high, color=colour, alpha=0.15, lw=0)
    panels.first_run(picture, axis, runs, colour, row={"quantity": runs.name}, table="-run")


def mark_descents(axis: Axes, loss: xr.DataArray) -> None:
    """Mark where a loss falls most steeply in its two periods of descent, and where it is slowest between them."""
    found, curve = descents(loss, 2), smoothed(loss).isel(run=0)
    for places, label, face in ((found.steepest, "steepest", BLACK), (found.slowest, "slowest between", "white")):
        known = places[np.isfinite(places)]
        heights = np.interp(known, curve["iteration"].values + SMOOTHED / 2, curve.values)
        axis.plot(known, heights, "o", ms=5, mfc=face, mec=BLACK, label=label, zorder=4)
    axis.legend(loc="upper right", bbox_to_anchor=(0.96, 1), fontsize=7)


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


def matrices_at(data: xr.Dataset, moment: int) -> tuple[Values, ...]:
    """What the weights of the first run make of letters after a number of steps: values, keys, queries and keys."""
    weights = weights_at(data, moment)[0]
    blocks = letter_blocks(weights)
    queried = np.hstack([blocks["query-lower"], blocks["query-upper"]])
    return weights.W_V[:, : 2 * TASK.n_letters], blocks["key-key"], queried


def draw_emergence(picture: Picture, axis: Axes, transformer: Transformer, r: Results) -> None:
    """Draw each contrast as a share of its final value, median and quartiles over runs, and when it reaches a half."""
    data = r[training(transformer)]
    at = data["measured"].values
    for name, (label, colour) in STRUCTURES.items():
        found = data["contrast"].sel(structure=name).values
        low, middle, high = np.quantile(found / found[:, -1:], [0.25, 0.5, 0.75], axis=0)
        reached = float(np.median(half(transformer, name)(r)))
        style, width = STYLES.get(name, ("-", 1.5))
        axis.fill_between(at, low, high, color=colour, alpha=0.15, lw=0)
        axis.plot(at, middle, style, lw=width, color=colour, label=f"{label}: half at {reached:.0f}")
        axis.plot(reached, 0.5, "o", color=colour, ms=5)
        columns = {"iteration": at, "median_share": middle, "first_quartile": low, "third_quartile": high}
        picture.record_columns(columns, structure=name)
    axis.axhline(0.5, color=GREY, lw=0.6)
    axis.set(xlabel="training iteration", ylabel="contrast, share of its end")
    axis.set_ylim(bottom=-0.1)
    axis.legend(loc="upper right", fontsize=7)
    picture.panel(axis, "D", "What emerges when")
