"""The panels of theorem 1's figure."""

from math import log

import numpy as np
from matplotlib.axes import Axes

from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, GREY, VERMILION
from slotfree.paper.memory.theorem1 import large
from slotfree.paper.memory.theorem1.experiments import AGES, LEVELS, SIZES, SPARSITIES
from slotfree.paper.memory.theorem1.measures import (
    Compared,
    Point,
    compare,
    permitted_loss,
    small_cues,
    still_stored,
)
from slotfree.study import estimate
from slotfree.study.results import Results

TITLES = (
    *("Proposition 2: baseline", "Theorem 1: raw difference", "Its order of error"),
    *("Theorem 4: extreme values", "Proposition 5: small cues", "Still in memory"),
)


def draw(r: Results) -> Picture:
    """Draw baselines (A), mean R.D. (B), the order of the error (C), extreme values (D), small cues (E), slots (F)."""
    picture = Picture(2, 3, width=11, height=3.4)
    (baseline, raw, order), (extreme, small, slots) = picture.axes
    for point, found in compare(r).items():
        draw_point(picture, baseline if point.quantity == "baseline" else raw, point, found)
    for axis in (baseline, raw):
        name_places(axis)
    baseline.set(ylabel="accuracy of patterns not stored", ylim=(0, None))
    raw.set(ylabel=f"R.D., mean over ages 1 to {AGES}", ylim=(0, 1))
    for s_v, colour in SPARSITIES.items():
        baseline.plot([], [], "o", color=colour, label=f"$s_v$ = {s_v:g}")
    baseline.plot([], [], "o", color=GREY, label="simulation, 99% interval")
    baseline.plot([], [], "_", ms=13, mew=1.5, color=GREY, label="A, B: exact theory")
    baseline.plot([], [], "x", color=GREY, label="A, B: printed theory, $n_h$ → ∞")
    picture.legend_below(baseline, 6)
    draw_order(picture, order)
    draw_extreme(picture, extreme)
    draw_small_cues(picture, small, r)
    draw_slots(picture, slots, r)
    for axis, letter, title in zip(picture.axes.flat, "ABCDEF", TITLES, strict=True):
        picture.panel(axis, letter, title)
    return picture


def place(n_h: int, cue: float) -> int:
    """Where a size and a cue level stand on an axis."""
    return SIZES.index(n_h) * (len(LEVELS) + 1) + LEVELS.index(cue)


def draw_point(picture: Picture, axis: Axes, point: Point, found: Compared) -> None:
    """Draw and record what was simulated at a point of the grid, and both versions of the theory."""
    colour, simulated = SPARSITIES[point.s_v], found.simulated
    x = place(point.n_hidden, point.cue) + (list(SPARSITIES).index(point.s_v) - 1) * 0.22
    axis.errorbar(x, simulated.value, simulated.reach, fmt="o", ms=4, color=colour, capsize=2)
    axis.plot(x, found.exact, "_", ms=13, mew=1.5, color=colour)
    axis.plot(x, found.asymptotic, "x", ms=5, color=colour, alpha=0.8)
    numbers = {"simulated": simulated.value, "error": found.error}
    picture.record({**point._asdict(), **numbers, "exact": found.exact, "asymptotic": found.asymptotic})


def name_places(axis: Axes) -> None:
    """Name the cue levels below the axis, and the sizes above them."""
    axis.set_xticks([place(n_h, cue) for n_h in SIZES for cue in LEVELS], [f"{cue:g}" for _ in SIZES for cue in LEVELS])
    axis.set_xlabel("cue level c")
    for n_h in SIZES:
        x = place(n_h, LEVELS[len(LEVELS) // 2])
        axis.text(x, 0.02, f"$n_h$ = {n_h}", transform=axis.get_xaxis_transform(), ha="center", fontsize=8)


def draw_order(picture: Picture, axis: Axes) -> None:
    """Draw the deviation of the printed baseline by its order, for sizes that grow in several ways."""
    for name, (_, most, colour, label) in large.GROWTHS.items():
        decades = [d for d in large.DECADES if d <= most]
        scaled = [large.scaled_deviation(1.0, name, d) for d in decades]
        axis.plot(decades, scaled, "o-", ms=3, color=colour, label=label)
        deviations = [large.deviation(1.0, name, d) for d in decades]
        picture.record_columns(
            {"log10_n_hidden": np.array(decades), "deviation": np.array(deviations), "scaled": np.array(scaled)},
            table="-order",
            growth=name,
        )
    log_scale(axis, "xy")
    powers_of_ten(axis, "$n_h$")
    axis.set(ylim=(0.004, 4), ylabel="|printed − exact| · ln $n_h$ / ln ln $n_h$")
    axis.legend(loc="upper left", title="baseline, $s_v$ = 0.1, full cues", title_fontsize=8)


def draw_extreme(picture: Picture, axis: Axes) -> None:
    """Draw how far the largest of N Gaussian numbers is from Gumbel's distribution."""
    for label, factor, colour in (("as printed", 1.0, VERMILION), ("with a factor ½", 0.5, BLACK)):
        distances = [large.gumbel_distance(d * log(10), factor) for d in large.DECADES]
        axis.plot(large.DECADES, distances, "o-", ms=3, color=colour, label=f"$a_N$ {label}")
        picture.record_columns({"log10_N": large.DECADES, "distance": distances}, table="-extreme", factor=factor)
    log_scale(axis, "x")
    powers_of_ten(axis, "N")
    axis.set(ylim=(0, 1), ylabel="largest difference of\nboth distributions")
    axis.legend(loc="center right", bbox_to_anchor=(1, 0.35))


def powers_of_ten(axis: Axes, name: str) -> None:
    """Name the ticks of an axis of exponents by the numbers that they stand for."""
    exponents = (1, 3, 10, 30, 100, 300)
    axis.set_xticks(exponents, [f"$10^{{{exponent}}}$" for exponent in exponents])
    axis.set_xticks([], minor=True)
    axis.set_xlabel(name)


def draw_small_cues(picture: Picture, axis: Axes, r: Results) -> None:
    """Draw the accuracy that small cues of stored patterns lose, and what proposition 5 permits."""
    for found in small_cues(r):
        colour, loss = SPARSITIES[found.s_v], estimate.mean(found.loss)
        axis.errorbar(found.ones, loss.value, loss.reach, fmt="o", ms=4, color=colour, capsize=2)
        row = {"n_hidden": found.n_hidden, "s_v": found.s_v, "ones": found.ones}
        picture.record(
            {**row, "loss": loss.value, "low": loss.low, "high": loss.high, "permitted": found.bound},
            table="-small-cues",
        )
    ones = range(1, 6)
    for n_h, s_v in {(found.n_hidden, found.s_v) for found in small_cues(r)}:
        bounds = [permitted_loss(m, n_h, s_v) for m in ones]
        axis.plot(ones, bounds, "--", lw=1, color=SPARSITIES[s_v])
        axis.annotate(
            f"$n_h$ = {n_h}",
            (5, bounds[-1]),
            (4, 0),
            textcoords="offset points",
            fontsize=7,
            va="center",
            color=SPARSITIES[s_v],
        )
    axis.plot([], [], "--", lw=1, color=GREY, label="bound: δ for which c is enough")
    log_scale(axis, "y")
    axis.set(xticks=ones, xlim=(0.8, 6), ylim=(1e-5, 3), xlabel="ones in the cue, c $k_v$")
    axis.set(ylabel="loss of accuracy of stored patterns")
    axis.legend(loc="upper right", fontsize=7)


def draw_slots(picture: Picture, axis: Axes, r: Results) -> None:
    """Draw the share of patterns that are still stored, by age, and the law."""
    found, law = still_stored(r)
    ages = np.arange(1, len(law) + 1)
    mean = found.mean(axis=0)
    shown = np.unique(np.linspace(0, len(law) - 1, 13).round().astype(int))
    for i in shown:
        share = estimate.mean(found[:, i])
        axis.errorbar(ages[i], share.value, share.reach, fmt="o", ms=4, color=BLACK, capsize=2)
    axis.plot(ages, law, color=VERMILION, lw=1, label="$(1 − 1/n_h)^{a − 1}$")
    picture.record_columns({"age": ages, "stored": mean, "law": law}, table="-slots")
    axis.set(ylim=(0, 1.05), xlabel="memory age (1 = newest)", ylabel="share of patterns still stored")
    axis.legend(loc="lower left", title="$n_h$ = 100, $s_v$ = 0.1", title_fontsize=8)
