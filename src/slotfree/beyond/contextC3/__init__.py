"""Without a window: models that live in a stream, in which letters come back with other cases."""

from dataclasses import replace

import numpy as np
import xarray as xr

from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.attention.storages.winners import Winners
from slotfree.beyond.contextC3.streams import Streams, Use, accuracy, by_octave
from slotfree.beyond.shared.train_side_by_side import Condition
from slotfree.drawing.bands import band
from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION
from slotfree.study.claim import above, at_least, at_most, within
from slotfree.study.estimate import Values
from slotfree.study.experiment import Experiment
from slotfree.study.item import Item
from slotfree.study.judge import judged, measure, more
from slotfree.study.results import Results
from slotfree.tasks.case_sequence import CaseSequenceTask
from slotfree.tasks.latest_case import LatestCase

RUNS = 20
ASKED = 5000  # queries in a stream, one after every WINDOW items
LETTERS, WINDOW, UNITS = 8, 4, 80
GAINS = (0.3, 1.0, 2.0, 3.0, 5.0, 7.0, 10.0, 30.0, 100.0)
STORAGE = Winners(k=3, fan_in=0.2)
TOKEN, LETTER = "by token", "by letter"
BY = {TOKEN: STORAGE, LETTER: replace(STORAGE, projections="letter")}
COLOURS = {TOKEN: VERMILION, LETTER: BLUE}
WINDOWS, STREAM = CaseSequenceTask(LETTERS, WINDOW), LatestCase(LETTERS, WINDOW)
NONE = "no projections"
IN_USE = f"trained on windows of {WINDOW} items, used in a stream of {ASKED * WINDOW:,} items"


def model(storage: Winners, units: int = UNITS, projections: bool = True) -> SlotFreeTransformer:
    """A model with the query-key rule."""
    return SlotFreeTransformer("query-key", projections, 50, units, storage)


def in_windows(by: str) -> Condition:
    """Trained on windows, each of which begins with empty fast weights, with γ = 3."""
    return Condition(f"windows, {by}", model(BY[by]), WINDOWS)


def in_stream(by: str, gain: float) -> Condition:
    """Trained in the stream itself."""
    return Condition(f"stream, {by}, γ = {gain:g}", model(replace(BY[by], projection_gain=gain)), STREAM)


def used_name(by: str, gain: float) -> str:
    """The name of a model that was trained on windows and is used with another gain."""
    return f"windows, {by}, used with γ = {gain:g}"


BARE = Condition(f"windows, {NONE}", model(STORAGE, projections=False), WINDOWS)
BARE_IN_STREAM = Condition(f"stream, {NONE}", model(STORAGE, projections=False), STREAM)
USES = (
    *(
        Use(used_name(by, g), in_windows(by), STREAM, model(replace(BY[by], projection_gain=g)))
        for by in BY
        for g in GAINS
    ),
    Use(BARE.name, BARE, STREAM),
    *(Use(in_stream(*how).name, in_stream(*how), STREAM) for how in ((TOKEN, 3.0), (LETTER, 3.0), (LETTER, 30.0))),
    Use(BARE_IN_STREAM.name, BARE_IN_STREAM, STREAM),
)
STREAMS = Experiment("context-streams", Streams(USES, asked=ASKED), RUNS, few=2)

MANY = 128  # letters, more than the units can hold
CROWDED_WINDOWS, CROWDED_STREAM = CaseSequenceTask(MANY, WINDOW), LatestCase(MANY, WINDOW)
BUDGET = 160 * (10 + 2 * MANY + 3)  # fast weights: of 160 units that see 10 of 50 components


def crowded(name: str, k: int, fan_in: float, rate: float = 1.0) -> Use:
    """A model whose units are fewer than the letters; all have as many fast weights, up to those of one unit."""
    storage = Winners(k=k, fan_in=fan_in, rate=rate, projections="letter", projection_gain=30.0)
    units = BUDGET // storage.n_weights(1, 50, 2 * MANY, 2)
    return Use(name, Condition(name, model(storage, units), CROWDED_WINDOWS), CROWDED_STREAM)


CROWDS = {
    "one winner": (crowded("one winner", 1, 1.0), GREY),
    "one winner, ε = 0.3": (crowded("one winner, ε = 0.3", 1, 1.0, 0.3), ORANGE),
    "thin, k = 1": (crowded("thin, k = 1", 1, 0.2), SKY),
    "k = 3": (crowded("k = 3", 3, 0.2), BLUE),
    "k = 3, ε = 0.3": (crowded("k = 3, ε = 0.3", 3, 0.2, 0.3), PURPLE),
    "k = 10": (crowded("k = 10", 10, 0.2), GREEN),
}
CROWDED = Experiment("context-crowded", Streams(tuple(use for use, _ in CROWDS.values()), asked=ASKED), RUNS, few=2)


def draw(r: Results) -> Picture:
    """Draw accuracy against γ (A), by how a model was trained (B), and by lag beyond capacity (C)."""
    picture = Picture(1, 3, width=11.0, height=3.5)
    draw_gains(picture, r[STREAMS])
    draw_trained(picture, r[STREAMS])
    draw_crowded(picture, r[CROWDED])
    runs = r[STREAMS].sizes["run"]
    note = f"streams of {ASKED * WINDOW:,} items, never reset; {runs} runs: A, C mean ± 1 s.e., B each run and the mean"
    picture.figure.supxlabel(note, fontsize=7)
    return picture


def draw_gains(picture: Picture, data: xr.Dataset) -> None:
    """Draw the accuracy of letters whose case changed, and of those whose case did not."""
    axis = picture.axes[0, 0]
    log_scale(axis, "x")
    for by, colour in COLOURS.items():
        names = [used_name(by, g) for g in GAINS]
        for before, style in (("changed", "o-"), ("same", "o:")):
            runs = accuracy(data, before).sel(use=names).rename(use="γ").assign_coords({"γ": list(GAINS)})
            row = {"projections": by, "case": before}
            label = f"{by.removeprefix('by ')}, {before}"
            band(picture, axis, runs, colour, label, style=style, row=row, columns=("γ", "accuracy", "standard_error"))
    overlap = float(data["own"].sel(use=used_name(TOKEN, GAINS[0])).mean())
    axis.axvline(overlap, color=GREY, lw=1, ls="--")
    axis.annotate("k_aᵀk_A", (overlap, 0.47), (4, 0), textcoords="offset points", fontsize=7, color=GREY, ha="left")
    axis.axhline(0.5, color=GREY, lw=1, ls=":")
    axis.set(ylim=(0.45, 1.02), xlabel="projection gain γ in the stream", ylabel="accuracy")
    axis.legend(loc=(0.58, 0.5), fontsize=7, title="projections by, case", title_fontsize=7)
    picture.panel(axis, "A", "updating or separating")


def draw_trained(picture: Picture, data: xr.Dataset) -> None:
    """Draw accuracy in the stream of models that were trained on windows, and in it."""
    axis = picture.axes[0, 1]
    rows = [(f"{by}, γ = 3", used_name(by, 3.0), in_stream(by, 3.0).name) for by in BY] + [
        ("by letter, γ = 30", used_name(LETTER, 30.0), in_stream(LETTER, 30.0).name),
        (NONE, BARE.name, BARE_IN_STREAM.name),
    ]
    places = np.arange(len(rows))
    for shift, which, colour, label in (
        (-0.12, 1, BLUE, "trained on windows"),
        (0.12, 2, ORANGE, "trained in the stream"),
    ):
        for place, names in zip(places, rows, strict=True):
            values = accuracy(data).sel(use=names[which]).values
            axis.plot(np.full(len(values), place + shift), values, ".", color=colour, alpha=0.4, ms=5)
            axis.plot([place + shift - 0.09, place + shift + 0.09], 2 * [np.nanmean(values)], color=colour, lw=2)
            row = {"model": names[0], "trained": label, "accuracy": float(np.nanmean(values))}
            picture.record({**row, "smallest": float(np.nanmin(values))}, table="-trained")
        axis.plot([], [], "o-", color=colour, label=label)
    axis.axhline(0.5, color=GREY, lw=1, ls=":")
    axis.set_xticks(places, [row[0].replace(", ", "\n") for row in rows], fontsize=7)
    axis.set(ylim=(0.45, 1.02), ylabel="accuracy in the stream")
    axis.legend(loc="lower left", fontsize=7)
    picture.panel(axis, "B", "where training took place")


def draw_crowded(picture: Picture, data: xr.Dataset) -> None:
    """Draw accuracy by lag where there are more letters than units can hold."""
    axis = picture.axes[0, 2]
    log_scale(axis, "x")
    curves = by_octave(data)
    for name, (_, colour) in CROWDS.items():
        runs = curves.sel(use=name, drop=True)
        runs = runs.assign_coords(lag=runs["lag"] + 1)
        band(
            picture, axis, runs, colour, name, style="o-", row={"storage": name},
            columns=("lag_plus_1", "accuracy", "standard_error"), table="-crowded",
        )  # fmt: skip
    axis.axhline(0.5, color=GREY, lw=1, ls=":")
    axis.set(ylim=(0.45, 1.02), xlabel="items since, and it (1 = newest)", ylabel="accuracy")
    axis.legend(loc="lower left", fontsize=7)
    picture.panel(axis, "C", f"{MANY} letters in {BUDGET // 1000},000 weights")


@measure
def right(r: Results, experiment: Experiment, use: str, before: str | None = None) -> Values:
    """Accuracy in each run: of all queries, or of those whose letter came before as told."""
    return np.asarray(accuracy(r[experiment], before).sel(use=use).values)


@measure
def ageing(r: Results) -> Values:
    """Accuracy in the last fifth of the stream less that in the first, in each run."""
    parts = r[STREAMS]["early"].sel(use=used_name(TOKEN, 3.0))
    return np.asarray((parts.isel(part=-1) - parts.isel(part=0)).values)


@measure
def likeness(r: Results, of: str) -> Values:
    """Mean k_aᵀ k_A of a letter in its two cases ("own"), or of different letters ("other"), in each run."""
    return np.asarray(r[STREAMS][of].sel(use=used_name(TOKEN, GAINS[0])).values)


@measure
def by_age(r: Results, lag: int) -> Values:
    """Accuracy at lag 0, or at lags from some on, with k = 3, in each run."""
    curve = by_octave(r[CROWDED]).sel(use="k = 3")
    return np.asarray((curve.isel(lag=0) if lag == 0 else curve.sel(lag=slice(lag, None)).mean("lag")).values)


STRONG, GRADED = used_name(TOKEN, GAINS[-1]), "one winner, ε = 0.3"
APART = f"projections by token keep the cases of a letter apart, γ = {GAINS[-1]:g}"
IN_STREAM = "trained in the stream itself, without a window, projections"
BEYOND = "accuracy beyond capacity, over all lags"
LIMITED = (
    ("used-letter", right(STREAMS, used_name(LETTER, 3.0)), at_least(0.99), f"{IN_USE}, by letter: accuracy"),
    ("used-bare", right(STREAMS, BARE.name), at_least(0.99), f"{IN_USE}, no projections: accuracy"),
    ("ageless", ageing(), within(-0.01, 0.01), "accuracy in the last fifth of the stream less that in the first"),
    ("separates", right(STREAMS, STRONG, "changed"), at_most(0.75), f"{APART}: accuracy for changed letters"),
    ("in-stream-letter", right(STREAMS, in_stream(LETTER, 30.0).name), at_least(0.99), f"{IN_STREAM} by letter"),
    ("in-stream-token", right(STREAMS, in_stream(TOKEN, 3.0).name), at_most(0.85), f"{IN_STREAM} by token"),
    ("in-stream-bare", right(STREAMS, BARE_IN_STREAM.name), at_most(0.85), f"{IN_STREAM}: none"),
    ("crowded-newest", by_age(0), at_least(0.99), "accuracy for the newest item beyond capacity, k = 3"),
    ("crowded-old", by_age(63), above(0.5), "accuracy at lags of 63 and more beyond capacity, k = 3: above chance"),
)
PAIRED = (
    ("overlap", likeness("own"), likeness("other"), "k_aᵀ k_A after training, of a letter and of different letters"),
    ("separates-same", right(STREAMS, STRONG, "same"), right(STREAMS, STRONG, "changed"), f"{APART}: same and changed"),
    ("three-harm", right(CROWDED, "one winner"), right(CROWDED, "k = 3"), f"{BEYOND}, one winner and k = 3"),
    ("ten-harm", right(CROWDED, "k = 3"), right(CROWDED, "k = 10"), f"{BEYOND}, k = 3 and k = 10"),
    ("graded-harms", right(CROWDED, "one winner"), right(CROWDED, GRADED), f"{BEYOND}, one winner, ε = 1 and ε = 0.3"),
    ("crowded-fades", by_age(0), by_age(63), "accuracy beyond capacity at lag 0, and at lags of 63 and more, k = 3"),
)
CLAIMS = (
    *(judged(f"contextC3.{name}", found, limits, words) for name, found, limits, words in LIMITED),
    *(more(f"contextC3.{name}", a, b, words, paired=True) for name, a, b, words in PAIRED),
)

ITEM = Item(
    name="contextC3",
    title="Without a window: a context that is never reset",
    text="A model that was trained on windows of four items can be used without a window: in a stream of 20,000 items "
    "it answers as well at the end as at the beginning, and a letter that comes back in the other case is "
    "overwritten, as training has made the keys of its two cases alike. Projections by token, if they are much "
    "stronger than keys, keep the two cases apart, and which is the later is lost (A); projections by letter "
    "update however strong they are. Weak ones of either kind let letters share units. Training in the stream "
    "itself works only if a letter projects to the same units in both cases: otherwise these are stored apart "
    "before keys have learnt to be alike (B). With more letters than units can hold, old ones fade gradually (C). "
    "There, several winners know the newest items a little better and lose the others sooner, and ε < 1 is worse "
    "throughout, as a changed case must be replaced at once.",
    alt="Accuracy against the projection gain: by letter near 1 throughout, by token falling from 1 to below 0.6 "
    "between 3 and 10. Accuracy in the stream for four models: trained on windows near 1, trained in the stream "
    "lower unless projections are by letter. Accuracy by lag for six storages with 128 letters, falling from 1 to "
    "0.7 and below.",
    experiments=(STREAMS, CROWDED),
    draw=draw,
    claims=CLAIMS,
)
