"""Context 1: a distributed context is learnt by the local rules, and why thin units need no input projections."""

from collections.abc import Sequence

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from slotfree.attention.measures import SMOOTHED
from slotfree.beyond.contextC1 import experiments as e
from slotfree.beyond.shared.train_side_by_side import ended, learnt_at
from slotfree.drawing.bands import band
from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, BLUE, DARK_GREY, GREEN, GREY, LIGHT_GREY, ORANGE, PURPLE, SKY, VERMILION
from slotfree.drawing.training import name_places
from slotfree.study import estimate
from slotfree.study.claim import at_least, below
from slotfree.study.estimate import Estimate, Values, jackknife_error
from slotfree.study.experiment import Experiment
from slotfree.study.item import Item
from slotfree.study.judge import judged, measure, more, share_of_runs
from slotfree.study.results import Results

LEARNT = 0.99
CURVES = {
    e.PUBLISHED: (BLACK, "-"),
    e.ZERO: (SKY, "-"),
    e.BOTH: (BLUE, "-"),
    e.SLOWER: (LIGHT_GREY, "-"),
    e.BARE: (BLACK, "--"),
    e.BARE_BOTH: (BLUE, "--"),
    e.THIN: (VERMILION, "--"),
}
COLOURS = dict(zip(e.KS, (BLUE, VERMILION, GREEN, PURPLE), strict=True))
SIZES = dict(zip(e.UNITS, ("o--", "s-", "^:"), strict=True))
STORED = {
    e.WHOLE: (BLUE, "o-"),
    e.THREE: (SKY, "o--"),
    e.CENTRED: (GREEN, "s-"),
    e.SHARED: (ORANGE, "^-"),
    e.PART: (VERMILION, "o-"),
}
PLACE_COLOURS = {e.WITH: DARK_GREY, e.WITHOUT: VERMILION}


def draw(r: Results) -> Picture:
    """Draw controls (A), the grid (B to D), where items are stored (E, F), and variants (G)."""
    picture = Picture(3, 3, width=11.0, height=3.2)
    draw_controls(picture, r[e.CONTROLS])
    for axis, letter, place in ((picture.axes[0, 1], "B", e.WITHOUT), (picture.axes[0, 2], "C", e.WITH)):
        draw_grid(picture, axis, ended(r[e.GRID]), place)
        axis.set(ylabel="accuracy at the end", ylim=(0.6, 1.02))
        picture.panel(axis, letter, f"{place} projections, 400 steps")
    picture.axes[0, 1].legend(handles=legend_of_grid(), fontsize=6.5, ncols=2, loc="lower left")
    draw_steps(picture, r)
    draw_storing(picture, r[e.STORED])
    draw_sums(picture, r[e.STORED])
    draw_variants(picture, r[e.VARIED])
    few, many = (r[experiment].sizes["run"] for experiment in (e.GRID, e.VARIED))
    picture.figure.supxlabel(
        f"Case Sequence Task, L = C = 4, key_dim 50; {few} runs, {many} in G. A: median, least to largest; B, C, E: "
        "mean ± 1 s.e.; F: ± 1 s.e. over runs; G: each run, bar: median. Means over 25 steps.",
        fontsize=7,
    )
    return picture


def draw_controls(picture: Picture, data: xr.Dataset) -> None:
    """Draw accuracy along training for the paper's storage, taken apart."""
    axis = picture.axes[0, 0]
    for name, (colour, style) in CURVES.items():
        curve(picture, axis, data["accuracy"].sel(condition=name, drop=True), colour, style, name)
    lost = data["accuracy"].sel(condition=e.ONLY_Z).isnull().all("iteration")
    axis.plot([], [], " ", label=f"Z alone diverges in {int(lost.sum())} of {lost.size} runs")
    axis.set(xlim=(0, e.STEPS), ylim=(0.1, 1.02), xlabel="training step", ylabel="accuracy")
    axis.legend(fontsize=6, loc="lower right")
    picture.panel(axis, "A", "one winner ($n_h$ = 16), thin units")


def curve(picture: Picture, axis: Axes, runs: xr.DataArray, colour: str, style: str, name: str) -> None:
    """Draw the median over runs, with a band from the least to the largest, and record them."""
    known = runs.isel(iteration=runs.notnull().any("run").values)
    steps = known["iteration"].values
    median, least, largest = known.median("run").values, known.min("run").values, known.max("run").values
    axis.fill_between(steps + SMOOTHED / 2, least, largest, color=colour, alpha=0.12, lw=0)
    axis.plot(steps + SMOOTHED / 2, median, style, color=colour, lw=1.4, label=name)
    columns = {"step": steps, "median": median, "least": least, "largest": largest}
    picture.record_columns(columns, condition=name)


def draw_grid(picture: Picture, axis: Axes, end: xr.DataArray, place: str) -> None:
    """Draw the accuracy at the end against the fan-in."""
    for k, colour in COLOURS.items():
        for n_hidden, style in SIZES.items():
            fs = [f for f in e.FS if (k, f, n_hidden, place) in e.CELLS]
            if fs:
                runs = end.sel(condition=[e.cell(k, f, n_hidden, place) for f in fs]).rename(condition="f")
                band(picture, axis, runs.assign_coords(f=beside(fs, k)), colour, "", style=style, row=None)
    name_fans(axis)


def legend_of_grid() -> list[Line2D]:
    """Handles for the colours and the lines of the grid."""
    lines = [Line2D([], [], color=colour, label=f"K = {k}") for k, colour in COLOURS.items()]
    for n_hidden, style in SIZES.items():
        lines.append(Line2D([], [], marker=style[0], ls=style[1:], ms=3, color=GREY, label=f"$n_h$ = {n_hidden}"))
    return lines


def beside(fs: Sequence[float], k: int) -> list[float]:
    """Fan-ins, moved a little for each K, so that points do not hide each other."""
    return [f * 1.06 ** (e.KS.index(k) - 1.5) for f in fs]


def name_fans(axis: Axes) -> None:
    """Make the axis that of fan-ins."""
    log_scale(axis, "x")
    axis.set_xticks(e.FS, [f"{f:g}" for f in e.FS])
    axis.minorticks_off()
    axis.set_xlabel("fan-in f, part of the key that a unit sees")


def draw_steps(picture: Picture, r: Results) -> None:
    """Draw the steps to 0.99 against the fan-in, and record the whole grid."""
    axis = picture.axes[1, 0]
    end, steps = ended(r[e.GRID]), learnt_at(r[e.GRID])
    for k, colour in COLOURS.items():
        for place, style in ((e.WITHOUT, "s-"), (e.WITH, "o:")):
            fs = [f for f in e.FS if (k, f, 160, place) in e.CELLS]
            medians = [float(steps.sel(condition=e.cell(k, f, 160, place)).median()) for f in fs]
            axis.plot(beside(fs, k), np.where(np.isfinite(medians), medians, np.nan), style, ms=3, color=colour, lw=1.3)
    for k, f, n_hidden, place in e.CELLS:
        runs, at = (x.sel(condition=e.cell(k, f, n_hidden, place)).values for x in (end, steps))
        error = runs.std(ddof=1) / len(runs) ** 0.5 if len(runs) > 1 else np.nan
        numbers = {"accuracy": runs.mean(), "standard_error": error, "least": runs.min()}
        row = {"k": k, "fan_in": f, "n_hidden": n_hidden, "projections": place, **numbers}
        picture.record(
            {**row, "median_steps": float(np.median(at)), "learnt": int(np.isfinite(at).sum())}, table="-grid"
        )
    for name, colour in ((e.PUBLISHED, BLACK), (e.BOTH, BLUE)):
        level = float(learnt_at(r[e.CONTROLS]).sel(condition=name).median())
        if np.isfinite(level):
            axis.axhline(level, color=colour, lw=1)
            axis.annotate(f"one winner, {name}", (0.04, level), (0, 2), textcoords="offset points", fontsize=6.5)
    name_fans(axis)
    axis.plot([], [], "s-", ms=3, color=GREY, label="without projections")
    axis.plot([], [], "o:", ms=3, color=GREY, label="with projections")
    axis.set(ylim=(0, 700), ylabel="steps to 0.99, median")
    axis.legend(fontsize=6.5, loc="upper right", bbox_to_anchor=(1, 0.75))
    picture.panel(axis, "D", "speed, $n_h$ = 160")


def draw_storing(picture: Picture, data: xr.Dataset) -> None:
    """Draw how often an item is stored in a unit that holds another, along training."""
    axis = picture.axes[1, 1]
    for name, (colour, style) in STORED.items():
        runs = data["storage"].sel(measure="taken", case=name, drop=True)
        columns = ("step", "share_taken", "standard_error")
        row = {"case": name}
        band(picture, axis, runs, colour, name, style=style, row=row, columns=columns, table="-storing")
    axis.set(xlabel="training step", ylabel="winners that held another item", ylim=(-0.01, 0.5))
    axis.legend(fontsize=6.5, ncols=2, loc="upper left")
    picture.panel(axis, "E", "no projections, $n_h$ = 40")


def draw_sums(picture: Picture, data: xr.Dataset) -> None:
    """Draw the same before training, by the sum of the key's components."""
    axis = picture.axes[1, 2]
    taken, items = data["taken_in_bin"], data["in_bin"]
    for name in (e.WHOLE, e.THREE, e.PART):
        colour, style = STORED[name]
        of, n = taken.sel(case=name).values, items.sel(case=name).values
        known = (n > 0).sum(axis=0) > 1
        share = of.sum(axis=0)[known] / n.sum(axis=0)[known]
        without = (of.sum(axis=0) - of) / np.maximum(n.sum(axis=0) - n, 1)  # (run, bin)
        error = [jackknife_error(shares) for shares in without.T[known]]
        sums = data["sum"].values[known]
        axis.errorbar(sums, share, error, fmt=style, ms=3, lw=1.4, color=colour, label=name)
        columns = {"sum": sums, "share_taken": share, "standard_error": error}
        picture.record_columns(columns, table="-sums", case=name)
    axis.axvline(0, color=GREY, lw=0.8, ls=":")
    axis.set(xlabel=r"sum of the key's components, $\Sigma_j k_j$", ylabel="winners that held another item")
    axis.legend(fontsize=6.5)
    picture.panel(axis, "F", "before training")


def draw_variants(picture: Picture, data: xr.Dataset) -> None:
    """Draw how runs of all variants end."""
    axis, end, steps = picture.across(2), ended(data), learnt_at(data)
    jitter = np.random.default_rng(0)
    for i, label in enumerate(e.VARIANTS):
        for shift, (place, colour) in zip((-0.2, 0.2), PLACE_COLOURS.items(), strict=True):
            name = e.variant(label, place)
            runs = end.sel(condition=name).values
            around = i + shift + jitter.uniform(-0.1, 0.1, len(runs))
            axis.plot(
                around, runs, "o", ms=4, mew=0, color=colour, alpha=0.7, label=f"{place} projections" if not i else None
            )
            axis.hlines(np.median(runs), i + shift - 0.16, i + shift + 0.16, color="black", lw=2)
            row = {"variant": label, "projections": place, "median": float(np.median(runs)), "least": runs.min()}
            picture.record({**row, "median_steps": float(steps.sel(condition=name).median())}, table="-variants")
    name_places(axis, e.VARIANTS)
    axis.set(ylabel="accuracy at the end", xlim=(-0.5, len(e.VARIANTS) - 0.5))
    axis.axhline(1, color=GREY, lw=0.8, ls=":")
    axis.legend(loc="lower left", fontsize=7)
    picture.panel(axis, "G", "K = 3 thin winners, f = 0.1, $n_h$ = 50, 600 steps: key rules, and what is changed")


@measure
def end(r: Results, experiment: Experiment, name: str, last: int = e.LONG) -> Values:
    """Accuracy of each run at the end of training, or of its first steps; NaN where it diverged."""
    data = r[experiment].sel(condition=[name], iteration=slice(last - 1))
    return np.asarray(ended(data).values[:, 0])


@measure
def steps(r: Results, name: str) -> Values:
    """Steps to 0.99 of each run of a control; infinity if it does not get there."""
    return np.asarray(learnt_at(r[e.CONTROLS].sel(condition=name)).values)


@measure
def smallest_end(r: Results) -> Estimate:
    """The smallest mean accuracy at the end without projections, f = 0.1 and 0.3, all K, 160 units or more."""
    cells = [c for c in e.CELLS if c[3] == e.WITHOUT and 0.1 <= c[1] <= 0.3 and c[2] >= 160]
    return estimate.smallest_of(estimate.mean(end(e.GRID, e.cell(*c))(r)) for c in cells)


@measure
def taken(r: Results, case: str) -> Values:
    """Share of winners that held another item before training, in each run."""
    return np.asarray(r[e.STORED]["storage"].sel(measure="taken", case=case, moment=0).values)


@measure
def stored_end(r: Results, case: str) -> Values:
    """Accuracy of each run at the last moment."""
    return np.asarray(r[e.STORED]["accuracy"].sel(case=case).isel(moment=-1).values)


@measure
def by_sign(r: Results) -> Estimate:
    """Share of winners that held another item, f = 1, keys with a sum below 0 less others (bootstrap over runs)."""
    found = r[e.STORED][["taken_in_bin", "in_bin"]].sel(case=e.WHOLE)
    parts = [found.isel(sum=sign.values).sum("sum") for sign in (found["sum"] < 0, found["sum"] > 0)]
    counts = np.stack([part[name].values for part in parts for name in ("taken_in_bin", "in_bin")], axis=1)

    def difference(rows: Values) -> Values:
        below_0, all_below, others, all_others = np.moveaxis(rows.sum(axis=1), -1, 0)
        return np.asarray(below_0 / all_below - others / all_others)

    return estimate.bootstrap(lambda share: share, counts, of=difference)


BARE = f"accuracy after {e.STEPS} steps without projections, with zero start and Z"
AFTER, KEYS = "accuracy after 600 steps", "if keys and queries add up to 0"
TAKEN = "share of winners that held another item before training"
FASTER = (  # medians
    ("zero-faster", e.PUBLISHED, e.ZERO, "one winner with projections, as published and with zero start"),
    ("Z-faster", e.ZERO, e.BOTH, "one winner with projections and zero start, without Z and with it"),
    ("thin-faster", e.PUBLISHED, e.THIN, "one winner with projections, as published, and three thin ones without"),
)
PAIRED = (
    ("bare-better", end(e.CONTROLS, e.BARE_BOTH), end(e.CONTROLS, e.BARE, e.STEPS), f"{BARE}, and as published"),
    ("thin-free", taken(e.WHOLE), taken(e.PART), f"{TAKEN}, f = 1 and f = 0.1"),
    ("centred-start", taken(e.WHOLE), taken(e.CENTRED), f"{TAKEN}, f = 1, as drawn and {KEYS}"),
    ("centred-learns", stored_end(e.CENTRED), stored_end(e.WHOLE), f"{AFTER}, f = 1, {KEYS} and as drawn"),
    ("thin-learns", stored_end(e.PART), stored_end(e.WHOLE), f"{AFTER}, f = 0.1 and f = 1, no projections"),
    ("masks", taken(e.SHARED), taken(e.PART), f"{TAKEN}, f = 0.1, one mask and masks of their own"),
)
VARIED = (
    ("Z-helps", "QK", "no Z", e.PLACES),
    ("fan-out-half", "QK", "f_out = 0.5", (e.WITH,)),
    ("fan-out-quarter", "f_out = 0.5", "f_out = 0.25", e.PLACES),
)
CLAIMS = (
    *(
        more(f"contextC1.{name}", steps(slow), steps(fast), f"steps to 0.99 of {words}", median=True)
        for name, slow, fast, words in FASTER
    ),
    share_of_runs(
        "contextC1.Z-alone",
        lambda r: np.isfinite(steps(e.ONLY_Z)(r)),
        f"Z alone, with random initial values and items, reaches 0.99 in {e.STEPS} steps in less than half of the runs",
        limits=below(0.5),
    ),
    judged(
        "contextC1.learnt-without",
        smallest_end(),
        at_least(LEARNT),
        f"accuracy after 400 steps without projections, thin, 160 units or more: smallest mean, at least {LEARNT}",
    ),
    more(
        "contextC1.sums",
        by_sign(),
        0,
        "share of used winners, f = 1, keys that add up to less than 0, which drive free units below 0, less others",
    ),
    *(more(f"contextC1.{name}", a, b, words, paired=True) for name, a, b, words in PAIRED),
    *(
        more(
            f"contextC1.{name}-{place}",
            end(e.VARIED, e.variant(better, place)),
            end(e.VARIED, e.variant(worse, place)),
            f"{AFTER}, 3 winners of 50 units, {place} projections: {better} and {worse}",
            paired=True,
        )
        for name, better, worse, places in VARIED
        for place in places
    ),
)

ITEM = Item(
    name="contextC1",
    title="A distributed context is learnt by the same local rules",
    text="The paper's local rules learn a context that is spread over several units, each of which sees a tenth or a "
    "third of the key, in about 100 to 150 steps, where the paper's model takes about 540: a start at zero and the "
    "normalisation by what was stored, which fails without it, make up most of the difference. Without projections "
    "units that see whole keys fail in some runs, and thin units do not, whether one wins or many. The reason is what "
    "initial weights, all positive, have in common: a key whose components add up to less than 0 drives every free "
    "unit below 0, and is stored in a unit that holds another item. Thin units see different parts of it. Several "
    "winners do not replace projections.",
    alt="Seven panels. A: accuracy along training for the paper's model, with zero start, with Z, with both, with and "
    "without projections, and for thin units. B, C: accuracy at the end against the fan-in without and with "
    "projections, for 1 to 30 winners and 40 to 640 units; without, it falls at f = 1; 30 winners of 40 units fail. "
    "D: steps to 0.99 against the fan-in. E: share of winners that held another item, along training: high for f = 1 "
    "and for one mask, low for keys that add up to 0, and about none for f = 0.1. F: the same before training against "
    "the sum of the key, from 1 down to 0 for f = 1, and flat at 0 for f = 0.1. G: accuracy at the end for three key "
    "rules and six changes.",
    experiments=e.EXPERIMENTS,
    draw=draw,
    claims=CLAIMS,
)
