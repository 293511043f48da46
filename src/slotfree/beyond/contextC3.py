"""Without a window: models that live in a stream, in which letters come back with other cases."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.attention.storages.winners import Winners
from slotfree.attention.weights import Weights, diagonal, letter_blocks, off_diagonal
from slotfree.beyond.shared.panels import curves, side_by_side
from slotfree.beyond.shared.train_side_by_side import Condition, Trainings, answers, weights_of
from slotfree.drawing.bands import band
from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION
from slotfree.files.safetensors import Arrays
from slotfree.runs.seeds import seed_for
from slotfree.study import Experiment, Item, Results, above, at_least, at_most, judged, measure, more, within
from slotfree.study.estimate import Values
from slotfree.study.labelled import Labelled
from slotfree.tasks.case_sequence import CaseSequenceTask
from slotfree.tasks.lags import lags
from slotfree.tasks.latest_case import LatestCase
from slotfree.tasks.sequences import Sequences

BEFORE = ("first", "same", "changed")  # the case in which the letter came before: never, in the same, in the other
PARTS = 5  # of a stream, to see whether it ages


@dataclass(frozen=True)
class Use:
    """A model in a stream, by name: trained as a condition says, then used as it was, or as another model."""

    name: str
    trained: Condition
    stream: LatestCase
    model: SlotFreeTransformer | None = None

    @property
    def used(self) -> SlotFreeTransformer:
        """The model in the stream."""
        model = self.trained.model if self.model is None else self.model
        assert isinstance(model, SlotFreeTransformer)
        return model


@dataclass(frozen=True)
class Streams(Labelled):
    """Train each model once, use it in streams, and note which queries are answered rightly.

    Attributes
    ----------
    asked : queries in a stream; before each, the stream goes on by ``context_length`` items.
    longest : lags that are told apart, 0 to this; larger ones count as this.
    """

    uses: tuple[Use, ...]
    iterations: int = 1000
    asked: int = 6000
    longest: int = 511
    dims: ClassVar = {
        **dict.fromkeys(("right", "asked"), ("use", "before", "lag")),
        "early": ("use", "part"),
        **dict.fromkeys(("own", "other"), ("use",)),
    }
    limits: ClassVar = {"iterations": "iterations"}

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return counts, and how alike keys are.

        ``right``, ``asked`` : (use, before, lag). ``early`` : accuracy in each fifth of the stream, (use, part).
        ``own``, ``other`` : mean k_aᵀ k_A of a letter in its two cases, and of different letters, (use,).
        NaN, and nothing asked, where training diverged.
        """
        counts = np.zeros((2, len(self.uses), len(BEFORE), self.longest + 1))
        early = np.full((len(self.uses), PARTS), np.nan)
        own, other = np.full((2, len(self.uses)), np.nan)
        trained: dict[str, Weights | None] = {}
        for i, use in enumerate(self.uses):
            if use.trained.name not in trained:
                trained[use.trained.name] = self.train(use.trained, seed)
            weights = trained[use.trained.name]
            if weights is None:
                continue
            sequences, is_right = answers(use.used, weights, use.stream, self.asked, seed_for(seed, "stream"))
            lag = np.minimum(lags(use.stream, sequences)[:, 0], self.longest)
            before = case_before(use.stream, sequences)
            for part, some in enumerate((is_right[:, 0], np.ones(len(lag), bool))):
                np.add.at(counts[part, i], (before[some], lag[some]), 1)
            early[i] = is_right[: self.asked // PARTS * PARTS, 0].reshape(PARTS, -1).mean(axis=1)
            block = letter_blocks(weights)["key-key"]
            own[i], other[i] = diagonal(block).mean(), off_diagonal(block).mean()
        return {"right": counts[0], "asked": counts[1], "early": early, "own": own, "other": other}

    def train(self, condition: Condition, seed: np.random.SeedSequence) -> Weights | None:
        """The weights after training; None if it diverges."""
        try:
            return weights_of(Trainings((condition,), self.iterations).plan(condition)(seed))
        except FloatingPointError:
            return None

    @property
    def coordinates(self) -> Mapping[str, Any]:
        uses = [use.name for use in self.uses]
        return {"use": uses, "before": list(BEFORE), "lag": np.arange(self.longest + 1), "part": np.arange(PARTS)}


def case_before(stream: LatestCase, sequences: Sequences) -> NDArray[np.int64]:
    """In which case the letter of each query came the time before the last: a place in ``BEFORE``, (n,)."""
    L = stream.n_letters
    latest: dict[int, tuple[int, int]] = {}  # by letter: its last case, and how the one before it compares
    found = np.zeros(len(sequences), np.int64)
    asked = sequences.query - 2 * L
    for i, items in enumerate(sequences.context.tolist()):
        for token in items:
            letter, case = token % L, token // L
            latest[letter] = (case, 0 if letter not in latest else 1 + (latest[letter][0] != case))
        found[i] = latest[int(asked[i])][1]
    return found


def accuracy(data: xr.Dataset, before: str | None = None) -> xr.DataArray:
    """Accuracy over all lags, (run, use): of all queries, or of those whose letter came before as given."""
    some = data if before is None else data.sel(before=[before])
    return some["right"].sum(("before", "lag")) / some["asked"].sum(("before", "lag"))


def by_octave(data: xr.Dataset) -> xr.DataArray:
    """Accuracy by lag, (run, use, lag), in bins from each power of two to the next; the first is lag 0."""
    counts = data[["right", "asked"]].sum("before")
    octave = np.floor(np.log2(counts["lag"].values + 1)).astype(int)
    grouped = counts.assign_coords(octave=("lag", octave)).groupby("octave").sum()
    middles = 2.0 ** (grouped["octave"].values + 0.5) - 1
    middles[0] = 0.0
    share = grouped["right"] / grouped["asked"].where(grouped["asked"] > 0)
    return share.rename(octave="lag").assign_coords(lag=middles).transpose("run", "use", "lag")


RUNS = 20
ASKED = 5000  # queries in a stream, one after every WINDOW items
LETTERS, WINDOW, UNITS = 8, 4, 80
GAINS = (0.3, 1.0, 2.0, 3.0, 5.0, 7.0, 10.0, 30.0, 100.0)
STORAGE = Winners(k=3, fan_in=0.2, projection_gain=3.0)
TOKEN, LETTER, NONE = "by token", "by letter", "no projections"
BY = {TOKEN: STORAGE, LETTER: replace(STORAGE, address="letter")}
WINDOWS, STREAM = CaseSequenceTask(LETTERS, WINDOW), LatestCase(LETTERS, WINDOW)


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
TRAINED_BY = ((TOKEN, 3.0), (LETTER, 3.0), (LETTER, 30.0))  # in a stream, with γ
USES = (
    *(
        Use(used_name(by, g), in_windows(by), STREAM, model(replace(BY[by], projection_gain=g)))
        for by in BY
        for g in GAINS
    ),
    *(Use(each.name, each, STREAM) for each in (BARE, *(in_stream(*how) for how in TRAINED_BY), BARE_IN_STREAM)),
)
STREAMS = Experiment("context-streams", Streams(USES, asked=ASKED), RUNS, few=2)

MANY = 128  # letters, more than the units can hold
CROWDED_WINDOWS, CROWDED_STREAM = CaseSequenceTask(MANY, WINDOW), LatestCase(MANY, WINDOW)
BUDGET = 160 * (10 + 2 * MANY + 3)  # fast weights: of 160 units that see 10 of 50 components


def crowded(name: str, k: int, fan_in: float, rate: float = 1.0) -> Use:
    """A model whose units are fewer than the letters; all have as many fast weights, up to those of one unit."""
    storage = Winners(k=k, fan_in=fan_in, rate=rate, address="letter", projection_gain=30.0)
    units = BUDGET // storage.n_weights(1, 50, 2 * MANY, 2)
    return Use(name, Condition(name, model(storage, units), CROWDED_WINDOWS), CROWDED_STREAM)


GRADED = "one winner, ε = 0.3"
CROWDS = (
    crowded("one winner", 1, 1.0),
    crowded(GRADED, 1, 1.0, 0.3),
    crowded("thin, k = 1", 1, 0.2),
    crowded("k = 3", 3, 0.2),
    crowded("k = 3, ε = 0.3", 3, 0.2, 0.3),
    crowded("k = 10", 10, 0.2),
)
CROWDED = Experiment("context-crowded", Streams(CROWDS, asked=ASKED), RUNS, few=2)


def draw(r: Results) -> Picture:
    """Draw accuracy against γ (A), by how a model was trained (B), and by lag beyond capacity (C)."""
    picture = Picture(1, 3, width=11.0, height=3.5)
    draw_gains(picture, r[STREAMS])
    draw_trained(picture, r[STREAMS])
    draw_crowded(picture, r[CROWDED])
    for axis in picture.axes[0]:
        axis.axhline(0.5, color=GREY, lw=1, ls=":")
        axis.set(ylim=(0.45, 1.02), ylabel="accuracy")
    runs = r[STREAMS].sizes["run"]
    note = f"streams of {ASKED * WINDOW:,} items, never reset; {runs} runs: A, C mean ± 1 s.e., B bars: medians"
    picture.figure.supxlabel(note, fontsize=7)
    return picture


def draw_gains(picture: Picture, data: xr.Dataset) -> None:
    """Draw the accuracy of letters whose case changed, and of those whose case did not."""
    axis = picture.axes[0, 0]
    log_scale(axis, "x")
    for by, colour in ((TOKEN, VERMILION), (LETTER, BLUE)):
        names = [used_name(by, g) for g in GAINS]
        for before, style in (("changed", "o-"), ("same", "o:")):
            runs = accuracy(data, before).sel(use=names).rename(use="γ").assign_coords({"γ": list(GAINS)})
            row = {"projections": by, "case": before}
            label = f"{by.removeprefix('by ')}, {before}"
            band(picture, axis, runs, colour, label, style=style, row=row, columns=("γ", "accuracy", "standard_error"))
    overlap = float(data["own"].sel(use=used_name(TOKEN, GAINS[0])).mean())
    axis.axvline(overlap, color=GREY, lw=1, ls="--")
    axis.annotate("k_aᵀk_A", (overlap, 0.47), (4, 0), textcoords="offset points", fontsize=7, color=GREY, ha="left")
    axis.set_xlabel("projection gain γ in the stream")
    axis.legend(loc=(0.58, 0.5), fontsize=7, title="projections by, case", title_fontsize=7)
    picture.panel(axis, "A", "updating or separating")


def draw_trained(picture: Picture, data: xr.Dataset) -> None:
    """Draw accuracy in the stream of models that were trained on windows, and in it."""
    axis, every = picture.axes[0, 1], accuracy(data)
    windows, stream = "trained on windows", "trained in the stream"
    rows = {f"{by},\nγ = {g:g}": (used_name(by, g), in_stream(by, g).name) for by, g in TRAINED_BY}
    rows[NONE] = (BARE.name, BARE_IN_STREAM.name)
    places = {}
    for place, names in rows.items():
        found = (every.sel(use=name).values for name in names)
        places[place] = dict(zip((windows, stream), found, strict=True))
    side_by_side(picture, axis, places, {windows: BLUE, stream: ORANGE}, table="-trained")
    axis.legend(loc="lower left", fontsize=7)
    picture.panel(axis, "B", "where training took place")


def draw_crowded(picture: Picture, data: xr.Dataset) -> None:
    """Draw accuracy by lag where there are more letters than units can hold."""
    axis, runs = picture.axes[0, 2], by_octave(data)
    runs = runs.assign_coords(lag=runs["lag"] + 1)
    looks = {
        use.name: (use.name, colour, "o-")
        for use, colour in zip(CROWDS, (GREY, ORANGE, SKY, BLUE, PURPLE, GREEN), strict=True)
    }
    log_scale(axis, "x")
    columns = ("lag_plus_1", "accuracy", "standard_error")
    curves(picture, axis, runs, looks, columns=columns, over="use", table="-crowded")
    axis.set_xlabel("items since, and it (1 = newest)")
    axis.legend(loc="lower left", fontsize=7)
    picture.panel(axis, "C", f"{MANY} letters in {BUDGET // 1000},000 weights")


@measure
def right(r: Results, experiment: Experiment, use: str, before: str | None = None) -> Values:
    """Accuracy in each run: of all queries, or of those whose letter came before as given."""
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
    """Accuracy at lag 0, or at lags from ``lag`` on, with k = 3, in each run."""
    curve = by_octave(r[CROWDED]).sel(use="k = 3")
    return np.asarray((curve.isel(lag=0) if lag == 0 else curve.sel(lag=slice(lag, None)).mean("lag")).values)


STRONG = used_name(TOKEN, GAINS[-1])
IN_USE = f"trained on windows of {WINDOW} items, used in a stream of {ASKED * WINDOW:,} items"
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
