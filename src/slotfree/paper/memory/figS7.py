"""Figure S7: accuracy by age for structured patterns, next to unseen patterns with and without structure."""

from collections.abc import Iterator
from itertools import pairwise, product

from slotfree.drawing import ages
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import AVERAGED, cue_title
from slotfree.forgetting.protocol import CUES
from slotfree.paper.memories import K_WINNER, ONE_WINNER, TREE_FLIPS, Model, on_trees
from slotfree.study import curves, estimate
from slotfree.study.claim import Claim, above
from slotfree.study.estimate import Values
from slotfree.study.item import Item
from slotfree.study.results import Results

PAIR = (K_WINNER, ONE_WINNER)
KINDS = {
    "real": ("-", "stored"),
    "pseudo": ("--", "never stored, same tree"),
    "uniform": (":", "never stored, unstructured"),
}


def draw(r: Results) -> Picture:
    """Draw accuracies of both models for five b (columns) and both cues (rows)."""
    picture = Picture(len(CUES), len(TREE_FLIPS), width=12, height=2.7, sharex=True, sharey=True)
    for axis, (cue, b) in zip(picture.axes.flat, product(CUES, TREE_FLIPS), strict=True):
        is_left, is_lowest = b == TREE_FLIPS[0], cue == CUES[-1]
        found = [(model, curves.accuracy(r[on_trees(model, b)], cue)) for model in PAIR]
        row = {"model": "", "n_flips": b, "cue": f"{cue:g}", "kind": ""}
        ages.accuracies(picture, axis, found, kinds=KINDS, every_age=False, row=row)
        picture.panel(axis, "AB"[CUES.index(cue)] if is_left else "", f"b = {b}, {cue_title(cue)}")
        ages.age_axis(axis, found[0][1].sizes["age"], label=is_lowest)
        ages.accuracy_axis(axis, label=is_left)
    picture.legend_below(picture.axes[0, 0], 2, AVERAGED)
    return picture


def claims(r: Results) -> Iterator[Claim]:
    """What is similar to stored patterns is retrieved better than what is not."""
    for cue, b, model in product(CUES, TREE_FLIPS, PAIR):
        yield Claim(
            f"generalises-{model.name}-{b}-{cue:.0%}",
            f"The {model.label} retrieves unseen patterns of the tree better than unstructured ones, b = {b}, "
            f"{cue:.0%} cues: difference in accuracy.",
            source="paper",
            paper="better",
            estimate=estimate.mean(gain(r, model, b, cue)),
            limits=above(0),
        )
    for model in PAIR:
        gains = [gain(r, model, b, 1.0) for b in TREE_FLIPS]
        yield Claim(
            f"similarity-{model.name}",
            f"The {model.label} generalises the more, the more similar patterns are: smallest step of that difference "
            "from one b to the next, b = 5 to 30, 100% cues.",
            source="paper",
            paper="falling with b",
            estimate=estimate.smallest_of(estimate.difference(x, y) for x, y in pairwise(gains)),
            limits=above(0),
        )


def gain(r: Results, model: Model, b: int, cue: float) -> Values:
    """Accuracy for unseen patterns of the tree less that for unstructured ones, in each run."""
    accuracy = r[on_trees(model, b)]["accuracy"].sel(cue=cue)
    found: Values = (accuracy.sel(kind="pseudo") - accuracy.sel(kind="uniform")).mean("age").values
    return found


ITEM = Item(
    name="figS7",
    number="Figure S7",
    title="Accuracy for structured patterns",
    text="Both memories recall a pattern that they never stored better if it comes from the tree that they learnt than "
    "if it has no structure: they generalise, and the more so the more alike patterns are. That gain raises the "
    "baseline as well, so high accuracy alone does not prove memory for the single pattern.",
    alt="Two rows, for 100% and for 50% cues, of five panels, for b = 5, 10, 15, 20 and 30: accuracy against memory "
    "age of the K-winner and the 1-winner MHN for stored patterns, unseen patterns of the same tree, and unstructured "
    "patterns.",
    experiments=tuple(on_trees(model, b) for b in TREE_FLIPS for model in PAIR),
    draw=draw,
    claims=claims,
)
