"""Recency of a distributed context: accuracy by lag in simulation, in theory, and by the theory of part one."""

from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, ClassVar

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.attention.storages.winners import Winners
from slotfree.attention.weights import Weights
from slotfree.beyond.contextC5.recency import predict_recency
from slotfree.beyond.shared.train_side_by_side import Condition, by_lag
from slotfree.checks import Seed
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLUE, DARK_GREY, GREY, ORANGE, PALETTE
from slotfree.files.safetensors import Arrays
from slotfree.forgetting.theory.k_winner import predicted_curves
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.runs.seeds import seed_for
from slotfree.study import Estimate, Experiment, Item, Results, Scale, above, at_most, estimate, judged, measure
from slotfree.study.labelled import Labelled
from slotfree.tasks.case_sequence import CaseSequenceTask
from slotfree.tasks.sequences import Sequences

Floats = NDArray[np.float64]

CHOSEN = 60.0  # γ with which projections choose the winners
VISIBLE = (52, 26)  # units of the memory of part one: as many as components of a key and of a value; half are active
RUNS = 40
LIMIT = 0.02  # of errors of accuracy
DOT, TOGETHER = 4, 8  # neighbouring lags that are averaged, in figures and in claims


@dataclass(frozen=True)
class Setting:
    """A distributed context, for keys of N components and length |k|; the context holds every letter once."""

    n_hidden: int
    k: int
    m: int
    rate: float = 1.0
    gain: float = CHOSEN
    key_dim: int = 50
    length: int = 64
    key_length: float = 10**0.5

    @property
    def name(self) -> str:
        """What it is, in a line."""
        n, k, m, rate, gain = self.n_hidden, self.k, self.m, self.rate, self.gain
        other = (
            f", N {self.key_dim}, C {self.length}, |k| {self.key_length:.1f}"
            if (self.key_dim, self.length) != (50, 64)
            else ""
        )
        return f"$n_h$ {n}, k {k}, m {m}, ε {rate:g}{f', γ {gain:g}' if gain < CHOSEN else ''}{other}"

    @property
    def storage(self) -> Winners:
        return Winners(self.k, self.m / self.key_dim, rate=self.rate, projection_gain=self.gain, item_fan_out=1e-3)

    def condition(self) -> Condition:
        model = SlotFreeTransformer("fixed", key_dim=self.key_dim, n_hidden=self.n_hidden, storage=self.storage)
        return Condition(self.name, model, EveryLetterAsked(self.length, self.length))

    def ideal(self, seed: np.random.SeedSequence) -> Weights:
        """Slow weights that solve the task: W_Q and W_K the random key of each letter, W_V the case code."""
        rng = np.random.default_rng(seed)
        keys = rng.standard_normal((self.key_dim, self.length))
        keys *= self.key_length / np.linalg.norm(keys, axis=0)
        none, wiring = np.zeros_like(keys), np.int64(rng.integers(2**31))
        values = np.hstack([CaseSequenceTask(self.length, self.length).case_code, np.zeros((2, self.length))])
        return Weights(np.hstack([none, none, keys]), np.hstack([keys, keys, none]), values, np.asarray(wiring))

    @cache  # noqa: B019 a figure and its claims need the same predictions
    def predicted(self) -> Floats:
        """Accuracy (lag) by the theory of recency."""
        curve = predict_recency(self.n_hidden, self.key_dim, self.storage, self.length, key_length=self.key_length)
        return np.asarray(curve.values, np.float64)

    @cache  # noqa: B019
    def retained(self) -> Floats:
        """Accuracy (lag) by part one's theory: 1/2 for a pattern that is as if never stored, 1 for a perfect one."""
        n_visible, k_visible = VISIBLE
        fan_in, ages = self.m / self.key_dim, np.arange(1, self.length + 1)
        memory = KWinnerSettings(n_visible, self.n_hidden, k_visible, self.k, fan_in, self.rate)
        accuracy, baseline, *_ = predicted_curves(memory, (1.0,), ages, anywhere=True)
        return np.asarray(0.5 + 0.5 * (accuracy[0] - baseline[0]) / (1 - baseline[0]), np.float64)


@dataclass(frozen=True)
class EveryLetterAsked(CaseSequenceTask):
    """The Case Sequence Task, with a query for each item of the context."""

    @property
    def n_queries(self) -> int:
        return self.context_length

    def batch(self, size: int, *, seed: Seed) -> Sequences:
        context, L = super().batch(size, seed=seed).context, self.n_letters
        return Sequences(context, context % L + 2 * L, context // L)


@dataclass(frozen=True)
class Recency(Labelled):
    """Test each setting with ideal slow weights on new sequences; keys and connections are drawn for each run."""

    settings: tuple[Setting, ...]
    tested: int = 120
    dims: ClassVar = dict.fromkeys(("right", "asked"), ("setting", "lag"))
    numbered: ClassVar = False

    @property
    def lags(self) -> int:
        """Of the longest context."""
        return max(setting.length for setting in self.settings)

    def __call__(self, seed: np.random.SeedSequence) -> Arrays:
        found = [
            by_lag(one.condition(), one.ideal(seed_for(seed, "ideal")), self.tested, self.lags, seed_for(seed, "test"))
            for one in self.settings
        ]
        right, asked = np.swapaxes(found, 0, 1)
        return {"right": right, "asked": asked}

    def at(self, scale: Scale) -> "Recency":
        return self if scale.is_full else replace(self, tested=min(self.tested, 30))


ONE_WINNER = tuple(Setting(43, 1, 50, rate) for rate in (1.0, 0.5, 0.3, 0.1))
DISTRIBUTED = (
    Setting(151, 1, 12),
    Setting(99, 1, 20),
    Setting(99, 2, 20),
    Setting(151, 3, 12),
    Setting(151, 3, 12, 0.3),
    Setting(207, 5, 8),
)
BY_KEYS = (
    Setting(43, 1, 50, gain=1),
    Setting(43, 1, 50, gain=3),
    Setting(99, 1, 20, gain=3),
    Setting(151, 3, 12, gain=3),
)
TOO_THIN = (Setting(284, 1, 5, gain=3), Setting(175, 2, 10, gain=3), Setting(207, 3, 8, gain=3))
# Drawn at random when the theory was complete, and never used to build it: k, m/N, ε, γ, n_h, N, C and |k|, with at
# least 11 components for each unit. First those where projections choose the winners, then those where keys do.
HELD_OUT = (
    Setting(303, 4, 100, 0.19, CHOSEN, 100, 48, 3.8),
    Setting(236, 4, 60, 1.0, CHOSEN, 100, 64, 3.3),
    Setting(140, 2, 30, 0.65, CHOSEN, 50, 48, 3.3),
    Setting(114, 2, 12, 1.0, CHOSEN, 30, 48, 2.7),
    Setting(138, 2, 30, 0.2, CHOSEN, 50, 48, 4.1),
    Setting(163, 1, 30, 1.0, CHOSEN, 50, 96, 3.6),
    Setting(232, 4, 40, 0.33, CHOSEN, 100, 48, 3.3),
    Setting(79, 4, 30, 0.27, CHOSEN, 30, 48, 3.8),
)
HELD_OUT_BY_KEYS = (
    Setting(96, 3, 100, 1.0, 3.8, 100, 64, 3.3),
    Setting(92, 2, 11, 0.23, 2.0, 30, 48, 3.0),
    Setting(75, 4, 30, 1.0, 1.7, 30, 32, 4.0),
    Setting(41, 1, 30, 0.29, 6.5, 50, 64, 3.8),
)
GROUPS = {
    "one winner": ONE_WINNER,
    "thin units, several winners": DISTRIBUTED,
    "keys choose the winners": BY_KEYS,
    "keys choose, thin units": TOO_THIN,
    "held out": HELD_OUT,
    "held out, keys choose": HELD_OUT_BY_KEYS,
}
RECENCY = Experiment("recency", Recency(tuple(one for group in GROUPS.values() for one in group)), RUNS, few=2)
BY_PART_ONE = ("one winner", "thin units, several winners")  # groups of which part one's theory is asked too


@dataclass(frozen=True, eq=False)
class Compared:
    """A setting in theory and in simulation, accuracy (run, lag)."""

    setting: Setting
    simulated: Floats

    @cached_property
    def mean(self) -> Floats:
        """Simulated accuracy, (lag)."""
        return np.asarray(self.simulated.mean(axis=0))

    @property
    def chance(self) -> float:
        """Mean |error| of a perfect theory: E|x| = √(2/π) times the standard error."""
        return float(np.sqrt(2 / np.pi) * standard_error(self.simulated).mean())

    def error(self, predicted: Floats) -> Estimate:
        """Mean |predicted − simulated| accuracy over lags."""
        n = len(self.simulated)
        without = (n * self.mean - self.simulated) / (n - 1)
        errors = np.abs(predicted - without).mean(axis=1)
        return estimate.jackknife(float(np.abs(predicted - self.mean).mean()), errors)

    def together(self) -> tuple[Floats, Floats]:
        """|Predicted − simulated| over neighbouring lags, and its standard error, (block of lags)."""
        runs = in_blocks(self.setting.predicted() - self.simulated, TOGETHER)
        return np.abs(runs.mean(axis=0)), standard_error(runs)


def in_blocks(runs: Floats, lags: int) -> Floats:
    """Means of neighbouring lags, (run, block)."""
    return np.asarray(runs.reshape(len(runs), -1, lags).mean(axis=2))


def standard_error(runs: Floats) -> Floats:
    """Of the mean over runs, of each column."""
    return np.asarray(runs.std(axis=0, ddof=1) / np.sqrt(len(runs)))


def compared(r: Results, *groups: str) -> list[Compared]:
    """The settings of groups, all by default."""
    accuracy = (r[RECENCY]["right"] / r[RECENCY]["asked"]).values
    places = {one: i for i, one in enumerate(RECENCY.run.settings)}  # type: ignore[attr-defined]
    chosen = [one for group in groups or GROUPS for one in GROUPS[group]]
    return [Compared(one, accuracy[:, places[one], : one.length]) for one in chosen]


def draw(r: Results) -> Picture:
    """Draw curves where projections choose winners (A, B), where keys do (C, D), and errors of both theories (E)."""
    picture = Picture(3, 2, width=10, height=3.4)
    for axis, letter, group in zip(picture.axes.ravel(), "ABCD", GROUPS, strict=False):
        for one, colour in zip(compared(r, group), PALETTE, strict=False):
            draw_curve(axis, one, colour)
        axis.axhline(0.5, color=GREY, lw=0.8, ls=":")
        axis.set(xlabel="lag (0 = newest item)", ylabel="accuracy", xlim=(-1, 65), ylim=(0.45, 1.02))
        framed: dict[str, Any] = {"frameon": True, "edgecolor": "none", "framealpha": 1.0}
        axis.legend(fontsize=6.5, loc="lower left" if letter == "B" else "upper right", **framed)
        picture.panel(axis, letter, group)
    errors = picture.across(2)
    draw_errors(errors, r)
    picture.panel(errors, "E", "errors")
    record(picture, r)
    tested = int(r[RECENCY]["asked"].values.max())
    note = (
        f"lines: theory of recency; dots: simulation with ideal slow weights, {DOT} lags averaged, ± 1 s.e. of "
        f"{r[RECENCY].sizes['run']} runs, each with keys and connections of its own and {tested} sequences"
    )
    picture.figure.supxlabel(note, fontsize=7)
    return picture


def draw_curve(axis: Axes, one: Compared, colour: str) -> None:
    """Draw the theory as a line, and the simulation as dots."""
    axis.plot(one.setting.predicted(), color=colour, lw=1.3, label=one.setting.name)
    runs = in_blocks(one.simulated, DOT)
    lags = np.arange(runs.shape[1]) * DOT + (DOT - 1) / 2
    axis.errorbar(lags, runs.mean(axis=0), standard_error(runs), fmt="o", ms=2.6, lw=0.8, color=colour)


def draw_errors(axis: Axes, r: Results) -> None:
    """Draw the mean |error| of each setting, by both theories, and what chance alone would give."""
    place, places = 0.0, []
    for group in GROUPS:
        rows = compared(r, group)
        at = place + np.arange(len(rows))
        axis.plot([one.error(one.setting.predicted()).value for one in rows], at, "o", ms=4, color=BLUE)
        axis.plot([one.chance for one in rows], at, "|", ms=9, color=DARK_GREY)
        if group in BY_PART_ONE:
            axis.plot([one.error(one.setting.retained()).value for one in rows], at, "x", ms=4, color=ORANGE)
        places.append(float(at.mean()))
        place += len(rows) + 1
        axis.axhline(place - 1, color=GREY, lw=0.3)
    axis.axvline(LIMIT, color=GREY, lw=0.8)
    axis.set(xlabel="mean |error| of accuracy over lags", xlim=(0, None), ylim=(place - 1, -1))
    axis.set_yticks(places, list(GROUPS), fontsize=7)
    for style, colour, label in (
        ("o", BLUE, "theory of recency"),
        ("x", ORANGE, "theory of part one, rescaled to chance"),
        ("|", DARK_GREY, "by chance"),
    ):
        axis.plot([], [], style, color=colour, ms=4, label=label)
    axis.legend(fontsize=7, loc="center right")


def record(picture: Picture, r: Results) -> None:
    """Record every curve, and the errors of every setting."""
    for group in GROUPS:
        for one in compared(r, group):
            s, found = one.setting, one.error(one.setting.predicted())
            sizes = {"n_hidden": s.n_hidden, "k": s.k, "m": s.m, "rate": s.rate, "gain": s.gain}
            same = {"group": group, **sizes, "key_dim": s.key_dim, "key_length": s.key_length}
            numbers = {"mean_error": found.value, "by_chance": one.chance, "largest_of_8_lags": one.together()[0].max()}
            retained = one.error(s.retained()).value if group in BY_PART_ONE else ""
            picture.record({**same, "context": s.length, **numbers, "mean_error_of_part_one": retained})
            columns = {"lag": np.arange(s.length), "predicted": s.predicted(), "simulated": one.mean}
            picture.record_columns(columns, table="-curves", **same)


@measure
def worst(r: Results, *groups: str) -> Estimate:
    """Mean |error| of the setting for which it is largest."""
    return estimate.largest_of(one.error(one.setting.predicted()) for one in compared(r, *groups))


@measure
def worst_lags(r: Results, *groups: str) -> Estimate:
    """The largest error of all settings and of every 8 neighbouring lags, judged together."""
    return estimate.chosen_largest(*np.hstack([one.together() for one in compared(r, *groups)]))


@measure
def of_part_one(r: Results, *, plain: bool) -> Estimate:
    """Mean |error| of part one's theory: for one winner, f = 1, ε = 1; or the smallest for f < 1 or k > 1."""
    chosen = [one for one in compared(r, *BY_PART_ONE) if (one.setting in ONE_WINNER[:1]) == plain]
    others = [one for one in chosen if plain or one.setting not in ONE_WINNER]
    return estimate.smallest_of(one.error(one.setting.retained()) for one in others)


BY_PROJECTIONS, UNUSED = "projections choose the winners", "settings held out"
ERROR, LAGS = "mean absolute error of the worst setting", f"largest error of every {TOGETHER} neighbouring lags"
PART_ONE = "mean absolute error of part one's theory of the memory with the same n_h, k, f and ε, rescaled to chance"
LIMITED = (
    ("projections-error", worst(*BY_PART_ONE), at_most(LIMIT), f"{ERROR}, {BY_PROJECTIONS}"),
    ("projections-lags", worst_lags(*BY_PART_ONE), at_most(LIMIT), f"{LAGS}, {BY_PROJECTIONS}"),
    ("held-out-error", worst("held out"), at_most(LIMIT), f"{ERROR}, {BY_PROJECTIONS}, {UNUSED}"),
    ("held-out-lags", worst_lags("held out"), at_most(LIMIT), f"{LAGS}, {BY_PROJECTIONS}, {UNUSED}"),
    ("keys-error", worst("keys choose the winners"), at_most(LIMIT), f"{ERROR}, keys choose the winners"),
    ("keys-missed", worst("held out, keys choose"), above(LIMIT), f"{ERROR}, keys choose the winners, {UNUSED}"),
    ("part-one-plain", of_part_one(plain=True), at_most(LIMIT), f"{PART_ONE}: one winner, f = 1, ε = 1"),
    ("part-one-otherwise", of_part_one(plain=False), above(LIMIT), f"{PART_ONE}: smallest for f < 1 or k > 1"),
)
CLAIMS = tuple(judged(f"contextC5.{name}", found, limits, words) for name, found, limits, words in LIMITED)

ITEM = Item(
    name="contextC5",
    title="How long a distributed context remembers, predicted",
    text="Lines are computed from the settings alone, dots are simulated with ideal slow weights: the accuracy with "
    "which an item is recalled, by how many came after it. Where projections choose the winners, the theory is "
    "right within 0.02. Where keys choose them it is less exact, and fails in places: units that see five "
    "components recall the newest items better than predicted, and several winners that see the whole key are won "
    "again together, and forget faster. The retention theory of part one has the same curve for one winner with ε = 1 "
    "that sees the whole key, and not otherwise. There a pattern is to be completed; here one of two values is read.",
    alt="Five panels. A to D: accuracy against lag, theory as lines and simulation as dots with error bars, for one "
    "winner, for thin units and several winners, and where keys choose the winners. E: mean absolute error of each "
    "setting by both theories, and by chance.",
    experiments=(RECENCY,),
    draw=draw,
    claims=CLAIMS,
)
