"""Stack 2: similarity in against similarity out of a code layer, for k winners and for Marr's codons."""

import numpy as np
import xarray as xr

from slotfree.drawing.bands import band, spread
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import GREY
from slotfree.paper.shared.codes import CODE, CODES, PAIRS, PAIRWISE, WINNERS, Coding, trees
from slotfree.paper.shared.memories import TREE_FLIPS
from slotfree.study import Experiment, Item, Results, at_most, estimate, judged, less, measure, more
from slotfree.study.estimate import Estimate, Values

RUNS = 10
TREES = Experiment("code-trees", Coding(trees(*TREE_FLIPS), (CODE,), 300), RUNS, few=2)


def draw(r: Results) -> Picture:
    """Draw the similarity of codes against that of two patterns (A), of leaves of trees (B), and of a cue (C)."""
    picture = Picture(1, 3, width=10.5, height=3.4)
    of_pairs, of_trees, of_cues = picture.axes[0]
    columns = ("similarity_in", "similarity_out", "standard_error")
    for name, (_, colour, style) in CODES.items():
        for axis, what, variable in ((of_pairs, "pair", "of_pairs"), (of_cues, "cue", "of_cues")):
            runs = r[PAIRWISE][variable].sel(code=name, drop=True)
            row = {"what": what, "code": name}
            band(picture, axis, runs, colour, name, style=style, row=row, columns=columns)
    draw_trees(picture, r[TREES])
    for axis, letter, title, label in (
        (of_pairs, "A", "two patterns", "similarity of the patterns"),
        (of_trees, "B", "leaves of trees, mean over pairs", "similarity of the patterns"),
        (of_cues, "C", "a pattern and part of it", "cue level c"),
    ):
        axis.plot([0, 1], [0, 1], ":", color=GREY, lw=1)
        axis.set(xlim=(0, 1), ylim=(0, 1.02), xlabel=label, ylabel="similarity of the codes")
        picture.panel(axis, letter, title)
    layers = r[PAIRWISE].sizes["run"]
    note = f"{CODE.n_units} units of 20 connections; mean ± 1 s.e. over {layers} layers, each with {PAIRS} pairs"
    picture.legend_below(of_pairs, 6, note)
    return picture


def draw_trees(picture: Picture, data: xr.Dataset) -> None:
    """Draw the similarity of codes against that of leaves."""
    axis, points = picture.axes[0, 1], []
    for b in TREE_FLIPS:
        before, after = (data[name].sel(source=f"tree-{b}").squeeze() for name in ("before", "after"))
        place = (float(before.mean()), float(after.mean()))
        points.append(place)
        if b != 20:  # too close to the next
            lower = -9 if b < 30 else -12
            axis.annotate(f"b = {b}", place, (5, lower), textcoords="offset points", fontsize=7)
        error = float(spread(after)) / after.sizes["run"] ** 0.5
        numbers = {"similarity_in": place[0], "similarity_out": place[1], "standard_error": error}
        picture.record({"what": "tree", "code": WINNERS, **numbers})
    axis.plot(*zip(*points, strict=True), "o-", color=CODES[WINNERS][1], label=WINNERS)


@measure
def of_leaves(r: Results, b: int) -> Values:
    """Mean similarity of the codes of leaves of a tree, in each run."""
    return np.asarray(r[TREES]["after"].sel(source=f"tree-{b}").values[:, 0])


@measure
def of_half_cue(r: Results) -> Values:
    """Similarity of the codes of a pattern and of half of it, in each run."""
    return np.asarray(r[PAIRWISE]["of_cues"].sel(code=WINNERS, cue=0.5).values)


@measure
def step(r: Results) -> Estimate:
    """The smaller step of the similarity of codes, half of the ones shared, from 1% to 3% to 10% winners."""
    half = r[PAIRWISE]["of_pairs"].transpose("run", "code", "shared").sel(shared=0.5)
    return estimate.smallest_of(estimate.means(np.diff(half.sel(code=["1% winners", "3% winners", WINNERS]), axis=1)))


LEAVES, STEP = (
    "mean similarity of the codes of leaves, 10% winners,",
    "similarity of codes, half of the ones shared, rises",
)
CLAIMS = (
    judged("stackS2.tree-5", of_leaves(5), at_most(0.35), f"{LEAVES} b = 5: at most 0.35"),
    judged("stackS2.tree-10", of_leaves(10), at_most(0.2), f"{LEAVES} b = 10: at most 0.2"),
    less("stackS2.half-cue", of_half_cue(), 0.5, "share of a pattern's code that half of it keeps, 10% winners"),
    more("stackS2.sparser", step(), 0, f"{STEP} from 1% to 3% to 10% winners; the smaller step"),
)

ITEM = Item(
    name="stackS2",
    title="Similarity in, similarity out",
    text="A sparse layer of k winners, or of Marr's codons, makes similar patterns less similar, the more so the "
    "sparser it is: the leaves of trees go from 0.5 to 0.3, and from 0.28 to 0.18. The price is that part of a "
    "pattern has another code too: half a cue keeps less than half of the code.",
    alt="Three panels of similarity of codes: against the similarity of two patterns for six codes, below the "
    "diagonal but for a dense codon; against the mean similarity of leaves of trees; and against the cue level.",
    experiments=(PAIRWISE, TREES),
    draw=draw,
    claims=CLAIMS,
)
