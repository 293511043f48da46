"""Key → value recall: the figure."""

from collections.abc import Iterator, Mapping

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from slotfree.beyond.contextC4.claims import LEARNT, Values, answered, at_end, steps
from slotfree.beyond.contextC4.experiments import (
    EXPERIMENTS,
    FACTORS,
    FEWER,
    FIXED,
    HARDER,
    LONGER,
    PAPER,
    RATES,
    RULES,
    VALUES,
)
from slotfree.drawing.bands import band, spread
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION
from slotfree.drawing.training import dots, name_places
from slotfree.study.results import Results

CURVES: Mapping[str, tuple[str, str, str]] = {
    "query-key, letter": ("query-key rule", VERMILION, "-"),
    "mhn, letter": ("MHN rule", BLUE, "-"),
    "fixed, letter": ("fixed keys", GREEN, "-"),
    "exact, rates × 4": ("exact gradients, slots, rates × 4", BLACK, "-"),
    "exact, rates × 1": ("the same, rates × 1", GREY, "-"),
}
PLACES: tuple[tuple[str, str, str], ...] = (
    ("letter", "query-key, letter", VERMILION),
    ("redrawn", "query-key, redrawn", VERMILION),
    ("token", "query-key, token", VERMILION),
    ("none", "query-key, none", VERMILION),
    ("MHN, letter", "mhn, letter", BLUE),
    ("MHN, token", "mhn, token", BLUE),
)
ONE = tuple((f"{name}, k = 1", f"one winner, {name}", PURPLE) for name in ("own", "letter", "token"))
AGAIN: tuple[tuple[str, str, str], ...] = (
    ("query-key, letter", "repeats, query-key, letter", VERMILION),
    ("query-key, token", "repeats, query-key, token", VERMILION),
    ("MHN, token", "repeats, mhn, token", BLUE),
    ("fixed, token", "repeats, fixed, token", GREEN),
    ("exact, slots", "repeats, exact, rates × 4", BLACK),
)
ABSENT: tuple[tuple[str, str, str], ...] = (
    ("query-key", "absent, query-key, letter", VERMILION),
    ("MHN", "absent, mhn, letter", BLUE),
    ("fixed", "absent, fixed, letter", GREEN),
    ("exact, slots", "absent, exact, rates × 4", BLACK),
)


def draw(r: Results) -> Picture:
    """Draw accuracy (A), values in keys (B), projections (C), rates and β (D), repeated keys (E), absent ones (F)."""
    picture = Picture(2, 3, width=12, height=3.5)
    (training, keys, projections), (breaks, again, absent) = picture.axes
    draw_training(picture, training, r)
    draw_keys(picture, keys, r[RULES])
    draw_projections(picture, projections, r)
    draw_breaks(picture, breaks, r)
    draw_answers(picture, again, r[HARDER], AGAIN, {"once": "shown once", "again": "shown again: the latest value"})
    draw_answers(picture, absent, r[HARDER], ABSENT, {"once": "shown", "absent": 'not shown: "none"'})
    for axis, letter, title in (
        (training, "A", "64 keys, 16 pairs"),
        (keys, "B", "values in keys: 64 keys, 64 values"),
        (projections, "C", "projections: 64 keys; k = 1: 16 keys"),
        (breaks, "D", "wrong rates, wrong β"),
        (again, "E", "keys that come back"),
        (absent, "F", "a quarter of the queries for absent keys"),
    ):
        picture.panel(axis, letter, title)
    runs = r[RULES].sizes["run"]
    picture.legend_below(
        training,
        3,
        f"three winners, f = 0.4, 12 units for each item, N = 50; lines: mean ± 1 s.e. of {runs} runs; dots: runs, "
        "bars: medians; at the end: last fifth of training, 0 if it diverged\nC: fixed keys with rates × 5, as the "
        "other rules have; D: mean ± 1 s.e., 10 runs, 5 of rates with 64 keys, 4 of the paper's storage",
    )
    record_conditions(picture, r)
    return picture


def draw_training(picture: Picture, axis: Axes, r: Results) -> None:
    """Draw accuracy along training."""
    for condition, (label, colour, style) in CURVES.items():
        draw_curve(picture, axis, r[RULES], condition, colour, f"{label}, 64 values", style, 64)
    draw_curve(picture, axis, r[VALUES], "query-key, letter", VERMILION, "query-key rule, 256 values", "--", 256)
    draw_curve(picture, axis, r[VALUES], "exact, rates × 4", BLACK, "exact, rates × 4, 256 values", "--", 256)
    axis.set(xlabel="training iteration", ylabel="accuracy", ylim=(0, 1.02))


def draw_curve(
    picture: Picture, axis: Axes, data: xr.Dataset, condition: str, colour: str, label: str, style: str, values: int
) -> None:
    """Draw the accuracy of one condition."""
    runs = data["accuracy"].sel(condition=condition, drop=True)
    row = {"what": "accuracy", "condition": condition, "values": values}
    band(picture, axis, runs, colour, label, style=style, row=row, columns=("iteration", "mean", "standard_error"))


def draw_keys(picture: Picture, axis: Axes, data: xr.Dataset) -> None:
    """Draw how long the columns of W_K of values are, compared with those of keys."""
    for condition, (label, colour, style) in CURVES.items():
        runs = data["value_part"].sel(condition=condition, drop=True)
        row = {"what": "value part of keys", "condition": condition, "values": 64}
        columns = ("iteration", "mean", "standard_error")
        band(picture, axis, runs, colour, label, style=style, row=row, columns=columns)
    axis.set(xlabel="training iteration", ylabel="length of columns of W_K, values / keys", ylim=(0, None))


def draw_projections(picture: Picture, axis: Axes, r: Results) -> None:
    """Draw accuracy at the end by projections."""
    rows = [(name, at_end(r[RULES], condition), colour) for name, condition, colour in PLACES]
    rows += [(f"fixed, {name}", at_end(r[FIXED], f"fixed, {name}, rates × 5"), GREEN) for name in ("letter", "token")]
    rows += [(name, at_end(r[FEWER], condition), colour) for name, condition, colour in ONE]
    jitter = np.random.default_rng(0)
    for place, (_, values, colour) in enumerate(rows):
        dots(axis, place, values, colour, jitter)
    axis.set_xticks(range(len(rows)), [name for name, _, _ in rows], fontsize=7, rotation=90)
    axis.set(ylabel="accuracy at the end", ylim=(None, 1.005))


def draw_breaks(picture: Picture, axis: Axes, r: Results) -> None:
    """Draw accuracy at the end against how wrong rates and β are."""
    for label, colour, style, points in (
        ("rates, 64 keys", VERMILION, "o-", of_rates(r, "many")),
        ("rates, 16 keys", ORANGE, "s-", of_rates(r, "few")),
        ("β, 16 keys", SKY, "^-", ((factor, at_end(r[FEWER], f"β × {factor:g}")) for factor in FACTORS)),
    ):
        factors, runs = zip(*points, strict=True)
        means = [values.mean() for values in runs]
        errors = [float(spread(xr.DataArray(v, dims="run"))) / len(v) ** 0.5 for v in runs]
        axis.errorbar(factors, means, errors, fmt=style, ms=4, lw=1.4, color=colour, label=label)
    later = at_end(r[LONGER], "rates × 4")
    axis.plot(
        [4] * len(later), later, "o", ms=5, mfc="white", color=VERMILION, label="rates × 4 for 800 steps, 64 keys"
    )
    for style, data, name in ((":", r[RATES], "the paper's rates"), ("--", r[PAPER], "the paper's storage")):
        keys = 64 if style == ":" else 16
        axis.axhline(at_end(data, name).mean(), color=GREY, lw=1, ls=style, label=f"{name}, {keys} keys")
    axis.set_xscale("log")
    axis.set_xticks([0.1, 0.25, 1, 4, 10], ["0.1", "0.25", "1", "4", "10"])
    axis.minorticks_off()
    axis.set(xlabel="factor", ylabel="accuracy at the end", ylim=(-0.02, 1.04))
    axis.legend(loc="center", bbox_to_anchor=(0.58, 0.63), fontsize=6.5, handlelength=1.3)


def of_rates(r: Results, keys: str) -> Iterator[tuple[float, Values]]:
    """Factors of the rates, and accuracy at the end: for 64 keys after 300 steps, for 16 after 400."""
    data, right = (r[RATES], r[RULES].sel(iteration=slice(0, 299))) if keys == "many" else (r[FEWER], r[FEWER])
    for factor in (0.1, 1, 4, 10):
        if factor == 1:
            yield factor, at_end(right, "query-key, letter" if keys == "many" else "β × 1")
        else:
            yield factor, at_end(data, f"rates × {factor:g}")


def draw_answers(
    picture: Picture, axis: Axes, data: xr.Dataset, models: tuple[tuple[str, str, str], ...], shown: Mapping[str, str]
) -> None:
    """Draw right answers in the test, for two kinds of queries."""
    jitter = np.random.default_rng(0)
    for kind, (beside, fill) in zip(shown, ((-0.2, True), (0.2, False)), strict=True):
        for place, (_, condition, colour) in enumerate(models):
            values = answered(data, condition, kind)
            around = place + beside + jitter.uniform(-0.1, 0.1, len(values))
            axis.plot(around, values, "o", ms=4, color=colour, mfc=colour if fill else "white")
            axis.hlines(np.median(values), place + beside - 0.17, place + beside + 0.17, color="black", lw=2)
            at = {"condition": condition, "shown": kind}
            error = float(spread(xr.DataArray(values, dims="run"))) / len(values) ** 0.5
            picture.record(at | {"mean": float(values.mean()), "standard_error": error}, table="-answers")
        axis.plot([], [], "o", ms=4, color=GREY, mfc=GREY if fill else "white", label=shown[kind])
    name_places(axis, [name for name, _, _ in models])
    axis.set(ylabel="right answers in the test", ylim=(0, 1.03))
    axis.legend(loc="lower left", fontsize=7)


def record_conditions(picture: Picture, r: Results) -> None:
    """Record how every condition ends, and when it has learnt."""
    for experiment in EXPERIMENTS:
        data = r[experiment]
        for condition in data["condition"].values.tolist():
            values, at = at_end(data, condition), steps(data, condition)
            middle = float(np.median(at))
            row = {
                "experiment": experiment.name,
                "condition": condition,
                "runs": len(values),
                "accuracy_at_end": float(values.mean()),
                "standard_error": float(spread(xr.DataArray(values, dims="run"))) / len(values) ** 0.5,
                f"runs_that_reach_{LEARNT}": int(np.isfinite(at).sum()),
                "median_steps": middle if np.isfinite(middle) else "",
            }
            picture.record(row, table="-conditions")
