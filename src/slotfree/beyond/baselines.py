"""The K-winner MHN among other memories of about 100,000 weights, under the same protocol.

Weights are numbers that learn independently of one another: W_ij and W'_ji of a K-winner MHN count as one, and so do
w_ij and w_ji of the classical network and of Willshaw's memory: these two have 100,000 synapses, and 94,995 weights.

Free parameters are those with the largest area under R.D. over ages 1 to 1000, summed over both cues, in 8 to 16 runs:

- modern Hopfield network: β = 0.07 of 0.03, 0.05, 0.07, 0.1, 0.2, 0.5, 1 and ∞. Its 100 slots are overwritten in turn.
- classical Hopfield network: λ = 0.0014 of 0, 0.0001, 0.0002, 0.0003, 0.0005, 0.0007, 0.001, 0.0014, 0.002, 0.003,
  0.005, 0.007, 0.01, 0.014, 0.02 and 0.03; one step of 1, 2 and 5.
- sparse distributed memory: 4 active locations of 1, 2, 3, 4, 5, 7, 10, 15, 20 and 30; if it decays, λ = 0.0014 of
  0.0005, 0.001, 0.0014, 0.002, 0.003, 0.005, 0.01, 0.02 and 0.04.
- Willshaw's memory has none.

The K-winner MHN and the 1-winner MHN are as the paper sets them; they were not chosen this way.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from numpy.typing import NDArray

from slotfree.drawing import ages
from slotfree.drawing.bands import band
from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import AVERAGED, BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, cue_title
from slotfree.files.safetensors import Arrays
from slotfree.forgetting import metrics
from slotfree.forgetting.protocol import CUES
from slotfree.memory.base import Settings
from slotfree.memory.classical_hopfield import ClassicalHopfieldSettings
from slotfree.memory.modern_hopfield import ModernHopfieldSettings
from slotfree.memory.sparse_distributed import SparseDistributedMemorySettings
from slotfree.memory.willshaw import Willshaw, WillshawSettings
from slotfree.paper.shared.memories import K_WINNER, ONE_WINNER, Model, on_random
from slotfree.patterns.cues import partial_cues
from slotfree.patterns.random import random_patterns
from slotfree.runs.seeds import seed_for
from slotfree.study import curves, estimate
from slotfree.study.claim import Claim, above, at_least, at_most, within
from slotfree.study.experiment import Experiment
from slotfree.study.item import Item
from slotfree.study.results import Results
from slotfree.study.retention import Retention

RUNS = 60
SLOTS = 100
MODERN = Model(
    "modern",
    f"modern Hopfield, {SLOTS} slots",
    cast(Settings, ModernHopfieldSettings(beta=0.07, capacity=SLOTS, k_visible=100)),  # binary: k_visible is given
    BLUE,
)
CLASSICAL = Model("classical", "classical Hopfield, λ = 0.0014", ClassicalHopfieldSettings(decay=0.0014), GREEN)
WILLSHAW = Model("willshaw", "Willshaw", WillshawSettings(), ORANGE)
KANERVA = Model("kanerva", "Kanerva's SDM", SparseDistributedMemorySettings(), PURPLE)
FADING = Model("fading", "Kanerva's SDM, λ = 0.0014", SparseDistributedMemorySettings(decay=0.0014), SKY)
PAPERS, OTHERS = (K_WINNER, ONE_WINNER), (MODERN, CLASSICAL, WILLSHAW, KANERVA, FADING)
MODELS = (*PAPERS, *OTHERS)
EXPERIMENTS = {
    **{model.name: on_random(model) for model in PAPERS},
    **{model.name: Experiment(f"{model.name}-random", Retention(model.settings), RUNS) for model in OTHERS},
}
NEWEST, OLDER = (1, 100), (200, 600)
BEYOND_SLOTS = (SLOTS + 1, 600)


@dataclass(frozen=True)
class Filling:
    """Test a memory now and then while it stores: ones among its weights, and accuracy of the newest patterns.

    Attributes
    ----------
    numbers : of patterns stored when it is tested.
    tested : how many of the newest patterns are tested at most.
    """

    settings: WillshawSettings
    numbers: tuple[int, ...] = (1, 2, 5, 10, 20, 30, 50, 70, 100, 140, 200, 300, 500, 1000, 2000)
    cues: tuple[float, ...] = CUES
    tested: int = 50

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return ``filled`` (number) and ``accuracy`` (cue, number) over the newest patterns."""
        s = self.settings
        memory = Willshaw(s.n_visible, s.k_visible, s.fan_in, seed=seed_for(seed, "memory"))
        size = {"n_visible": s.n_visible, "k_visible": s.k_visible}
        patterns = random_patterns(self.numbers[-1], **size, seed=seed_for(seed, "patterns"))
        filled = np.empty(len(self.numbers))
        accuracy = np.empty((len(self.cues), len(self.numbers)))
        for i, number in enumerate(self.numbers):
            memory.store(patterns[memory.n_stored : number])
            filled[i] = memory.filled
            newest = patterns[max(0, number - self.tested) : number]
            for c, cue in enumerate(self.cues):
                presented = partial_cues(newest, cue, seed=seed_for(seed, "cue", cue, number))
                accuracy[c, i] = (memory.retrieve(presented) & newest).sum() / newest.sum()
        return {"filled": filled, "accuracy": accuracy}

    def label(self, results: Sequence[Arrays]) -> xr.Dataset:
        """Label the results of all runs, (run, number) and (run, cue, number)."""
        filled, accuracy = (np.array([result[name] for result in results]) for name in ("filled", "accuracy"))
        return xr.Dataset(
            {"filled": (("run", "number"), filled), "accuracy": (("run", "cue", "number"), accuracy)},
            {"cue": list(self.cues), "number": list(self.numbers)},
        )


FILLING = Experiment("willshaw-filling", Filling(WillshawSettings()), 20)


def expected_ones(number: NDArray[np.int64]) -> NDArray[np.float64]:
    """The expected fraction of ones after M patterns: p is the chance that a pattern has two given units active."""
    n, k = WILLSHAW.settings.n_visible, WILLSHAW.settings.k_visible
    ones: NDArray[np.float64] = 1 - (1 - k * (k - 1) / (n * (n - 1))) ** number.astype(float)
    return ones


def d_prime(r: Results, model: Model, cue: float) -> xr.DataArray:
    """d' of each sample of runs, (sample, age)."""
    return curves.d_prime(r[EXPERIMENTS[model.name]], cue)


def accuracy(r: Results, model: Model, cue: float, kind: str) -> xr.DataArray:
    """Accuracy of all runs, (run, age)."""
    return r[EXPERIMENTS[model.name]]["accuracy"].sel(cue=cue, kind=kind, drop=True)


def beyond_baseline(r: Results, model: Model, cue: float) -> xr.DataArray:
    """Accuracy less that for patterns never stored, of all runs, (run, age)."""
    return metrics.differences(r[EXPERIMENTS[model.name]].sel(cue=cue))


def areas(r: Results, model: Model, cue: float) -> NDArray[np.float64]:
    """Area under R.D. of each run: how many patterns' worth is retained beyond baseline."""
    area: NDArray[np.float64] = beyond_baseline(r, model, cue).sum("age").values
    return area


def draw(r: Results) -> Picture:
    """Draw accuracy (A), d' (B), the area under R.D. (C), and how Willshaw's memory fills up (D)."""
    picture = Picture(3, 2, width=9.5, height=3.1)
    for column, cue in enumerate(CUES):
        draw_curves(picture, r, column, cue)
    draw_areas(picture, r)
    draw_filling(picture, r[FILLING])
    picture.legend_below(picture.axes[0, 0], 4, f"solid: stored, dotted: never stored; {AVERAGED}")
    return picture


def draw_curves(picture: Picture, r: Results, column: int, cue: float) -> None:
    """Draw accuracy and d' of all memories by age for a cue level."""
    top, middle = picture.axes[:2, column]
    for model in MODELS:
        names = {"model": model.name, "cue": f"{cue:g}"}
        for kind, style, label in (("real", "-", model.label), ("pseudo", ":", "")):
            row = {"measure": "accuracy", **names, "kind": kind}
            runs = accuracy(r, model, cue, kind)
            ages.by_age(picture, top, runs, model.colour, label, style=style, every_age=False, row=row)
        row = {"measure": "d_prime", **names, "kind": ""}
        ages.by_age(picture, middle, d_prime(r, model, cue), model.colour, model.label, every_age=False, row=row)
    picture.panel(top, "A" if column == 0 else "", cue_title(cue))
    picture.panel(middle, "B" if column == 0 else "")
    ages.accuracy_axis(top, label=column == 0)
    ages.d_prime_axis(middle, label=column == 0)
    for axis in (top, middle):
        ages.age_axis(axis, r[EXPERIMENTS[K_WINNER.name]].sizes["age"])


def draw_areas(picture: Picture, r: Results) -> None:
    """Draw the area under R.D. of each memory, for both cues."""
    axis: Axes = picture.axes[2, 0]
    for place, model in enumerate(MODELS):
        for cue, marker, shift in zip(CUES, "os", (-0.13, 0.13), strict=True):
            area = estimate.mean(areas(r, model, cue))
            face = model.colour if cue == 1 else "white"
            look: dict[str, Any] = {"fmt": marker, "ms": 5, "color": model.colour, "mfc": face, "capsize": 2}
            axis.errorbar(area.value, place + shift, xerr=area.reach, **look)
            names = {"model": model.name, "cue": f"{cue:g}"}
            picture.record({**names, "area": area.value, "low": area.low, "high": area.high}, table="_areas")
    axis.plot([], [], "o", color=GREY, label="100% cues, 99% interval")
    axis.plot([], [], "s", color=GREY, mfc="white", label="50% cues")
    axis.set_yticks(range(len(MODELS)), [model.label for model in MODELS])
    axis.set(ylim=(len(MODELS) + 0.4, -0.5), xlim=(-8, None))
    axis.set_xlabel(f"area under R.D., ages 1 to {r[EXPERIMENTS[K_WINNER.name]].sizes['age']} (patterns)")
    axis.axvline(0, color=GREY, lw=0.6)
    axis.legend(loc="lower center", ncols=2)
    picture.panel(axis, "C", "Retained beyond baseline")


def draw_filling(picture: Picture, data: xr.Dataset) -> None:
    """Draw the fraction of ones, with its law, and the accuracy of the newest patterns against how many are stored."""
    axis: Axes = picture.axes[2, 1]
    shown = [(data["filled"], BLACK, "weights that are 1", "-", {"measure": "filled", "cue": ""})]
    for cue, style in zip(CUES, ("-", "--"), strict=True):
        runs, row = data["accuracy"].sel(cue=cue, drop=True), {"measure": "accuracy", "cue": f"{cue:g}"}
        shown.append((runs, WILLSHAW.colour, f"accuracy, {cue_title(cue)}", style, row))
    columns = ("stored", "mean", "standard_deviation")
    for runs, colour, label, style, row in shown:
        look: dict[str, Any] = {"style": style, "deviation": True}
        band(picture, axis, runs, colour, label, **look, row=row, columns=columns, table="_filling")
    numbers = data["number"].values
    axis.plot(numbers, expected_ones(numbers), "o", ms=3, color=GREY, label="law: 1 − (1 − p)$^M$")
    log_scale(axis, "x")
    axis.set(ylim=(0, 1.03), xlabel="stored patterns M", ylabel="fraction (mean ± 1 s.d. of runs)")
    axis.legend(loc="center left")
    picture.panel(axis, "D", "Willshaw's memory fills up")


def claims(r: Results) -> Iterator[Claim]:
    """How the memories compare."""
    yield from claims_on_willshaw(r)
    for cue in CUES:
        yield from claims_on_slots(r, cue)
    for cue in CUES:
        yield from claims_on_decay(r, cue)
    yield Claim(
        "partial-cues",
        "With half of the cue missing, Kanerva's memory looks in the wrong places: lead of the K-winner MHN in d' at "
        "ages 1 to 100 (50% cues).",
        estimate=curves.lead(d_prime(r, K_WINNER, 0.5), d_prime(r, FADING, 0.5), (1, 100)),
        limits=above(0),
    )


def claims_on_willshaw(r: Results) -> Iterator[Claim]:
    """That Willshaw's memory works while it is nearly empty, fills up as it must, and then knows nothing."""
    data = r[FILLING]
    yield Claim(
        "willshaw-few",
        "Willshaw's memory recalls its first 10 patterns (100% cues): mean accuracy, at least 0.99.",
        estimate=estimate.mean(data["accuracy"].sel(cue=1.0, number=10).values),
        limits=at_least(0.99),
    )
    gap = data["filled"].values - expected_ones(data["number"].values)
    yield Claim(
        "willshaw-fills",
        "Its weights fill up as chance has it, 1 − (1 − p)^M of them after M patterns: largest distance of the mean of "
        "the runs from it, at most 0.01.",
        estimate=estimate.largest_of(map(abs, estimate.means(gap))),
        limits=at_most(0.01),
    )
    experiment = EXPERIMENTS[WILLSHAW.name].at(r.scale)
    n_stored = cast(Retention, experiment.run).n_stored
    for cue in CUES:
        yield Claim(
            f"willshaw-full-{cue:.0%}",
            f"After {n_stored} patterns nothing is left in it ({cue_title(cue)}): mean R.D. over all ages, within 0.01 "
            "of 0.",
            estimate=estimate.mean(areas(r, WILLSHAW, cue) / r[experiment].sizes["age"]),
            limits=within(-0.01, 0.01),
        )


def claims_on_slots(r: Results, cue: float) -> Iterator[Claim]:
    """That slots keep all of what they hold and nothing else, where the K-winner MHN fades."""
    yield Claim(
        f"slots-hold-{cue:.0%}",
        f"{SLOTS} slots overwritten in turn recall the newest {SLOTS} patterns ({cue_title(cue)}): mean accuracy, at "
        "least 0.999.",
        estimate=estimate.mean(curves.over_ages(accuracy(r, MODERN, cue, "real"), (1, SLOTS))),
        limits=at_least(0.999),
    )
    first, last = BEYOND_SLOTS
    yield Claim(
        f"beyond-slots-{cue:.0%}",
        f"The K-winner MHN still knows older ones, and slots do not ({cue_title(cue)}): its lead in d' at ages {first} "
        f"to {last}.",
        estimate=curves.lead(d_prime(r, K_WINNER, cue), d_prime(r, MODERN, cue), BEYOND_SLOTS),
        limits=above(0),
    )


def claims_on_decay(r: Results, cue: float) -> Iterator[Claim]:
    """What memories gain that spread a pattern over all weights and let them decay."""
    yield Claim(
        f"decay-{cue:.0%}",
        f"Decay lets Kanerva's memory retain more of the newest patterns ({cue_title(cue)}): area under R.D. less that "
        "without decay.",
        estimate=estimate.difference(areas(r, FADING, cue), areas(r, KANERVA, cue)),
        limits=above(0),
    )
    yield Claim(
        f"classical-older-{cue:.0%}",
        "A classical Hopfield network with a decay chosen for it tells old patterns better than the K-winner MHN "
        f"({cue_title(cue)}): its lead in d' at ages {OLDER[0]} to {OLDER[1]}.",
        estimate=curves.lead(d_prime(r, CLASSICAL, cue), d_prime(r, K_WINNER, cue), OLDER),
        limits=above(0),
    )
    ahead, behind = (CLASSICAL, K_WINNER) if cue == 1 else (K_WINNER, CLASSICAL)
    more, less = (curves.over_ages(beyond_baseline(r, m, cue), NEWEST) for m in (ahead, behind))
    yield Claim(
        f"newest-{cue:.0%}",
        f"Of the newest {NEWEST[1]} patterns, the {'classical network' if cue == 1 else 'K-winner MHN'} retains more "
        f"beyond its baseline ({cue_title(cue)}): R.D. at ages {NEWEST[0]} to {NEWEST[1]} less that of the other.",
        estimate=estimate.difference(more, less),
        limits=above(0),
    )


ITEM = Item(
    name="baselines",
    title="The K-winner MHN among other memories",
    text="With 95,000 to 100,000 weights each, slots keep 100 patterns and nothing else, Willshaw's memory fills up "
    "and keeps nothing, and memories that decay fade slowly: a classical Hopfield network and Kanerva's memory, with "
    "decays chosen for this test, tell old patterns better than the K-winner MHN as the paper sets it. The K-winner "
    "MHN recalls more of every pattern, stored or not. Beyond its baseline it retains less of the newest 100 than the "
    "classical network with full cues, and a little more with half cues. Unlike Kanerva's memory it suffers little "
    "from partial cues.",
    alt="Six panels. Accuracy and sensitivity d' against memory age on a logarithmic axis for seven memories, with "
    "100% and with 50% cues; the area under the raw difference of each memory for both cues; and for Willshaw's memory "
    "the fraction of weights that are 1, which rises to 1, and its accuracy, which falls to chance, against the number "
    "of stored patterns.",
    experiments=(*EXPERIMENTS.values(), FILLING),
    draw=draw,
    claims=claims,
)
