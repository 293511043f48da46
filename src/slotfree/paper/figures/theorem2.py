"""The second theorem, numbered 7, "W_V learns first": values learn the case code; keys and queries stay as drawn."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from slotfree.drawing.logarithmic import log_scale
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLACK, BLUE, GREEN, GREY, LIGHT_GREY, PURPLE, VERMILION, WARNING
from slotfree.paper.figures import theorem2_theory as theory
from slotfree.paper.figures.theorem2_experiments import (
    BATCHES,
    BUILT,
    LIMIT,
    SIZES,
    STEPS,
    STORAGE,
    TASK,
    TRAININGS,
    TRANSFORMER,
    TRUE_LIMIT,
    UNUSED,
    UNUSED_PRINTED,
    VANISHING,
    training_of,
)
from slotfree.study import Estimate, Experiment, Item, Results, estimate, measure

Values = NDArray[np.float64]

MAIN = SIZES[1000]
L, C = TASK.n_letters, TASK.context_length
UNITS = 2 * L  # which W_HI as defined needs
BUILT_LIMIT = float(2 / np.linalg.eigvalsh(theory.slot_free_limit(L, C, UNITS)[1])[-1])  # of η, with 2L units
BUILT_CONTRAST = UNITS / (C + (UNITS - C) * L / 6)  # to which right minus wrong output goes, with 2L units
# What is drawn of two models: experiments by their step sizes, their limit in theory, colour and name.
COMPARED: dict[str, tuple[tuple[Experiment, ...], float, str, str]] = {
    TRANSFORMER: (tuple(STEPS.values()), TRUE_LIMIT, BLUE, "transformer"),
    BUILT: ((UNUSED, UNUSED_PRINTED), BUILT_LIMIT, VERMILION, "slot-free, $n_h$ = 2L"),
}


@measure
def letters(r: Results, e: Experiment, model: str = TRANSFORMER) -> Values:
    """The letters' columns of W_V along training, (run, step, 2, 2L)."""
    return np.asarray(r[e]["W_V"].sel(model=model).values[..., : 2 * training_of(e).task.n_letters])


@measure
def distances(r: Results, e: Experiment, model: str = TRANSFORMER) -> Values:
    """‖W_V − case code‖, (run, step)."""
    return theory.distance(letters(e, model)(r))


@measure
def contrasts(r: Results, e: Experiment, model: str = TRANSFORMER) -> Values:
    """Right minus wrong output of each column, (run, step, 2L): 1 where W_V is the case code."""
    return np.asarray((letters(e, model)(r) * (2 * training_of(e).task.case_code - 1)).sum(axis=2))


@measure
def least_contrast(r: Results, e: Experiment, model: str = TRANSFORMER) -> Values:
    """The least contrast of a column after training, in each run."""
    return np.asarray(contrasts(e, model)(r)[:, -1].min(axis=1))


@measure
def mean_contrast(r: Results, e: Experiment, model: str = TRANSFORMER) -> Values:
    """The contrast after training, mean over columns, in each run."""
    return np.asarray(contrasts(e, model)(r)[:, -1].mean(axis=1))


@measure
def ends_nearer(r: Results, model: str, *experiments: Experiment) -> NDArray[np.bool_]:
    """Whether W_V ends nearer to the case code than it began, in each run: not if training diverges."""
    every = [distances(e, model)(r) for e in experiments]
    return np.concatenate([away[:, -1] <= away[:, 0] for away in every])


@measure
def left_for_large(r: Results, small: Experiment, large: Experiment, model: str = TRANSFORMER) -> Estimate:
    """Squared distance from the case code for N, B → ∞, from runs of which the large ones have four times N and B.

    What keys of finite size and finite batches add is in proportion to 1/N and to 1/B.
    """
    squares = (distances(e, model)(r)[:, -1] ** 2 for e in (small, large))
    return estimate.bootstrap(lambda a, b: (4 * b - a) / 3, *squares, of=means_of_rows, seed=r.seed)


@measure
def falls_with_keys(r: Results) -> Estimate:
    """Distance from the case code after training, by that for the next smaller N."""
    return largest_ratio([distances(e)(r)[:, -1] ** 2 for e in SIZES.values()], r.seed)


@measure
def falls_with_batches(r: Results) -> Estimate:
    """Distance from descent on the effective loss from the same start, by that for the next smaller B."""
    squares = []
    for e in BATCHES.values():
        training, W = training_of(e), letters(e)(r)
        steps = int(r[e]["step"].values[-1])
        ends = [theory.descend(start, training.task.context_length, training.step, steps)[-1] for start in W[:, 0]]
        squares.append(((W[:, -1] - np.array(ends)) ** 2).sum(axis=(1, 2)))
    return largest_ratio(squares, r.seed)


def largest_ratio(squares: Sequence[ArrayLike], seed: int) -> Estimate:
    """The largest ratio of root mean squares of a group and the one before: below 1 if they fall throughout."""

    def ratio(*means: Values) -> Values:
        return np.asarray(np.sqrt(np.max([b / a for a, b in pairwise(means)], axis=0)))

    return estimate.bootstrap(ratio, *squares, of=means_of_rows, seed=seed)


def means_of_rows(rows: Values) -> Values:
    """Means of many resampled groups, for ``bootstrap``."""
    return np.asarray(rows.mean(axis=1))


@measure
def like_cosine(r: Results, e: Experiment) -> Values:
    """The least cosine of two columns of like case, in each run."""
    lower, upper = unit_columns(letters(e)(r)[:, -1])
    return np.asarray(np.min([np.swapaxes(each, 1, 2) @ each for each in (lower, upper)], axis=(0, 2, 3)))


@measure
def opposite_cosine(r: Results, e: Experiment) -> Values:
    """The mean cosine of two columns of opposite case, in each run."""
    lower, upper = unit_columns(letters(e)(r)[:, -1])
    return np.asarray((np.swapaxes(lower, 1, 2) @ upper).mean(axis=(1, 2)))


def unit_columns(W: Values) -> list[Values]:
    """The columns of W_V, (run, 2, 2L), with length 1: those of lowercase and of uppercase letters."""
    return list(np.split(W / np.linalg.norm(W, axis=1, keepdims=True), 2, axis=-1))


@measure
def stored(r: Results, name: str, a: str = VANISHING) -> Values:
    """What was measured of contexts in 2L units, (run, N), for one a; or, for "all", the mean over a."""
    data = r[STORAGE][name]
    return np.asarray((data.mean("a") if a == "all" else data.sel(a=a)).values, np.float64)


@measure
def falls_with_stored_keys(r: Results, name: str, a: str = VANISHING) -> Estimate:
    """Root mean square of what was measured of stored contexts, by that for the next smaller N."""
    return largest_ratio(list(stored(name, a)(r).T), r.seed)


@measure
def misplaced(r: Results) -> Estimate:
    """Share of sequences with an item that is not stored by the unit to which W_HI projects it, for the largest N."""
    shares, sequences = stored("misplaced")(r)[:, -1], int(r[STORAGE]["sequences"])
    return estimate.share(round(float(shares.sum()) * sequences), len(shares) * sequences)


@measure
def output_gap(r: Results) -> Estimate:
    """Root mean square of the slot-free model's output less the transformer's, by the latter's, for the largest N."""
    gap, size = (stored(name)(r)[:, -1] for name in ("output_gap", "output"))
    return estimate.bootstrap(lambda a, b: np.sqrt(a / b), gap, size, of=means_of_rows, seed=r.seed)


@measure
def fresh_variance(r: Results) -> Values:
    """Variance of the product of a key and an unused row of W_HK, divided by a².

    Mean over a and N, in each run.
    """
    return np.asarray(stored("fresh_square", "all")(r).mean(axis=1))


def draw(r: Results) -> Picture:
    """Draw the columns of W_V in the transformer (A), their contrast in both models (B), and step sizes (C)."""
    picture = Picture(1, 3, width=11.5, height=3.9)
    plane, contrast, steps = picture.axes[0]
    draw_columns(plane, r)
    draw_contrasts(picture, contrast, r)
    draw_steps(steps, r)
    titles = ("Columns of $W_V$, transformer", "Right minus wrong output", "Step sizes that converge")
    for axis, letter, title in zip(picture.axes[0], "ABC", titles, strict=True):
        picture.panel(axis, letter, title)
    N, built = training_of(MAIN).key_dim, training_of(UNUSED)
    picture.figure.supxlabel(
        f"L = {L}, C = {C}; $W_Q$, $W_K$ as drawn. A: N = {N}, all runs. A, B: η = {training_of(MAIN).step:g}, "
        f"slot-free model: η = {built.step:g}, N = {built.key_dim}. B: median over runs of the mean over columns, "
        "bands: quartiles",
        fontsize=8,
    )
    for e in TRAININGS:
        for model in training_of(e).models:
            picture.record(row_of(r, e, model))
    return picture


def row_of(r: Results, e: Experiment, model: str) -> dict[str, object]:
    """How a training ended; runs that diverged are counted, and have no numbers."""
    training, ended = training_of(e), ends_nearer(model, e)(r)
    return {
        "experiment": e.name,
        "model": model,
        "L": training.task.n_letters,
        "C": training.task.context_length,
        "N": training.key_dim or "infinite",
        "B": training.batch_size,
        "step": training.step,
        "runs": len(ended),
        "diverged": int((~ended).sum()),
        "distance": float(distances(e, model)(r)[:, -1].mean()) if ended.all() else "",
        "contrast": float(mean_contrast(e, model)(r).mean()) if ended.all() else "",
    }


def draw_columns(axis: Axes, r: Results) -> None:
    """Draw the way of each column in the plane of the two outputs."""
    for columns, colour, case in ((slice(0, L), GREEN, "a, b, …"), (slice(L, UNITS), PURPLE, "A, B, …")):
        x, y = (letters(MAIN)(r)[:, :, o, columns] for o in (0, 1))
        for run in range(len(x)):
            axis.plot(x[run], y[run], color=colour, lw=0.5, alpha=0.5)
        axis.plot(x[:, -1].ravel(), y[:, -1].ravel(), "o", ms=3.5, mew=0, color=colour, label=case)
    axis.plot(*TASK.case_code, "+", ms=14, mew=1.4, color=BLACK, label="case code")
    axis.set(xlabel="output for lowercase", ylabel="output for uppercase", xlim=(-0.1, 1.2), ylim=(-0.1, 1.2))
    axis.set_aspect("equal")
    axis.legend(loc="upper right")


def draw_contrasts(picture: Picture, axis: Axes, r: Results) -> None:
    """Draw right minus wrong output along training, and where theory has it end."""
    for e, model in ((MAIN, TRANSFORMER), (UNUSED, BUILT)):
        _, _, colour, name = COMPARED[model]
        steps, by_run = r[e]["step"].values, contrasts(e, model)(r).mean(axis=2)
        low, middle, high = np.quantile(by_run, [0.25, 0.5, 0.75], axis=0)
        axis.fill_between(steps, low, high, color=colour, alpha=0.25, lw=0)
        axis.plot(steps, middle, color=colour, lw=1.6, label=name)
        columns = {"step": steps, "median": middle, "first_quartile": low, "third_quartile": high}
        picture.record_columns(columns, table="-contrast", model=model)
    axis.axhline(1, color=BLACK, lw=1, ls="--", label="theorem: 1")
    axis.axhline(BUILT_CONTRAST, color=GREY, lw=1, ls=":", label=f"theory, $n_h$ = 2L: {BUILT_CONTRAST:.2f}")
    axis.set(xlim=(0, None), ylim=(0, 1.1), xlabel="training iteration", ylabel="contrast of columns")
    axis.legend(loc="lower right")


def draw_steps(axis: Axes, r: Results) -> None:
    """Draw at which step sizes training of two models converges, and up to which it does in theory."""
    ends: dict[str, Any] = {"converged": {"marker": "o", "s": 30}, "diverged": {"marker": "x", "s": 36}}
    for row, (model, (experiments, limit, colour, name)) in enumerate(COMPARED.items()):
        axis.barh(row, limit - 0.05, left=0.05, height=0.34, color=colour, alpha=0.2, lw=0)
        axis.text(LIMIT * 1.15, row + 0.2, f"{name}: up to {limit:.2g}", va="bottom", color=colour)
        for e in experiments:
            share = ends_nearer(model, e)(r).mean()
            how = ends["converged" if share > 0.5 else "diverged"]
            axis.scatter(training_of(e).step, row, color=colour, zorder=3, **how)
    axis.plot([LIMIT, LIMIT], [-0.35, 1.75], color=WARNING, lw=1.2, ls="--")
    axis.text(LIMIT * 1.15, 1.7, f"printed limit: C²/(2γd) = {LIMIT:g}", color=WARNING, va="center")
    for name, how in ends.items():
        axis.scatter([], [], color=BLACK, label=f"training {name}", **how)
    axis.barh(0, 0, color=LIGHT_GREY, alpha=0.6, label="descent converges, in theory")
    log_scale(axis, "x")
    axis.set(xlim=(0.05, 100), ylim=(-1.3, 1.9), xlabel="step size η", yticks=[])
    axis.legend(loc="lower center")


ITEM = Item(
    name="theorem2",
    number="Theorem 2 (numbered 7 in the SI)",
    title="Values learn first",
    text="With queries and keys left as they were drawn, the values of the transformer alone move to the case code (A) "
    "as the theorem says, and with far larger steps than it allows (C). The theorem's slot-free model has C units; "
    "W_HI as defined needs n_h ≥ 2L. With 2L units those without an item are attended to as well: values learn the "
    "case of each letter, but not the case code (B), and the step size must be smaller than printed (C). The proof is "
    "checked equation by equation in the tests.",
    alt="Three panels. A: the columns of the transformer's values begin near 0 and move to [1, 0] and "
    "[0, 1]. B: right minus wrong output along training, which goes to 1 in the transformer and stays below 0.9 in the "
    "slot-free model with 2L units. C: step sizes at which training converges: up to 28 in the transformer, up to 0.59 "
    "in the slot-free model; the printed limit is 1.",
    experiments=(*TRAININGS, STORAGE),
    draw=draw,
)
