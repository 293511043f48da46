"""The panels of theorem 7."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from slotfree.attention import theory
from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLUE, GREEN, LIGHT_GREY, ORANGE, PURPLE, SKY, VERMILION, WARNING
from slotfree.paper.attention.theorem2.experiments import (
    BATCH,
    BATCHES,
    BUILT,
    GRID,
    LIMIT,
    MAIN,
    PERFECT,
    SIZES,
    STEPS,
    TASK,
    TRAININGS,
    TRANSFORMER,
    TRUE_LIMIT,
    UNUSED,
    training_of,
)
from slotfree.paper.attention.theorem2.measures import KEY_DIMS, LearnedValues, large_batch_distances, learned, rms
from slotfree.paper.attention.theorem2.storage import STORAGE, VANISHING, WIDTHS
from slotfree.study import estimate
from slotfree.study.results import Results

DARK, NAVY, MIDGREY = "#111111", "#0B4F8A", "#666666"
DISTANCE = "‖$W_V$ − case code‖"
POINTS: dict[str, Any] = {"ls": "none", "ms": 4.5, "mew": 0, "alpha": 0.7}


def draw(r: Results) -> Picture:
    """Draw training (A to F), storage (G, H) and the proof's matrix (I)."""
    picture = Picture(3, 3, width=11.5, height=3.6)
    for axis, letter, (title, drawn) in zip(picture.axes.flat, "ABCDEFGHI", PANELS.items(), strict=True):
        drawn(axis, r)
        picture.panel(axis, letter, title)
    last, longer = (int(r[e]["step"].values[-1]) for e in (MAIN, UNUSED))
    picture.figure.supxlabel(
        f"A to E, G, H: L = {TASK.n_letters}, C = {TASK.context_length}. A to D, F: η at 0.9 of the theorem's limit, "
        f"$n_h$ = 2L at half of it.\nB to F: after {last} iterations, $n_h$ = 2L after {longer}. G, H: before "
        "training. Bands: least to largest of all runs or draws. Bars: 99% intervals",
        fontsize=9,
    )
    record(picture, r)
    return picture


def record(picture: Picture, r: Results) -> None:
    """Write what every training ended with, and what became of stored contexts."""
    for experiment in TRAININGS:
        for model in training_of(experiment).models:
            picture.record(row_of(learned(r, experiment, model)))
    data = r[STORAGE].mean("run")
    names = [name for name in data if data[name].dims == ("a", "N")]
    for a in data["a"].values:
        columns = {"N": data["N"].values, **{str(name): data[name].sel(a=a).values for name in names}}
        picture.record_columns(columns, table="-storage", a=str(a))


def row_of(t: LearnedValues) -> dict[str, object]:
    """One row of the table; runs that diverged are counted, and have no numbers."""
    e, ended = t.training, not t.diverged
    return {
        "experiment": t.name,
        "L": e.task.n_letters,
        "C": e.task.context_length,
        "N": e.key_dim or "infinite",
        "B": e.batch_size,
        "step": e.step,
        "runs": len(t.letters),
        "model": t.model,
        "diverged": t.diverged,
        "distance": rms(t.distance[:, -1]) if ended else "",
        "from_limit": rms(t.from_limit) if ended else "",
        "from_limit_expected": t.expected if ended and t.model != BUILT else "",
        "largest_deviation": t.deviation if ended else "",
    }


def draw_learning(axis: Axes, r: Results) -> None:
    """Draw distances along training, beside descent, noise and the bound."""
    t, same, built = learned(r, MAIN, TRANSFORMER), learned(r, MAIN, PERFECT), learned(r, UNUSED, BUILT)
    for one, colour, label in ((t, DARK, "transformer"), (built, NAVY, "slot-free, $n_h$ = 2L")):
        axis.fill_between(one.steps, one.distance.min(axis=0), one.distance.max(axis=0), color=colour, alpha=0.2, lw=0)
        axis.plot(one.steps, one.distance.mean(axis=0), color=colour, lw=1.6, label=label)
    axis.plot(same.steps, same.distance.mean(axis=0), "--", color=SKY, lw=1.8, label="slot-free, perfect storage")
    T = np.arange(1, t.steps[-1] + 1)
    noisy = np.sqrt((t.descent[:, t.steps] ** 2).mean(axis=0) + t.noise**2)
    axis.plot(t.steps, noisy, color=VERMILION, lw=1.2, label=f"theory, N → ∞, B = {BATCH}")
    axis.plot(T, t.descent.mean(axis=0)[1:], ":", color=VERMILION, lw=1.6, label="theory, N, B → ∞")
    bound = theory.distance_bound(t.letters[0, 0], TASK.context_length, t.training.step, T)
    axis.plot(T, bound, "-.", color=MIDGREY, lw=1.2, label="bound of the proof")
    log_scale(axis, "y")
    axis.set(xlim=(0, T[-1]), ylim=(0.02, 2000), xlabel="training iteration T", ylabel=DISTANCE)
    axis.legend(loc="upper right")


def draw_key_dims(axis: Axes, r: Results) -> None:
    """Draw the distance after training against N."""
    exact = large_batch_distances(r.seed)
    middle = np.array([rms(draws) for draws in exact])
    axis.fill_between(KEY_DIMS, exact.min(axis=1), exact.max(axis=1), color=VERMILION, alpha=0.15, lw=0)
    noise = learned(r, MAIN, TRANSFORMER).noise[-1]
    for model, shift, style, colour, label in (
        (TRANSFORMER, 0.92, "o", DARK, "transformer"),
        (PERFECT, 1.08, "D", SKY, "slot-free, perfect storage"),
    ):
        for N, experiment in SIZES.items():
            ends = learned(r, experiment, model).distance[:, -1]
            axis.plot(np.full(len(ends), N * shift), ends, style, color=colour, label=label, **POINTS)
            label = ""  # one name for all N
    ends = learned(r, UNUSED, BUILT).distance[:, -1]
    axis.plot(np.full(len(ends), 100), ends, "s", color=NAVY, label="slot-free, $n_h$ = 2L", **POINTS)
    axis.plot(KEY_DIMS, np.hypot(middle, noise), color=VERMILION, lw=1.2, label=f"theory, B = {BATCH}")
    axis.plot(KEY_DIMS, middle, ":", color=VERMILION, lw=1.6, label="theory, B → ∞")
    log_scale(axis, "xy")
    axis.set(ylim=(0.01, 300), xlabel="size of keys and queries N", ylabel=DISTANCE)
    axis.legend(loc="upper right")


def draw_batches(axis: Axes, r: Results) -> None:
    """Draw the distance after training against B."""
    every = {B: learned(r, e, TRANSFORMER) for B, e in BATCHES.items()}
    for B, t in every.items():
        axis.plot(np.full(len(t.letters), B), t.distance[:, -1], "o", color=DARK, **POINTS)
    axis.plot([], [], "o", color=DARK, label="transformer, each run", **POINTS)
    axis.plot(list(every), [t.expected for t in every.values()], color=VERMILION, lw=1.2, label="theory")
    log_scale(axis, "xy")
    axis.set(xlim=(10, 1600), ylim=(0.02, 1.5), xlabel="sequences in a batch B", ylabel=DISTANCE)
    axis.set_xticks(list(BATCHES), [str(B) for B in BATCHES])
    axis.minorticks_off()
    axis.legend(loc="upper right")


def draw_columns(axis: Axes, r: Results) -> None:
    """Draw each column of W_V as a point."""
    L, built = TASK.n_letters, learned(r, UNUSED, BUILT)
    for t, colour, label in ((learned(r, MAIN, TRANSFORMER), DARK, "transformer"), (built, SKY, "slot-free, 2L")):
        for style, columns, case in (("o", slice(0, L), "a, b, …"), ("^", slice(L, 2 * L), "A, B, …")):
            x, y = (t.letters[:, -1, o, columns].ravel() for o in (0, 1))
            axis.plot(x, y, style, color=colour, label=f"{label}: {case}", **{**POINTS, "alpha": 0.4})
    axis.plot(*TASK.case_code, "+", ms=13, mew=1.4, color=VERMILION, label="case code")
    axis.plot(*built.limit[0], "x", ms=10, mew=1.4, color=VERMILION, label="theory, slot-free, 2L")
    axis.axhline(0, color="#CCCCCC", lw=0.6, zorder=0)
    axis.axvline(0, color="#CCCCCC", lw=0.6, zorder=0)
    axis.set(xlabel="output for lowercase", ylabel="output for uppercase", xlim=(-0.8, 2.2), ylim=(-0.8, 1.7))
    axis.legend(loc="upper right")


def draw_steps(axis: Axes, r: Results) -> None:
    """Draw the distance after training against the step size; runs that diverged are at the top, without a number."""
    L, C, top = TASK.n_letters, TASK.context_length, 100.0
    all_steps = {eta: learned(r, e, TRANSFORMER) for eta, e in STEPS.items()}
    first = all_steps[LIMIT]
    T, etas = int(first.steps[-1]), np.geomspace(0.07, TRUE_LIMIT * 0.999, 100)
    descent = np.array([theory.distance(theory.descend(first.letters[0, 0], C, eta, T)[-1]) for eta in etas.tolist()])
    noise = np.array([theory.noise_floor(L, C, eta, BATCH, T) for eta in etas.tolist()])
    for eta, t in all_steps.items():
        ends = t.distance[:, -1]
        kept = ends[ends <= t.distance[:, 0]]
        axis.plot(np.full(len(kept), eta), kept, "o", color=DARK, **POINTS)
        if t.diverged:
            axis.plot(eta, top * 0.3, "x", ms=6, mew=1.5, color=DARK)
    axis.plot([], [], "o", color=DARK, label="transformer", **POINTS)
    axis.plot([], [], "x", ms=6, mew=1.5, color=DARK, label="diverged, all runs")
    axis.plot(etas, np.hypot(descent, noise), color=VERMILION, lw=1.2, label=f"theory, B = {BATCH}")
    axis.plot(etas, descent, ":", color=VERMILION, lw=1.6, label="theory, B → ∞")
    axis.axvspan(TRUE_LIMIT, 100, color=WARNING, alpha=0.08, lw=0)
    for eta, words in ((LIMIT, "theorem's limit, C/3"), (TRUE_LIMIT, "2/M = 4L")):
        axis.axvline(eta, color=MIDGREY, lw=0.8, ls="--")
        axis.text(eta * 0.93, top * 0.8, words, rotation=90, ha="right", va="top", fontsize=8, color=MIDGREY)
    log_scale(axis, "xy")
    axis.set(xlim=(0.07, 100), ylim=(2e-4, top), xlabel="step size η", ylabel=DISTANCE)
    axis.legend(loc="lower left", bbox_to_anchor=(0.36, 0.0), handlelength=1.2, handletextpad=0.4)


def draw_grid(axis: Axes, r: Results) -> None:
    """Draw the distance after training for alphabets and contexts."""
    for place, ((L, C), experiment) in enumerate(GRID.items()):
        t = learned(r, experiment, TRANSFORMER)
        around = place + np.linspace(-0.15, 0.15, len(t.letters))
        axis.plot(around, t.distance[:, -1], "o", color=DARK if C < L else WARNING, **POINTS)
        axis.hlines(t.expected, place - 0.35, place + 0.35, color=VERMILION, lw=1.6)
    axis.plot([], [], "o", color=DARK, label="transformer, each run", **POINTS)
    axis.plot([], [], "o", color=WARNING, label="C = L, which the theorem excludes", **POINTS)
    axis.plot([], [], color=VERMILION, lw=1.6, label=f"theory, B = {BATCH}")
    axis.set_xticks(range(len(GRID)), [f"{L}, {C}" for L, C in GRID])
    axis.set(ylim=(0, None), xlabel="L, C", ylabel=DISTANCE)
    axis.set_ylim(0, axis.get_ylim()[1] * 1.4)
    axis.legend(loc="upper left")


def draw_collisions(axis: Axes, r: Results) -> None:
    """Draw the share of sequences that lose an item against N, for several a; and the least for n_h = C."""
    data = r[STORAGE]
    for (a, colour), style in zip(zip(WIDTHS, (ORANGE, GREEN, PURPLE), strict=True), "os^", strict=True):
        by_run = data["collided"].sel(a=a).values
        draw_means(axis, data["N"].values, by_run, f"{style}-", colour, f"a = {a}")
    least = theory.least_collisions(TASK.n_letters, TASK.context_length)
    axis.axhline(least, color=WARNING, lw=1.4, ls="--", label="$n_h$ = C, best $W_{HI}$")
    log_scale(axis, "x")
    axis.set(ylim=(-0.03, 1.3), xlabel="size of keys N", ylabel="sequences that lose an item")
    axis.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0%", "25%", "50%", "75%", "100%"])
    axis.legend(loc="upper right", ncols=2, columnspacing=1, handlelength=1.4)


def draw_means(
    axis: Axes, x: NDArray[np.int64], by_run: NDArray[np.float64], style: str, colour: str, label: str
) -> None:
    """Draw means over runs, (run, x), with their 99 % intervals."""
    found = estimate.means(by_run)
    reach = [[e.value - e.low for e in found], [e.high - e.value for e in found]]
    axis.errorbar(x, [e.value for e in found], reach, fmt=style, ms=4.5, color=colour, lw=1.2, label=label)


def draw_gaps(axis: Axes, r: Results) -> None:
    """Draw how far the output and the gradient are from the transformer's, and attention from uniform, against N."""
    data = r[STORAGE].sel(a=VANISHING)
    for name, colour, style, label in (
        ("output", NAVY, "o-", "output $\\hat{y}$: slot-free − transformer"),
        ("gradient", SKY, "s-", "gradient of $W_V$: the same"),
    ):
        ratio = np.sqrt(data[f"{name}_gap"].values / data[name].values.mean(axis=0))
        draw_means(axis, data["N"].values, ratio, style, colour, label)
    uniform = np.sqrt(r[STORAGE]["attention"].values.mean(axis=1))
    draw_means(axis, data["N"].values, uniform, "^-", DARK, "transformer: attention − uniform")
    axis.axhline(1, color=LIGHT_GREY, lw=0.6, zorder=0)
    log_scale(axis, "xy")
    axis.set(ylim=(0.003, 2000), xlabel="size of keys and queries N", ylabel="root mean square, relative")
    axis.legend(loc="upper right")


def draw_eigenvalues(axis: Axes, r: Results) -> None:
    """Draw the least eigenvalue of A against C, in closed form and computed; 0 is at the bottom."""
    bottom = 5e-4
    for L, colour in zip((4, 8, 16, 30), (BLUE, GREEN, PURPLE, DARK), strict=True):
        lengths = range(1, L)
        axis.plot(lengths, [theory.eigenvalues(L, C)[0] for C in lengths], color=colour, lw=1)
        computed = [np.linalg.eigvalsh(theory.matrix_A(L, C))[0] for C in lengths]
        axis.plot(lengths, computed, "o", ms=3.5, mew=0, color=colour, label=f"L = {L}")
        axis.plot([L - 1, L], [computed[-1], bottom], ":", color=colour, lw=1)
        axis.plot(L, bottom, "o", ms=5, mfc="white", color=colour, clip_on=False, zorder=3)
    axis.plot([], [], color=MIDGREY, lw=1, label="closed form")
    axis.plot([], [], "o", ms=5, mfc="white", color=MIDGREY, label="0, at C = L")
    log_scale(axis, "xy")
    axis.set(ylim=(bottom, 1.5), xlabel="items in a context C")
    axis.set_ylabel("least eigenvalue of A")
    axis.minorticks_off()
    axis.set_xticks([1, 2, 4, 8, 16, 30], ["1", "2", "4", "8", "16", "30"])
    axis.legend(loc="lower left", handlelength=1.2)


PANELS = {
    "$W_V$ learns alone": draw_learning,
    "Larger keys": draw_key_dims,
    "Larger batches, N → ∞": draw_batches,
    "Columns of $W_V$ at the end": draw_columns,
    "Step size, N → ∞": draw_steps,
    "Letters L, items C, N → ∞": draw_grid,
    "Lost items, $n_h$ = 2L": draw_collisions,
    "Slot-free and transformer": draw_gaps,
    "A is positive definite for C < L": draw_eigenvalues,
}
