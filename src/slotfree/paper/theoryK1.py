"""Theory of the K-winner MHN against simulation: curves, and errors over a grid and over settings held out."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from slotfree.forgetting.family import matched
from slotfree.forgetting.protocol import CUES
from slotfree.forgetting.theory import one_winner
from slotfree.forgetting.theory.k_winner import predict_retention
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.paper import drawing
from slotfree.paper.claims import Claims
from slotfree.paper.items import Context, Item, Output
from slotfree.paper.models import GRADED, K_WINNER, ONE_WINNER, WIDE
from slotfree.paper.theory_errors import Comparison, compare, mean_error
from slotfree.paper.theory_grid import FAN_INS, GRID_RUNS, HELD_OUT_RUNS, LEARNING_RATES, WEIGHTS, WINNERS

LIMIT = 0.02
CLOSE = 0.1  # of C and β, as a fraction
SHOWN = {
    K_WINNER.settings: K_WINNER.label,
    WIDE.settings: WIDE.label,
    ONE_WINNER.settings: ONE_WINNER.label,
    GRADED.settings: GRADED.label,
    matched(WEIGHTS, 0.02, 200, 0.1): "many small units, slow",
    matched(WEIGHTS, 0.5, 10, 1.0): "few large units, fast",
}
CUE_COLOURS = {1.0: "#D55E00", 0.5: "#0072B2"}
HEADER = (
    *("set", "n_visible", "n_hidden", "k_visible", "k_hidden", "fan_in", "learning_rate", "cue"),
    *("mean_error", "by_chance", "mean_error_of_bins", "by_chance_of_bins", "largest_error"),
    *("baseline", "baseline_simulated", "C", "C_simulated", "C_error", "beta", "beta_simulated", "beta_error"),
)


def make(context: Context) -> Output:
    """Draw curves (A to H), errors over the grid (I to K) and of the settings held out (L); judge the theory."""
    grid = compare(context.results[GRID_RUNS.name], GRID_RUNS.ages(context.scale))
    held_out = compare(context.results[HELD_OUT_RUNS.name], HELD_OUT_RUNS.ages(context.scale))
    figure, axes = drawing.new_figure(3, 4, context.scale, width=12, height=2.7)
    for i, (axis, (one, title)) in enumerate(zip(axes[:2].ravel(), chosen(grid, held_out), strict=False)):
        draw_curves(axis, one)
        drawing.panel(axis, "ABCDEFGH"[i], title)
        axis.set_xlabel("memory age (1 = newest)" if i >= 4 else "")
        axis.set_ylabel("accuracy ρ" if i % 4 == 0 else "")
    for i, (axis, eps) in enumerate(zip(axes[2], LEARNING_RATES, strict=False)):
        draw_errors(axis, grid, eps)
        drawing.panel(axis, "IJK"[i], f"mean |error|, ε = {eps:g}")
    axes[2, 0].set_ylabel("winners $k_h$")
    draw_held_out(axes[2, 3], held_out)
    drawing.panel(axes[2, 3], "L", "mean |error|, held out")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=6)
    table = [
        row(name, one, c) for name, part in (("grid", grid), ("held out", held_out)) for one in part for c in (0, 1)
    ]
    return Output(figure, judge(context, grid, held_out), {"theoryK1": (list(HEADER), table)})


def chosen(grid: Sequence[Comparison], held_out: Sequence[Comparison]) -> list[tuple[Comparison, str]]:
    """Six memories of the grid and two held out, with their names; others where the scale has not got them."""
    found = {one.settings: one for one in grid}
    named = [(found[settings], label) for settings, label in SHOWN.items() if settings in found]
    others = [(one, "") for one in grid if one.settings not in SHOWN][: len(SHOWN) - len(named)]
    return [*named, *others, *((one, "held out") for one in held_out[:2])]


def draw_curves(axis: Axes, one: Comparison) -> None:
    """Draw predicted (lines) and simulated accuracy (dots, ± 1 s.e.), and the baselines (dashed, triangles)."""
    for c, cue in enumerate(one.cues):
        colour = CUE_COLOURS[cue]
        axis.plot(one.ages, one.predicted[c], color=colour, lw=1.3, label=f"theory, {cue:.0%} cues")
        axis.errorbar(
            one.ages,
            one.mean[c],
            one.standard_error[c],
            fmt="o",
            ms=2.6,
            elinewidth=0.8,
            color=colour,
            label=f"simulation ± 1 s.e., {cue:.0%} cues",
        )
        axis.axhline(one.predicted_baseline[c], color=colour, lw=0.8, ls="--")
        axis.plot(one.last * 1.25, one.simulated_baseline[:, c].mean(), "<", ms=4, color=colour, clip_on=False)
    axis.plot([], [], "--", color="#555555", lw=0.8, label="never stored, theory")
    axis.plot([], [], "<", ms=4, color="#555555", ls="none", label="never stored, simulation")
    drawing.age_axis(axis, one.last, label=False)
    axis.set_ylim(0, 1.05)
    axis.text(0.03, 0.05, describe(one.settings), transform=axis.transAxes, fontsize=6.5, color="#555555")


def describe(s: KWinnerSettings) -> str:
    """Settings in a line; the visible layer only where it is not the paper's."""
    visible = "" if (s.n_visible, s.k_visible) == (1000, 100) else f"$n_v$ {s.n_visible}, $k_v$ {s.k_visible}, "
    return f"{visible}$n_h$ {s.n_hidden}, $k_h$ {s.k_hidden}, f {s.fan_in:g}, ε {s.learning_rate:g}"


def draw_errors(axis: Axes, grid: Sequence[Comparison], eps: float) -> None:
    """Draw the mean |error| of each memory with a learning rate, both cues, as a map of f and k_h."""
    errors = np.full((len(WINNERS), len(FAN_INS)), np.nan)
    for one in grid:
        if one.settings.learning_rate == eps:
            place = WINNERS.index(one.settings.k_hidden), FAN_INS.index(one.settings.fan_in)
            errors[place] = one.absolute_error().mean()
    axis.imshow(errors, origin="lower", aspect="auto", cmap="Oranges", vmin=0, vmax=2 * LIMIT)
    for (y, x), error in np.ndenumerate(errors):
        if np.isfinite(error):
            axis.text(x, y, f"{error:.3f}"[1:], ha="center", va="center", fontsize=6.5)
    axis.set_xticks(range(len(FAN_INS)), [f"{f:g}" for f in FAN_INS])
    axis.set_yticks(range(len(WINNERS)), [str(k) for k in WINNERS])
    axis.set_xlabel("fan-in f (white: not in the grid)")


def draw_held_out(axis: Axes, held_out: Sequence[Comparison]) -> None:
    """Draw the mean |error| of each memory held out, by cue, and what chance alone would give."""
    for c, cue in enumerate(held_out[0].cues):
        errors = [one.absolute_error()[c] for one in held_out]
        axis.plot(errors, range(len(held_out)), "o", ms=4, color=CUE_COLOURS[cue], label=f"{cue:.0%} cues")
    chance = [one.chance()[0].mean() for one in held_out]
    axis.plot(chance, range(len(held_out)), "|", color="#555555", label="by chance")
    axis.axvline(LIMIT, color="#999999", lw=0.8)
    axis.set(xlabel="mean |error| of accuracy", xlim=(0, None), ylim=(len(held_out) - 0.5, -0.5))
    axis.set_ylabel("memory, in the table's order")
    axis.set_yticks(range(len(held_out)), [str(i + 1) for i in range(len(held_out))], fontsize=7)
    axis.legend(fontsize=7)


def row(name: str, one: Comparison, c: int) -> list[object]:
    """A row of the table."""
    s = one.settings
    chance, chance_of_bins = one.chance()
    baselines = (one.predicted_baseline[c], one.simulated_baseline[:, c].mean())
    fit = one.constants(c)
    names = ("C", "C_simulated", "C_error", "beta", "beta_simulated", "beta_error")
    constants = [""] * len(names) if fit is None else [f"{getattr(fit, name):.5g}" for name in names]
    errors = (
        *(one.absolute_error()[c], chance[c], one.absolute_error_by_bin()[c], chance_of_bins[c]),
        np.abs(one.error[c]).max(),
    )
    sizes = (s.n_visible, s.n_hidden, s.k_visible, s.k_hidden, s.fan_in, s.learning_rate)
    return [name, *sizes, one.cues[c], *(f"{value:.5f}" for value in (*errors, *baselines)), *constants]


def judge(context: Context, grid: list[Comparison], held_out: list[Comparison]) -> Claims:
    """Judge the errors over the grid, then over the settings held out, and the 1-winner limit."""
    claims = context.claims("theoryK1")
    judge_errors(claims, "grid", f"a grid of {len(grid)} memories", grid)
    judge_errors(claims, "held-out", f"{len(held_out)} memories held out", held_out)
    judge_one_winner(claims)
    return claims


def judge_errors(claims: Claims, name: str, words: str, part: list[Comparison]) -> None:
    """Judge the mean |error|, name the worst memory, and judge C and β."""
    mean, error = mean_error(part)
    last = part[0].last
    chance = float(np.mean([one.chance()[0] for one in part]))
    claims.add(
        f"{name}-error",
        f"The theory predicts accuracy over {words}, both cues, ages 1 to {last}: mean absolute error, at most {LIMIT} "
        f"(chance alone would give {chance:.4f}; interval: ± 1 standard error over runs).",
        paper=f"at most {LIMIT}",
        measured=mean,
        interval=(mean - error, mean + error),
        holds=mean <= LIMIT,
    )
    by_bin = float(np.mean([one.absolute_error_by_bin() for one in part]))
    chance = float(np.mean([one.chance()[1] for one in part]))
    claims.within(
        f"{name}-error-young",
        f"The same with ages weighted by 1/age, so that young ones count as much as old ones, at most {LIMIT} (chance "
        f"alone: {chance:.4f}).",
        paper=f"at most {LIMIT}",
        measured=by_bin,
        low=0.0,
        high=LIMIT,
    )
    worst = max(part, key=lambda one: one.absolute_error().mean())
    s = worst.settings
    claims.within(
        f"{name}-worst",
        f"The worst of {words}: mean absolute error, both cues, of n_v = {s.n_visible}, n_h = {s.n_hidden}, k_v = "
        f"{s.k_visible}, k_h = {s.k_hidden}, f = {s.fan_in:g}, ε = {s.learning_rate:g}; at most {2 * LIMIT}.",
        paper="reported",
        measured=float(worst.absolute_error().mean()),
        low=0.0,
        high=2 * LIMIT,
    )
    fits = [fit for one in part for c in range(len(one.cues)) if (fit := one.constants(c)) is not None]
    for constant, symbol in (("C", "C"), ("beta", "β")):
        off = np.array([abs(fit.off(constant)) for fit in fits])
        beyond = sum(fit.beyond(constant, CLOSE) for fit in fits)
        claims.within(
            f"{name}-{constant}",
            f"Predicted {symbol} of R.D. = C exp(−β (a − 1)) is within 10% of the simulated one where R.D. > 0.05: in "
            f"how many of {len(fits)} curves it is surely not (99%). Median deviation {np.median(off):.1%}; "
            f"{(off <= CLOSE).mean():.0%} of the curves are within 10% as they stand.",
            paper="none",
            measured=float(beyond),
            low=0.0,
            high=0.0,
        )


def judge_one_winner(claims: Claims) -> None:
    """Judge that the theory contains theorem 1."""
    ages = np.arange(1, 501)
    curve = predict_retention(ONE_WINNER.settings, CUES, ages)
    exact = np.array([one_winner.exact_retention(ages, cue) for cue in CUES])
    claims.within(
        "one-winner",
        "For k_h = 1, f = 1, ε = 1 the theory is the exact one of the 1-winner MHN: largest difference in accuracy, "
        "both cues, ages 1 to 500; at most 0.005.",
        paper="theorem 1",
        measured=float(np.abs(curve["accuracy"].values - exact).max()),
        low=0.0,
        high=0.005,
    )


ITEM = Item(
    "theoryK1",
    "Theory of the K-winner MHN against simulation: curves, and errors over a grid and over settings held out",
    (GRID_RUNS, HELD_OUT_RUNS),
    make,
    seconds=15,
)
