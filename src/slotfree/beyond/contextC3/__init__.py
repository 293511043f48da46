"""Without a window: models that live in a stream, in which letters come back with other cases."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import xarray as xr

from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.attention.storages.winners import Winners
from slotfree.beyond.contextC3.streams import PARTS, Streams, Use, accuracy, by_octave
from slotfree.drawing.bands import band
from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION
from slotfree.study import estimate
from slotfree.study.claim import Claim, above, at_least, at_most, ours, within
from slotfree.study.experiment import Experiment
from slotfree.study.item import Item
from slotfree.study.results import Results
from slotfree.study.trainings import Condition
from slotfree.tasks.case_sequence import CaseSequenceTask
from slotfree.tasks.latest_case import LatestCase

RUNS = 20
ASKED = 5000  # queries in a stream, one after every WINDOW items
LETTERS, WINDOW, UNITS = 8, 4, 80
GAINS = (0.3, 1.0, 2.0, 3.0, 5.0, 7.0, 10.0, 30.0, 100.0)
TRAINED_GAINS = (0.3, 3.0, 30.0)
STORAGE = Winners(k=3, fan_in=0.2)
TOKEN, LETTER = "by token", "by letter"
BY = {TOKEN: STORAGE, LETTER: replace(STORAGE, projections="letter")}
COLOURS = {TOKEN: VERMILION, LETTER: BLUE}
WINDOWS, STREAM = CaseSequenceTask(LETTERS, WINDOW), LatestCase(LETTERS, WINDOW)
NONE = "no projections"


def model(storage: Winners | str, units: int = UNITS, projections: bool = True) -> SlotFreeTransformer:
    """A model with the query-key rule."""
    return SlotFreeTransformer("query-key", projections, 50, units, storage)  # type: ignore[arg-type]


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
PAPERS = Condition("windows, one winner as published", model("winner", 2 * LETTERS), WINDOWS, iterations=2500)
USES = (
    *(
        Use(used_name(by, g), in_windows(by), STREAM, model(replace(BY[by], projection_gain=g)))
        for by in BY
        for g in GAINS
    ),
    Use(BARE.name, BARE, STREAM),
    Use(PAPERS.name, PAPERS, STREAM),
    *(Use(in_stream(by, g).name, in_stream(by, g), STREAM) for by in BY for g in TRAINED_GAINS),
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


def claims(r: Results) -> Iterator[Claim]:
    """What a stream does to a context in fast weights."""
    yield from claims_of_use(r[STREAMS])
    yield from claims_of_gain(r[STREAMS])
    yield from claims_of_training(r[STREAMS])
    yield from claims_of_crowds(r[CROWDED])


def claims_of_use(data: xr.Dataset) -> Iterator[Claim]:
    """A model that was trained on windows is used without one."""
    every, changed = accuracy(data), accuracy(data, "changed")
    for name, use in (("token", used_name(TOKEN, 3.0)), ("letter", used_name(LETTER, 3.0)), ("bare", BARE.name)):
        words = use.removesuffix(", used with γ = 3").removeprefix("windows, ")
        yield ours(
            f"used-{name}",
            f"Trained on windows of {WINDOW} items, and used in a stream of {ASKED * WINDOW:,} items that is never "
            f"reset (k = 3, f = 0.2, {words}): accuracy.",
            estimate.mean(every.sel(use=use).values),
            at_least(0.99),
        )
    yield ours(
        "overwritten",
        "A changed case is overwritten: accuracy for letters that came in the other case before (by token, γ = 3).",
        estimate.mean(changed.sel(use=used_name(TOKEN, 3.0)).values),
        at_least(0.99),
    )
    ageing = data["early"].sel(use=used_name(TOKEN, 3.0))
    yield ours(
        "ageless",
        f"The stream does not age: accuracy in its last fifth less that in its first (of {PARTS}).",
        estimate.mean((ageing.isel(part=-1) - ageing.isel(part=0)).values),
        within(-0.01, 0.01),
    )
    yield ours(
        "published",
        "One winner as published (random initial weights, no normalisation), trained on windows for 2500 steps, in the "
        "same stream: accuracy.",
        estimate.mean(every.sel(use=PAPERS.name).values),
        at_least(0.99),
    )


def claims_of_gain(data: xr.Dataset) -> Iterator[Claim]:
    """Projections by token separate the two cases of a letter; keys bring them together."""
    changed, same = accuracy(data, "changed"), accuracy(data, "same")
    strong, weak = used_name(TOKEN, GAINS[-1]), used_name(TOKEN, GAINS[0])
    yield ours(
        "overlap",
        "Training makes the keys of a letter in its two cases alike: k_aᵀ k_A, against that of different letters.",
        estimate.mean((data["own"] - data["other"]).sel(use=weak).values),
        above(0.0),
    )
    yield ours(
        "separates",
        f"With projections by token that are far stronger, γ = {GAINS[-1]:g}, both cases are kept apart, and which is "
        "the later is lost: accuracy for letters whose case changed.",
        estimate.mean(changed.sel(use=strong).values),
        at_most(0.75),
    )
    yield ours(
        "separates-same",
        "It is the changed letters that are lost: accuracy for letters whose case stayed, less that for changed ones.",
        estimate.mean((same - changed).sel(use=strong).values),
        above(0.0),
    )
    yield ours(
        "letter-any-gain",
        "Projections by letter update at any strength: the smallest accuracy for changed letters over γ.",
        estimate.smallest_of(
            estimate.mean(changed.sel(use=used_name(LETTER, g)).values, among=len(GAINS)) for g in GAINS
        ),
        at_least(0.99),
    )
    ratio = data["own"].sel(use=weak).values
    crossing = np.array([half_way(run) for run in changed.sel(use=[used_name(TOKEN, g) for g in GAINS]).values])
    yield ours(
        "crossing",
        "Separation begins where projections outweigh keys: the γ at which half of the accuracy for changed letters is "
        "lost, in units of k_aᵀ k_A.",
        estimate.mean(crossing / ratio),
        within(0.5, 2.0),
    )


def half_way(values: np.ndarray) -> float:
    """The γ at which a curve over γ first falls half-way from its first to its last value, on a logarithmic axis."""
    middle = (values[0] + values[-1]) / 2
    below = np.flatnonzero(values < middle)
    if not len(below) or below[0] == 0:
        return float("nan")
    after = int(below[0])
    part = (values[after - 1] - middle) / (values[after - 1] - values[after])
    logs = np.log(GAINS)
    return float(np.exp(logs[after - 1] + part * (logs[after] - logs[after - 1])))


def claims_of_training(data: xr.Dataset) -> Iterator[Claim]:
    """Training in the stream itself."""
    every = accuracy(data)
    yield ours(
        "in-stream-letter",
        "Trained in the stream itself, without a window, with projections by letter (γ = 30): accuracy.",
        estimate.mean(every.sel(use=in_stream(LETTER, 30.0).name).values),
        at_least(0.99),
    )
    for name, use in (("token", in_stream(TOKEN, 3.0).name), ("bare", BARE_IN_STREAM.name)):
        words = "with projections by token (γ = 3)" if name == "token" else "without projections"
        yield ours(
            f"in-stream-{name}",
            f"Trained in the stream itself {words}, both cases of a letter have units of their own before keys have "
            "learnt to be alike, and so they never do: accuracy.",
            estimate.mean(every.sel(use=use).values),
            at_most(0.85),
        )


def claims_of_crowds(data: xr.Dataset) -> Iterator[Claim]:
    """More letters than units can hold, at equal numbers of fast weights."""
    every, curves = accuracy(data), by_octave(data)
    newest, oldest = curves.isel(lag=0), curves.sel(lag=slice(63, None)).mean("lag")
    for name, other in (("k = 3", "one winner"), ("k = 3", "thin, k = 1"), ("k = 10", "k = 3")):
        yield ours(
            f"crowded-{name[4:]}-{other.split(',')[0].replace(' ', '-').removeprefix('k-=-')}",
            f"Beyond capacity, all lags: accuracy with {name} less that with {other}.",
            estimate.mean((every.sel(use=name) - every.sel(use=other)).values),
            above(0.0),
        )
    yield ours(
        "crowded-graded",
        "Beyond capacity, one winner: accuracy with ε = 0.3 less that with ε = 1.",
        estimate.mean((every.sel(use="one winner, ε = 0.3") - every.sel(use="one winner")).values),
        above(0.0),
    )
    yield ours(
        "crowded-newest",
        "The newest item is known even then (k = 3).",
        estimate.mean(newest.sel(use="k = 3").values),
        at_least(0.99),
    )
    yield ours(
        "crowded-fades",
        "Forgetting is gradual: with k = 3, accuracy at lags of 63 and more is above chance, and below that at lag 0.",
        estimate.smallest_of(
            [
                estimate.mean(oldest.sel(use="k = 3").values - 0.5),
                estimate.mean((newest - oldest).sel(use="k = 3").values),
            ]
        ),
        above(0.0),
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
    claims=claims,
)
