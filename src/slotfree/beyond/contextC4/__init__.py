"""Is the query-key rule general? Recall of values by keys, with 64 and 256 values, and what breaks it.

Accuracies at the end are means over the last fifth of training; 0 in a run that diverged.
"""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from slotfree.beyond.contextC4 import experiments as e
from slotfree.beyond.contextC4.experiments import FACTORS, FEWER, FIXED, HARDER, LONGER, PAPER, RATES, RULES, VALUES
from slotfree.beyond.shared.train_side_by_side import ended, learnt_at
from slotfree.drawing.bands import band, spread
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION
from slotfree.drawing.training import dots, name_places
from slotfree.study import estimate
from slotfree.study.claim import above, at_least, at_most, below, within
from slotfree.study.estimate import Estimate, Values
from slotfree.study.experiment import Experiment
from slotfree.study.item import Item
from slotfree.study.judge import judged, measure, more
from slotfree.study.results import Results

LEARNT, BROKEN, SAME = 0.99, 0.9, 0.01
QK, EXACT = "query-key, letter", "exact, rates × 4"
Places: TypeAlias = tuple[tuple[str, str, str], ...]  # label, condition and colour
CURVES: Mapping[str, tuple[str, str, str]] = {
    "query-key, letter": ("query-key rule", VERMILION, "-"),
    "mhn, letter": ("MHN rule", BLUE, "-"),
    "fixed, letter": ("fixed keys", GREEN, "-"),
    "exact, rates × 4": ("exact gradients, slots, rates × 4", BLACK, "-"),
    "exact, rates × 1": ("the same, rates × 1", GREY, "-"),
}
PLACES: Places = (
    ("letter", "query-key, letter", VERMILION),
    ("redrawn", "query-key, redrawn", VERMILION),
    ("token", "query-key, token", VERMILION),
    ("none", "query-key, none", VERMILION),
    ("MHN, letter", "mhn, letter", BLUE),
    ("MHN, token", "mhn, token", BLUE),
)
ONE = tuple((f"{name}, k = 1", f"one winner, {name}", PURPLE) for name in ("own", "letter", "token"))
AGAIN: Places = (
    ("query-key, letter", "repeats, query-key, letter", VERMILION),
    ("query-key, token", "repeats, query-key, token", VERMILION),
    ("MHN, token", "repeats, mhn, token", BLUE),
    ("fixed, token", "repeats, fixed, token", GREEN),
    ("exact, slots", "repeats, exact, rates × 4", BLACK),
)
ABSENT: Places = (
    ("query-key", "absent, query-key, letter", VERMILION),
    ("MHN", "absent, mhn, letter", BLUE),
    ("fixed", "absent, fixed, letter", GREEN),
    ("exact, slots", "absent, exact, rates × 4", BLACK),
)


@measure
def end(r: Results, experiment: Experiment, condition: str, last: int | None = None) -> Values:
    """Accuracy of each run at the end of training, or of its first steps; 0 where it diverged."""
    data = r[experiment].sel(iteration=slice(last))
    return np.asarray(ended(data).sel(condition=condition).fillna(0.0).values)


@measure
def steps(r: Results, experiment: Experiment, condition: str) -> Values:
    """Steps to 0.99 of each run."""
    return np.asarray(learnt_at(r[experiment], LEARNT).sel(condition=condition).values)


@measure
def answers(r: Results, condition: str, shown: str) -> Values:
    """Share of right answers in the test of each run, for keys that were shown so often."""
    counts = r[HARDER].sel(condition=condition, shown=shown)
    return np.asarray((counts["right"] / counts["asked"]).values)


def draw(r: Results) -> Picture:
    """Draw accuracy (A), values in keys (B), projections (C), rates and β (D), repeated keys (E), absent ones (F)."""
    picture = Picture(2, 3, width=12, height=3.5)
    (training, keys, projections), (breaks, again, absent) = picture.axes
    draw_training(picture, training, r)
    draw_keys(picture, keys, r[RULES])
    draw_projections(picture, projections, r)
    draw_breaks(picture, breaks, r)
    draw_answers(picture, again, r, AGAIN, {"once": "shown once", "again": "shown again: the latest value"})
    draw_answers(picture, absent, r, ABSENT, {"once": "shown", "absent": 'not shown: "none"'})
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
    rows = [(name, end(RULES, condition)(r), colour) for name, condition, colour in PLACES]
    rows += [(f"fixed, {name}", end(FIXED, f"fixed, {name}, rates × 5")(r), GREEN) for name in ("letter", "token")]
    rows += [(name, end(FEWER, condition)(r), colour) for name, condition, colour in ONE]
    jitter = np.random.default_rng(0)
    for place, (_, values, colour) in enumerate(rows):
        dots(axis, place, values, colour, jitter)
    axis.set_xticks(range(len(rows)), [name for name, _, _ in rows], fontsize=7, rotation=90)
    axis.set(ylabel="accuracy at the end", ylim=(None, 1.005))


def draw_breaks(picture: Picture, axis: Axes, r: Results) -> None:
    """Draw accuracy at the end against how wrong rates and β are."""
    for label, colour, style, points in (
        ("rates, 64 keys", VERMILION, "o-", of_rates(r, RATES, end(RULES, QK, 299)(r))),
        ("rates, 16 keys", ORANGE, "s-", of_rates(r, FEWER, end(FEWER, "β × 1")(r))),
        ("β, 16 keys", SKY, "^-", ((factor, end(FEWER, f"β × {factor:g}")(r)) for factor in FACTORS)),
    ):
        factors, runs = zip(*points, strict=True)
        means = [values.mean() for values in runs]
        errors = [float(spread(xr.DataArray(v, dims="run"))) / len(v) ** 0.5 for v in runs]
        axis.errorbar(factors, means, errors, fmt=style, ms=4, lw=1.4, color=colour, label=label)
    later = end(LONGER, "rates × 4")(r)
    axis.plot(
        [4] * len(later), later, "o", ms=5, mfc="white", color=VERMILION, label="rates × 4 for 800 steps, 64 keys"
    )
    for style, keys, experiment, name in (
        (":", 64, RATES, "the paper's rates"),
        ("--", 16, PAPER, "the paper's storage"),
    ):
        axis.axhline(end(experiment, name)(r).mean(), color=GREY, lw=1, ls=style, label=f"{name}, {keys} keys")
    axis.set_xscale("log")
    axis.set_xticks([0.1, 0.25, 1, 4, 10], ["0.1", "0.25", "1", "4", "10"])
    axis.minorticks_off()
    axis.set(xlabel="factor", ylabel="accuracy at the end", ylim=(-0.02, 1.04))
    axis.legend(loc="center", bbox_to_anchor=(0.58, 0.63), fontsize=6.5, handlelength=1.3)


def of_rates(r: Results, experiment: Experiment, right: Values) -> Iterator[tuple[float, Values]]:
    """Factors of the rates, and accuracy at the end, also with the right ones."""
    for factor in (0.1, 1, 4, 10):
        yield factor, right if factor == 1 else end(experiment, f"rates × {factor:g}")(r)


def draw_answers(picture: Picture, axis: Axes, r: Results, models: Places, shown: Mapping[str, str]) -> None:
    """Draw right answers in the test, for two kinds of queries."""
    jitter = np.random.default_rng(0)
    for kind, (beside, fill) in zip(shown, ((-0.2, True), (0.2, False)), strict=True):
        for place, (_, condition, colour) in enumerate(models):
            values = answers(condition, kind)(r)
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
    for experiment in e.EXPERIMENTS:
        for condition in r[experiment]["condition"].values.tolist():
            values, at = end(experiment, condition)(r), steps(experiment, condition)(r)
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


@measure
def more_steps(r: Results, condition: str) -> Estimate:
    """Median of steps to 0.99, less those of the query-key rule."""
    return estimate.median_difference(*(steps(RULES, name)(r) for name in (condition, "query-key, letter")))


@measure
def value_length(r: Results, condition: str) -> Values:
    """Length of the columns of W_K of values as a share of those of keys, at the end, in each run."""
    return np.asarray(r[RULES]["value_part"].sel(condition=condition).isel(measured=-1).values)


@measure
def from_token(r: Results, condition: str) -> Values:
    """Accuracy at the end less that with projections by token, in each run."""
    return end(RULES, condition)(r) - end(RULES, "query-key, token")(r)


@measure
def lost_by_beta(r: Results) -> Estimate:
    """The largest loss of accuracy by a wrong β."""
    others = [f"β × {factor:g}" for factor in FACTORS if factor != 1]
    return estimate.largest_of(estimate.mean(end(FEWER, "β × 1")(r) - end(FEWER, name)(r)) for name in others)


@measure
def smaller_step(r: Results) -> Estimate:
    """Of right answers for keys that came back: query-key, MHN, fixed keys, by token."""
    order = [answers(f"repeats, {rule}, token", "again")(r) for rule in ("query-key", "mhn", "fixed")]
    return estimate.smallest_of([estimate.mean(order[0] - order[1]), estimate.mean(order[1] - order[2])])


END, KEYS = "accuracy at the end", "64 keys after 300 steps"
PART, NONE = (
    "length of the columns of W_K of values, of those of keys",
    'right answers, "none", for keys that are absent',
)
LIMITED = (
    ("learnt", end(RULES, QK), at_least(LEARNT), f"{END}, query-key rule, 64 values by 64 keys, 16 pairs"),
    ("values-256", end(VALUES, QK), at_least(LEARNT), f"{END}, query-key rule, 256 values"),
    (
        "exact-slower",
        more_steps("exact, rates × 1"),
        above(0),
        "exact gradients, same rates: more steps to 0.99",
    ),
    ("exact-as-fast", more_steps("exact, rates × 10"), at_most(25), "with ten times the rates, at most 25 steps more"),
    ("pure-query-key", value_length(QK), below(0.5), f"{PART}, query-key rule: they begin equal"),
    ("pure-exact", value_length(EXACT), below(0.5), f"{PART}, exact gradients (rates × 4)"),
    ("mhn-keeps-values", value_length("mhn, letter"), at_least(0.5), f"{PART}, MHN rule"),
    (
        "letter",
        from_token(QK),
        at_least(0),
        f"{END}, projections by letter, which do not tell values, less by token",
    ),
    ("redrawn", from_token("query-key, redrawn"), within(-SAME, SAME), f"{END}, projections redrawn less by token"),
    ("none", end(RULES, "query-key, none"), below(LEARNT), f"{END}, without projections"),
    ("rule-alone", end(FEWER, "query-key, slots"), at_least(0.999), f"{END}, query-key rule with a slot for each item"),
    ("rates-tenth", end(RATES, "rates × 0.1"), below(BROKEN), f"{END}, a tenth of the rates of the rule, {KEYS}"),
    ("rates-ten", end(RATES, "rates × 10"), below(BROKEN), f"{END}, ten times the rates of the rule, {KEYS}"),
    ("rates-paper", end(RATES, "the paper's rates"), below(BROKEN), f"{END}, the paper's rates, {KEYS}"),
    ("rates-lasting", end(LONGER, "rates × 1"), at_least(LEARNT), f"{END}, 800 steps at the rates of the rule"),
    ("rates-four-lasting", end(LONGER, "rates × 4"), below(BROKEN), f"{END}, 800 steps at four times the rates"),
    ("beta", lost_by_beta(), above(SAME), "the largest loss of accuracy by a β that is wrong by a factor of up to 4"),
    ("paper", end(PAPER, "the paper's storage"), below(BROKEN), f"{END}, the paper's storage, 16 keys, 500 steps"),
    (
        "repeats",
        answers(f"repeats, {QK}", "again"),
        at_least(0.98),
        "right answers for keys that come back",
    ),
    ("repeats-rules", smaller_step(), above(0), "the same by token, query-key, MHN, fixed keys in order: smaller step"),
    ("absent-missed", answers("absent, query-key, letter", "absent"), below(BROKEN), f"{NONE}, query-key rule"),
    ("absent-exact-missed", answers(f"absent, {EXACT}", "absent"), below(BROKEN), f"{NONE}, exact gradients"),
)
HIGHER = (
    ("storage-costs", end(RULES, EXACT), end(RULES, QK), "exact gradients through slots, and the query-key rule"),
    *(
        (f"mhn-{p}", end(RULES, f"query-key, {p}"), end(RULES, f"mhn, {p}"), f"query-key and MHN rule, by {p}")
        for p in ("letter", "token")
    ),
    *(
        (
            f"same-rates-{p}",
            end(RULES, f"query-key, {p}"),
            end(FIXED, f"fixed, {p}, rates × 5"),
            f"query-key rule, and fixed keys whose W_Q and W_V learn as fast, by {p}",
        )
        for p in ("letter", "token")
    ),
)
CLAIMS = (
    *(judged(f"contextC4.{name}", found, limits, words) for name, found, limits, words in LIMITED),
    *(more(f"contextC4.{name}", a, b, f"{END}, {words}", paired=True) for name, a, b, words in HIGHER),
)

ITEM = Item(
    name="contextC4",
    title="Is the query-key rule general?",
    text="Values are recalled by keys with the rule unchanged: with 64 or 256 values, 64 keys and 16 pairs it reaches "
    "0.99 in one or two hundred steps, and 0.998 and 0.997 at the end. Exact gradients through slots end at 1.000, and "
    "so does the rule if each item has a slot. It learns that a value does not belong into a key, as exact gradients "
    "do; the MHN rule hardly does, and ends lower where projections are by token, as fixed keys do. Projections need "
    "not give the answer away: by letter they are the best, and redrawn for each sequence as good as if they stay. "
    "What breaks: no projections (0.92), rates that are too low, rates four times as high (after 300 steps), and the "
    "paper's storage. A smaller β slows, a larger one does no harm. Keys that come back are overwritten, where slots "
    "can only guess. "
    'Queries for absent keys are not handled: "none" is the answer to half of them, with exact gradients to four '
    "fifths.",
    alt="Six panels. A: accuracy along training; query-key and MHN rule rise within 75 steps, exact gradients with "
    "fourfold rates within 200, fixed keys slowly. B: the length of value columns of W_K relative to key columns falls "
    "from 1 to 0.16 for the query-key rule and exact gradients, and stays near 1 for the MHN rule. C: accuracy at the "
    "end by kind of projection, lowest without any. D: accuracy against factors of rates and β, falling for a tenth of "
    "the rates, and for ten times the rates with 64 keys. E: right answers for keys shown once and again; slots get "
    "half of the latter. F: right answers for keys shown and for absent ones, which are about half for local rules.",
    experiments=e.EXPERIMENTS,
    draw=draw,
    claims=CLAIMS,
)
