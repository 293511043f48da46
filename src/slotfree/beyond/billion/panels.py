"""Curves by age with theory (A, B), the error of the theory by size (D, E), time (C) and memory (F)."""

from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import EngFormatter

from slotfree.beyond.billion.claims import LIMIT, MOST_BYTES
from slotfree.beyond.billion.compared import Compared, compare, points
from slotfree.beyond.billion.experiments import AGES, NEIGHBOURS, touched
from slotfree.drawing.ages import accuracy_axis
from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import AGE, DARK_GREY, LIGHT_GREY, PALETTE, cue_title
from slotfree.forgetting.protocol import CUES
from slotfree.study import estimate
from slotfree.study.results import Results

LINE = np.unique(np.geomspace(1, AGES[-1] + NEIGHBOURS, 60).round().astype(int))
NEVER = 4500  # where on the axis of ages patterns are that were never stored
STORED_BYTES = 16  # per synapse with stored connections and weights of 32 bits, at least
MIDDLE = (NEIGHBOURS - 1) / 2  # of the ages that are averaged, from the first


def draw(r: Results) -> Picture:
    """Draw all panels, and record what they show."""
    sizes = compare(r)
    picture = Picture(2, 3, width=12, height=3.5)
    for column, cue in enumerate(CUES):
        curves, errors = picture.axes[:, column]
        draw_curves(curves, sizes, cue)
        picture.panel(curves, "AB"[column], cue_title(cue))
        draw_errors(errors, sizes, cue)
        picture.panel(errors, "DE"[column], f"{cue_title(cue)}, 99% intervals")
    picture.axes[0, 0].legend(loc="lower left", title="synapses (lines: theory)", title_fontsize=8, reverse=True)
    picture.axes[1, 0].legend(loc="upper right", ncols=3)
    draw_time(picture.axes[0, 2], sizes)
    picture.panel(picture.axes[0, 2], "C", "time, and that of a whole store")
    draw_bytes(picture.axes[1, 2], sizes)
    picture.panel(picture.axes[1, 2], "F", "memory")
    for one in sizes:
        record(picture, one)
    return picture


def draw_curves(axis: Axes, sizes: Sequence[Compared], cue: float) -> None:
    """Draw accuracy against age: theory as lines, simulation as dots with 99 % intervals; the baseline at the right."""
    for one, colour in zip(sizes, colours(len(sizes)), strict=True):
        line = one.line(LINE).sel(cue=cue)
        axis.plot(LINE, line["accuracy"], color=colour, lw=1.3)
        axis.plot([NEVER / 1.4, NEVER * 1.4], [float(line["baseline"])] * 2, color=colour, lw=1.3)
        dots: dict[str, Any] = {"fmt": "o", "ms": 4, "elinewidth": 1, "color": colour}
        x, y, reach = [], [], []
        for age in (*AGES, None):
            x.append(NEVER if age is None else age + MIDDLE)
            y.append(one.simulated(cue, age).mean())
            reach.append(one.difference(cue, age).reach)
        axis.errorbar(x, y, reach, label=f"$10^{{{one.exponent}}}$", **dots)
    log_scale(axis, "x")
    axis.set_xticks([1, 10, 100, 1000, NEVER], ["1", "10", "100", "1000", "never\nstored"])
    axis.set(xlim=(0.9, NEVER * 1.5), xlabel=AGE)
    accuracy_axis(axis)


def draw_errors(axis: Axes, sizes: Sequence[Compared], cue: float) -> None:
    """Draw simulated less predicted accuracy against size, ages side by side, with 99 % intervals."""
    axis.axhspan(-LIMIT, LIMIT, color=LIGHT_GREY, alpha=0.35, lw=0)
    axis.axhline(0, color=DARK_GREY, lw=0.6)
    for i, (age, colour) in enumerate(zip((*AGES, None), PALETTE, strict=False)):
        found = [one.difference(cue, age) for one in sizes]
        x = [one.settings.n_synapses * aside(sizes) ** (i - len(AGES) / 2) for one in sizes]
        bars = [each.reach for each in found]
        label = "never stored" if age is None else f"age {age}"
        axis.errorbar(x, [each.value for each in found], bars, fmt="o", ms=4, elinewidth=1, color=colour, label=label)
    size_axis(axis, sizes)
    axis.set(ylim=(-0.03, 0.045), ylabel="simulated − predicted accuracy")


def draw_time(axis: Axes, sizes: Sequence[Compared]) -> None:
    """Draw nanoseconds per touched synapse against size: the median and the middle half; and what a store takes."""
    for one, colour in zip(sizes, colours(len(sizes)), strict=True):
        low, middle, high = np.percentile(one.nanoseconds, [25, 50, 75])
        error = [[middle - low], [high - middle]]
        axis.errorbar(one.settings.n_synapses, middle, error, fmt="o", ms=5, elinewidth=1, color=colour)
        store, below = EngFormatter("s", places=0)(middle * 1e-9 * touched(one.settings)), (0, -14)
        axis.annotate(store, (one.settings.n_synapses, low), below, textcoords="offset points", ha="center", fontsize=8)
    size_axis(axis, sizes)
    axis.set(ylim=(0, None), ylabel="ns per touched synapse, one thread")


def draw_bytes(axis: Axes, sizes: Sequence[Compared]) -> None:
    """Draw bytes against size, with what they may be, and what stored connections take."""
    ends = np.array([one.settings.n_synapses for one in (sizes[0], sizes[-1])])
    axis.plot(ends, STORED_BYTES * ends, ":", color=DARK_GREY, lw=1, label=f"stored connections, {STORED_BYTES}+")
    axis.plot(ends, MOST_BYTES * ends, "--", color=DARK_GREY, lw=1, label=f"{MOST_BYTES} bytes per synapse")
    for one, colour in zip(sizes, colours(len(sizes)), strict=True):
        label = f"measured, {one.bytes_per_synapse:.2f}" if one is sizes[-1] else None
        axis.plot(one.settings.n_synapses, float(one.data["nbytes"].max()), "o", ms=5, color=colour, label=label)
    size_axis(axis, sizes)
    log_scale(axis, "y")
    axis.set_ylabel("bytes of a memory")
    axis.legend(loc="upper left")


def size_axis(axis: Axes, sizes: Sequence[Compared]) -> None:
    """Synapses on a logarithmic axis."""
    log_scale(axis, "x")
    beside = aside(sizes) ** 5
    axis.set(xlim=(sizes[0].settings.n_synapses / beside, sizes[-1].settings.n_synapses * beside), xlabel="synapses")


def aside(sizes: Sequence[Compared]) -> float:
    """The factor by which neighbouring points of one size are apart."""
    ends = [one.settings.n_synapses for one in (sizes[0], sizes[-1])]
    return float((ends[1] / ends[0]) ** (0.1 / (len(sizes) - 1)))


def colours(n: int) -> list[Any]:
    """Dark for the smallest to bright for the largest."""
    return [mpl.colormaps["viridis"](x) for x in np.linspace(0, 0.85, n)]


def record(picture: Picture, one: Compared) -> None:
    """Add what was found at one size to the tables."""
    s = one.settings
    size = {"synapses": s.n_synapses, "n_visible": s.n_visible, "n_hidden": s.n_hidden}
    for cue, age, difference in points(one):
        numbers = {
            "predicted": one.predicted(cue, age).mean(),
            "simulated": one.simulated(cue, age).mean(),
            "difference": difference.value,
            "low": difference.low,
            "high": difference.high,
        }
        ages = "never stored" if age is None else f"{age}-{age + NEIGHBOURS - 1}"
        picture.record({**size, "memories": one.memories, "cue": cue, "ages": ages, **numbers})
    seconds = estimate.median(one.data["store_seconds"].values.ravel())
    cost = {
        "touched_per_store": touched(s),
        "nanoseconds_per_touched": float(np.median(one.nanoseconds)),
        "store_seconds": seconds.value,
        "build_seconds": float(one.data["build_seconds"].median()),
        "bytes": int(one.data["nbytes"].max()),
        "bytes_per_synapse": one.bytes_per_synapse,
    }
    picture.record({**size, **cost}, table="-cost")
