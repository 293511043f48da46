"""Contexts longer than units: what helps at equal numbers of fast weights, with ideal slow weights and trained ones.

All conditions have about the same number of fast weights, n_h (m + n_i + n_out + 1) with m = f N connections to the key
and n_i = f_out D to the tokens of items: thinner units are more units. What was chosen — m and γ of each family, the
rates of training — was chosen with other seeds, before the runs that are shown. Ideal slow weights are tested with
L = C = 64; training in situ is with L = C = 16.

With ideal slow weights one winner that replaces what it holds (ε = 1) answers for the newest of the items that met in
it. Item by item the winner is drawn at random, so the item a steps back is right with

    ½ + ½ (1 − 1/n_h)ᵃ,    on average    ½ + n_h/(2C) · P(n ≥ 1),    n ~ Bin(C, 1/n_h).

With ε → 0 it holds the mean of these items, and answers by vote: with n items of cases ±1 of sum S_n, (n + |S_n|)/2 of
them are answered rightly, whatever their age:

    ½ + n_h/(2C) · E|S_n|.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from numpy.typing import NDArray
from scipy import stats

from slotfree.attention.rates import rates_for
from slotfree.attention.slot_free import SlotFreeEngine, SlotFreeTransformer
from slotfree.attention.storages.winners import Winners
from slotfree.attention.weights import Weights, off_diagonal
from slotfree.beyond.shared.panels import curves, side_by_side
from slotfree.beyond.shared.train_side_by_side import Condition, Trainings, by_lag, weights_of
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, BLUE, GREY, ORANGE, PALETTE, PURPLE, VERMILION
from slotfree.files.safetensors import Arrays
from slotfree.runs.seeds import seed_for
from slotfree.study import Experiment, Item, Results, at_most, estimate, judged, measure, more, within
from slotfree.study.estimate import Estimate, Values
from slotfree.study.labelled import Labelled
from slotfree.tasks.base import n_item_tokens
from slotfree.tasks.case_sequence import CaseSequenceTask

KEY_DIM, LENGTH = 50, 10.0  # N, and |k|² of ideal keys
LONG, MANY_WEIGHTS = 64, 7850
SHORT, FEW_WEIGHTS = 16, 800
GAIN, SLOWER = 10.0, 0.5  # γ, and rates as a part of those of the rule, of all trainings: with more, keys overgrow
CLOSE = 0.01  # a formula that is right to two digits is this close
TOGETHER = 4  # neighbouring lags that are averaged, of the long contexts


def condition(name: str, length: int, weights: int, seen: int, **options: Any) -> Condition:
    """As many units as there are fast weights for, if each sees ``seen`` components of the key; L = C = ``length``."""
    task, storage = CaseSequenceTask(length, length), Winners(fan_in=seen / KEY_DIM, **options)
    n_hidden = weights // storage.n_weights(1, KEY_DIM, n_item_tokens(task), task.n_outputs)
    return Condition(name, SlotFreeTransformer(key_dim=KEY_DIM, n_hidden=n_hidden, storage=storage), task)


def long(name: str, seen: int, k: int = 1, gain: float = 30.0, **options: Any) -> Condition:
    """A condition with ideal slow weights."""
    return condition(name, LONG, MANY_WEIGHTS, seen, k=k, projection_gain=gain, **options)


def both(name: str, seen: int, k: int = 1, gain: float = 10.0, **options: Any) -> Condition:
    """The same, with items as thin as keys."""
    return long(name, seen, k, gain, item_fan_out=seen / KEY_DIM, **options)


def short(name: str, seen: int, k: int = 1, **options: Any) -> Condition:
    """A condition that is trained."""
    made = condition(name, SHORT, FEW_WEIGHTS, seen, k=k, projection_gain=GAIN, **options)
    rates = {name: SLOWER * rate for name, rate in rates_for(made.model, made.task).items()}
    return replace(made, learning_rates=rates)


ONE = long("one winner", KEY_DIM)
ONE_GRADED = long("one winner, ε = 0.1", KEY_DIM, rate=0.1)
LONGS = (
    ONE,
    ONE_GRADED,
    long("thin", 30),
    long("shared mask", 20, masks="shared"),
    long("k = 2", 25, k=2),
    long("k = 3", 16, k=3, gain=10.0),
    long("thin items only", KEY_DIM, item_fan_out=0.25),
    both("thin, both", 16),
    both("thin, γ = 3, both", 16, gain=3.0),
    both("shared mask, both", 16, masks="shared"),
    both("k = 2, both", 16, k=2, gain=30.0),
    both("k = 3, both", 12, k=3, gain=30.0),
    both("k = 3, γ = 3, both", 12, k=3, gain=3.0),
    both("too thin", 8, gain=30.0),
    both("too thin, k = 3", 8, k=3, gain=30.0),
)
SHORTS = (
    short("one winner", KEY_DIM),
    short("one winner, ε = 0.3", KEY_DIM, rate=0.3),
    short("one winner, ε = 0.1", KEY_DIM, rate=0.1),
    short("thin", 15),
    short("shared mask", 15, masks="shared"),
    short("thin, ε = 0.3", 15, rate=0.3),
    short("k = 2", 15, k=2),
    short("k = 2, ε = 0.3", 15, k=2, rate=0.3),
    short("k = 3", 15, k=3),
    short("too thin", 10, item_fan_out=10 / KEY_DIM),
    short("too thin, k = 3", 10, k=3, item_fan_out=10 / KEY_DIM),
    short("one winner, ε = 0.3, by letter", KEY_DIM, rate=0.3, address="letter"),
    short("one winner, ε = 0.3, redrawn", KEY_DIM, rate=0.3, address="redrawn"),
    short("one winner, redrawn", KEY_DIM, address="redrawn"),
    short("one winner, ε = 0.1, redrawn", KEY_DIM, rate=0.1, address="redrawn"),
    short("thin, redrawn", 15, address="redrawn"),
    short("thin, ε = 0.3, redrawn", 15, rate=0.3, address="redrawn"),
    short("k = 2, ε = 0.3, redrawn", 15, k=2, rate=0.3, address="redrawn"),
)


def units(each: Condition) -> int:
    """n_h of a condition."""
    assert isinstance(each.model, SlotFreeTransformer)
    return each.model.units


def newest(n_units: int, length: int) -> NDArray[np.float64]:
    """Accuracy by lag, (C,), if each unit answers for the newest item that it stored."""
    return np.asarray(0.5 + 0.5 * (1 - 1 / n_units) ** np.arange(length), np.float64)


def voted(n_units: int, length: int) -> float:
    """Accuracy, at every lag, if each unit answers by a vote of the items that it stored."""
    n = np.arange(length + 1)
    distance = np.array([stats.binom.expect(lambda ups, m=m: abs(2 * ups - m), (m, 0.5)) if m else 0.0 for m in n])
    return float(0.5 + n_units / (2 * length) * (stats.binom.pmf(n, length, 1 / n_units) * distance).sum())


def ideal(n_letters: int, key_dim: int, length: float, rng: np.random.Generator) -> Weights:
    """Slow weights by which letters are told apart, and nothing else: one key for both cases, which queries have too.

    Keys are random directions with |k|² = ``length``. Values are the case.
    """
    keys = rng.normal(size=(key_dim, n_letters))
    keys *= np.sqrt(length / (keys**2).sum(axis=0))
    none, W_V = np.zeros_like(keys), np.eye(2, 3).repeat(n_letters, axis=1)
    wiring = np.asarray(rng.integers(0, 2**63))
    return Weights(np.hstack([none, none, keys]), np.hstack([keys, keys, none]), W_V, wiring)


def case_component(weights: Weights) -> float:
    """The share of |k|² by which keys tell the case in a direction that letters share.

    It is half of how much more alike keys of the same case are than keys of other cases, of different letters: for
    keys u_l ± e with u_l·u_m = 0, it is |e|²/|k|². 0 if there is no such direction; 1 if keys tell nothing else.
    """
    overlaps = weights.key_key
    L = overlaps.shape[-1] // 3
    lower, upper = slice(0, L), slice(L, 2 * L)
    same = (off_diagonal(overlaps[lower, lower]).mean() + off_diagonal(overlaps[upper, upper]).mean()) / 2
    other = off_diagonal(overlaps[lower, upper]).mean()
    return float((same - other) / (2 * np.diagonal(overlaps)[: 2 * L].mean()))


def other_case(weights: Weights) -> float:
    """Share of the letters' tokens whose value, their column of W_V, says the other case."""
    lower_minus_upper = weights.W_V[0] - weights.W_V[1]
    L = len(lower_minus_upper) // 3
    return float(np.concatenate([lower_minus_upper[:L] < 0, lower_minus_upper[L : 2 * L] > 0]).mean())


def agreement(weights: Weights, projected: NDArray[np.int64]) -> float:
    """How far the tokens that drive the same unit have values of the same sign, beyond what their cases have in common.

    The mean over units of |mean sign|, of W_V less of the case itself. Units that one letter drives are left out: both
    of its cases must differ there.

    Parameters
    ----------
    projected : the units that each of the letters' tokens drives, (2L, k).
    """
    L = len(projected) // 2
    signs, cases = np.sign(weights.W_V[0] - weights.W_V[1])[: 2 * L], np.repeat([1, -1], L)
    found = []
    for unit in np.unique(projected):
        tokens = np.flatnonzero((projected == unit).any(axis=1))
        if len(np.unique(tokens % L)) > 1:
            found.append(abs(signs[tokens].mean()) - abs(cases[tokens].mean()))
    return float(np.mean(found)) if found else np.nan


def one_key_for_both(weights: Weights) -> Weights:
    """The same weights, but that both cases of a letter have the mean of their keys: keys cannot tell the case."""
    W_K = weights.W_K.copy()
    L = W_K.shape[1] // 3
    W_K[:, :L] = W_K[:, L : 2 * L] = (W_K[:, :L] + W_K[:, L : 2 * L]) / 2
    return Weights(weights.W_Q, W_K, weights.W_V, weights.wiring)


def rewired(weights: Weights) -> Weights:
    """The same slow weights, but that projections and connections of units are drawn anew."""
    return Weights(weights.W_Q, weights.W_K, weights.W_V, np.asarray((weights.drawn_by + 1) % 2**63))


@dataclass(frozen=True)
class Recency(Labelled):
    """Test conditions with ideal slow weights, by lag; keys, sequences and wiring follow from the seed.

    Attributes
    ----------
    tested : sequences for each condition.
    length : |k|².
    """

    conditions: tuple[Condition, ...]
    tested: int
    length: float = LENGTH
    dims: ClassVar = dict.fromkeys(("right", "asked"), ("condition", "lag"))
    limits: ClassVar = {"tested": "n_tested"}

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        found = []
        for each in self.conditions:
            L = each.task.context_length
            weights = ideal(L, each.model.key_dim, self.length, np.random.default_rng(seed_for(seed, "weights")))
            found.append(by_lag(each, weights, self.tested, L, seed_for(seed, "test")))
        right, asked = np.swapaxes(found, 0, 1)
        return {"right": right, "asked": asked}

    @property
    def coordinates(self) -> Mapping[str, Any]:
        lags = max(each.task.context_length for each in self.conditions)
        return {"condition": [each.name for each in self.conditions], "lag": np.arange(lags)}


MEASURES = ("one_key", "rewired", "case_component", "other_case", "agreement")


@dataclass(frozen=True)
class InSitu(Trainings):
    """Train conditions from the same seed, test them by lag, and look at what they learnt.

    ``one_key``, ``rewired``: accuracy if both cases of a letter get the same key, and if units are wired anew.
    ``case_component``: of keys. ``other_case``: share of values that say the other case.
    ``agreement``: of the values of tokens that drive a unit. NaN if training diverges.
    """

    dims: ClassVar = {**Trainings.dims, **dict.fromkeys(MEASURES, ("condition",))}

    def measured(self, condition: Condition, found: Arrays, test: np.random.SeedSequence) -> Mapping[str, Any]:
        weights, changed = weights_of(found), []
        for other in (one_key_for_both(weights), rewired(weights)):
            right, asked = by_lag(condition, other, self.tested, self.lags, test)
            changed.append(float(right.sum() / asked.sum()))
        engine = condition.model.engine(condition.task, 0, weights.drawn_by)
        assert isinstance(engine, SlotFreeEngine)
        projected = np.asarray(engine.fast.projected[: n_item_tokens(condition.task)])  # redrawn ones: in no order
        five = (*changed, case_component(weights), other_case(weights), agreement(weights, projected))
        return {**super().measured(condition, found, test), **dict(zip(MEASURES, five, strict=True))}


IDEAL = Experiment("context-recency", Recency(LONGS, 1000), 20, few=2)
FORMULA = Experiment("context-formula", Recency((ONE, ONE_GRADED), 300), 200, few=2)  # wirings differ most
TRAINED = Experiment("context-in-situ", InSitu(SHORTS, 1500, tested=2000), 10, few=2)
# A vote in each unit, with slow weights that tell letters and nothing of units.
CEILING = voted(units(SHORTS[0]), SHORT)

FULL = ("one winner", "one winner, ε = 0.1", "thin", "shared mask", "k = 2", "k = 3")
BOTH = tuple(f"{name}, both" for name in ("thin", "shared mask", "k = 2", "k = 3"))
THIN_ITEMS = ("one winner", "thin items only", *BOTH, "too thin")
STAY, ANEW = "projections stay", "redrawn for each sequence"
CHANGES = {"as trained": BLUE, "same key for both cases": VERMILION, "units wired anew": PURPLE}


def draw(r: Results) -> Picture:
    """Draw accuracy by lag with ideal slow weights (A, B), what training uses (C), and all that is trained (D)."""
    picture = Picture(2, 3, width=12.0, height=3.9)
    full, thin, why = picture.axes[0]
    draw_recency(picture, full, "A", r[IDEAL], FULL)
    draw_laws(full)
    draw_recency(picture, thin, "B", r[IDEAL], THIN_ITEMS)
    draw_why(picture, why, r)
    pairs = picture.across(1)
    draw_pairs(picture, pairs, r)
    for axis in (why, pairs):
        axis.axhline(CEILING, color=GREY, ls="--", lw=1, label=f"vote in each of {units(SHORTS[0])} units")
        axis.legend(loc="upper right", fontsize=7, ncols=2)
    for axis, letter, title in (
        (full, "A", f"ideal slow weights, L = C = {LONG}"),
        (thin, "B", "the same; thin items too"),
        (why, "C", f"what training uses (L = C = {SHORT}, ε = 0.3)"),
        (pairs, "D", f"trained, L = C = {SHORT}, over all lags"),
    ):
        picture.panel(axis, letter, title)
    runs = tuple(r[experiment].sizes["run"] for experiment in (IDEAL, TRAINED))
    note = (
        f"A, B: about {MANY_WEIGHTS} fast weights, {runs[0]} runs, {TOGETHER} lags together, mean ± 1 s.e.; n: units. "
        f"C, D: about {FEW_WEIGHTS} fast weights, {runs[1]} runs, bars: medians."
    )
    picture.figure.supxlabel(note, fontsize=7)
    return picture


def draw_recency(picture: Picture, axis: Axes, panel: str, data: xr.Dataset, names: Sequence[str]) -> None:
    """Draw accuracy against lag, several lags together."""
    counts = data[["right", "asked"]].coarsen(lag=TOGETHER).sum()
    middles = np.arange(0, LONG, TOGETHER) + (TOGETHER - 1) / 2
    runs = (counts["right"] / counts["asked"]).assign_coords(lag=middles)
    n = {each.name: units(each) for each in LONGS}
    looks = {
        name: (f"{name.removesuffix(', both')}, n = {n[name]}", colour, "-")
        for name, colour in zip(names, (BLACK, *PALETTE), strict=False)
    }
    curves(picture, axis, runs, looks, columns=("lag", "accuracy", "standard_error"), panel=panel)
    axis.set(ylim=(0.48, 1.02), xlabel="lag (0 = newest item)", ylabel="accuracy")
    axis.legend(loc="lower left", fontsize=6, ncols=2, columnspacing=0.8, handlelength=1.2)


def draw_laws(axis: Axes) -> None:
    """Draw what one winner does by formula."""
    n = units(ONE)
    axis.plot(np.arange(LONG), newest(n, LONG), "--", color=BLACK, lw=1)
    axis.axhline(voted(n, LONG), ls="--", color=VERMILION, lw=1)
    axis.text(LONG - 1, voted(n, LONG) + 0.008, "formula: vote", color=VERMILION, fontsize=7, ha="right")
    axis.text(9, 0.965, "formula: newest (dashed)", color=BLACK, fontsize=7)


def draw_why(picture: Picture, axis: Axes, r: Results) -> None:
    """Draw what becomes of accuracy if trained weights are changed, or units wired anew."""
    places = {}
    for place, suffix in (("by token", ""), ("by letter", ", by letter"), ("redrawn", ", redrawn")):
        name = f"one winner, ε = 0.3{suffix}"
        found = (right(TRAINED, name)(r), measured("one_key", name)(r), measured("rewired", name)(r))
        places[place] = dict(zip(CHANGES, found, strict=True))
    side_by_side(picture, axis, places, CHANGES, table="-trained", panel="C")
    axis.set(ylim=(0.48, 1.15), ylabel="accuracy", xlabel="input projections")


def draw_pairs(picture: Picture, axis: Axes, r: Results) -> None:
    """Draw accuracy over all lags of all trained conditions, with projections that stay and with redrawn ones."""
    places: dict[str, dict[str, Values]] = {}
    for each in SHORTS:
        if not each.name.endswith("by letter"):
            place, series = each.name.removesuffix(", redrawn"), ANEW if "redrawn" in each.name else STAY
            places.setdefault(place, {})[series] = right(TRAINED, each.name)(r)
    side_by_side(picture, axis, places, {STAY: BLUE, ANEW: ORANGE}, table="-trained", panel="D")
    axis.set(ylim=(0.53, 1.12), ylabel="accuracy", yticks=np.arange(0.6, 1.01, 0.1))


@measure
def right(r: Results, experiment: Experiment, name: str) -> Values:
    """Accuracy over all lags in each run."""
    one = r[experiment].sel(condition=name)
    return np.asarray((one["right"].sum("lag") / one["asked"].sum("lag")).values)


@measure
def measured(r: Results, what: str, name: str) -> Values:
    """What was measured of trained weights, in each run."""
    return np.asarray(r[TRAINED][what].sel(condition=name).values)


@measure
def off(r: Results, name: str, formula: float) -> Values:
    """Accuracy over all lags less that of a formula, in each run."""
    return right(FORMULA, name)(r) - formula


@measure
def redrawn(r: Results) -> Estimate:
    """The larger accuracy with projections that are redrawn for each sequence, ε = 0.3 and 0.1."""
    names = [f"one winner, ε = {rate}, redrawn" for rate in (0.3, 0.1)]
    return estimate.largest_of(estimate.mean(right(TRAINED, name)(r)) for name in names)


@measure
def most(r: Results) -> Values:
    """Gain of thin units with ε = 0.3 over one winner, less what k = 2 adds, in each run."""
    thin, one, two = (right(TRAINED, name)(r) for name in ("thin, ε = 0.3", "one winner", "k = 2, ε = 0.3"))
    return np.asarray(2 * thin - one - two)


GRADED, LETTER, WEAK = "one winner, ε = 0.3", "one winner, ε = 0.3, by letter", "thin, γ = 3, both"
REDRAWN, REDRAWN_ONE = "one winner, ε = 0.3, redrawn", "one winner, redrawn"
# The better and the worse, in the same runs and at equal numbers of fast weights.
GRADED_GAINS = (("graded", ONE_GRADED.name, ONE.name, "graded updates help one winner"),)
IDEAL_GAINS = (
    ("ideal-thin", "thin", ONE.name, "thin units, items whole"),
    ("both-thin", "thin, both", ONE.name, "thin units, items thin too"),
    ("both-k2", "k = 2, both", "thin, both", "with units to spare, k = 2 adds to thin units"),
    ("second-harms", "thin", "k = 2", "with 50 units for 64 items a second winner overwrites more than it saves"),
    ("too-thin", "thin, both", "too thin", "8 of 50 components are too few for one winner"),
    ("repaired", "too thin, k = 3", "too thin", "k = 3 repairs units that are too thin"),
    ("weak-thin", ONE.name, WEAK, "projections must be stronger than keys that are alike, γ > |k|²"),
)
TRAINED_GAINS = (
    ("masks-trained", "thin", "shared mask", "masks of their own, and one for all units"),
    ("repaired-trained", "too thin, k = 3", "too thin", "k = 3 repairs units that are too thin"),
    ("trained-graded", GRADED, ONE.name, "graded updates help one winner"),
    ("trained-thin", "thin", ONE.name, "thin units help"),
    ("redrawn-graded", REDRAWN, REDRAWN_ONE, "projections redrawn: graded updates help one winner"),
    ("redrawn-thin", "thin, redrawn", REDRAWN_ONE, "projections redrawn: thin units help"),
)
FORMULAS = (  # a unit answers for the newest of its items, or by a vote of them
    ("newest", ONE.name, float(newest(units(ONE), LONG).mean())),
    ("vote", ONE_GRADED.name, voted(units(ONE), LONG)),
)
VOTE = f"{CEILING:.3f}, what a vote in each of {units(SHORTS[1])} units gives"
CLAIMS = (
    *(
        judged(
            f"contextC2.formula-{law}",
            off(name, value),
            within(-CLOSE, CLOSE),
            f"ideal slow weights, {name}: accuracy less the formula's, {value:.3f}; at most {CLOSE} off",
        )
        for law, name, value in FORMULAS
    ),
    *(
        more(
            f"contextC2.{name}",
            right(experiment, better),
            right(experiment, worse),
            f"{'trained' if experiment is TRAINED else 'ideal slow weights'}, {words}: accuracy, {better} and {worse}",
            paired=True,
        )
        for experiment, gains in ((FORMULA, GRADED_GAINS), (IDEAL, IDEAL_GAINS), (TRAINED, TRAINED_GAINS))
        for name, better, worse, words in gains
    ),
    more("contextC2.trained-most", most(), 0, "trained, gain by thin units with ε = 0.3 less what k = 2 adds to it"),
    more("contextC2.beyond-vote", right(TRAINED, GRADED), CEILING, f"trained, ε = 0.3: accuracy above {VOTE}"),
    more("contextC2.letter-beyond", right(TRAINED, LETTER), CEILING, f"projections by letter too: above {VOTE}"),
    judged("contextC2.redrawn-vote", redrawn(), at_most(CEILING + CLOSE), f"projections redrawn: no more than {VOTE}"),
    judged("contextC2.rewired", measured("rewired", GRADED), at_most(CEILING), f"units wired anew: at most {VOTE}"),
    judged(
        "contextC2.no-case-in-keys",
        measured("case_component", GRADED),
        at_most(0),
        "share of |k|² by which keys tell the case in a direction that letters share: at most 0",
    ),
    more(
        "contextC2.values-token",
        measured("other_case", GRADED),
        measured("other_case", REDRAWN),
        "share of tokens whose value says the other case, projections by token and redrawn",
        paired=True,
    ),
    more(
        "contextC2.agreement-token",
        measured("agreement", GRADED),
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
    "newest: 0.76 becomes 0.80, as two formulas say. Trained in situ they do far more, 0.96 instead of 0.76 (C, D): "
    "not because keys of the same case are alike, which they are not, but because units keep their wiring. Training "
    "makes a value the answer of a unit, and lets keys say whether an item calls for it; a third of all values then "
    "says the other case. Where projections are redrawn for each sequence, no more than the vote is left (C).",
    alt="Four panels. A and B: accuracy against lag with ideal slow weights for one winner, graded updates, thin "
    "units, a shared mask and several winners; in A on dashed lines of two formulas. C: accuracy of trained models, "
    "with one key for both cases, and wired anew, for three kinds of input projections, with a line for a vote in each "
    "unit. D: accuracy over all lags of eleven trained conditions, with projections that stay and redrawn ones.",
    experiments=(IDEAL, FORMULA, TRAINED),
    draw=draw,
    claims=CLAIMS,
)
