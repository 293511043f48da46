"""Theory and simulation at scale: a memory of 10⁵ to 10⁹ synapses in its steady state, and what it costs.

The same memory at five sizes: n_v = n_h, f = 0.1, k_v = n_v/10, k_h = n_h/100, ε = 0.3, weights of 16 bits.

In its steady state a unit has won so often that nothing is left of its first weights. A unit wins with every n_h/k_h-th
pattern, here every hundredth, on average. The oldest pattern that is tested is stored after 2000 others, 20 n_h/k_h;
the memory is tested after 3007 patterns, 30 n_h/k_h.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Any, ClassVar

import matplotlib as mpl
import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.ticker import EngFormatter
from numpy.typing import NDArray

from slotfree.beyond import SCALE
from slotfree.drawing.ages import accuracy_axis
from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import AGE, DARK_GREY, LIGHT_GREY, PALETTE, cue_title
from slotfree.files.safetensors import Arrays
from slotfree.forgetting.agreement import agreement
from slotfree.forgetting.family import labels_of, settings_in
from slotfree.forgetting.protocol import CUES
from slotfree.forgetting.theory.k_winner import predicted_curves
from slotfree.memory.kwinner import KWinnerMHN, KWinnerSettings
from slotfree.patterns.cues import partial_cues
from slotfree.patterns.random import random_patterns
from slotfree.runs.seeds import seed_for
from slotfree.study import estimate
from slotfree.study.claim import Claim, at_most
from slotfree.study.estimate import Estimate, exact
from slotfree.study.experiment import Experiment
from slotfree.study.item import Item
from slotfree.study.labelled import Labelled
from slotfree.study.results import Results
from slotfree.study.scale import Scale

AGES = (1, 10, 100, 300, 1000)
NEIGHBOURS = 8  # ages of which each of these is the first: the mean over them is taken
UNSEEN = 12  # patterns never stored that are tested
SETTLE = 2000  # patterns that are stored before the oldest that is tested
BATCH = 50  # patterns that are drawn and stored together: all of them would take hundreds of megabytes
TIMED = 10  # batches at the end whose time is kept
RUNS = {10**5: 100, 10**6: 40, 10**7: 12, 10**8: 6, 10**9: 1}
Floats = NDArray[np.float64]
SMALL = (10**4, 10**5)  # synapses of the smallest and the largest at a smaller scale


def memory_of(synapses: float) -> KWinnerSettings:
    """Return the memory with about this number of synapses, n_h f n_v."""
    n = round((10 * synapses) ** 0.5)
    return KWinnerSettings(
        *(n, n, round(n / 10), round(n / 100)),
        fan_in=0.1,
        learning_rate=0.3,
        weights="uint16",
        connections="computed",
    )


def touched(settings: KWinnerSettings) -> float:
    """The synapses that a store touches: k_v f n_h of the active inputs, and k_h f n_v of the winners."""
    s = settings
    return s.k_visible * s.n_synapses / s.n_visible + s.k_hidden * s.n_connections


@dataclass(frozen=True)
class SteadyState(Labelled):
    """Store random patterns until the memory is in its steady state; test some of them, and some never stored.

    Attributes
    ----------
    settle : the number of patterns stored before the oldest that is tested.
    """

    settings: KWinnerSettings
    settle: int = SETTLE
    dims: ClassVar = {
        "accuracy": ("cue", "age", "neighbour"),
        "baseline": ("cue", "unseen"),
        "store_seconds": ("batch",),
    }

    @property
    def tested(self) -> NDArray[np.int64]:
        """The ages that are tested, (age, neighbour)."""
        return np.add.outer(AGES, np.arange(NEIGHBOURS))

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return ``accuracy`` (cue, age, neighbour), ``baseline`` (cue, unseen), ``nbytes``; and times.

        ``build_seconds`` and ``store_seconds``, (batch,), per pattern, are those of one thread, and of this machine.
        """
        begin = time.thread_time()
        memory = KWinnerMHN.from_settings(self.settings, seed_for(seed, "memory"))
        build_seconds = time.thread_time() - begin
        stored, store_seconds = self.store(memory, seed)
        unseen = self.drawn(UNSEEN, seed_for(seed, "unseen"))
        return {
            "accuracy": self.accuracy(memory, stored, seed_for(seed, "cues")).reshape(-1, *self.tested.shape),
            "baseline": self.accuracy(memory, unseen, seed_for(seed, "unseen cues")),
            "nbytes": np.asarray(memory.nbytes),
            "build_seconds": np.asarray(build_seconds),
            "store_seconds": np.array(store_seconds[-TIMED:]),
        }

    def store(self, memory: KWinnerMHN, seed: np.random.SeedSequence) -> tuple[NDArray[np.uint8], list[float]]:
        """Store all patterns; return those that are tested, in the order of their ages, and seconds by batch."""
        n_stored = self.settle + int(self.tested.max())
        place = n_stored - self.tested.ravel()
        kept = np.empty((len(place), self.settings.n_visible), np.uint8)
        seconds = []
        for start in range(0, n_stored, BATCH):
            patterns = self.drawn(min(BATCH, n_stored - start), seed_for(seed, "patterns", start))
            begin = time.thread_time()
            memory.store(patterns)
            seconds.append((time.thread_time() - begin) / len(patterns))
            here = (place >= start) & (place < start + len(patterns))
            kept[here] = patterns[place[here] - start]
        return kept, seconds

    def drawn(self, n_patterns: int, seed: np.random.SeedSequence) -> NDArray[np.uint8]:
        """Return random patterns."""
        s = self.settings
        return random_patterns(n_patterns, n_visible=s.n_visible, k_visible=s.k_visible, seed=seed)

    def accuracy(
        self, memory: KWinnerMHN, patterns: NDArray[np.uint8], seed: np.random.SeedSequence
    ) -> NDArray[np.float64]:
        """Return the accuracy of what is retrieved, (cue, pattern)."""
        cues = [partial_cues(patterns, cue, seed=seed_for(seed, cue)) for cue in CUES]
        return np.array([agreement(memory.retrieve(each), patterns, ["accuracy"])["accuracy"] for each in cues])

    @property
    def coordinates(self) -> Mapping[str, Any]:
        """Cues and ages; the coordinates (setting), one of them, say which memory it is."""
        tested = (("age", "neighbour"), self.tested)
        return {"cue": list(CUES), "age": list(AGES), "tested_age": tested, **labels_of([self.settings])}

    def at(self, scale: Scale) -> "SteadyState":
        """The same for a small memory that has stored fewer patterns; the order of the sizes stays."""
        smallest, largest = min(RUNS), max(RUNS)
        share = np.log(self.settings.n_synapses / smallest) / np.log(largest / smallest)
        small = memory_of(SMALL[0] * (SMALL[1] / SMALL[0]) ** share)
        return replace(self, settings=small, settle=scale.limit("n_stored", self.settle))


SIZES = {
    size: Experiment(f"billion-1e{len(str(size)) - 1}", SteadyState(memory_of(size)), runs, few=2)
    for size, runs in RUNS.items()
}
LIMIT = 0.02  # of the difference in accuracy
FLAT = 4  # times as long for a synapse, at most
MOST_BYTES = 10  # per synapse
FEW = "There is one memory of this size, and its eight patterns are few: {measured}, {low} to {high}."
POWERS = dict(zip(range(10), "⁰¹²³⁴⁵⁶⁷⁸⁹", strict=True))
LINE = np.unique(np.geomspace(1, AGES[-1] + NEIGHBOURS, 60).round().astype(int))
NEVER = 4500  # where on the axis of ages patterns are that were never stored
STORED_BYTES = 16  # per synapse with stored connections and weights of 32 bits, at least
MIDDLE = (NEIGHBOURS - 1) / 2  # of the ages that are averaged, from the first


@dataclass(frozen=True)
class Compared:
    """One size.

    Attributes
    ----------
    exponent : the power of ten that its number of synapses is, at full scale.
    """

    exponent: int
    data: xr.Dataset

    @property
    def settings(self) -> KWinnerSettings:
        """Of the memory."""
        return settings_in(self.data, 0)

    @property
    def memories(self) -> int:
        """The number of simulated memories."""
        return self.data.sizes["run"]

    def simulated(self, cue: float, age: int | None) -> Floats:
        """Accuracy (run, pattern) of patterns of an age and its neighbours; of those never stored, if it is None."""
        data = self.data.sel(cue=cue)
        return np.asarray(data["baseline"].values if age is None else data["accuracy"].sel(age=age).values)

    def predicted(self, cue: float, age: int | None) -> Floats:
        """Accuracy (pattern) by the theory, each at its own age."""
        ages = self.data["tested_age"]
        curve = _predicted(self.settings, tuple(sorted(set(ages.values.ravel().tolist())))).sel(cue=cue)
        if age is None:
            return np.full(self.data.sizes["unseen"], float(curve["baseline"]))
        return np.asarray(curve["accuracy"].sel(age=ages.sel(age=age).values).values)

    def line(self, ages: NDArray[np.int64]) -> xr.Dataset:
        """The predicted curves at any ages."""
        return _predicted(self.settings, tuple(ages.tolist()))

    def difference(self, cue: float, age: int | None) -> Estimate:
        """Mean accuracy in simulation less that by the theory; memories are independent, or patterns of a single one.

        Patterns of a single memory have its units in common: their interval may be too narrow, see
        ``docs/explained/scale.md``.
        """
        differences = self.simulated(cue, age) - self.predicted(cue, age)
        return estimate.mean(differences.mean(axis=1) if self.memories > 1 else differences[0])

    @property
    def nanoseconds(self) -> Floats:
        """Per touched synapse of a store on one thread, (run × batch,)."""
        return np.asarray(self.data["store_seconds"].values.ravel() / touched(self.settings) * 1e9)

    @property
    def bytes_per_synapse(self) -> float:
        """Of weights, and of what connections are computed from."""
        return float(self.data["nbytes"].max()) / self.settings.n_synapses


def compare(r: Results) -> list[Compared]:
    """All sizes, the smallest first."""
    return [Compared(len(str(size)) - 1, r[experiment]) for size, experiment in SIZES.items()]


@cache
def _predicted(settings: KWinnerSettings, ages: tuple[int, ...]) -> xr.Dataset:
    """Accuracy (cue, age) and baseline (cue), also outside the theory's limits, where smaller scales are.

    Kept, since a figure and its claims need the same predictions.
    """
    accuracy, baseline, *_ = predicted_curves(settings, CUES, np.array(ages), anywhere=True)
    coordinates = {"cue": list(CUES), "age": list(ages)}
    return xr.Dataset({"accuracy": (("cue", "age"), accuracy), "baseline": ("cue", baseline)}, coordinates)


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
    for cue, age in product(CUES, (*AGES, None)):
        difference = one.difference(cue, age)
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


def claims(r: Results) -> Iterator[Claim]:
    """Accuracy at every size and age, time, and memory."""
    sizes = compare(r)
    for one in sizes:
        for age in (*AGES, None):
            yield accuracy_claim(one, age)
    yield time_claim(sizes)
    yield Claim(
        "bytes",
        f"A synapse with both of its weights takes at most {MOST_BYTES} bytes, connections included: the most at any "
        "size.",
        estimate=exact(max(one.bytes_per_synapse for one in sizes)),
        limits=at_most(MOST_BYTES),
    )


def accuracy_claim(one: Compared, age: int | None) -> Claim:
    """That theory and simulation agree at one size and age, for both cues."""
    tested = "patterns never stored" if age is None else f"ages {age} to {age + NEIGHBOURS - 1}"
    sampled = f"{one.memories} memories" if one.memories > 1 else "one memory, whose patterns give the interval"
    return Claim(
        f"1e{one.exponent}-{'baseline' if age is None else f'age-{age}'}",
        f"With 10{POWERS[one.exponent]} synapses the theory is right, {tested}: |simulated − predicted| accuracy, the "
        f"larger of both cues, at most {LIMIT} ({sampled}).",
        note=FEW if one.memories == 1 and age is not None else "",
        estimate=estimate.largest_of(abs(one.difference(cue, age)) for cue in CUES),
        limits=at_most(LIMIT),
    )


def time_claim(sizes: Sequence[Compared]) -> Claim:
    """That the time per touched synapse hardly depends on the size."""
    return Claim(
        "time",
        f"On this machine a store takes about as long per touched synapse at all sizes, on one thread: the longest "
        f"over the shortest median time, at most {FLAT}.",
        estimate=longest_over_shortest(sizes),
        limits=at_most(FLAT),
    )


def longest_over_shortest(sizes: Sequence[Compared]) -> Estimate:
    """The largest median of nanoseconds per touched synapse over the smallest (bootstrap over batches)."""

    def ratio(*medians: Any) -> Any:
        return np.max(medians, axis=0) / np.min(medians, axis=0)

    return estimate.bootstrap(ratio, *(one.nanoseconds for one in sizes), of=estimate.medians)


STUDY = SCALE
ITEM = Item(
    name="billion",
    number="Theory and simulation at scale",
    title="A memory of a billion synapses",
    text="The same memory at five sizes, 10% of the units connected and 1% winning, with computed connections and "
    "weights of 16 bits. Lines are computed from the settings alone, dots are simulated in the steady state. The "
    "larger the memory, the better it keeps patterns, and the theory follows up to a billion synapses. The time per "
    "synapse that a store touches hardly depends on the size, and a synapse takes 4 bytes.",
    alt="Six panels. A and B: accuracy against memory age for five sizes, for full and half cues, theory as lines and "
    "simulation as dots, with the accuracy for patterns never stored at the right. D and E: simulation minus theory "
    "against the number of synapses for each age, with a band of plus or minus 0.02. C: nanoseconds per touched "
    "synapse against the number of synapses. F: bytes against the number of synapses.",
    experiments=tuple(reversed(SIZES.values())),  # the largest takes longest: it comes first
    draw=draw,
    claims=claims,
)
