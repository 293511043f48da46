"""After the paper: sensitivity from the area under the ROC curve (AUC), and one or two weight matrices.

The authors' public code has measured since how d' from the AUC of real against pseudo-memories compares, and how soon W
and W'ᵀ are the same. With the second goes the question whether one matrix could serve both ways (``tied=True``).
"""

from dataclasses import replace
from typing import Any

from matplotlib.axes import Axes

from slotfree.drawing import ages
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import AVERAGED, BARS, DARK_GREY, GREY, VERMILION, cue_title
from slotfree.forgetting import metrics
from slotfree.forgetting.protocol import CUES
from slotfree.paper.shared.fading import each_cue
from slotfree.paper.shared.memories import K_WINNER, ONE_WINNER, on_random, on_trees
from slotfree.patterns.tree import TreePatterns
from slotfree.study import Estimate, Experiment, Item, Results, Retention, curves, estimate, measure, more
from slotfree.study.curves import OLDER

PAIR = (K_WINNER, ONE_WINNER)
CUE = 1.0  # of the panels by age
NEWEST = (1, 10)
TREE_FLIPS = 5
FEW = 2  # runs at the quick scale
# The patterns that memories with one matrix are tested with: what they learned, and the kind.
ROWS = {
    ("random", "real"): "random:\nstored",
    ("random", "pseudo"): "random:\nnever stored",
    ("tree", "real"): "trees:\nstored",
    ("tree", "pseudo"): "trees:\nnever stored",
    ("tree", "uniform"): "trees:\nunstructured",
}


ONE_MATRIX = replace(K_WINNER.settings, tied=True)
RANDOM = {model: on_random(model) for model in PAIR}
TWO = {"random": on_random(K_WINNER), "tree": on_trees(K_WINNER, TREE_FLIPS)}
TIED = {  # with the seeds of the memories with two matrices: the same connections, patterns and cues
    "random": Experiment("kwinner-tied-random", Retention(ONE_MATRIX), 50, few=FEW, key=(TWO["random"].name,)),
    "tree": Experiment(
        f"kwinner-tied-tree-{TREE_FLIPS}",
        Retention(ONE_MATRIX, TreePatterns(TREE_FLIPS), kinds=("real", "pseudo", "uniform")),
        20,
        few=FEW,
        key=(TWO["tree"].name,),
    ),
}


@measure
def auc_lead(r: Results, cue: float, window: tuple[int, int]) -> Estimate:
    """Lead of the K-winner MHN in AUC-based d', mean over ages {window[0]} to {window[1]}, {cue:.0%} cues."""
    k, one = (curves.auc_d_prime(r[RANDOM[model]], cue) for model in PAIR)
    return curves.lead(k, one, window)


@measure
def by_tying(r: Results, patterns: str, cue: float, kind: str) -> Estimate:
    """How much more accurate memories with one matrix are than those with two, over pairs with the same seed."""
    tied, two = (r[e[patterns]]["accuracy"].sel(cue=cue, kind=kind).mean("age").values for e in (TIED, TWO))
    return estimate.mean(tied - two[: len(tied)])


def draw(r: Results) -> Picture:
    """Draw both d' (A, B), and what one matrix changes (C)."""
    picture = Picture(1, 3, width=11.5, height=3.3)
    a, b, c = picture.axes[0]
    draw_sensitivities(picture, r, a, b)
    draw_tied(picture, r, c)
    how = f"A, B: {cue_title(CUE)}; {AVERAGED}; faint lines: each age; {BARS}"
    picture.figure.supxlabel(how, fontsize=7)
    return picture


def draw_sensitivities(picture: Picture, r: Results, left: Axes, right: Axes) -> None:
    """Draw d' as the paper has it, and AUC-based d', with marks where one memory leads."""
    for axis, name, measured in ((left, "d_prime", curves.d_prime), (right, "auc_d_prime", curves.auc_d_prime)):
        found = [(model, measured(r[RANDOM[model]], CUE)) for model in PAIR]
        ages.compared(picture, axis, found, row={"measure": name, "model": ""})
        ages.age_axis(axis, found[0][1].sizes["age"])
    ages.d_prime_axis(left)
    right.set(ylabel="AUC-based d' (detection's)", ylim=(-0.3, 3.3))
    right.axhline(0, color=GREY, lw=0.6)
    runs = r[RANDOM[K_WINNER]].sizes["run"]
    in_sample = runs // curves.n_samples(runs)
    most = metrics.most_auc_d_prime(in_sample)
    right.text(2, most + 0.09, f"the most that {in_sample} runs can show", color=DARK_GREY, fontsize=8)
    left.legend(loc="lower left", bbox_to_anchor=(0, 0.12))
    picture.panel(left, "A", "d' as in the paper")
    picture.panel(right, "B", "d' from the AUC")


def draw_tied(picture: Picture, r: Results, axis: Axes) -> None:
    """Draw the difference that one matrix for both ways makes, for each kind of patterns and both cues."""
    for place, (patterns, kind) in enumerate(ROWS):
        for cue, marker, shift in zip(CUES, "os", (-0.15, 0.15), strict=True):
            found = by_tying(patterns, cue, kind)(r)
            face = VERMILION if cue == 1 else "white"
            look: dict[str, Any] = {"fmt": marker, "ms": 5, "color": VERMILION, "mfc": face, "capsize": 2}
            axis.errorbar(found.value, place + shift, xerr=found.reach, **look)
            names = {"patterns": patterns, "kind": kind, "cue": f"{cue:g}"}
            picture.record({**names, "difference": found.value, "low": found.low, "high": found.high}, table="-tied")
    axis.plot([], [], "o", color=DARK_GREY, label="100% cues, 99% interval")
    axis.plot([], [], "s", color=DARK_GREY, mfc="white", label="50% cues")
    axis.set_yticks(range(len(ROWS)), ROWS.values(), fontsize=8)
    axis.set(ylim=(len(ROWS) - 0.4, -0.6), xlabel="accuracy, one matrix minus two")
    axis.axvline(0, color=GREY, lw=0.6)
    axis.legend(loc="center right")
    picture.panel(axis, "C", f"One matrix (trees: b = {TREE_FLIPS})")


AUC = {
    (name, cue): more(f"after.auc-{name}-{cue:.0%}", auc_lead(cue, window), 0)
    for cue in CUES
    for name, window in (("older", OLDER), ("newest", NEWEST))
}
ONE_MATRIX_UNIFORM = each_cue(
    "after.tied-uniform",
    "rise of the accuracy for unstructured patterns with one matrix, trees with b = 5",
    lambda cue: by_tying("tree", cue, "uniform"),
)
ITEM = Item(
    name="after",
    number="After the paper",
    title="What the authors' code has measured since",
    text="Measured by how often a stored pattern comes out better than one never stored (AUC), the K-winner MHN leads "
    "also where memories are new: the 1-winner MHN owes its high d' there to how alike its successes are, not to how "
    "many there are. One matrix for both ways would do for stored patterns, as W and W'ᵀ soon are the same in units "
    "that win. Where patterns are much alike some units never win; with one matrix these return what drives them, and "
    "the baseline of unstructured patterns is too high.",
    alt="Three panels. Sensitivity d' and AUC-based d' of both memories against memory age, with bars at the ages "
    "where one leads; differences in accuracy between memories with one and with two matrices, for five kinds of "
    "patterns.",
    experiments=(*RANDOM.values(), TWO["tree"], *TIED.values()),
    draw=draw,
    claims=(*AUC.values(), *ONE_MATRIX_UNIFORM.values()),
)
