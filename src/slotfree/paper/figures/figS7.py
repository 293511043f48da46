"""Figure S7: accuracy by age for structured patterns, next to unseen patterns with and without structure."""

from dataclasses import dataclass
from itertools import pairwise, product
from typing import ClassVar

import numpy as np

from slotfree.drawing import ages
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import AVERAGED, cue_title
from slotfree.files.safetensors import Arrays
from slotfree.forgetting.protocol import CUES
from slotfree.memory.kwinner import KWinnerMHN, KWinnerSettings
from slotfree.paper.shared.memories import K_WINNER, ONE_WINNER, TREE_FLIPS, Model, on_trees
from slotfree.patterns.similarity import paired_similarity, similarity
from slotfree.patterns.tree import TreePatterns
from slotfree.runs.seeds import seed_for
from slotfree.study import Estimate, Experiment, Item, Results, curves, estimate, measure
from slotfree.study.estimate import Values
from slotfree.study.labelled import Labelled

PAIR = (K_WINNER, ONE_WINNER)
KINDS = {
    "real": ("-", "stored"),
    "pseudo": ("--", "never stored, same tree"),
    "uniform": (":", "never stored, unstructured"),
}


@dataclass(frozen=True)
class Probed(Labelled):
    """Store leaves of a tree, and probe the memory with other leaves: what is retrieved, and what it is similar to."""

    limits: ClassVar = {"n_stored": "n_stored", "n_tested": "n_tested"}

    memory: KWinnerSettings
    n_flips: int
    n_stored: int = 4000
    n_tested: int = 200

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return mean similarities: of what is retrieved and what was ``probed``, and a random ``stored`` pattern."""
        source = TreePatterns(self.n_flips)
        patterns = source(self.n_stored + self.n_tested, seed=seed_for(seed, "patterns"))
        stored, tested = patterns[: self.n_stored], patterns[self.n_stored :]
        memory = KWinnerMHN.from_settings(self.memory, seed=seed_for(seed, "memory"))
        memory.store(stored)
        retrieved = memory.retrieve(tested)
        probed, all_stored = paired_similarity(retrieved, tested), similarity(retrieved, stored)
        return {"probed": np.array(probed.mean()), "stored": np.array(all_stored.mean(), np.float64)}


# Of high similarity: "e.g. 5 or 10 bit flips".
PROBED = {
    (model, b): Experiment(f"{model.name}-probed-{b}", Probed(model.settings, b), 6)
    for model, b in product(PAIR, (5, 10))
}


def draw(r: Results) -> Picture:
    """Draw accuracies of both models for five b (rows) and both cues (columns)."""
    picture = Picture(len(TREE_FLIPS), len(CUES), height=1.9, sharex=True, sharey=True)
    for (row, column), axis in np.ndenumerate(picture.axes):
        b, cue = TREE_FLIPS[row], CUES[column]
        found = [(model, curves.accuracy(r[on_trees(model, b)], cue)) for model in PAIR]
        columns = {"model": "", "n_flips": b, "cue": f"{cue:g}", "kind": ""}
        ages.accuracies(picture, axis, found, kinds=KINDS, every_age=False, row=columns)
        picture.panel(axis, "" if column else "ABCDE"[row], f"b = {b}, {cue_title(cue)}")
        ages.age_axis(axis, found[0][1].sizes["age"], label=b == TREE_FLIPS[-1])
        ages.accuracy_axis(axis, label=column == 0)
    picture.legend_below(picture.axes[0, 0], 2, AVERAGED)
    return picture


@measure
def gain(r: Results, model: Model, b: int, cue: float, kind: str) -> Values:
    """Accuracy for a kind of patterns of the tree less that for unstructured ones, in each run, mean over all ages."""
    accuracy = r[on_trees(model, b)]["accuracy"].sel(cue=cue)
    return np.asarray((accuracy.sel(kind=kind) - accuracy.sel(kind="uniform")).mean("age").values)


@measure
def smallest_gain(r: Results, model: Model, cue: float, kind: str) -> Estimate:
    """The smallest of these gains for the five b."""
    return estimate.smallest_of(estimate.mean(gain(model, b, cue, kind)(r)) for b in TREE_FLIPS)


@measure
def smallest_fall(r: Results, model: Model, cue: float) -> Estimate:
    """Smallest fall of the gain for unseen patterns of the tree from one b to the next."""
    gains = [gain(model, b, cue, "pseudo")(r) for b in TREE_FLIPS]
    return estimate.smallest_of(estimate.difference(x, y) for x, y in pairwise(gains))


ITEM = Item(
    name="figS7",
    number="Figure S7",
    title="Accuracy for structured patterns",
    text="Both memories recall a pattern that they never stored better if it comes from the tree that they learnt than "
    "if it has no structure: they generalise, and the more so the more alike patterns are. That gain raises the "
    "baseline as well, so high accuracy alone does not prove memory for the single pattern.",
    alt="Five rows, for b = 5, 10, 15, 20 and 30, of two panels, for 100% and for 50% cues: accuracy against memory "
    "age of the K-winner and the 1-winner MHN for stored patterns, unseen patterns of the same tree, and unstructured "
    "patterns.",
    experiments=(*(on_trees(model, b) for b in TREE_FLIPS for model in PAIR), *PROBED.values()),
    draw=draw,
)
