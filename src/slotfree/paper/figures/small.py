"""The small pictures of the findings: one panel each."""

from collections.abc import Sequence

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from slotfree.drawing import ages
from slotfree.drawing import training as panels
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, BLUE, DARK_GREY, GREEN, GREY, PURPLE, VERMILION, cue_title
from slotfree.forgetting.protocol import CUES
from slotfree.forgetting.theory import one_winner
from slotfree.paper.figures import fallback, figS5, theorem2
from slotfree.paper.shared.fading import ONE, K, newest, unseen
from slotfree.paper.shared.memories import K_WINNER, ONE_WINNER, WIDE, on_random
from slotfree.paper.shared.performance import learnt
from slotfree.paper.shared.similarity import KEYS, LOWER, UPPER, Definition, column, range_factor
from slotfree.paper.shared.transformers import BASELINE, BASELINES, FIXED_IP, PUBLISHED, QK_IP, Transformer
from slotfree.study import Estimate, Results, curves, estimate

TABLES = (KEYS, LOWER, UPPER)
Rows = Sequence[tuple[str, Estimate, str]]  # a name, a number with its 99 % interval, and a colour


def panel() -> tuple[Picture, Axes]:
    """A small picture, and its panel."""
    picture = Picture(width=3.4, height=2.3)
    return picture, picture.axes[0, 0]


def intervals(picture: Picture, axis: Axes, rows: Rows, xlabel: str) -> None:
    """Draw numbers with their 99 % intervals below each other, and record them."""
    for place, (name, found, colour) in enumerate(rows):
        ends = np.array([[found.value - found.low], [found.high - found.value]])
        axis.errorbar(found.value, place, xerr=np.nan_to_num(ends), fmt="o", ms=5, color=colour, capsize=2)
        picture.record({"of": name.replace("\n", " "), "value": found.value, "low": found.low, "high": found.high})
    axis.set_yticks(range(len(rows)), [name for name, _, _ in rows])
    axis.set(ylim=(len(rows) - 0.4, -0.6), xlabel=f"{xlabel} (99% interval)")


def by_age(r: Results, measured: str) -> tuple[Picture, Axes]:
    """Draw d' of both memories by age, with full cues."""
    picture, axis = panel()
    for model, e in ((K_WINNER, K), (ONE_WINNER, ONE)):
        samples: xr.DataArray = getattr(curves, measured)(r[e], 1.0)
        row = {"measure": measured, "model": model.name}
        ages.by_age(picture, axis, samples, model.colour, model.label, every_age=False, row=row)
    ages.age_axis(axis, r[K].sizes["age"])
    return picture, axis


def retention(r: Results) -> Picture:
    """Draw the paper's d' by age."""
    picture, axis = by_age(r, "d_prime")
    ages.d_prime_axis(axis)
    axis.legend(loc="upper right")
    return picture


def detection(r: Results) -> Picture:
    """Draw d' of signal detection by age."""
    picture, axis = by_age(r, "auc_d_prime")
    axis.set(ylabel="d' from the AUC", ylim=(-0.2, 3.3))
    axis.axhline(0, color=GREY, lw=0.6)
    axis.legend(loc="lower left", bbox_to_anchor=(0, 0.1))
    return picture


def near_perfect(r: Results) -> Picture:
    """Draw the accuracy at age 1 of three memories, for both cues."""
    picture, axis = panel()
    memories = ((ONE_WINNER, ONE), (WIDE, on_random(WIDE)), (K_WINNER, K))
    rows = [
        (f"{model.label.replace(' MHN, ', ', ')},\n{cue:.0%} cues", estimate.mean(newest(e, cue)(r)), model.colour)
        for model, e in memories
        for cue in CUES
    ]
    intervals(picture, axis, rows, "accuracy at age 1")
    axis.tick_params(axis="y", labelsize=7)
    return picture


def similarities(r: Results) -> Picture:
    """Draw the mean similarity of the trees that were trained on, against those that are printed."""
    picture, axis = panel()
    flips = (5, 10, 15)
    for name, measured, colour in (
        ("trees of 4,000 nodes (figure S5)", figS5.similar, BLUE),
        ("trees that were trained on", figS5.similar_in_training, VERMILION),
    ):
        found = [estimate.mean(measured(b)(r)) for b in flips]
        axis.errorbar(flips, [e.value for e in found], [e.reach for e in found], fmt="o-", color=colour, label=name)
        for b, e in zip(flips, found, strict=True):
            picture.record({"trees": name, "b": b, "similarity": e.value, "low": e.low, "high": e.high})
    axis.plot(flips, (0.49, 0.28, 0.17), "x", ms=7, mew=1.5, color=BLACK, label="printed")
    axis.set(xlabel="flipped bits b", ylabel="mean similarity (99% interval)", xticks=flips, ylim=(0, 0.62))
    axis.legend(loc="upper right")
    return picture


def speed(r: Results) -> Picture:
    """Draw the iteration at which each run is perfect, and name how many are."""
    picture, axis = panel()
    jitter = np.random.default_rng(0)
    models = (QK_IP, PUBLISHED, FIXED_IP)
    for place, model in enumerate(models):
        found = learnt(model)(r)
        panels.dots(axis, place, found[np.isfinite(found)], model.colour, jitter)
        picture.record_columns({"run": np.arange(len(found)), "iteration": found}, model=model.name)
    perfect = [np.isfinite(learnt(model)(r)) for model in models]
    counts = [f"{each.sum()} of {each.size} runs" for each in perfect]
    panels.name_places(axis, [f"{model.label}, {count}" for model, count in zip(models, counts, strict=True)])
    axis.set(ylabel="iteration of perfect accuracy", ylim=(0, None))
    return picture


def gradients(r: Results) -> Picture:
    """Draw the baseline's mean for equal letters in three tables, by gradient, and as printed."""
    picture, axis = panel()
    looks: dict[Transformer, tuple[str, str]] = {
        PUBLISHED: ("β = 1 in the gradients", BLACK),
        BASELINE: ("printed gradients", VERMILION),
        BASELINES[2]: ("β = 1 throughout", PURPLE),
    }
    for model, (name, colour) in looks.items():
        found = [estimate.mean(column(table, model, "on-mean")(r)) for table in TABLES]
        axis.errorbar(range(3), [e.value for e in found], [e.reach for e in found], fmt="o", color=colour, label=name)
        for table, e in zip(TABLES, found, strict=True):
            picture.record({"table": table.name, "gradients": name, "value": e.value, "low": e.low, "high": e.high})
    printed = [table.rows[PUBLISHED][0] for table in TABLES]
    axis.plot(range(3), printed, "x", ms=8, mew=1.5, color=GREEN, label="printed numbers")
    axis.set_xticks(range(3), ["table S1", "table S2", "table S3"])
    axis.set(xlim=(-0.4, 2.4), ylim=(0, 10.5), ylabel="mean for equal letters")
    axis.legend(loc="upper left", fontsize=6.5)
    return picture


def ranges(r: Results) -> Picture:
    """Draw printed ranges as multiples of ours, by what they are taken for."""
    picture, axis = panel()
    looks: dict[Definition, str] = {"of run means": VERMILION, "within runs": BLUE}
    rows = [
        (f"table {table.name.removeprefix('table')},\n{definition}", range_factor(table, definition)(r), colour)
        for table in TABLES
        for definition, colour in looks.items()
    ]
    intervals(picture, axis, rows, "printed range / ours")
    axis.axvline(1, color=DARK_GREY, lw=0.8, ls=":")
    axis.set_xscale("log")
    axis.set_xticks([1, 2, 4], ["1", "2", "4"])
    axis.minorticks_off()
    axis.tick_params(axis="y", labelsize=7)
    return picture


def falls_back(r: Results) -> Picture:
    """Draw accuracy and overwritten queries of the MHN model along training."""
    picture, axis = panel()
    for what, colour, name in (("accuracy", BLACK, "accuracy"), ("asked_lost", VERMILION, "queried item overwritten")):
        data = r[fallback.PLAIN]["diagnosis"].sel(measure=what)
        low, middle, high = np.quantile(data.values, [0.25, 0.5, 0.75], axis=0)
        steps = data["iteration"].values
        axis.fill_between(steps, low, high, color=colour, alpha=0.2, lw=0)
        axis.plot(steps, middle, color=colour, label=name)
        columns = {"iteration": steps, "median": middle, "first_quartile": low, "third_quartile": high}
        picture.record_columns(columns, measure=what)
    axis.set(xlabel="training iteration", ylabel="share of sequences", ylim=(0, 1.05))
    axis.legend(loc="center right")
    return picture


def theorem_7(r: Results) -> Picture:
    """Draw right minus wrong output of both models along training."""
    picture, axis = panel()
    theorem2.draw_contrasts(picture, axis, r)
    return picture


def baseline_formula(r: Results) -> Picture:
    """Draw the simulated baseline of the 1-winner MHN beside the formula's and the exact expectation."""
    picture, axis = panel()
    for place, cue in enumerate(CUES):
        found = estimate.mean(unseen(ONE, cue)(r))
        axis.errorbar(place, found.value, found.reach, fmt="o", ms=5, color=BLACK, capsize=2)
        theory = {"exact": one_winner.exact_baseline(cue), "formula": one_winner.baseline(cue)}
        axis.plot(place, theory["exact"], "_", ms=18, mew=1.5, color=BLUE)
        axis.plot(place, theory["formula"], "x", ms=7, mew=1.5, color=VERMILION)
        picture.record({"cue": cue, "simulated": found.value, "low": found.low, "high": found.high, **theory})
    axis.plot([], [], "o", color=BLACK, label="simulated (99% interval)")
    axis.plot([], [], "_", ms=12, mew=1.5, color=BLUE, label="exact expectation")
    axis.plot([], [], "x", mew=1.5, color=VERMILION, label="formula")
    axis.axhline(0.1, color=GREY, lw=0.8, ls=":")
    axis.set_xticks(range(2), [cue_title(cue) for cue in CUES])
    axis.set(xlim=(-0.5, 1.5), ylim=(0.09, 0.23), ylabel="baseline, 1-winner MHN")
    axis.legend(loc="upper right", fontsize=7)
    return picture
