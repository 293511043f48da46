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

from collections.abc import Iterator
from typing import Any, cast

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from slotfree.drawing import ages
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import AVERAGED, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, cue_title
from slotfree.forgetting import metrics
from slotfree.forgetting.protocol import CUES
from slotfree.memory.base import Settings
from slotfree.memory.classical_hopfield import ClassicalHopfieldSettings
from slotfree.memory.modern_hopfield import ModernHopfieldSettings
from slotfree.memory.sparse_distributed import SparseDistributedMemorySettings
from slotfree.memory.willshaw import WillshawSettings
from slotfree.paper.shared.memories import K_WINNER, ONE_WINNER, Model, on_random
from slotfree.study import Experiment, Item, Judge, Results, Retention, between, curves, estimate, measure, more

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
BEYOND_SLOTS, EVERY = (SLOTS + 1, 600), (1, 1000)


def d_prime(r: Results, model: Model, cue: float) -> xr.DataArray:
    """d' of each sample of runs, (sample, age)."""
    return curves.d_prime(r[EXPERIMENTS[model.name]], cue)


def beyond_baseline(r: Results, model: Model, cue: float) -> xr.DataArray:
    """Accuracy less that for patterns never stored, of all runs, (run, age)."""
    return metrics.differences(r[EXPERIMENTS[model.name]].sel(cue=cue))


@measure
def areas(r: Results, model: Model, cue: float) -> NDArray[np.float64]:
    """Area under R.D. of each run: the number of patterns retained beyond baseline."""
    return np.asarray(beyond_baseline(r, model, cue).sum("age").values)


@measure
def sensitivity(r: Results, model: Model, cue: float, ages: tuple[int, int]) -> NDArray[np.float64]:
    """Mean d' of some ages in each sample of runs."""
    return curves.over_ages(d_prime(r, model, cue), ages)


@measure
def retained(r: Results, model: Model, cue: float, ages: tuple[int, int]) -> NDArray[np.float64]:
    """Mean R.D. of some ages in each run."""
    return curves.over_ages(beyond_baseline(r, model, cue), ages)


def draw(r: Results) -> Picture:
    """Draw accuracy (A), d' (B) and the area under R.D. (C)."""
    picture = Picture(3, 2, width=9.5, height=3.1)
    for column, cue in enumerate(CUES):
        draw_curves(picture, r, column, cue)
    draw_areas(picture, r)
    picture.legend_below(picture.axes[0, 0], 4, f"solid: stored, dotted: never stored; {AVERAGED}")
    return picture


def draw_curves(picture: Picture, r: Results, column: int, cue: float) -> None:
    """Draw accuracy and d' of all memories by age for a cue level."""
    top, middle = picture.axes[:2, column]
    for model in MODELS:
        names = {"model": model.name, "cue": f"{cue:g}"}
        for kind, style, label in (("real", "-", model.label), ("pseudo", ":", "")):
            row = {"measure": "accuracy", **names, "kind": kind}
            runs = r[EXPERIMENTS[model.name]]["accuracy"].sel(cue=cue, kind=kind, drop=True)
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
    axis = picture.across(2)
    for place, model in enumerate(MODELS):
        for cue, marker, shift in zip(CUES, "os", (-0.13, 0.13), strict=True):
            area = estimate.mean(areas(model, cue)(r))
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


def claims_with(cue: float) -> Iterator[Judge]:
    """How the memories compare, for a cue level."""
    first, second = (CLASSICAL, K_WINNER) if cue == 1 else (K_WINNER, CLASSICAL)
    nothing = f"mean R.D. over all ages of Willshaw's memory, which is full, {cue_title(cue)}: within 0.01 of 0"
    yield between(f"baselines.willshaw-full-{cue:.0%}", retained(WILLSHAW, cue, EVERY), -0.01, 0.01, nothing)
    for name, how, ahead, behind, part in (
        ("beyond-slots", sensitivity, K_WINNER, MODERN, BEYOND_SLOTS),
        ("classical-older", sensitivity, CLASSICAL, K_WINNER, OLDER),
        ("decay", retained, FADING, KANERVA, EVERY),
        ("newest", retained, first, second, NEWEST),
    ):
        measured = "R.D." if how is retained else "d'"
        of = f"{measured} of {ahead.label} and of {behind.label}, {cue_title(cue)}"
        words = f"{of}, ages {part[0]} to {part[1]}"
        yield more(f"baselines.{name}-{cue:.0%}", how(ahead, cue, part), how(behind, cue, part), words)


CLAIMS = (
    *(judge for cue in CUES for judge in claims_with(cue)),
    more(
        "baselines.partial-cues",
        sensitivity(K_WINNER, 0.5, NEWEST),
        sensitivity(FADING, 0.5, NEWEST),
        f"d' of the K-winner MHN and of Kanerva's SDM, which looks in wrong places, 50% cues, ages 1 to {NEWEST[1]}",
    ),
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
    alt="Five panels. Accuracy and sensitivity d' against memory age on a logarithmic axis for seven memories, with "
    "100% and with 50% cues; and the area under the raw difference of each memory for both cues.",
    experiments=tuple(EXPERIMENTS.values()),
    draw=draw,
    claims=CLAIMS,
)
