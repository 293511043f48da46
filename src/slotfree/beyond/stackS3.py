"""Stack 3: retention of structured patterns with and without separation, at equal numbers of learned weights.

Each stack stands beside a plain memory with the same hidden layer: the same number of units, connections per unit and
winners, and the same learning rate. What differs between the two is the separation.
"""

from typing import TypeAlias

import numpy as np
import xarray as xr

from slotfree.drawing import ages
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import AVERAGED, BLUE, ORANGE, SKY, cue_title
from slotfree.forgetting.protocol import CUES
from slotfree.memory.code_layer import CodeLayerSettings
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.memory.stacked import StackedSettings
from slotfree.paper.shared import memories
from slotfree.paper.shared.memories import K_WINNER, ONE_WINNER, Model
from slotfree.patterns.tree import TreePatterns
from slotfree.study import Experiment, Item, Judge, Results, Retention, curves, measure, more
from slotfree.study.curves import OLDER
from slotfree.study.estimate import Values

STACKED = Model("stacked", "stacked K-winner", StackedSettings(), BLUE)
FEW = Model("few", "few winners", KWinnerSettings(1000, 500, 100, 5, 0.2, 0.5), ORANGE)
SMALL_CODE = CodeLayerSettings(2000, 100, 0.04)
FEW_ABOVE = StackedSettings(layers=(SMALL_CODE,), n_hidden=500, k_hidden=5, fan_in=0.1, learning_rate=0.5)
STACKED_FEW = Model("stackedfew", "stacked, few winners", FEW_ABOVE, SKY)
MODELS = (ONE_WINNER, K_WINNER, STACKED, FEW, STACKED_FEW)
SIMILARITY = {5: 0.49, 10: 0.28, 15: 0.17}  # mean similarity of leaves, by b
RUNS, N_TESTED = 100, 500
OLDEST = (150, 500)
Ages: TypeAlias = tuple[int, int]


def on_trees(model: Model, b: int) -> Experiment:
    """A memory of the leaves of trees; those of the main text are the ones of figures S6 and S7."""
    if model in (K_WINNER, ONE_WINNER):
        return memories.on_trees(model, b)
    return Experiment(f"{model.name}-tree-{b}", Retention(model.settings, TreePatterns(b), n_tested=N_TESTED), RUNS)


def d_prime(r: Results, model: Model, b: int, cue: float) -> xr.DataArray:
    """d' of each sample, (sample, age), up to the oldest age that all memories are tested at."""
    return curves.d_prime(r[on_trees(model, b)], cue).sel(age=slice(N_TESTED))


def accuracy(r: Results, model: Model, b: int, kind: str) -> xr.DataArray:
    """Accuracy with whole cues up to that age, (run, age)."""
    return curves.accuracy(r[on_trees(model, b)], 1.0, kind).sel(age=slice(N_TESTED))


def draw(r: Results) -> Picture:
    """Draw d' for both cues, and accuracy at 100% cues, for trees of three b."""
    picture = Picture(3, len(SIMILARITY), width=10.5, height=2.9, sharey="row")
    for column, b in enumerate(SIMILARITY):
        for row, cue in enumerate(CUES):
            draw_d_prime(picture, r, row, column, b, cue)
        draw_accuracy(picture, r, column, b)
    for (row, _), axis in np.ndenumerate(picture.axes):
        ages.age_axis(axis, r[on_trees(STACKED, 5)].sizes["age"], label=row == 2)
    picture.legend_below(picture.axes[0, 0], 5, f"100,000 learned weights each; {AVERAGED}")
    return picture


def draw_d_prime(picture: Picture, r: Results, row: int, column: int, b: int, cue: float) -> None:
    """Draw d' of all memories for a b and a cue level."""
    axis = picture.axes[row, column]
    for model in MODELS:
        names = {"measure": "d_prime", "model": model.name, "n_flips": b, "cue": f"{cue:g}"}
        ages.by_age(picture, axis, d_prime(r, model, b, cue), model.colour, model.label, every_age=False, row=names)
    ages.d_prime_axis(axis, label=column == 0)
    axis.set_ylim(-0.2, 15)
    picture.panel(axis, "ABCDEF"[3 * row + column], f"b = {b} (similarity {SIMILARITY[b]}), {cue_title(cue)}")


def draw_accuracy(picture: Picture, r: Results, column: int, b: int) -> None:
    """Draw the accuracy of all memories for a b, for stored patterns and for others."""
    axis = picture.axes[2, column]
    for model in MODELS:
        for kind, style, label in (("real", "-", model.label), ("pseudo", ":", "")):
            runs = accuracy(r, model, b, kind)
            names = {"measure": f"accuracy_{kind}", "model": model.name, "n_flips": b, "cue": "1"}
            ages.by_age(picture, axis, runs, model.colour, label, style=style, every_age=False, row=names)
    ages.accuracy_axis(axis, label=column == 0)
    picture.panel(axis, "GHI"[column], f"b = {b}; dotted: never stored")


@measure
def sensitivity(r: Results, model: Model, b: int, cue: float, ages: Ages) -> Values:
    """Mean d' of some ages in each sample of runs."""
    return curves.over_ages(d_prime(r, model, b, cue), ages)


@measure
def newest(r: Results, model: Model, b: int) -> Values:
    """Accuracy at ages 1 to 5 in each run, 100% cues."""
    return curves.over_ages(accuracy(r, model, b, "real"), (1, 5))


def leads(name: str, ahead: Model, behind: Model, b: int, words: str, cue: float = 1.0, ages: Ages = OLDER) -> Judge:
    """A memory has a larger d' than another."""
    of = f"d' of the {ahead.label} and of the {behind.label}, b = {b}, {cue_title(cue)}, ages {ages[0]} to {ages[1]}"
    more_of, less_of = (sensitivity(model, b, cue, ages) for model in (ahead, behind))
    return more(f"stackS3.{name}", more_of, less_of, f"{words}: {of}")


CLAIMS = (
    leads("separates-5", STACKED, K_WINNER, 5, "separation before the same hidden layer helps"),
    leads("separates-10", STACKED, K_WINNER, 10, "separation before the same hidden layer helps"),
    leads("returns-10", STACKED, ONE_WINNER, 10, "the advantage that the plain K-winner has not is back"),
    leads("lost-5", ONE_WINNER, STACKED, 5, "for more similar patterns the 1-winner MHN still leads"),
    leads("oldest-5", STACKED_FEW, ONE_WINNER, 5, "but for the oldest memories, with few winners", ages=OLDEST),
    leads("few-10", FEW, STACKED, 10, "fewer winners with more connections do better, without separation"),
    leads("half-cue-10", K_WINNER, STACKED, 10, "with half cues, which have other codes, separation harms", cue=0.5),
    *(
        more(
            f"stackS3.price-{b}",
            newest(K_WINNER, b),
            newest(STACKED, b),
            f"the price: accuracy of the plain and of the stacked K-winner, b = {b}, 100% cues, ages 1 to 5",
        )
        for b in (5, 10)
    ),
)

ITEM = Item(
    name="stackS3",
    title="Does separation bring the K-winner's advantage back?",
    text="Before the same hidden layer, separation makes older memories of similar patterns easier to tell from new "
    "ones, and at a mean similarity of 0.28 the advantage over the 1-winner MHN returns; at 0.49 it does not, except "
    "for the oldest memories and with few winners. Accuracy suffers, with half cues separation harms, and a plain "
    "K-winner MHN with fewer winners and more connections per unit does nearly as well without it.",
    alt="Nine panels against memory age, for trees with b = 5, 10 and 15: d' at 100% and at 50% cues, and accuracy at "
    "100% cues with that of patterns never stored, for the 1-winner, the K-winner, the stacked K-winner, and a plain "
    "and a stacked one with few winners.",
    experiments=tuple(on_trees(model, b) for b in SIMILARITY for model in MODELS),
    draw=draw,
    claims=CLAIMS,
)
