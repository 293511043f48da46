"""Stack 4: how well the original pattern is recovered from its code, and what slow learning changes."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, ClassVar

import numpy as np
import xarray as xr

from slotfree.beyond.stackS3 import FEW_ABOVE, N_TESTED, SMALL_CODE, STACKED_FEW, on_trees
from slotfree.drawing import ages
from slotfree.drawing.bands import band
from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, BLUE, SKY, VERMILION
from slotfree.files.safetensors import Arrays
from slotfree.forgetting.protocol import Source
from slotfree.memory.code_layer import CodeLayerSettings
from slotfree.paper.shared.codes import Coding, layer_name, new_layer, trees
from slotfree.patterns.random import random_patterns
from slotfree.patterns.similarity import mean_similarity, paired_similarity
from slotfree.patterns.tree import TreePatterns
from slotfree.runs.seeds import seed_for
from slotfree.study import Experiment, Item, Results, Retention, at_least, curves, judged, measure, more
from slotfree.study.curves import OLDER
from slotfree.study.estimate import Values
from slotfree.study.labelled import Labelled

B = 5
RANDOM, TREE = ("random", random_patterns), trees(B)[0]
LARGER_TREE = trees(B, n_nodes=6600)[0]  # enough leaves to learn from
FAST, SLOW_RATE = 0.03, 0.003  # η of learning from few patterns (B, C), and during the storing of thousands (D)


@dataclass(frozen=True)
class Learning(Labelled):
    """Let code layers learn slowly from more and more patterns; encode and decode others of the same source.

    Attributes
    ----------
    cases : a rule, and the name of a source and where its patterns come from.
    learned : numbers of patterns after which the layer is tested.
    n_unseen : patterns it is tested with.
    """

    cases: tuple[tuple[str, tuple[str, Source]], ...]
    layer: CodeLayerSettings
    rate: float
    learned: tuple[int, ...] = (0, 50, 100, 200, 500, 1000, 2000)
    n_unseen: int = 200
    dims: ClassVar = dict.fromkeys(("recovered", "similarity"), ("case", "learned"))
    limits: ClassVar = {"learned": "n_stored"}
    numbered: ClassVar = False

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return ``recovered`` (case, learned), the share of ones restored, and the ``similarity`` of codes."""
        recovered, similar = np.empty((2, len(self.cases), len(self.learned)))
        last = self.learned[-1]
        for i, (rule, (name, source)) in enumerate(self.cases):
            patterns = source(last + self.n_unseen, seed=seed_for(seed, "patterns", name))
            unseen, layer, done = patterns[last:], new_layer(self.layer, seed), 0
            for j, n in enumerate(self.learned):
                layer.learn(patterns[done:n], rate=self.rate, rule=rule)
                codes, done = layer.encode(unseen), n
                recovered[i, j] = paired_similarity(unseen, layer.decode(codes)).mean()
                similar[i, j] = mean_similarity(codes)
        return {"recovered": recovered, "similarity": similar}

    @property
    def coordinates(self) -> Mapping[str, Any]:
        return {"case": [f"{rule}-{name}" for rule, (name, _) in self.cases], "learned": list(self.learned)}


@dataclass(frozen=True)
class Case:
    """A case of learning: how it is drawn, and by how much more than this recovery must improve."""

    name: str
    rule: str
    source: tuple[str, Source]
    label: str
    colour: str
    style: str
    improves: float

    @property
    def key(self) -> str:
        """Its name in the results."""
        return f"{self.rule}-{self.source[0]}"


SIZES = {2000: SKY, 5000: BLUE, 10_000: "#004166"}
SPARSITIES = (0.01, 0.02, 0.05, 0.1, 0.2)
LAYERS = {(n, s): CodeLayerSettings(n, int(s * n), 0.02) for n, s in product(SIZES, SPARSITIES)}
RULES, TREES = ("reconstruction", "contrastive"), "trees, b = 5, "
CASES = (
    Case("learns-reconstruction-trees", RULES[0], LARGER_TREE, f"{TREES}reconstruction rule", VERMILION, "o-", 0.1),
    Case("learns-contrastive-trees", RULES[1], LARGER_TREE, f"{TREES}contrastive rule", VERMILION, "o--", 0.1),
    Case("learns-reconstruction-random", RULES[0], RANDOM, "random, reconstruction rule", BLACK, "o-", 0.0),
)
RECOVERY = Experiment("code-recovery", Coding((RANDOM, TREE), tuple(LAYERS.values())), 10, few=2)
LEARNING = Experiment("code-learning", Learning(tuple((c.rule, c.source) for c in CASES), SMALL_CODE, FAST), 10, few=2)
FIXED = on_trees(STACKED_FEW, B)
LEARNS = replace(FEW_ABOVE, slow_rate=SLOW_RATE)
SLOW = Experiment(
    f"{STACKED_FEW.name}-slow-tree-{B}", Retention(LEARNS, TreePatterns(B), cues=(1.0,), n_tested=N_TESTED), 40
)


def recovered(r: Results, source: str, n_units: int, sparsity: float) -> xr.DataArray:
    """The share of ones that codes restore, (run,)."""
    return r[RECOVERY]["recovered"].sel(source=source, layer=layer_name(LAYERS[n_units, sparsity]), drop=True)


def draw(r: Results) -> Picture:
    """Draw recovery against the ones of a code, against patterns learned from, and d' with and without learning."""
    picture = Picture(2, 2, width=9.0, height=3.2)
    draw_recovery(picture, r)
    draw_learning(picture, r)
    draw_retention(picture, r)
    return picture


def draw_recovery(picture: Picture, r: Results) -> None:
    """Draw recovery by fixed connections against the sparsity of the code."""
    axis = picture.axes[0, 0]
    columns = ("percent_active", "recovered", "standard_error")
    for source, (n_units, colour) in product(("random", TREE[0]), SIZES.items()):
        runs = xr.concat([recovered(r, source, n_units, s) for s in SPARSITIES], "sparsity")
        runs = runs.assign_coords(sparsity=[100 * s for s in SPARSITIES])
        row = {"source": source, "units": n_units}
        shown, style, label = colour, "o-", f"{n_units} units, random patterns"
        if source == TREE[0]:  # these curves lie upon the others, as dots
            shown, style, label = BLACK, ":", "the same, trees, b = 5" if n_units == min(SIZES) else ""
        band(picture, axis, runs, shown, label, style=style, row=row, columns=columns, table="-recovery")
    log_scale(axis, "x")
    axis.set(xlabel="ones of the code, % of its units", ylabel="recovered ones", ylim=(0, 1.03))
    axis.legend(fontsize=6.5, loc="lower right")
    picture.panel(axis, "A", "fixed connections (20 per unit)")


def draw_learning(picture: Picture, r: Results) -> None:
    """Draw recovery, and the similarity of codes, against the number of patterns learned from."""
    data = r[LEARNING]
    for axis, letter, title, variable, label, top in (
        (picture.axes[0, 1], "B", "learning: unseen patterns", "recovered", "recovered ones", 1.03),
        (picture.axes[1, 0], "C", "learning: their codes", "similarity", "similarity of codes", 0.5),
    ):
        columns = ("learned", "mean", "standard_error")
        for case in CASES:
            runs = data[variable].sel(case=case.key, drop=True)
            row = {"measure": variable, "case": case.key}
            look = (case.colour, case.label)
            band(picture, axis, runs, *look, style=case.style, row=row, columns=columns, table="-learning")
        axis.set_xscale("symlog", linthresh=50)
        axis.set_xticks(data["learned"].values, [str(n) for n in data["learned"].values])
        axis.minorticks_off()
        axis.set(xlabel="patterns learned from", ylabel=label, ylim=(0, top))
        picture.panel(axis, letter, f"{title} ({layer_name(SMALL_CODE)}, η = {FAST})")
    picture.axes[0, 1].legend(fontsize=6.5, loc="lower right")


def draw_retention(picture: Picture, r: Results) -> None:
    """Draw d' by age with fixed and with slowly learning connections."""
    axis = picture.axes[1, 1]
    for experiment, name, colour in ((FIXED, "fixed", STACKED_FEW.colour), (SLOW, "slowly learning", VERMILION)):
        samples, label = curves.d_prime(r[experiment], 1.0), f"{STACKED_FEW.label}, {name}"
        ages.by_age(picture, axis, samples, colour, label, every_age=False, row={"measure": "d_prime", "case": name})
    ages.age_axis(axis, r[FIXED].sizes["age"])
    ages.d_prime_axis(axis)
    axis.set_ylim(-0.2, 10)
    axis.legend(fontsize=6.5)
    picture.panel(axis, "D", f"retention, b = 5, 100% cues (η = {SLOW_RATE})")


@measure
def restored(r: Results) -> Values:
    """Recovered ones in each run: 10,000 units, 10% active."""
    return np.asarray(recovered(r, TREE[0], 10_000, 0.1).values)


@measure
def improved(r: Results, case: Case) -> Values:
    """How much more is recovered after all learning, in each run."""
    runs = r[LEARNING]["recovered"].sel(case=case.key)
    return np.asarray((runs.isel(learned=-1) - runs.isel(learned=0)).values)


@measure
def sensitivity(r: Results, experiment: Experiment) -> Values:
    """Mean d' of older memories in each sample of runs, 100% cues."""
    return curves.over_ages(curves.d_prime(r[experiment], 1.0), OLDER)


@measure
def unseen(r: Results, experiment: Experiment) -> Values:
    """Accuracy for patterns never stored in each run."""
    return np.asarray(r[experiment]["accuracy"].sel(cue=1.0, kind="pseudo").mean("age").values)


CODE = "ones recovered from a code of 10,000 units, 10% active, b = 5"
GAIN = f"gain in recovered ones of unseen patterns by slow learning (η = {FAST}) from 2000 others"
OLD = f"d' with fixed and with slowly learning connections (η = {SLOW_RATE}), b = {B}, ages {OLDER[0]} to {OLDER[1]}"
CLAIMS = (
    judged("stackS4.recovered", restored(), at_least(0.95), f"{CODE}: at least 0.95"),
    *(more(f"stackS4.{case.name}", improved(case), case.improves, f"{GAIN}, {case.label}") for case in CASES),
    more("stackS4.costs", sensitivity(FIXED), sensitivity(SLOW), OLD),
    more("stackS4.baseline", unseen(SLOW), unseen(FIXED), "accuracy for patterns never stored, learning and fixed"),
)

ITEM = Item(
    name="stackS4",
    title="The way back from the code, and slow learning",
    text="How much of a pattern its code restores depends on the number of active units, so that what separates best "
    "restores worst. Slow learning of the layer restores patterns of a tree much better, and helps little for random "
    "ones; but as it learns what patterns have in common, stored and new ones become harder to tell apart.",
    alt="Four panels: recovered ones against the share of active units for three sizes; recovered ones, and similarity "
    "of codes, against the number of patterns learned from, for two rules; d' by age with fixed and with slowly "
    "learning connections.",
    experiments=(RECOVERY, LEARNING, FIXED, SLOW),
    draw=draw,
    claims=CLAIMS,
)
