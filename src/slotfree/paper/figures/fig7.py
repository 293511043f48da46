"""Figure 7: accuracy on the Case Sequence Task across models, at the end and along training."""

import numpy as np
from matplotlib.axes import Axes

from slotfree.attention.measures import smoothed
from slotfree.attention.weights import diagonal, letter_blocks, off_diagonal
from slotfree.drawing import training as panels
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import GREY
from slotfree.paper.shared.performance import (
    RISE,
    SLOT_FREE,
    Values,
    draw_curves,
    draw_ends,
    ends,
    kept,
    learnt,
    overwritten,
    solved,
)
from slotfree.paper.shared.transformers import (
    ALL,
    BASELINE,
    BETA_ONE,
    FIXED,
    FIXED_IP,
    MHN,
    MHN_IP,
    PERFECT,
    PUBLISHED,
    QK,
    QK_IP,
    SHOWN,
    Transformer,
    training,
)
from slotfree.study import Estimate, Item, Results, estimate, measure, never
from slotfree.study.train_runs import weights_at

UNTIL = {"B": 2500, "C": 4000}  # iterations that are drawn
# Where lines are named, at the paper's scale: iteration, accuracy, and where the words begin.
NAMES: dict[str, dict[Transformer, tuple[float, float, str]]] = {
    "B": {
        QK_IP: (575, 1.012, "center"),
        PUBLISHED: (1200, 1.012, "center"),
        FIXED_IP: (2200, 1.012, "center"),
        MHN_IP: (2450, 0.81, "right"),
    },
    "C": {
        QK_IP: (450, 1.012, "center"),
        BETA_ONE: (850, 1.012, "left"),
        PUBLISHED: (1230, 0.93, "left"),
        BASELINE: (2400, 0.82, "left"),
    },
}


def draw(r: Results) -> Picture:
    """Draw every run's end (A), median curves (B), the baseline three ways (C), and what storage overwrites (D)."""
    picture = Picture(2, 3, width=13, height=3.4, width_ratios=(1.2, 1.2, 1))
    second, third, fourth = picture.axes[1]
    first = picture.across(0)
    draw_ends(first, r, "accuracy")
    first.set(ylabel="ending accuracy (mean of the last fifth)", ylim=(0.7, 1.02))
    for axis, letter in ((second, "B"), (third, "C")):
        draw_along(picture, axis, r, letter)
    draw_overwritten(picture, fourth, r)
    picture.panel(first, "A", "Every run at the end")
    picture.panel(second, "B", "Along training")
    picture.panel(third, "C", "The baseline three ways")
    picture.panel(fourth, "D", "Items overwritten in storage")
    note = (
        f"i.p.: input projections. A, D: dots are runs (small: beyond the paper's {SHOWN}), bars medians. "
        f"B, C: {panels.CURVES}; dashed: exact gradients, which the paper does not show"
    )
    picture.explain((), note)
    for transformer in ALL:
        for run, (end, at) in enumerate(zip(ends(transformer)(r), learnt(transformer)(r), strict=True)):
            row = {"model": transformer.name, "run": run, "ending_accuracy": float(end)}
            picture.record({**row, f"iteration_of_{PERFECT}": at if np.isfinite(at) else "never"})
    return picture


def draw_along(picture: Picture, axis: Axes, r: Results, letter: str) -> None:
    """Draw accuracy along training, with the names of the models at their lines."""
    draw_curves(picture, axis, r, tuple(NAMES[letter]), "accuracy", letter)
    shown = min(UNTIL[letter], axis.get_xlim()[1])
    axis.set(xlim=(0, shown), ylim=(0.45, 1.06), yticks=np.arange(5, 11) / 10, ylabel="batch accuracy")
    axis.axhline(0.5, color=GREY, lw=0.6)
    for transformer, (iteration, accuracy, align) in NAMES[letter].items():
        place = iteration / UNTIL[letter] * shown
        axis.text(place, accuracy, transformer.label, color=transformer.colour, ha=align, va="bottom", fontsize=7.5)


def draw_overwritten(picture: Picture, axis: Axes, r: Results) -> None:
    """Draw the share of items that are overwritten after training, a dot for each run."""
    jitter = np.random.default_rng(0)
    for place, transformer in enumerate(SLOT_FREE):
        shares = overwritten(transformer)(r)
        panels.dots(axis, place, shares, transformer.colour, jitter, shown=SHOWN)
        columns = {"run": np.arange(len(shares)), "items_overwritten": shares}
        picture.record_columns(columns, table="-overwritten", model=transformer.name)
    panels.name_places(axis, [transformer.label for transformer in SLOT_FREE])
    axis.set(ylabel="share of context items", ylim=(-0.02, None))


@measure
def key_contrast(r: Results, transformer: Transformer) -> Values:
    """Mean dot product of the two keys of a letter minus that of keys of different letters, {transformer.label}."""
    block = letter_blocks(weights_at(r[training(transformer)]))["key-key"]
    return np.asarray(diagonal(block).mean(axis=-1) - off_diagonal(block).mean(axis=-1))


@measure
def peak(r: Results) -> int:
    """Iteration at which the median accuracy of the MHN model with projections is highest before it falls."""
    median = smoothed(r[training(MHN_IP)]["accuracy"]).sel(iteration=slice(0, RISE)).median("run")
    return int(median["iteration"].values[median.values.argmax()])


@measure
def at_peak(r: Results) -> Values:
    """Accuracy of the MHN model with projections there, in each run."""
    accuracy = smoothed(r[training(MHN_IP)]["accuracy"])
    return np.asarray(accuracy.sel(iteration=peak()(r)).values)


@measure
def at_start(r: Results) -> Values:
    """Accuracy of the MHN model with projections in the first iterations, in each run."""
    return np.asarray(smoothed(r[training(MHN_IP)]["accuracy"]).isel(iteration=0).values)


@measure
def fallen(r: Results) -> Values:
    """Accuracy of MHN, i.p. at its peak minus that at the end of the same run, median."""
    return np.asarray(at_peak()(r) - ends(MHN_IP)(r))


@measure
def until_peak(r: Results, transformer: Transformer) -> Values:
    """Accuracy, mean over the iterations until that peak, in each run."""
    accuracy = smoothed(r[training(transformer)]["accuracy"]).sel(iteration=slice(0, peak()(r)))
    return np.asarray(accuracy.mean("iteration").values)


@measure
def fixed_above(r: Results) -> Estimate:
    """Chance that a run of Fixed ends above one of MHN or QK, all without projections."""
    others = np.concatenate([ends(MHN)(r), ends(QK)(r)])
    return estimate.chance_above(ends(FIXED)(r), others, seed=r.seed)


@measure
def unexplained(r: Results) -> int:
    """Runs of QK, i.p. that fall short of 100% though they overwrite nothing, or reach it though they do."""
    return int((solved(QK_IP)(r) != kept(QK_IP)(r)).sum())


ITEM = Item(
    name="fig7",
    number="Figure 7",
    title="Seven transformers on one task",
    text="Each dot in A is one training run: the slot-based baseline solves the task in every run, the slot-free QK "
    "model with input projections in almost every one, the models without projections end around 90%, and the MHN "
    "model with projections nearly solves it and then falls back. So local rules without a list of past items can "
    "match backpropagation through slots. The paper's baseline is the one with published gradients; C shows all three. "
    "D shows what goes wrong where runs fall short of 100%: later items overwrite earlier ones in storage, which "
    "projections do not prevent once keys of different letters are alike.",
    alt="Four panels. A: accuracy at the end of training of each run, for seven models and two more versions of the "
    "baseline. B: median accuracy over 2,500 iterations, with quartiles, of the baseline and of three models with "
    "input projections: QK is at 100% first, then the baseline, then Fixed, while MHN rises with QK and falls back. C: "
    "the baseline with published gradients, with exact ones, and with β = 1, next to the QK model. D: share of context "
    "items that are overwritten in storage after training, for six slot-free models.",
    experiments=tuple(map(training, ALL)),
    draw=draw,
    claims=(never("fig7.qk-ip-fails-by-overwriting", unexplained()),),
)
