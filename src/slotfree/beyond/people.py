"""Memories beside people: published numbers, and which memories have which signatures.

Fitted is a scale of time for each memory (A), and the band of ages whose AUC is nearest to people's (B). Sources:

- Ebbinghaus (1885): savings after 20 minutes, 1 and 9 hours, 1, 2, 6 and 31 days. From 58 to 21 % they take 2232 times
  the time. That is out of reach of 1000 ages, which show a span of 500 at most: no memory can be like people in it, and
  what can be told is only that a memory that gets down to 21 % is not.
- Rubin, Hinton and Wenzel (1999): retention over lags 0 to 99 is a₁ e^(−t/1.15) + a₂ e^(−t/28) + a₃; no function of two
  parameters fits.
- ROC of 459 people at five criteria, zROC slope 0.76; 0.69 of another 391, and about 0.8 in Ratcliff's data.
- A–B after 0, 1, 5, 10 and 20 trials of A–C: 100, 85, 68, 63 and 52 %, read off a figure; A–C 0, 41, 78, 91 and 93 %.
- List strength: the ratio of ratios is about 1 in recognition, and above 1 in free recall.
- Spacing: repetitions that are spaced are remembered better (Cepeda et al., 2008).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from scipy.special import ndtri

from slotfree.beyond.shared.compared.signatures import (
    LEFT,
    TRIALS,
    Signatures,
    age_left,
    first_list_left,
    jackknifed,
    pairs_left,
    rates,
    retained,
    slope,
    spacing_effect,
    strength_effect,
    third_part,
    time_span,
)
from slotfree.beyond.shared.compared.tuned import MODELS
from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK
from slotfree.paper.shared.memories import Model
from slotfree.study import Estimate, Experiment, Item, Judge, Results, judged, measure
from slotfree.study.claim import Limits, above, at_least, within

RUNS, FEW = 24, 2
MINUTES = np.array([20, 60, 9 * 60, 1440, 2 * 1440, 6 * 1440, 31 * 1440])
SAVINGS = np.array([58.2, 44.2, 35.8, 33.7, 27.8, 25.4, 21.1]) / 100
FALSE_ALARMS, HITS = np.array([[0.072, 0.153, 0.252, 0.425, 0.707], [0.476, 0.621, 0.722, 0.817, 0.930]])
FIRST_LIST = np.array([1.00, 0.85, 0.68, 0.63, 0.52])  # by TRIALS
EXPERIMENTS = {
    model.name: Experiment(f"people-{model.name}", Signatures(model.settings), RUNS, few=FEW) for model in MODELS
}
SHOWN = ("kwinner", "tuned", "slots", "binary", "complex", "minerva", "classical")  # in panels of curves
COLOURS = {"confirmed": "#BBDFC8", "contradicted": "#F3CDBB", "inconclusive": "#EEEEEE"}


@dataclass(frozen=True)
class Signature:
    """A number that says whether a memory is like people's in one respect.

    Attributes
    ----------
    name, label : in tables, and in the figure.
    people : what people's number is, in words.
    limits : where a memory's number is like it.
    of : the number, of the results of a memory.
    """

    name: str
    label: str
    people: str
    limits: Limits
    of: Callable[[xr.Dataset], Estimate]


SIGNATURES = (
    Signature("third-part", "three time\nconstants", "yes", at_least(0.05), partial(jackknifed, of=third_part)),
    Signature("time-span", "time span", "2232*", within(744, 6696), partial(jackknifed, of=time_span)),
    Signature("slope", "zROC slope", "0.69–0.8", within(0.65, 0.85), partial(jackknifed, of=slope)),
    Signature("first-list", "A–B left\nafter A–C", "0.52", within(0.4, 0.65), partial(jackknifed, of=first_list_left)),
    Signature("recall-strength", "list strength,\nrecall", "> 1", above(1), partial(strength_effect, of="recall")),
    Signature(
        "recognition-strength",
        "list strength,\nrecognition",
        "1",
        within(0.9, 1.1),
        partial(strength_effect, of="recognition"),
    ),
    Signature("spacing", "spacing\neffect", "> 0", above(0), spacing_effect),
)
OUT_OF_REACH = "* 1000 ages can show 500 at most: none can be green, and ∞ is more than they show"
BY_NAME = {signature.name: signature for signature in SIGNATURES}


@measure
def signature(r: Results, name: str, of: str) -> Estimate:
    """The number of a memory."""
    return BY_NAME[of].of(r[EXPERIMENTS[name]])


@measure
def longest_span(r: Results) -> Estimate:
    """The longest finite time span of all memories."""
    every = [signature(model.name, "time-span")(r) for model in MODELS]
    known = [one for one in every if np.isfinite(one.low)]
    return max(known, key=lambda one: one.value) if known else Estimate(np.nan, np.nan, np.nan)


def draw(r: Results) -> Picture:
    """Draw retention (A), zROC (B), A–B after A–C (C), and the table of signatures (D)."""
    picture = Picture(2, 3, width=10.5, height=3.4)
    models = [model for model in MODELS if model.name in SHOWN]
    draw_retention(picture, picture.axes[0, 0], r, models)
    draw_roc(picture, picture.axes[0, 1], r, models)
    draw_pairs(picture, picture.axes[0, 2], r, models)
    draw_table(picture, picture.across(1), r)
    picture.legend_below(picture.axes[0, 0], 4)
    return picture


def draw_retention(picture: Picture, axis: Axes, r: Results, models: list[Model]) -> None:
    """Draw what is left against time, in units of the time after which 58 % are."""
    axis.plot(MINUTES / MINUTES[0], SAVINGS, "o-", color=BLACK, ms=5, lw=2, label="people", zorder=5)
    for model in models:
        data = r[EXPERIMENTS[model.name]]
        unit = age_left(data, SAVINGS[0])
        curve = retained(data)
        axis.plot([], [], color=model.colour, label=model.label)
        if np.isfinite(unit):
            left = curve / curve[0]
            axis.plot(np.arange(1, len(curve) + 1) / unit, left, color=model.colour, lw=1.3)
            picture.record({"model": model.name, "unit": unit, "end": float(left[-1])}, table="-retention")
    log_scale(axis, "x")
    axis.set(xlabel="time (58 % are left at 1)", ylabel="left of the first", ylim=(0, 1.05), xlim=(0.05, 4000))
    axis.axhline(LEFT, color="0.8", lw=0.6, zorder=0)
    picture.panel(axis, "A", "Retention")


def draw_roc(picture: Picture, axis: Axes, r: Results, models: list[Model]) -> None:
    """Draw hits against false alarms in z-coordinates."""
    axis.plot(ndtri(FALSE_ALARMS), ndtri(HITS), "o-", color=BLACK, ms=5, lw=2, zorder=5)
    for model in models:
        hits, alarms = rates(r[EXPERIMENTS[model.name]])
        inside = (hits > 0) & (hits < 1) & (alarms > 0) & (alarms < 1)
        axis.plot(ndtri(alarms[inside]), ndtri(hits[inside]), ".-", color=model.colour, lw=1.3)
        picture.record_columns({"hits": hits, "false_alarms": alarms}, table="-roc", model=model.name)
    axis.plot([-2.5, 1], [-2.5, 1], color="0.8", lw=0.6, zorder=0)
    axis.set(xlabel="z of false alarms", ylabel="z of hits", xlim=(-2.5, 1), ylim=(-2.5, 2.5))
    picture.panel(axis, "B", "Recognition")


def draw_pairs(picture: Picture, axis: Axes, r: Results, models: list[Model]) -> None:
    """Draw what is left of A–B after trials of A–C."""
    axis.plot(TRIALS, FIRST_LIST, "o-", color=BLACK, ms=5, lw=2, zorder=5)
    for model in models:
        left = pairs_left(r[EXPERIMENTS[model.name]])
        axis.plot(TRIALS, left, ".-", color=model.colour, lw=1.3)
        picture.record_columns({"trial": TRIALS, "left": left}, table="-pairs", model=model.name)
    axis.set(xlabel="trials of A–C", ylabel="left of A–B", ylim=(-0.3, 1.3))
    picture.panel(axis, "C", "Interference")


def draw_table(picture: Picture, axis: Axes, r: Results) -> None:
    """Draw the number of every memory and signature, on green where it is like people's."""
    rows = len(MODELS) + 1
    for j, one in enumerate(SIGNATURES):
        _cell(axis, 0, j, one.people, "white")
        for i, model in enumerate(MODELS, 1):
            found = signature(model.name, one.name)(r)
            verdict = one.limits.judge(found)
            _cell(axis, i, j, shown(found.value), COLOURS[verdict])
            numbers = {"value": found.value, "low": found.low, "high": found.high}
            row = {"model": model.name, "signature": one.name, **numbers}
            picture.record({**row, "people": one.people, "like_people": verdict}, table="-signatures")
    axis.set(xlim=(0, len(SIGNATURES)), ylim=(rows, 0))
    axis.set_xticks(np.arange(len(SIGNATURES)) + 0.5, [one.label for one in SIGNATURES], fontsize=7)
    axis.set_yticks(np.arange(rows) + 0.5, ["people", *(model.label for model in MODELS)], fontsize=7)
    axis.xaxis.tick_top()
    axis.tick_params(length=0)
    axis.set_xlabel(f"green: like people's, with 99 %; red: not; grey: cannot be told. {OUT_OF_REACH}", fontsize=7)
    picture.panel(axis, "D")


def shown(value: float) -> str:
    """A number of the table; none is a dash."""
    if not np.isfinite(value):
        return "–" if np.isnan(value) else "∞"
    return "0" if abs(value) < 5e-4 else f"{value:.2g}"


def _cell(axis: Axes, row: int, column: int, words: str, colour: str) -> None:
    axis.fill_between([column + 0.02, column + 0.98], row + 0.06, row + 0.94, color=colour, lw=0)
    axis.text(column + 0.5, row + 0.5, words, ha="center", va="center", fontsize=7)


def like_people(model: str, of: str, people: str) -> Judge:
    """A claim that the number of a memory is like people's."""
    label = next(each.label for each in MODELS if each.name == model)
    measured = BY_NAME[of].label.replace("\n", " ")
    return judged(f"people.{model}-{of}", signature(model, of), BY_NAME[of].limits, f"{measured}, {label}: {people}")


CLAIMS = (
    judged("people.spans", longest_span(), Limits(-np.inf, 10), "longest time span in 1000 ages: people's is 2232"),
    *(
        like_people(model, of, people)
        for of, people, models in (
            ("slope", "people's is 0.69 to 0.8", ("kwinner", "tuned", "binary", "complex")),
            ("first-list", "people have 0.52", ("kwinner", "tuned", "slots", "complex")),
            ("recall-strength", "people's is above 1", ("kwinner", "tuned", "classical")),
            ("recognition-strength", "people's is about 1", ("kwinner", "tuned", "classical")),
            ("spacing", "people gain by spacing", ("kwinner", "tuned")),
            ("third-part", "people's retention has three parts", ("kwinner", "complex")),
        )
        for model in models
    ),
)

ITEM = Item(
    name="people",
    title="Memories beside people",
    text="No memory of fixed capacity here forgets over as many orders of magnitude of time as people do: those that "
    "fall from 58 % to 21 % within a thousand patterns do so in at most four times the time, people in two thousand "
    "times. What A–B suffers from A–C goes from nothing (the tuned K-winner MHN) to all (slots); no memory is shown "
    "to lose as much as people. Strong items harm weak ones in recall, as they do in people, and in recognition "
    "too. No memory gains by spacing, and none has all signatures.",
    alt="Three panels with people in black among coloured memories: retention against the logarithm of time, the ROC "
    "of recognition in z-coordinates, and what is left of a first list after trials of a second. Below, a table with a "
    "row for people and for each of twelve memories and a column for each of seven signatures.",
    experiments=tuple(EXPERIMENTS.values()),
    draw=draw,
    claims=CLAIMS,
)
