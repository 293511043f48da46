"""Figure S11: loss on the Case Sequence Task across models, at the end and along training."""

import numpy as np

from slotfree.paper import drawing, training_drawing
from slotfree.paper.claims import Claims
from slotfree.paper.items import Context, Item, Output
from slotfree.paper.training_measures import ending, median_difference, smoothed
from slotfree.paper.training_runs import training
from slotfree.paper.transformers import (
    ALL,
    BASELINES,
    BETA_ONE,
    FIXED,
    FIXED_IP,
    MHN,
    MHN_IP,
    PUBLISHED,
    QK,
    QK_IP,
    SEVEN,
)

EXPERIMENTS = tuple(training(transformer) for transformer in ALL)


def make(context: Context) -> Output:
    """Draw every run's end (A) and median curves (B)."""
    figure, axes = drawing.new_figure(1, 2, context.scale, width=12.5, height=3.8, width_ratios=(1.2, 1))
    left, right = axes[0]
    training_drawing.endings(left, (*SEVEN, PUBLISHED, BETA_ONE), context.results, "loss")
    left.axvline(len(SEVEN) - 0.5, color="#999999", lw=0.8, ls=":")
    left.set(ylabel="ending loss |ŷ − y|² (mean of the last fifth)", yscale="log")
    training_drawing.curves(right, SEVEN, context.results, "loss")
    right.set(ylabel="batch loss |ŷ − y|²", yscale="log", xlim=(0, context.scale.iterations))
    drawing.panel(left, "A", "Every run at the end")
    drawing.panel(right, "B", "Along training")
    note = f"i.p.: input projections. A: dots are runs, bars medians. B: {training_drawing.CURVES}"
    drawing.legend_below(figure, right, 7, note)
    rows: list[list[object]] = []
    for transformer in ALL:
        for run, end in enumerate(ending(context.results[transformer.name]["loss"])):
            rows.append([transformer.name, run, round(float(end), 6)])
    return Output(figure, judge(context), {"figS11": (["model", "run", "ending_loss"], rows)})


def judge(context: Context) -> Claims:
    """Judge what the SI says of losses."""
    claims = context.claims("figS11")
    ends = {t.name: ending(context.results[t.name]["loss"]) for t in ALL}
    best = max(float(np.median(ends[t.name])) for t in (PUBLISHED, FIXED_IP, QK_IP))
    rest = min(float(np.median(ends[t.name])) for t in (FIXED, MHN, QK, MHN_IP))
    claims.add(
        "best-three",
        "The baseline, Fixed W_K and QK with input projections show the best training performance: the largest of "
        "their median losses is below the smallest of the others (interval: the two).",
        paper="lower",
        measured=best,
        interval=(best, rest),
        holds=best < rest,
    )
    for other in (*BASELINES, FIXED_IP):
        gap, interval = median_difference(ends[other.name], ends[QK_IP.name], context.seed)
        said = other in (PUBLISHED, FIXED_IP)
        claims.positive(
            f"qk-lowest-{other.name}",
            f"{'' if said else 'Not in the paper: '}QK with input projections attains the lowest loss: median of "
            f"{other.label} minus its own (99%).",
            paper="lowest" if said else "not said",
            measured=gap,
            interval=interval,
        )
    claims.add(
        "qk-consistently",
        "… consistently: its worst run is below the best run of the baseline (published gradients) and of Fixed W_K "
        "with input projections (interval: the two).",
        paper="consistently",
        measured=float(ends[QK_IP.name].max()),
        interval=(float(ends[QK_IP.name].max()), float(min(ends[PUBLISHED.name].min(), ends[FIXED_IP.name].min()))),
        holds=float(ends[QK_IP.name].max()) < min(ends[PUBLISHED.name].min(), ends[FIXED_IP.name].min()),
    )
    judge_shapes(claims, context)
    return claims


def judge_shapes(claims: Claims, context: Context) -> None:
    """Judge the shapes of loss curves."""
    curve = smoothed(context.results[MHN_IP.name]["loss"])
    median = curve.median("run")
    early = median.sel(iteration=slice(0, 1000))
    low = int(early["iteration"].values[early.values.argmin()])
    after = curve.sel(iteration=slice(low, None))
    top = int(after["iteration"].values[after.median("run").values.argmax()])
    rise, interval = median_difference(curve.sel(iteration=top).values, curve.sel(iteration=low).values, context.seed)
    claims.positive(
        "mhn-u-shape",
        f"The loss of MHN with input projections is U-shaped: its median at iteration {top} minus that at its early "
        f"minimum, iteration {low} (99%).",
        paper="rises again",
        measured=rise,
        interval=interval,
    )
    wide = smoothed(context.results[FIXED_IP.name]["loss"]).median("run").values
    blocks = wide[: len(wide) // 8 * 8].reshape(8, -1).mean(axis=1)
    steps = np.diff(blocks)
    claims.within(
        "fixed-smooth",
        "The loss of Fixed W_K with input projections decreases smoothly: largest change of the median between eighths "
        "of training, below 0.",
        paper="decreasing",
        measured=float(steps.max()),
        low=-np.inf,
        high=0.0,
    )


ITEM = Item(
    "figS11",
    "Loss of seven transformers on the Case Sequence Task, at the end and along training",
    EXPERIMENTS,
    make,
    seconds=3,
)
