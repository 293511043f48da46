"""Contexts longer than units: what helps at equal numbers of fast weights, and why."""

from collections.abc import Iterable, Iterator

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from slotfree.beyond.contextC2 import experiments as e
from slotfree.beyond.contextC2.experiments import FORMULA, IDEAL, LONG, SHORT, TRAINED, newest, units, voted
from slotfree.beyond.shared.train_side_by_side import Condition
from slotfree.drawing.bands import band
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION
from slotfree.study import estimate
from slotfree.study.claim import at_most
from slotfree.study.estimate import Estimate, Values
from slotfree.study.experiment import Experiment
from slotfree.study.item import Item
from slotfree.study.judge import Judge, between, judged, measure, more
from slotfree.study.results import Results

CLOSE = 0.01  # a formula that is right to two digits is this close
CEILING = voted(units(e.T_ONE), SHORT)  # a vote in each unit, with slow weights that tell letters, and nothing of units
COLUMNS = ("lag", "accuracy", "standard_error")
ACCURACY = "accuracy (mean ± 1 s.e.)"
TOGETHER = 4  # neighbouring lags that are averaged, of the long contexts

FULL = ((e.ONE, BLACK), (e.ONE_GRADED, VERMILION), (e.THIN, BLUE), (e.SHARED, SKY), (e.K2, GREEN), (e.K3, PURPLE))
BOTH = (e.WIDE_KEYS, e.THIN_BOTH, e.SHARED_BOTH, e.K2_BOTH, e.K3_BOTH, e.TOO_THIN)
SITU = (e.T_ONE, e.T_GRADED, e.T_SMALLER, e.T_THIN, e.T_SHARED, e.T_K2, e.T_K3)
BOTH_COLOURS, SITU_COLOURS = (
    (GREY, BLUE, SKY, GREEN, PURPLE, ORANGE),
    (BLACK, VERMILION, ORANGE, BLUE, SKY, GREEN, PURPLE),
)
PAIRS = (  # trained with projections that stay, and with redrawn ones
    ("one winner", e.T_ONE, e.R_ONE),
    ("ε = 0.3", e.T_GRADED, e.REDRAWN),
    ("ε = 0.1", e.T_SMALLER, e.R_SMALLER),
    ("thin", e.T_THIN, e.R_THIN),
    ("thin, ε = 0.3", e.T_THIN_GRADED, e.R_THIN_GRADED),
    ("k = 2, ε = 0.3", e.T_K2_GRADED, e.R_K2_GRADED),
    ("shared mask", e.T_SHARED, None),
    ("k = 2", e.T_K2, None),
    ("k = 3", e.T_K3, None),
    ("too thin", e.T_TOO_THIN, None),
    ("too thin, k = 3", e.T_TOO_THIN_K3, None),
)


def draw(r: Results) -> Picture:
    """Draw all six panels."""
    picture = Picture(2, 3, width=12.0, height=3.9)
    (full, both, why), (situ, steps, pairs) = picture.axes
    draw_recency(picture, full, r[IDEAL], FULL)
    draw_laws(full)
    control = f"{e.ONE.name}, n = {units(e.ONE)}"
    band(picture, both, curve(r[IDEAL], e.ONE), BLACK, control, row=None)  # as in A
    draw_recency(picture, both, r[IDEAL], zip(BOTH, BOTH_COLOURS, strict=True))
    draw_recency(picture, situ, r[TRAINED], zip(SITU, SITU_COLOURS, strict=True))
    draw_steps(picture, steps, r[TRAINED])
    draw_pairs(picture, pairs, r)
    draw_why(picture, why, r)
    for axis, letter, title in (
        (full, "A", f"ideal slow weights, L = C = {LONG}"),
        (both, "B", "the same; thin items too"),
        (why, "C", f"what training uses (L = C = {SHORT}, ε = 0.3)"),
        (situ, "D", f"trained, L = C = {SHORT}"),
        (steps, "E", "training"),
        (pairs, "F", "trained, over all lags"),
    ):
        picture.panel(axis, letter, title)
    runs = tuple(r[experiment].sizes["run"] for experiment in (IDEAL, TRAINED))
    note = (
        f"A, B: about {e.MANY_WEIGHTS} fast weights, {runs[0]} runs, {TOGETHER} lags together. "
        f"C–F: about {e.FEW_WEIGHTS} fast weights, {runs[1]} runs. n: units. Mean ± 1 s.e.; C and F: 99% intervals."
    )
    picture.figure.supxlabel(note, fontsize=7)
    return picture


@measure
def right(r: Results, experiment: Experiment, each: Condition) -> Values:
    """Accuracy over all lags in each run."""
    one = r[experiment].sel(condition=each.name)
    return np.asarray((one["right"].sum("lag") / one["asked"].sum("lag")).values)


@measure
def measured(r: Results, name: str, each: Condition) -> Values:
    """What was measured of trained weights, in each run."""
    return np.asarray(r[TRAINED][name].sel(condition=each.name).values)


def curve(data: xr.Dataset, each: Condition) -> xr.DataArray:
    """Accuracy by lag, (run, lag); of long contexts, of several lags together."""
    one = data[["right", "asked"]].sel(condition=each.name, drop=True)
    if one.sizes["lag"] > SHORT:
        one = one.coarsen(lag=TOGETHER).sum().assign_coords(lag=np.arange(0, LONG, TOGETHER) + (TOGETHER - 1) / 2)
    return one["right"] / one["asked"]


def draw_recency(picture: Picture, axis: Axes, data: xr.Dataset, shown: Iterable[tuple[Condition, str]]) -> None:
    """Draw accuracy against lag."""
    weights = "trained" if data.sizes["lag"] == SHORT else "ideal"
    for each, colour in shown:
        name = f"{each.name.removesuffix(', both')}, n = {units(each)}"
        row = {"weights": weights, "condition": each.name, "n_hidden": units(each)}
        band(picture, axis, curve(data, each), colour, name, row=row, columns=COLUMNS)
    axis.set(ylim=(0.48, 1.02), xlabel="lag (0 = newest item)", ylabel=ACCURACY)
    axis.legend(loc="lower left", fontsize=6, ncols=2, columnspacing=0.8, handlelength=1.2)


def draw_laws(axis: Axes) -> None:
    """Draw what one winner does by formula."""
    n = units(e.ONE)
    axis.plot(np.arange(LONG), newest(n, LONG), "--", color=BLACK, lw=1)
    axis.axhline(voted(n, LONG), ls="--", color=VERMILION, lw=1)
    axis.text(LONG - 1, voted(n, LONG) + 0.008, "formula: vote", color=VERMILION, fontsize=7, ha="right")
    axis.text(9, 0.965, "formula: newest (dashed)", color=BLACK, fontsize=7)


def draw_steps(picture: Picture, axis: Axes, data: xr.Dataset) -> None:
    """Draw accuracy against steps of training, with projections that stay (lines) and redrawn ones (dotted)."""
    columns = ("iteration", "accuracy", "standard_error")
    for each, colour, style in (
        (e.T_ONE, BLACK, "-"),
        (e.R_ONE, BLACK, ":"),
        (e.T_GRADED, VERMILION, "-"),
        (e.REDRAWN, VERMILION, ":"),
        (e.LETTER, VERMILION, "--"),
        (e.T_K2_GRADED, GREEN, "-"),
        (e.R_K2_GRADED, GREEN, ":"),
    ):
        runs = data["accuracy"].sel(condition=each.name, drop=True)
        row = {"condition": each.name}
        band(picture, axis, runs, colour, each.name, style=style, row=row, columns=columns, table="-training")
    ceiling(axis)
    axis.set(ylim=(0.48, 1.02), xlabel="step of training", ylabel=ACCURACY)
    axis.legend(loc="lower right", fontsize=6.5)


def ceiling(axis: Axes) -> None:
    """Draw what a vote in each unit of the one-winner store can do."""
    axis.axhline(CEILING, color=GREY, ls="--", lw=1, label=f"vote in each of {units(e.T_ONE)} units")


def draw_pairs(picture: Picture, axis: Axes, r: Results) -> None:
    """Draw accuracy over all lags of all trained conditions."""
    for i, (_, stays, redrawn) in enumerate(PAIRS):
        for each, colour, marker, shift in ((stays, BLUE, "o", -0.12), (redrawn, ORANGE, "s", 0.12)):
            if each is not None:
                place(picture, axis, i + shift, right(TRAINED, each)(r), colour, marker, each, "as trained")
    axis.plot([], [], "o", color=BLUE, label="projections stay")
    axis.plot([], [], "s", color=ORANGE, label="redrawn for each sequence")
    ceiling(axis)
    axis.set(ylim=(0.53, 1.12), ylabel="accuracy (99% interval)", yticks=np.arange(0.6, 1.01, 0.1))
    axis.set_xticks(range(len(PAIRS)), [name for name, *_ in PAIRS], rotation=90, fontsize=7)
    axis.legend(loc="upper right", fontsize=7)


def draw_why(picture: Picture, axis: Axes, r: Results) -> None:
    """Draw what becomes of accuracy if trained weights are changed, or units wired anew."""
    shown = (("by token", e.T_GRADED), ("by letter", e.LETTER), ("redrawn", e.REDRAWN))
    ways = (
        ("as trained", BLUE, "o", -0.2),
        ("same key for both cases", VERMILION, "v", 0.0),
        ("units wired anew", PURPLE, "D", 0.2),
    )
    for i, (_, each) in enumerate(shown):
        found = (right(TRAINED, each)(r), measured("one_key", each)(r), measured("rewired", each)(r))
        for (name, colour, marker, shift), runs in zip(ways, found, strict=True):
            place(picture, axis, i + shift, runs, colour, marker, each, name)
        wrong = measured("other_case", each)(r).mean()
        axis.text(i, 0.5, f"{wrong:.0%} of values\nsay the other case", ha="center", fontsize=7, color=GREY)
    for name, colour, marker, _ in ways:
        axis.plot([], [], marker, color=colour, label=name)
    ceiling(axis)
    axis.set(xlim=(-0.6, 2.6), ylim=(0.48, 1.15), ylabel="accuracy (99% interval)", xlabel="input projections")
    axis.set_xticks(range(len(shown)), [name for name, _ in shown])
    axis.legend(loc="upper right", fontsize=7)


def place(
    picture: Picture, axis: Axes, x: float, runs: Values, colour: str, marker: str, each: Condition, how: str
) -> None:
    """Draw and record a mean with its 99 % interval."""
    found = estimate.mean(runs)
    error = np.array([[found.value - found.low], [found.high - found.value]])
    axis.errorbar(x, found.value, error, fmt=marker, color=colour, capsize=2, ms=4)
    numbers = {"accuracy": found.value, "low": found.low, "high": found.high}
    picture.record({"condition": each.name, "n_hidden": units(each), "how": how, **numbers}, table="-trained")


@measure
def off(r: Results, each: Condition, formula: float) -> Values:
    """Accuracy over all lags less that of a formula, in each run."""
    return right(FORMULA, each)(r) - formula


@measure
def redrawn(r: Results) -> Estimate:
    """The larger accuracy with projections that are redrawn for each sequence, ε = 0.3 and 0.1."""
    return estimate.largest_of(estimate.mean(right(TRAINED, each)(r)) for each in (e.REDRAWN, e.R_SMALLER))


@measure
def most(r: Results) -> Values:
    """Gain of thin units with ε = 0.3 over one winner, less what k = 2 adds, in each run."""
    thin, one, two = (right(TRAINED, each)(r) for each in (e.T_THIN_GRADED, e.T_ONE, e.T_K2_GRADED))
    return np.asarray(2 * thin - one - two)


GAINS = (  # claim, experiment, the better and the worse
    ("graded", FORMULA, e.ONE_GRADED, e.ONE, "graded updates help one winner"),
    ("ideal-thin", IDEAL, e.THIN, e.ONE, "thin units, items whole"),
    ("both-thin", IDEAL, e.THIN_BOTH, e.ONE, "thin units, items thin too"),
    ("both-k2", IDEAL, e.K2_BOTH, e.THIN_BOTH, "with units to spare, k = 2 adds to thin units"),
    ("both-k3", IDEAL, e.K3_BOTH, e.THIN_BOTH, "with units to spare, k = 3 adds to thin units"),
    ("second-harms", IDEAL, e.THIN, e.K2, "with 50 units for 64 items a second winner overwrites more than it saves"),
    ("third-harms", IDEAL, e.THIN, e.K3, "and so do three"),
    ("too-thin", IDEAL, e.THIN_BOTH, e.TOO_THIN, "8 of 50 components are too few for one winner"),
    ("repaired", IDEAL, e.TOO_THIN_K3, e.TOO_THIN, "k = 3 repairs units that are too thin"),
    ("weak-thin", IDEAL, e.ONE, e.THIN_WEAK, "projections must be stronger than keys that are alike, γ > |k|²"),
    ("masks-trained", TRAINED, e.T_THIN, e.T_SHARED, "masks of their own, and one for all units"),
    ("repaired-trained", TRAINED, e.T_TOO_THIN_K3, e.T_TOO_THIN, "k = 3 repairs units that are too thin"),
    ("trained-graded", TRAINED, e.T_GRADED, e.T_ONE, "graded updates help one winner"),
    ("trained-thin", TRAINED, e.T_THIN, e.T_ONE, "thin units help"),
    ("redrawn-graded", TRAINED, e.REDRAWN, e.R_ONE, "projections redrawn: graded updates help one winner"),
    ("redrawn-thin", TRAINED, e.R_THIN, e.R_ONE, "projections redrawn: thin units help"),
)


def claims_on_gains() -> Iterator[Judge]:
    """Which condition is better, in the same runs and at equal numbers of fast weights."""
    for name, experiment, better, worse, words in GAINS:
        a, b = right(experiment, better), right(experiment, worse)
        weights = "trained" if experiment is TRAINED else "ideal slow weights"
        told = f"{weights}, {words}: accuracy, {better.name} and {worse.name}"
        yield more(f"contextC2.{name}", a, b, told, paired=True)


def claims_on_formulas() -> Iterator[Judge]:
    """That a unit answers for the newest of its items, or by a vote of them."""
    n = units(e.ONE)
    for name, each, value in (
        ("newest", e.ONE, float(newest(n, LONG).mean())),
        ("vote", e.ONE_GRADED, voted(n, LONG)),
    ):
        words = f"ideal slow weights, {each.name}: accuracy less the formula's, {value:.3f}; at most {CLOSE} off"
        yield between(f"contextC2.formula-{name}", off(each, value), -CLOSE, CLOSE, words)


VOTE = f"{CEILING:.3f}, what a vote in each of {units(e.T_GRADED)} units gives"
CLAIMS = (
    *claims_on_formulas(),
    *claims_on_gains(),
    more("contextC2.trained-most", most(), 0, "trained, gain by thin units with ε = 0.3 less what k = 2 adds to it"),
    more("contextC2.beyond-vote", right(TRAINED, e.T_GRADED), CEILING, f"trained, ε = 0.3: accuracy above {VOTE}"),
    more("contextC2.letter-beyond", right(TRAINED, e.LETTER), CEILING, f"projections by letter too: above {VOTE}"),
    judged("contextC2.redrawn-vote", redrawn(), at_most(CEILING + CLOSE), f"projections redrawn: no more than {VOTE}"),
    judged("contextC2.rewired", measured("rewired", e.T_GRADED), at_most(CEILING), f"units wired anew: at most {VOTE}"),
    judged(
        "contextC2.no-case-in-keys",
        measured("case_component", e.T_GRADED),
        at_most(0),
        "share of |k|² by which keys tell the case in a direction that letters share: at most 0",
    ),
    *(
        more(
            f"contextC2.values-{name}",
            measured("other_case", each),
            measured("other_case", e.REDRAWN),
            f"share of tokens whose value says the other case, projections by {name} and redrawn",
            paired=True,
        )
        for name, each in (("token", e.T_GRADED), ("letter", e.LETTER))
    ),
    more(
        "contextC2.agreement-token",
        measured("agreement", e.T_GRADED),
        0,
        "tokens that drive the same unit have values that agree: |mean sign| of their values, less that of their cases",
    ),
)

ITEM = Item(
    name="contextC2",
    title="Contexts longer than units",
    text="At equal numbers of fast weights, thin units help because there are more of them. With ideal slow weights "
    "and 64 items in about 50 units, K > 1 is worse than one winner in thin units (A); with 130 units and more, which "
    "thin items pay for (at no cost here, as answers are read from values), k = 2 adds a third to what thinning gives, "
    "but a smaller key that all units share gives nearly as much (B). Graded updates let a unit vote for the items "
    "that met in it, instead of answering for the "
    "newest: 0.76 becomes 0.80, as two formulas say. Trained in situ they do far more, 0.96 instead of 0.76 (D, E, F): "
    "not because keys of the same case are alike, which they are not, but because units keep their wiring. Training "
    "makes a value the answer of a unit, and lets keys say whether an item calls for it; a third of all values then "
    "says the other case. Where projections are redrawn for each sequence, no more than the vote is left (C).",
    alt="Six panels. A and B: accuracy against lag with ideal slow weights for one winner, graded updates, thin units, "
    "a shared mask and several winners; in A on dashed lines of two formulas. C: accuracy of trained models, with one "
    "key for both cases, and wired anew, for three kinds of input projections, with a line for a vote in each unit. "
    "D: accuracy against lag of trained models; those with graded updates stay above 0.94. E: accuracy against steps "
    "of training. F: accuracy over all lags of eleven trained conditions, with projections that stay and redrawn ones.",
    experiments=e.EXPERIMENTS,
    draw=draw,
    claims=CLAIMS,
)
