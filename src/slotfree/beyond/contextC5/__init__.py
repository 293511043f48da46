"""Recency of a distributed context: accuracy by lag in simulation, in theory, and by the theory of part one."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from slotfree.beyond.contextC5.experiments import DISTRIBUTED, GROUPS, ONE_WINNER, RECENCY, Floats, Setting
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLUE, DARK_GREY, GREEN, GREY, ORANGE, PALETTE, PURPLE, VERMILION
from slotfree.study import estimate
from slotfree.study.claim import above, at_most
from slotfree.study.estimate import Estimate
from slotfree.study.item import Item
from slotfree.study.judge import judged, measure
from slotfree.study.results import Results

LIMIT = 0.02  # of errors of accuracy
TOGETHER = 8  # neighbouring lags
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
        deviation = self.simulated.std(axis=0, ddof=1) / np.sqrt(len(self.simulated))
        return float(np.sqrt(2 / np.pi) * deviation.mean())

    def error(self, predicted: Floats) -> Estimate:
        """Mean |predicted − simulated| accuracy over lags."""
        n = len(self.simulated)
        without = (n * self.mean - self.simulated) / (n - 1)
        errors = np.abs(predicted - without).mean(axis=1)
        return estimate.jackknife(float(np.abs(predicted - self.mean).mean()), errors)

    def together(self) -> tuple[Floats, Floats]:
        """|Predicted − simulated| over neighbouring lags, and its standard error, (block of lags)."""
        runs = (self.setting.predicted() - self.simulated).reshape(len(self.simulated), -1, TOGETHER).mean(axis=2)
        return np.abs(runs.mean(axis=0)), runs.std(axis=0, ddof=1) / np.sqrt(len(runs))


def compared(r: Results, *groups: str) -> list[Compared]:
    """The settings of groups, all by default."""
    accuracy = (r[RECENCY]["right"] / r[RECENCY]["asked"]).values
    places = {one: i for i, one in enumerate(RECENCY.run.settings)}  # type: ignore[attr-defined]
    chosen = [one for group in groups or GROUPS for one in GROUPS[group]]
    return [Compared(one, accuracy[:, places[one], : one.length]) for one in chosen]


def draw(r: Results) -> Picture:
    """Draw curves where projections choose winners (A, B), where keys do (C, D), part one's (E), and all errors (F)."""
    picture = Picture(2, 3, width=12, height=3.9)
    axes = picture.axes
    for axis, letter, group in zip(axes.ravel(), "ABCD", list(GROUPS)[:4], strict=False):
        for one, colour in zip(compared(r, group), PALETTE, strict=False):
            draw_curve(axis, one, one.setting.predicted(), colour)
        finish(picture, axis, letter, group)
    part_one = axes[1, 1]
    shown = [
        one for one in compared(r) if one.setting in (ONE_WINNER[0], ONE_WINNER[2], DISTRIBUTED[1], DISTRIBUTED[3])
    ]
    for one, colour in zip(shown, (VERMILION, GREEN, BLUE, PURPLE), strict=True):
        draw_curve(part_one, one, one.setting.retained(), colour, style="--")
    finish(picture, part_one, "E", "part one's predict_retention")
    draw_errors(picture, axes[1, 2], r)
    record_curves(picture, r)
    runs = r[RECENCY].sizes["run"]
    handles = [
        axes[0, 0].plot([], [], "-", color=DARK_GREY, label="theory of recency")[0],
        axes[0, 0].plot([], [], "--", color=DARK_GREY, label="theory of part one, rescaled to chance")[0],
        axes[0, 0].plot([], [], "o", ms=3, color=DARK_GREY, label="simulation, four lags averaged, ± 1 s.e.")[0],
    ]
    tested = int(r[RECENCY]["asked"].values.max())
    note = f"ideal slow weights; {runs} runs, each with keys and connections of its own and {tested} sequences"
    picture.figure.legend(
        handles=handles, loc="outside lower center", ncols=3, frameon=False, title=note, title_fontsize=7
    )
    return picture


def draw_curve(axis: Axes, one: Compared, predicted: Floats, colour: str, style: str = "-") -> None:
    """Draw a theory as a line, and the simulation as dots."""
    axis.plot(predicted, style, color=colour, lw=1.3, label=one.setting.name)
    runs = one.simulated.reshape(len(one.simulated), -1, 4).mean(axis=2)
    error = runs.std(axis=0, ddof=1) / np.sqrt(len(runs))
    axis.errorbar(np.arange(runs.shape[1]) * 4 + 1.5, runs.mean(axis=0), error, fmt="o", ms=2.6, lw=0.8, color=colour)


def finish(picture: Picture, axis: Axes, letter: str, title: str) -> None:
    """Name a panel of curves and its axes."""
    axis.axhline(0.5, color=GREY, lw=0.8, ls=":")
    axis.set(xlabel="lag (0 = newest item)", ylabel="accuracy", xlim=(-1, 65), ylim=(0.45, 1.02))
    framed: dict[str, Any] = {"frameon": True, "edgecolor": "none", "framealpha": 1.0}
    axis.legend(fontsize=6.5, loc="lower left" if letter == "B" else "upper right", **framed)
    picture.panel(axis, letter, title)


def draw_errors(picture: Picture, axis: Axes, r: Results) -> None:
    """Draw the mean |error| of each setting, by both theories, and what chance alone would give; record them."""
    place, places, names = 0.0, [], []
    for group in GROUPS:
        rows = compared(r, group)
        at = place + np.arange(len(rows))
        axis.plot([one.error(one.setting.predicted()).value for one in rows], at, "o", ms=4, color=BLUE)
        axis.plot([one.chance for one in rows], at, "|", ms=9, color=DARK_GREY)
        if group in BY_PART_ONE:
            axis.plot([one.error(one.setting.retained()).value for one in rows], at, "x", ms=4, color=ORANGE)
        places.append(float(at.mean()))
        names.append(group.replace(", ", ",\n").replace("keys choose the", "keys choose\nthe"))
        place += len(rows) + 1
        axis.axhline(place - 1, color=GREY, lw=0.3)
    axis.axvline(LIMIT, color=GREY, lw=0.8)
    axis.set(xlabel="mean |error| of accuracy over lags", xlim=(0, None), ylim=(place - 1, -1))
    axis.set_yticks(places, names, fontsize=6.5)
    for style, colour, label in (("o", BLUE, "recency"), ("x", ORANGE, "part one"), ("|", DARK_GREY, "by chance")):
        axis.plot([], [], style, color=colour, ms=4, label=label)
    axis.legend(fontsize=6.5, loc="center right")
    picture.panel(axis, "F", "errors")


def record_curves(picture: Picture, r: Results) -> None:
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


CHOSEN, HELD_OUT = "projections choose the winners", "settings held out"
ERROR, LAGS = "mean absolute error of the worst setting", f"largest error of every {TOGETHER} neighbouring lags"
PART_ONE = "mean absolute error of part one's theory of the memory with the same n_h, k, f and ε, rescaled to chance"
LIMITED = (
    ("projections-error", worst(*BY_PART_ONE), at_most(LIMIT), f"{ERROR}, {CHOSEN}"),
    ("projections-lags", worst_lags(*BY_PART_ONE), at_most(LIMIT), f"{LAGS}, {CHOSEN}"),
    ("held-out-error", worst("held out"), at_most(LIMIT), f"{ERROR}, {CHOSEN}, {HELD_OUT}"),
    ("held-out-lags", worst_lags("held out"), at_most(LIMIT), f"{LAGS}, {CHOSEN}, {HELD_OUT}"),
    ("keys-error", worst("keys choose the winners"), at_most(LIMIT), f"{ERROR}, keys choose the winners"),
    ("keys-missed", worst("held out, keys choose"), above(LIMIT), f"{ERROR}, keys choose the winners, {HELD_OUT}"),
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
    alt="Six panels. A to D: accuracy against lag, theory as lines and simulation as dots with error bars, for one "
    "winner, for thin units and several winners, and where keys choose the winners. E: the same dots with the rescaled "
    "theory of part one. F: mean absolute error of each setting by both theories, and by chance.",
    experiments=(RECENCY,),
    draw=draw,
    claims=CLAIMS,
)
