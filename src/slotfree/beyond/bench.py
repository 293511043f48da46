"""The memory bench: memories of 100,000 plastic weights, tuned on equal terms, with several patterns and cues.

Patterns are random, leaves of trees (b = 10), and codes of digits and of patches of a photograph. Cues are half of the
ones, 30 % of the ones moved elsewhere, and half of the ones hidden in one part. How images are made and how memories
were tuned is in ``slotfree.beyond.shared.compared``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from numpy.typing import NDArray

from slotfree.beyond.shared.compared.images import ImageCodes
from slotfree.beyond.shared.compared.tuned import MODELS
from slotfree.drawing import ages
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import AVERAGED
from slotfree.files.safetensors import Arrays
from slotfree.forgetting import merit, metrics
from slotfree.forgetting.cues import Cue
from slotfree.forgetting.detection import statistics
from slotfree.forgetting.old_new import recognition
from slotfree.memory.base import Settings
from slotfree.paper.shared.memories import Model
from slotfree.patterns.tree import TreePatterns
from slotfree.study import Experiment, Item, Results, Retention, between, estimate, less, measure, more
from slotfree.study.labelled import Labelled

RUNS, FEW = 8, 2
STORED, TESTED = 2000, 1000
CUES: tuple[Cue, ...] = (0.5, ("noisy", 0.3), ("occluded", 0.5))
LABELS = {"0.5": "half", "noisy 0.3": "noisy", "occluded 0.5": "hidden"}
SOURCES: dict[str, Any] = {
    "random": None,
    "trees": TreePatterns(10, n_nodes=None),
    "digits": ImageCodes("digits"),
    "patches": ImageCodes("patches"),
}
NAMED = {model.name: model for model in MODELS}
NEWEST, OLD, EVERY = (1, 50), (501, 1000), (1, 1000)


@dataclass(frozen=True)
class Recognition(Labelled):
    """How familiar random patterns are to a memory, by age, as ``forgetting.recognition`` measures it."""

    memory: Settings
    n_stored: int = STORED
    n_tested: int = TESTED
    limits: ClassVar = {"n_stored": "n_stored", "n_tested": "n_tested"}
    dims: ClassVar = {"familiarity": ("kind", "age")}

    @property
    def coordinates(self) -> Mapping[str, Any]:
        return {"kind": ["real", "pseudo"], "age": np.arange(1, self.n_tested + 1)}

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        tested: dict[str, Any] = {"n_stored": self.n_stored, "n_tested": self.n_tested}
        found = recognition(self.memory, **tested, runs=1, jobs=1, seed=seed)
        return {"familiarity": found["familiarity"].values[0]}


def _retention(model: Model, source: str) -> Experiment:
    run = Retention(model.settings, SOURCES[source], cues=CUES, n_stored=STORED, n_tested=TESTED)
    return Experiment(f"bench-{model.name}-{source}", run, RUNS, few=FEW)


EXPERIMENTS = {(model.name, source): _retention(model, source) for model in MODELS for source in SOURCES}
RECOGNITION = {
    model.name: Experiment(f"bench-{model.name}-recognition", Recognition(model.settings), RUNS, few=FEW)
    for model in MODELS
}


def beyond_baseline(r: Results, name: str, source: str, cue: str = "0.5") -> xr.DataArray:
    """R.D. of all runs, (run, age)."""
    return metrics.differences(r[EXPERIMENTS[name, source]].sel(cue=cue, drop=True))


@measure
def retained(r: Results, name: str, span: tuple[int, int], source: str = "random") -> NDArray[np.float64]:
    """Mean R.D. of some ages in each run, half cues; NaN where there are no such ages."""
    some = beyond_baseline(r, name, source).sel(age=slice(*span))
    return np.asarray(some.mean("age").values) if some.sizes["age"] else np.full(some.sizes["run"], np.nan)


@measure
def area(r: Results, name: str, source: str = "random", cue: str = "0.5") -> NDArray[np.float64]:
    """Area under R.D. of each run: patterns retained beyond the baseline."""
    return np.asarray(beyond_baseline(r, name, source, cue).sum("age").values)


@measure
def area_per_kilobit(r: Results, name: str) -> NDArray[np.float64]:
    """The same for each thousand bits of state, of random patterns."""
    bits = cast(Any, NAMED[name].settings).n_bits
    values: NDArray[np.float64] = 1000 / bits * area(name)(r)
    return values


@measure
def recognised(r: Results, name: str) -> NDArray[np.float64]:
    """AUC of familiarity of all ages in each run."""
    runs = r[RECOGNITION[name]]["familiarity"].transpose("run", "kind", "age").values
    return np.array([statistics(old[None], new[None])[0] for old, new in runs])


def d_prime(r: Results, name: str, source: str, cue: str) -> float:
    """Signal detection's d' of accuracies over all ages, all runs together."""
    data = r[EXPERIMENTS[name, source]]["accuracy"].sel(cue=cue)
    old, new = (data.sel(kind=kind).values for kind in ("real", "pseudo"))
    spread = np.sqrt((old.var() + new.var()) / 2)
    return float((old.mean() - new.mean()) / spread) if spread else 0.0


def draw(r: Results) -> Picture:
    """Draw R.D. and d' by age (A, B), and areas for all patterns and cues (C)."""
    picture = Picture(2, 2, width=10, height=3.6)
    left, right = picture.axes[0]
    n_ages = r[EXPERIMENTS["kwinner", "random"]].sizes["age"]
    for model in MODELS:
        raw = beyond_baseline(r, model.name, "random")
        sensitivity = metrics.d_prime(r[EXPERIMENTS[model.name, "random"]].sel(cue="0.5"), 1, corrected=False)
        for axis, measured, runs in ((left, "raw_difference", raw), (right, "d_prime", sensitivity)):
            row = {"measure": measured, "model": model.name}
            ages.by_age(picture, axis, runs, model.colour, model.label, every_age=False, row=row)
    ages.raw_difference_axis(left)
    ages.d_prime_axis(right)
    for axis, letter in ((left, "A"), (right, "B")):
        ages.age_axis(axis, n_ages)
        picture.panel(axis, letter, "random patterns, 50% cues")
    draw_areas(picture, picture.across(1), r)
    picture.legend_below(left, 4, AVERAGED)
    return picture


def draw_areas(picture: Picture, axis: Axes, r: Results) -> None:
    """Draw the area under R.D. of every memory, pattern and cue, as numbers on shades."""
    columns = [(source, cue) for source in SOURCES for cue in LABELS]
    values = np.array([[float(area(m.name, *column)(r).mean()) for column in columns] for m in MODELS])
    axis.pcolormesh(values, cmap="Blues", vmin=0, vmax=max(float(values.max()), 1.0), edgecolors="white", lw=1)
    for (i, j), value in np.ndenumerate(values):
        colour = "white" if value > 0.6 * values.max() else "black"
        number = f"{abs(value) if value > -0.5 else value:.0f}"  # without the sign of a zero
        axis.text(j + 0.5, i + 0.5, number, ha="center", va="center", fontsize=7, color=colour)
    axis.set_xticks(np.arange(len(columns)) + 0.5, [f"{source}\n{LABELS[cue]}" for source, cue in columns], fontsize=7)
    axis.set_yticks(np.arange(len(MODELS)) + 0.5, [model.label for model in MODELS], fontsize=7)
    axis.tick_params(length=0)
    axis.invert_yaxis()
    last = r[EXPERIMENTS["kwinner", "random"]].sizes["age"]
    picture.panel(axis, "C", f"{AREA}, ages 1 to {last} (patterns)")
    record(picture, r, columns)


def record(picture: Picture, r: Results, columns: Sequence[tuple[str, str]]) -> None:
    """Record the table of the bench: a row for each memory, pattern and cue."""
    for model in MODELS:
        settings, auc = cast(Any, model.settings), estimate.mean(recognised(model.name)(r))
        for source, cue in columns:
            found = estimate.mean(area(model.name, source, cue)(r))
            curve = merit.mean_curve(r[EXPERIMENTS[model.name, source]].sel(cue=[cue]))
            merits = {name: float(merit.MERITS[name].of(curve)[0]) for name in ("initial_raw_difference", "half_life")}
            row = {"model": model.name, "patterns": source, "cue": cue, "area": found.value, "low": found.low}
            row |= {"high": found.high, **merits, "d_prime": d_prime(r, model.name, source, cue)}
            costs = {"bits": settings.n_bits, "touched": round(settings.n_touched)}
            picture.record({**row, "recognition_auc": auc.value, **costs}, table="-table")


CODES = ("trees", "digits", "patches")
FULL = ("sqhn", "btsp", "willshaw")


def words(measured: str, *names: str, of: str = "random patterns") -> str:
    """What a claim measures of which memories, and of which patterns."""
    return f"{measured} of {' and of '.join(NAMED[name].label for name in names)}, {of}, half cues"


AREA, PER_BIT = "area under R.D.", "area for each 1000 bits"
NEW_ONES, OLD_ONES = (f"R.D. of ages {first} to {last}" for first, last in (NEWEST, OLD))
BEHIND = {"area": "slots", "paper": "kwinner", **{name: name for name in ("binary", "complex", "classical")}}
CLAIMS = (
    more("bench.newest", retained("slots", NEWEST), retained("tuned", NEWEST), words(NEW_ONES, "slots", "tuned")),
    more("bench.reservoir", retained("reservoir", OLD), retained("slots", OLD), words(OLD_ONES, "reservoir", "slots")),
    *(more(f"bench.{claim}", area("tuned"), area(n), words(AREA, "tuned", n)) for claim, n in BEHIND.items()),
    more("bench.per-bit", area_per_kilobit("binary"), area_per_kilobit("tuned"), words(PER_BIT, "binary", "tuned")),
    *(between(f"bench.full-{name}", retained(name, EVERY), -0.05, 0.05, words("mean R.D.", name)) for name in FULL),
    more("bench.similar", area("sqhn", "trees"), area("sqhn"), words(AREA, "sqhn", of="trees and random patterns")),
    more(
        "bench.trees-slots", area("tuned", "trees"), area("slots", "trees"), words(AREA, "tuned", "slots", of="trees")
    ),
    *(
        less(
            f"bench.{name}", area("tuned", name), area("tuned"), words(AREA, "tuned", of=f"{name} and random patterns")
        )
        for name in CODES
    ),
    more("bench.recognition", recognised("tuned"), recognised("slots"), words("AUC of recognition", "tuned", "slots")),
)

ITEM = Item(
    name="bench",
    title="Which memory for what",
    text="Memories of 100,000 plastic weights, all tuned for the same goal. Slots are best for the newest patterns, "
    "and know nothing else; a reservoir keeps a few of all ages. Memories that share weights and are tuned for it, a "
    "K-winner MHN with one winner that learns slowly, a classical network and complex synapses, keep most in all. "
    "Binary synapses keep less for each weight, and more for each bit. SQHN, BTSP and Willshaw's memory do not "
    "erase: in a long stream they are full. Similar patterns cost every memory most of its advantage but SQHN, "
    "whose units average what is alike.",
    alt="Two panels of curves by memory age on a logarithmic axis, raw difference and sensitivity d', for twelve "
    "memories of random patterns asked with half cues; below, a table of numbers on shades of blue: the area under "
    "the raw difference of each memory for four kinds of patterns and three kinds of cues.",
    experiments=(*EXPERIMENTS.values(), *RECOGNITION.values()),
    draw=draw,
    claims=CLAIMS,
)
