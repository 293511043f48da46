"""After the paper: what the authors' public code has measured since.

- d' from the area under the ROC curve (AUC) of real against pseudo-memories, beside the paper's d'.
- Clustered patterns, with pseudo-memories of the same categories and of other ones: 10 categories, as in that code.
- The asymmetry |W − W'ᵀ| along learning.
- Random instead of best matching hidden units at storing.

With them goes the question whether one matrix could serve both ways (``tied=True``), as the two soon agree wherever
units win.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from slotfree.drawing import ages
from slotfree.drawing.bands import band
from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import AVERAGED, BARS, BLUE, DARK_GREY, GREY, VERMILION, cue_title
from slotfree.files.safetensors import Arrays
from slotfree.forgetting import metrics
from slotfree.forgetting.protocol import CUES, Kind
from slotfree.memory.kwinner import KWinnerMHN, KWinnerSettings
from slotfree.paper.shared.memories import K_WINNER, ONE_WINNER, KWinnerModel, on_random, on_trees
from slotfree.patterns.clusters import ClusterPatterns
from slotfree.patterns.random import random_patterns
from slotfree.patterns.tree import TreePatterns
from slotfree.runs.seeds import seed_for
from slotfree.study import curves, estimate
from slotfree.study.claim import Claim, above, at_most, below, equal_to, of_paper, within
from slotfree.study.curves import OLDER
from slotfree.study.estimate import Estimate
from slotfree.study.experiment import Experiment
from slotfree.study.item import Item
from slotfree.study.results import Results
from slotfree.study.retention import Retention
from slotfree.study.scale import Scale

PAIR = (K_WINNER, ONE_WINNER)
CUE = 1.0  # of the panels by age
NEWEST = (1, 10)
N_FLIPS, N_CATEGORIES = 10, 10  # of clustered patterns
TREE_FLIPS = 5
FEW = 2  # runs at the quick scale
START = 1 / 3  # the expected distance of two independent uniform numbers
SMALL = 0.005  # a difference in accuracy that no figure would show
SAME = 1e-6  # a distance of weights that are the same
# The patterns that memories with one matrix are tested with: what they learned, and the kind.
ROWS = {
    ("random", "real"): "random:\nstored",
    ("random", "pseudo"): "random:\nnever stored",
    ("tree", "real"): "trees:\nstored",
    ("tree", "pseudo"): "trees:\nnever stored",
    ("tree", "uniform"): "trees:\nunstructured",
}


@dataclass(frozen=True)
class Learning:
    """Store patterns and look at a memory now and then: its asymmetry, and how many units have never won.

    Attributes
    ----------
    source : where patterns come from; None for random ones.
    numbers : of patterns stored when it is looked at.
    """

    settings: KWinnerSettings
    source: TreePatterns | None = None
    numbers: tuple[int, ...] = (0, 1, 2, 5, 10, 20, 30, 50, 70, 100, 140, 200, 300, 500, 700, 1000, 1400, 2000, 4000)

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        """Return ``asymmetry`` and ``never_won``, the share of hidden units, each (number)."""
        memory = KWinnerMHN.from_settings(self.settings, seed_for(seed, "memory"))
        draw = random_patterns if self.source is None else self.source
        patterns = draw(self.numbers[-1], seed=seed_for(seed, "patterns"))
        has_won = np.zeros(self.settings.n_hidden, bool)
        found: dict[str, list[float]] = {"asymmetry": [], "never_won": []}
        for number in self.numbers:
            has_won[memory.store(patterns[memory.n_stored : number], return_winners=True)] = True
            found["asymmetry"].append(memory.asymmetry())
            found["never_won"].append(1 - has_won.mean())
        return {name: np.array(values) for name, values in found.items()}

    def label(self, results: Sequence[Arrays]) -> xr.Dataset:
        """Label the results of all runs, (run, number)."""
        arrays = {name: (("run", "number"), np.array([result[name] for result in results])) for name in results[0]}
        return xr.Dataset(arrays, {"number": list(self.numbers)})

    def at(self, scale: Scale) -> "Learning":
        """The same with fewer patterns; trees are then no larger than they must be."""
        most = scale.limit("n_stored", self.numbers[-1])
        source = None if self.source is None else replace(self.source, n_nodes=None)
        return replace(self, source=source, numbers=tuple(number for number in self.numbers if number <= most))


def _with(model: KWinnerModel, **options: Any) -> KWinnerSettings:
    return replace(model.settings, **options)


KINDS: tuple[Kind, ...] = ("real", "pseudo", "other")
CLUSTERS = {
    model: Experiment(
        f"{model.name}-clusters",
        Retention(model.settings, ClusterPatterns(N_FLIPS, N_CATEGORIES), cues=(CUE,), kinds=KINDS),
        runs=20,
        few=FEW,
    )
    for model in PAIR
}
BEST = {model: on_random(model) for model in PAIR}
AT_RANDOM = {
    model: Experiment(f"{model.name}-at-random", Retention(_with(model, storing="random")), runs=40, few=FEW)
    for model in PAIR
}
TWO = {"random": on_random(K_WINNER), "tree": on_trees(K_WINNER, TREE_FLIPS)}
TIED = {  # with the seeds of the memories with two matrices: the same connections, patterns and cues
    "random": Experiment(
        "kwinner-tied-random",
        Retention(_with(K_WINNER, tied=True)),
        runs=50,
        few=FEW,
        key=(TWO["random"].name,),
    ),
    "tree": Experiment(
        f"kwinner-tied-tree-{TREE_FLIPS}",
        Retention(_with(K_WINNER, tied=True), TreePatterns(TREE_FLIPS), kinds=("real", "pseudo", "uniform")),
        runs=20,
        few=FEW,
        key=(TWO["tree"].name,),
    ),
}
LEARNING = {
    name: Experiment(f"kwinner-learning-{name}", Learning(K_WINNER.settings, source), runs=10, few=FEW)
    for name, source in (("random", None), ("tree", TreePatterns(TREE_FLIPS)))
}


def over_all_ages(r: Results, experiment: Experiment, cue: float, kind: str) -> NDArray[np.float64]:
    """Accuracy of each run for one kind of patterns, mean over all ages."""
    values: NDArray[np.float64] = r[experiment]["accuracy"].sel(cue=cue, kind=kind).mean("age").values
    return values


def areas(r: Results, experiment: Experiment, cue: float) -> NDArray[np.float64]:
    """Area under R.D. of each run."""
    values: NDArray[np.float64] = metrics.differences(r[experiment].sel(cue=cue)).sum("age").values
    return values


def by_tying(r: Results, patterns: str, cue: float, kind: str) -> Estimate:
    """How much more accurate memories with one matrix are than those with two, over pairs with the same seed."""
    tied = over_all_ages(r, TIED[patterns], cue, kind)
    return estimate.mean(tied - over_all_ages(r, TWO[patterns], cue, kind)[: len(tied)])


def draw(r: Results) -> Picture:
    """Draw both d' (A, B), clustered patterns (C), asymmetry (D), winners at random (E), and tied weights (F)."""
    picture = Picture(3, 2, width=9.5, height=3.1)
    (a, b), (c, d), (e, f) = picture.axes
    draw_sensitivities(picture, r, a, b)
    draw_clusters(picture, r, c)
    draw_learning(picture, r, d)
    draw_at_random(picture, r, e)
    draw_tied(picture, r, f)
    how = f"A–C, E: colours as in A; {cue_title(CUE)}; {AVERAGED}; A, B: faint lines: each age, {BARS}"
    picture.figure.supxlabel(how, fontsize=7)
    return picture


def draw_sensitivities(picture: Picture, r: Results, left: Axes, right: Axes) -> None:
    """Draw d' as the paper has it, and AUC-based d', with marks where one memory leads."""
    for axis, measure, measured in ((left, "d_prime", curves.d_prime), (right, "auc_d_prime", curves.auc_d_prime)):
        found = [(model, measured(r[BEST[model]], CUE)) for model in PAIR]
        ages.compared(picture, axis, found, row={"measure": measure, "model": "", "kind": ""})
        ages.age_axis(axis, found[0][1].sizes["age"])
    ages.d_prime_axis(left)
    right.set(ylabel="AUC-based d' (detection's)", ylim=(-0.3, 3.3))
    right.axhline(0, color=GREY, lw=0.6)
    runs = r[BEST[K_WINNER]].sizes["run"]
    in_sample = runs // curves.n_samples(runs)
    most = metrics.most_auc_d_prime(in_sample)
    right.text(2, most + 0.09, f"the most that samples of {in_sample} runs can show", color=DARK_GREY, fontsize=8)
    left.legend(loc="center left")
    picture.panel(left, "A", "d' as in the paper")
    picture.panel(right, "B", "d' from the area under the ROC curve")


def draw_clusters(picture: Picture, r: Results, axis: Axes) -> None:
    """Draw accuracy for stored patterns, and for others of the same categories and of other ones."""
    styles = {"real": ("-", "stored"), "pseudo": ("--", "same categories"), "other": (":", "other categories")}
    found = [(model, r[CLUSTERS[model]]["accuracy"].sel(cue=CUE, drop=True)) for model in PAIR]
    row = {"measure": "accuracy", "model": "", "kind": ""}
    ages.accuracies(picture, axis, found, kinds=styles, every_age=False, row=row)
    ages.age_axis(axis, found[0][1].sizes["age"])
    ages.accuracy_axis(axis)
    name_styles(axis, {words: style for style, words in styles.values()}, loc="center", bbox_to_anchor=(0.5, 0.59))
    picture.panel(axis, "C", f"Patterns of {N_CATEGORIES} categories (b = {N_FLIPS})")


def name_styles(axis: Axes, styles: Mapping[str, str], **where: Any) -> None:
    """Name the styles of lines; their colours are those of the memories in panel A."""
    handles = [Line2D([], [], color=DARK_GREY, ls=style, label=words) for words, style in styles.items()]
    axis.legend(handles=handles, ncols=len(handles), **where)


def draw_learning(picture: Picture, r: Results, axis: Axes) -> None:
    """Draw the asymmetry along learning, and the part of it that units have which never won."""
    for name, colour, label in (("random", VERMILION, "random patterns"), ("tree", BLUE, f"trees, b = {TREE_FLIPS}")):
        data = r[LEARNING[name]].sel(number=slice(1, None))
        for part, values, style in (("all", data["asymmetry"], "-"), ("never won", data["never_won"] * START, ":")):
            look: dict[str, Any] = {"style": style, "columns": ("stored", "mean", "standard_error")}
            row = {"patterns": name, "units": part}
            band(picture, axis, values, colour, label if style == "-" else "", **look, row=row, table="-learning")
    axis.plot([], [], ":", color=DARK_GREY, label="due to units that never won")
    log_scale(axis, "x")
    axis.set(xlabel="stored patterns", ylabel="mean |W − W'ᵀ|", ylim=(0, 0.45))
    axis.legend(loc="upper right")
    picture.panel(axis, "D", "Forward and return weights")


def draw_at_random(picture: Picture, r: Results, axis: Axes) -> None:
    """Draw R.D. by age for best and for random winners at storing."""
    for model in PAIR:
        for experiment, style, words in ((BEST[model], "-", "best"), (AT_RANDOM[model], "--", "random")):
            delta = metrics.differences(r[experiment].sel(cue=CUE, drop=True))
            row = {"measure": "raw_difference", "model": model.name, "kind": f"{words} winners"}
            ages.by_age(picture, axis, delta, model.colour, "", style=style, every_age=False, row=row)
    ages.age_axis(axis, r[BEST[K_WINNER]].sizes["age"])
    ages.raw_difference_axis(axis)
    name_styles(axis, {"best winners": "-", "random winners": "--"}, loc="upper right")
    picture.panel(axis, "E", "Best and random winners at storing")


def draw_tied(picture: Picture, r: Results, axis: Axes) -> None:
    """Draw the difference that one matrix for both ways makes, for each kind of patterns and both cues."""
    for place, (patterns, kind) in enumerate(ROWS):
        for cue, marker, shift in zip(CUES, "os", (-0.15, 0.15), strict=True):
            found = by_tying(r, patterns, cue, kind)
            face = VERMILION if cue == 1 else "white"
            look: dict[str, Any] = {"fmt": marker, "ms": 5, "color": VERMILION, "mfc": face, "capsize": 2}
            axis.errorbar(found.value, place + shift, xerr=found.reach, **look)
            names = {"patterns": patterns, "kind": kind, "cue": f"{cue:g}"}
            picture.record({**names, "difference": found.value, "low": found.low, "high": found.high}, table="-tied")
    axis.plot([], [], "o", color=DARK_GREY, label="100% cues, 99% interval")
    axis.plot([], [], "s", color=DARK_GREY, mfc="white", label="50% cues")
    axis.set_yticks(range(len(ROWS)), ROWS.values(), fontsize=8)
    axis.set(ylim=(len(ROWS) + 0.1, -0.6), xlabel="accuracy with one matrix minus that with two")
    axis.vlines(0, -0.6, len(ROWS) - 0.5, color=GREY, lw=0.6)
    axis.legend(loc="lower right", ncols=2)
    picture.panel(axis, "F", f"One matrix for both ways (trees: b = {TREE_FLIPS})")


def claims(r: Results) -> Iterator[Claim]:
    """What these measurements show."""
    for cue in CUES:
        yield from claims_on_auc(r, cue)
    for model in PAIR:
        yield from claims_on_categories(r, model)
    yield from claims_on_asymmetry(r)
    for cue in CUES:
        yield from claims_at_random(r, cue)
    for cue in CUES:
        yield from claims_on_tying(r, cue)


def claims_on_auc(r: Results, cue: float) -> Iterator[Claim]:
    """Who leads in AUC-based d'."""
    k, one = (curves.auc_d_prime(r[BEST[model]], cue) for model in PAIR)
    first, last = OLDER
    yield Claim(
        f"auc-older-{cue:.0%}",
        f"The K-winner MHN leads for older memories in AUC-based d', too ({cue_title(cue)}): lead, mean over ages "
        f"{first} to {last}.",
        estimate=curves.lead(k, one, OLDER),
        limits=above(0),
    )
    yield Claim(
        f"auc-newest-{cue:.0%}",
        "The K-winner MHN leads in AUC-based d' for the newest memories as well, for which the 1-winner MHN has the "
        f"higher d' ({cue_title(cue)}): lead, mean over ages {NEWEST[0]} to {NEWEST[1]}.",
        estimate=curves.lead(k, one, NEWEST),
        limits=above(0),
    )


def claims_on_categories(r: Results, model: KWinnerModel) -> Iterator[Claim]:
    """What pseudo-memories of the same and of other categories tell."""
    data = r[CLUSTERS[model]]["accuracy"].sel(cue=CUE)
    real, same, other = (data.sel(kind=kind).mean("age").values for kind in KINDS)
    yield Claim(
        f"other-categories-{model.name}",
        f"A pattern of a stored category is retrieved better than one of another category, though neither was stored "
        f"({model.label}): difference in accuracy, mean over all ages.",
        estimate=estimate.mean(same - other),
        limits=above(0),
    )
    yield Claim(
        f"mostly-category-{model.name}",
        f"Most of what is retrieved beyond the baseline of other categories is the category, not the pattern "
        f"({model.label}): R.D. against the same categories as a share of R.D. against other ones, mean over all ages, "
        "below a half.",
        estimate=estimate.mean((real - same) / (real - other)),
        limits=below(0.5),
    )
    newest = data.sel(age=slice(*NEWEST)).mean("age")
    yield Claim(
        f"same-category-{model.name}",
        f"The newest patterns themselves are remembered as well ({model.label}): R.D. against the same categories, "
        f"mean over ages {NEWEST[0]} to {NEWEST[1]}.",
        estimate=estimate.mean((newest.sel(kind="real") - newest.sel(kind="pseudo")).values),
        limits=above(0),
    )


def claims_on_asymmetry(r: Results) -> Iterator[Claim]:
    """How the two matrices approach each other."""
    random, tree = (r[LEARNING[name]] for name in ("random", "tree"))
    yield Claim(
        "asymmetry-start",
        "Forward and return weights start apart: mean |W − W'ᵀ| of a new memory, 1/3, as of independent uniform "
        "numbers.",
        estimate=estimate.mean(random["asymmetry"].isel(number=0).values),
        limits=equal_to(START),
    )
    number = int(random["number"][-1])
    for name, data, stored in (
        ("random", random, "random patterns"),
        ("tree", tree, f"leaves of a tree (b = {TREE_FLIPS})"),
    ):
        yield of_paper(
            f"asymmetry-{name}",
            "“We apply the same update to the jith entry in the return matrix W', imposing symmetry”: mean |W − W'ᵀ| "
            f"after {number} {stored}; at most one millionth, which is rounding (it begins at "
            f"{float(data['asymmetry'].isel(number=0).mean()):.3f}).",
            paper="symmetry",
            estimate=estimate.mean(data["asymmetry"].isel(number=-1).values),
            limits=at_most(SAME),
        )
    yield Claim(
        "never-won",
        f"Some units never win: share of hidden units that have not after {number} leaves of a tree (b = "
        f"{TREE_FLIPS}).",
        estimate=estimate.mean(tree["never_won"].isel(number=-1).values),
        limits=above(0),
    )


def claims_at_random(r: Results, cue: float) -> Iterator[Claim]:
    """What the choice of units at storing is worth."""
    lost = {model: estimate.difference(areas(r, BEST[model], cue), areas(r, AT_RANDOM[model], cue)) for model in PAIR}
    share = areas(r, AT_RANDOM[K_WINNER], cue).mean() / areas(r, BEST[K_WINNER], cue).mean()
    yield Claim(
        f"random-winners-kwinner-{cue:.0%}",
        "The K-winner MHN lives by the choice of its winners: stored by random units, of the same number, patterns "
        f"keep {share:.0%} of the area under R.D. ({cue_title(cue)}): area lost, in patterns.",
        estimate=lost[K_WINNER],
        limits=above(0),
    )
    area = areas(r, BEST[ONE_WINNER], cue).mean()
    yield Claim(
        f"random-winners-onewinner-{cue:.0%}",
        "The 1-winner MHN needs no choice of its winner: the best match for a random pattern is as good as a random "
        f"unit ({cue_title(cue)}): area under R.D. lost, of {area:.3g}, within 2.",
        estimate=lost[ONE_WINNER],
        limits=within(-2, 2),
    )


def claims_on_tying(r: Results, cue: float) -> Iterator[Claim]:
    """Where one matrix for both ways makes a difference, and where it does not."""
    for patterns, words in (("random", "random patterns"), ("tree", f"trees, b = {TREE_FLIPS}")):
        known = [by_tying(r, patterns, cue, kind) for kind in ("real", "pseudo")]
        yield Claim(
            f"tied-{patterns}-{cue:.0%}",
            f"One matrix for both ways makes hardly a difference for stored patterns and pseudo-memories ({words}, "
            f"{cue_title(cue)}): the larger of the two changes in accuracy, at most {SMALL}.",
            estimate=estimate.largest_of(map(abs, known)),
            limits=at_most(SMALL),
        )
    yield Claim(
        f"tied-uniform-{cue:.0%}",
        "One matrix for both ways makes a difference for random patterns after trees, which reach units that have "
        f"never won: with one matrix, these return what drove them (b = {TREE_FLIPS}, {cue_title(cue)}): change in the "
        "accuracy of the uniform baseline.",
        estimate=by_tying(r, "tree", cue, "uniform"),
        limits=above(0),
    )


ITEM = Item(
    name="after",
    number="After the paper",
    title="What the authors' code has measured since",
    text="Measured by how often a stored pattern comes out better than one never stored (AUC), the K-winner MHN leads "
    "also where memories are new: the 1-winner MHN owes its high d' there to how alike its successes are, not to how "
    "many there are. Where patterns come in categories, both memories retrieve mostly the category, and how much seems "
    "to be remembered depends on whether pseudo-memories are of the same categories. Forward and return weights "
    "approach each other only in units that win. With random patterns all do, and one matrix could serve both ways. "
    "With patterns that are much alike some units never win, and one matrix would raise the baseline of unstructured "
    "patterns. The K-winner MHN needs the best matching units to store a pattern; the 1-winner MHN does not.",
    alt="Six panels. Sensitivity d' and AUC-based d' of both memories against memory age, with bars at the ages where "
    "one leads; accuracy by age for stored patterns and for unseen ones of the same and of other categories; the mean "
    "distance of forward and return weights against the number of stored patterns, for random patterns and for trees; "
    "raw difference by age for best and random winners; differences in accuracy between memories with one and with two "
    "matrices, for five kinds of patterns.",
    experiments=(
        *BEST.values(),
        TWO["tree"],
        *CLUSTERS.values(),
        *AT_RANDOM.values(),
        *TIED.values(),
        *LEARNING.values(),
    ),
    draw=draw,
    claims=claims,
)
