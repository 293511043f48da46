"""Curves by lag in theory and in simulation, and errors."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from slotfree.beyond.contextC5.compared import BY_PART_ONE, LIMIT, Compared, compared
from slotfree.beyond.contextC5.experiments import DISTRIBUTED, GROUPS, ONE_WINNER, RECENCY, Floats
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLUE, DARK_GREY, GREEN, GREY, ORANGE, PALETTE, PURPLE, VERMILION
from slotfree.study.results import Results


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
