"""The panels of theorem 2."""

import numpy as np
from matplotlib.axes import Axes

from slotfree.attention import theory
from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLUE, GREEN, PURPLE, SKY, VERMILION, WARNING
from slotfree.paper.attention.theorem2.experiments import (
    BATCH,
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
from slotfree.paper.attention.theorem2.measures import (
    DRAWS,
    KEY_DIMS,
    LearnedValues,
    large_batch_distances,
    learned,
    rms,
)
from slotfree.study.results import Results

DARK, NAVY, MIDGREY = "#111111", "#0B4F8A", "#767676"
DISTANCE = "‖$W_V$ − case code‖"


def draw(r: Results) -> Picture:
    """Draw learning (A), the limit of large N (B), W_V (C), eigenvalues (D), step sizes (E) and sizes (F)."""
    picture = Picture(2, 3, width=12, height=3.8)
    axes = picture.axes
    draw_learning(axes[0, 0], r)
    draw_key_dims(axes[0, 1], r)
    draw_columns(axes[0, 2], r)
    draw_eigenvalues(axes[1, 0])
    draw_steps(axes[1, 1], r)
    draw_grid(axes[1, 2], r)
    titles = ["$W_V$ learns alone", "The limit of large N", "Columns of $W_V$ after training"]
    titles += ["A is positive definite for C < L", "Step size, N → ∞", "Alphabets and contexts, N → ∞"]
    for axis, letter, title in zip(axes.flat, "ABCDEF", titles, strict=True):
        picture.panel(axis, letter, title)
    last = int(r[MAIN]["step"].values[-1])
    picture.figure.supxlabel(
        f"A, B, C, E: L = {TASK.n_letters}, C = {TASK.context_length}. A, B, C, F: η at 0.9 of the theorem's limit, "
        f"$n_h$ = 2L at half of it. B, E, F: after {last} iterations. Bands: least to largest",
        fontsize=8,
    )
    for experiment in TRAININGS:
        for model in training_of(experiment).models:
            picture.record(row_of(learned(r, experiment, model)))
    return picture


def row_of(t: LearnedValues) -> dict[str, object]:
    """One row of the table; runs that diverged are counted, and have no numbers."""
    e, ended = t.training, not t.diverged
    return {
        "experiment": t.name,
        "L": e.task.n_letters,
        "C": e.task.context_length,
        "N": e.key_dim or "infinite",
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
    N = t.training.key_dim
    built_label = f"slot-free, $n_h$ = 2L, N = {built.training.key_dim}"
    for one, colour, label in ((t, DARK, f"transformer, N = {N}"), (built, NAVY, built_label)):
        axis.fill_between(one.steps, one.distance.min(axis=0), one.distance.max(axis=0), color=colour, alpha=0.2, lw=0)
        axis.plot(one.steps, one.distance.mean(axis=0), color=colour, lw=1.4, label=label)
    mean = same.distance.mean(axis=0)
    axis.plot(same.steps, mean, "--", color=SKY, lw=1.6, label=f"slot-free, $n_h$ = C, N = {N}")
    T = np.arange(1, t.steps[-1] + 1)
    axis.plot(T, t.descent.mean(axis=0)[1:], ":", color=VERMILION, lw=1.6, label="theory, N, B → ∞")
    noisy = np.sqrt((t.descent[:, t.steps] ** 2).mean(axis=0) + t.noise**2)
    axis.plot(t.steps, noisy, color=VERMILION, lw=1.2, label=f"theory, N → ∞, B = {BATCH}")
    bound = theory.distance_bound(t.letters[0, 0], TASK.context_length, t.training.step, T)
    axis.plot(T, bound, "-.", color=MIDGREY, lw=1.2, label="bound of the proof")
    log_scale(axis, "y")
    axis.set(xlim=(0, T[-1]), ylim=(0.02, 100), xlabel="training iteration T", ylabel=DISTANCE)
    axis.legend(loc="upper right", fontsize=7)


def draw_key_dims(axis: Axes, r: Results) -> None:
    """Draw the distance after training against N."""
    exact = large_batch_distances(r.seed)
    middle = np.array([rms(draws) for draws in exact])
    axis.fill_between(KEY_DIMS, exact.min(axis=1), exact.max(axis=1), color=VERMILION, alpha=0.15, lw=0)
    axis.plot(KEY_DIMS, middle, ":", color=VERMILION, lw=1.6, label=f"theory, B → ∞ ({DRAWS} draws)")
    noise = learned(r, MAIN, TRANSFORMER).noise[-1]
    axis.plot(KEY_DIMS, np.hypot(middle, noise), color=VERMILION, lw=1.2, label=f"theory, B = {BATCH}")
    for model, shift, style, colour in ((TRANSFORMER, 0.93, "o", DARK), (PERFECT, 1.07, "D", SKY)):
        ends = np.array([learned(r, e, model).distance[:, -1] for e in SIZES.values()])
        places = np.broadcast_to(np.array(list(SIZES))[:, None] * shift, ends.shape)
        label = "transformer, each run" if model == TRANSFORMER else "slot-free, $n_h$ = C, each run"
        axis.plot(places.ravel(), ends.ravel(), style, ms=4, mew=0, color=colour, alpha=0.8, label=label)
    log_scale(axis, "xy")
    axis.set(ylim=(0.01, 2), xlabel="size of keys and queries N", ylabel=DISTANCE)
    axis.legend(loc="lower left", fontsize=7)


def draw_columns(axis: Axes, r: Results) -> None:
    """Draw each column of W_V as a point."""
    L, built = TASK.n_letters, learned(r, UNUSED, BUILT)
    for t, colour, label in ((learned(r, MAIN, TRANSFORMER), DARK, "transformer"), (built, NAVY, "slot-free, 2L")):
        for style, columns, case in (("o", slice(0, L), "a, b, …"), ("^", slice(L, 2 * L), "A, B, …")):
            x, y = (t.letters[:, -1, o, columns].ravel() for o in (0, 1))
            axis.plot(x, y, style, ms=4, mew=0, alpha=0.5, color=colour, label=f"{label}: {case}")
    axis.plot(*TASK.case_code, "+", ms=13, mew=1.2, color=VERMILION, label="case code")
    axis.plot(*built.limit[0], "x", ms=10, mew=1.2, color=VERMILION, label="theory, slot-free, 2L")
    axis.axhline(0, color="#CCCCCC", lw=0.6, zorder=0)
    axis.axvline(0, color="#CCCCCC", lw=0.6, zorder=0)
    axis.set(xlabel="output for lowercase", ylabel="output for uppercase", xlim=(-0.7, 1.6), ylim=(-0.7, 1.3))
    axis.legend(loc="upper right", fontsize=7)


def draw_eigenvalues(axis: Axes) -> None:
    """Draw the least eigenvalue of A against C, in closed form and computed; 0 is at the bottom."""
    bottom = 5e-4
    for L, colour in zip((4, 8, 16, 30), (BLUE, GREEN, PURPLE, DARK), strict=True):
        lengths = range(1, L)
        axis.plot(lengths, [theory.eigenvalues(L, C)[0] for C in lengths], color=colour, lw=1)
        computed = [np.linalg.eigvalsh(theory.matrix_A(L, C))[0] for C in lengths]
        axis.plot(lengths, computed, "o", ms=3.5, mew=0, color=colour, label=f"L = {L}")
        axis.plot([L - 1, L], [computed[-1], bottom], ":", color=colour, lw=1)
        axis.plot(L, bottom, "o", ms=5, mfc="white", color=colour, clip_on=False, zorder=3)
    axis.plot([], [], color=MIDGREY, lw=1, label="(L − C)/(C(L − 1))")
    axis.plot([], [], "o", ms=5, mfc="white", color=MIDGREY, label="0, at C = L")
    log_scale(axis, "xy")
    axis.set(ylim=(bottom, 1.5), xlabel="items in a context C")
    axis.set_ylabel("least eigenvalue of A")
    axis.minorticks_off()
    axis.set_xticks([1, 2, 4, 8, 16, 30], ["1", "2", "4", "8", "16", "30"])
    axis.legend(loc="lower left", fontsize=7, handlelength=1.2)


def draw_steps(axis: Axes, r: Results) -> None:
    """Draw the distance after training against the step size; runs that diverged are at the top, without a number."""
    L, C, top = TASK.n_letters, TASK.context_length, 30.0
    all_steps = {eta: learned(r, e, TRANSFORMER) for eta, e in STEPS.items()}
    first = all_steps[LIMIT]
    T, etas = int(first.steps[-1]), np.geomspace(0.07, TRUE_LIMIT * 0.999, 100)
    descent = np.array([theory.distance(theory.descend(first.letters[0, 0], C, eta, T)[-1]) for eta in etas.tolist()])
    noise = np.array([theory.noise_floor(L, C, eta, BATCH, T) for eta in etas.tolist()])
    axis.plot(etas, descent, ":", color=VERMILION, lw=1.6, label="theory, B → ∞")
    axis.plot(etas, np.hypot(descent, noise), color=VERMILION, lw=1.2, label=f"theory, B = {BATCH}")
    for eta, t in all_steps.items():
        ends = t.distance[:, -1]
        kept = ends[ends <= t.distance[:, 0]]
        axis.plot(np.full(len(kept), eta), kept, "o", ms=4, mew=0, color=DARK, alpha=0.7)
        if t.diverged:
            axis.plot(eta, top * 0.4, "x", ms=6, mew=1.5, color=DARK)
    axis.plot([], [], "o", ms=4, mew=0, color=DARK, label="transformer, each run")
    ended = [t.diverged for t in all_steps.values() if t.diverged]
    label = f"diverged, {sum(ended)} of {len(ended) * len(first.letters)}"
    axis.plot([], [], "x", ms=6, mew=1.5, color=DARK, label=label)
    axis.axvspan(TRUE_LIMIT, 100, color=WARNING, alpha=0.08, lw=0)
    for eta, words in ((LIMIT, "the theorem's limit, C/3"), (TRUE_LIMIT, "2/M = 4L")):
        axis.axvline(eta, color=MIDGREY, lw=0.8, ls="--")
        axis.text(eta * 0.93, top * 0.9, words, rotation=90, ha="right", va="top", fontsize=7, color=MIDGREY)
    log_scale(axis, "xy")
    axis.set(xlim=(0.07, 100), ylim=(1e-3, top), xlabel="step size η", ylabel=DISTANCE)
    axis.legend(loc="lower left", bbox_to_anchor=(0.37, 0.0), fontsize=6.5, handlelength=1.2, handletextpad=0.4)


def draw_grid(axis: Axes, r: Results) -> None:
    """Draw the distance after training for alphabets and contexts."""
    for place, ((L, C), experiment) in enumerate(GRID.items()):
        t = learned(r, experiment, TRANSFORMER)
        around = place + np.linspace(-0.15, 0.15, len(t.letters))
        axis.plot(around, t.distance[:, -1], "o", ms=4, mew=0, color=DARK if C < L else WARNING, alpha=0.7)
        axis.hlines(t.expected, place - 0.35, place + 0.35, color=VERMILION, lw=1.6)
    axis.plot([], [], "o", ms=4, mew=0, color=DARK, label="transformer, each run")
    axis.plot([], [], "o", ms=4, mew=0, color=WARNING, label="the same, C = L, which the theorem excludes")
    axis.plot([], [], color=VERMILION, lw=1.6, label=f"theory, B = {BATCH}")
    axis.set_xticks(range(len(GRID)), [f"{L}, {C}" for L, C in GRID])
    axis.set(ylim=(0, None), xlabel="letters L, items in a context C", ylabel=DISTANCE)
    axis.set_ylim(0, axis.get_ylim()[1] * 1.35)
    axis.legend(loc="upper left", fontsize=7)
