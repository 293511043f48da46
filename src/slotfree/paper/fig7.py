"""Figure 7: accuracy on the Case Sequence Task across models, at the end and along training."""

import numpy as np

from slotfree.paper import drawing, training_drawing
from slotfree.paper.claims import Claims
from slotfree.paper.items import Context, Item, Output
from slotfree.paper.training_measures import ending, learnt_at, median_difference, median_interval, smoothed
from slotfree.paper.training_runs import training
from slotfree.paper.transformers import (
    ALL,
    BASELINE,
    BASELINES,
    BETA_ONE,
    FIXED,
    FIXED_IP,
    MHN,
    MHN_IP,
    PAIRS,
    PUBLISHED,
    QK,
    QK_IP,
    SEVEN,
    Transformer,
)

EXPERIMENTS = tuple(training(transformer) for transformer in ALL)


def make(context: Context) -> Output:
    """Draw every run's end (A), median curves (B), and the baseline three ways against the QK model (C)."""
    curves = training_drawing.CURVES
    figure, axes = drawing.new_figure(1, 3, context.scale, width=14, height=3.8, width_ratios=(1.25, 1, 1))
    first, second, third = axes[0]
    training_drawing.endings(first, (*SEVEN, PUBLISHED, BETA_ONE), context.results, "accuracy")
    first.axvline(len(SEVEN) - 0.5, color="#999999", lw=0.8, ls=":")
    first.set(ylabel="ending accuracy (mean of the last fifth)", ylim=(0.7, 1.02))
    training_drawing.curves(second, SEVEN, context.results, "accuracy")
    training_drawing.curves(third, (*BASELINES, QK_IP), context.results, "accuracy")
    for axis in (second, third):
        axis.set(ylabel="batch accuracy", ylim=(0.4, 1.02), xlim=(0, context.scale.iterations))
        axis.axhline(0.5, color="#999999", lw=0.6)
    third.legend(loc="lower right")
    for axis, letter, title in zip(
        axes[0], "ABC", ("Every run at the end", "Along training", "The baseline three ways"), strict=True
    ):
        drawing.panel(axis, letter, title)
    drawing.legend_below(figure, second, 7, f"i.p.: input projections. A: dots are runs, bars medians. B, C: {curves}")
    return Output(figure, judge(context), {"fig7": table(context)})


def table(context: Context) -> tuple[list[str], list[list[object]]]:
    """Accuracy of each run at the end, and when it learnt the task."""
    rows: list[list[object]] = []
    for transformer in ALL:
        accuracy = context.results[transformer.name]["accuracy"]
        for run, (end, at) in enumerate(zip(ending(accuracy), learnt_at(accuracy), strict=True)):
            rows.append([transformer.name, run, round(float(end), 6), at if np.isfinite(at) else "never"])
    return ["model", "run", "ending_accuracy", "iteration_of_0.99"], rows


def judge(context: Context) -> Claims:
    """Judge what the results section says of accuracies."""
    claims = context.claims("fig7")
    ends = {t.name: ending(context.results[t.name]["accuracy"]) for t in ALL}
    learnt = {t.name: learnt_at(context.results[t.name]["accuracy"]) for t in ALL}
    for transformer in BASELINES:
        claims.within(
            f"perfect-{transformer.name}",
            f"The baseline solves the task with 100% accuracy across all runs ({transformer.label}): the worst run, at "
            "least 0.999.",
            paper=1.0,
            measured=float(ends[transformer.name].min()),
            low=0.999,
            high=1.0,
        )
    for without, with_ in PAIRS:
        gain, interval = median_difference(ends[with_.name], ends[without.name], context.seed)
        claims.positive(
            f"projections-{without.name}",
            f"Input projections raise accuracy: {with_.label} minus {without.label}, medians (99%).",
            paper="higher",
            measured=gain,
            interval=interval,
        )
    for transformer in (FIXED, MHN, QK):
        claims.within(
            f"around-90-{transformer.name}",
            f"Models without input projections attain around 90%: median of {transformer.label}, within 0.05.",
            paper=0.9,
            measured=float(np.median(ends[transformer.name])),
            low=0.85,
            high=0.95,
        )
    judge_best_without(claims, ends, context.seed)
    claims.within(
        "fixed-ip-largely-perfect",
        "Fixed W_K with input projections largely attains perfect accuracy: share of runs at 0.99 or more, at least "
        "0.8.",
        paper="largely",
        measured=float((ends[FIXED_IP.name] >= 0.99).mean()),
        low=0.8,
        high=1.0,
    )
    claims.within(
        "qk-ip-perfect",
        "QK with input projections attains perfect accuracy: share of runs at 0.99 or more, at least 0.9.",
        paper="perfect",
        measured=float((ends[QK_IP.name] >= 0.99).mean()),
        low=0.9,
        high=1.0,
    )
    median, interval = median_interval(learnt[QK_IP.name], context.seed)
    claims.add(
        "qk-ip-within-1000",
        "QK with input projections rises to perfect accuracy within 1,000 iterations: iteration at which runs reach "
        "0.99 (median, 99%).",
        paper="within 1000",
        measured=median,
        interval=interval,
        holds=interval[1] <= 1000,
    )
    judge_speed(claims, learnt, context.seed)
    judge_fall(claims, context, ends[MHN_IP.name])
    return claims


def judge_best_without(claims: Claims, ends: dict[str, np.ndarray], seed: int) -> None:
    """Judge whether fixed keys do best where there are no projections."""
    rng = np.random.default_rng(seed)
    others = np.concatenate([ends[MHN.name], ends[QK.name]])

    def chance(fixed: np.ndarray, rest: np.ndarray) -> float:
        return float((fixed[:, None] > rest[None, :]).mean())

    draws = ((rng.choice(ends[FIXED.name], len(others) // 2), rng.choice(others, len(others))) for _ in range(999))
    low, high = np.quantile([chance(*draw) for draw in draws], [0.005, 0.995])
    claims.add(
        "fixed-best-without",
        "Without input projections, Fixed W_K appears to attain higher accuracy more consistently: chance that a run "
        "of it ends above a run of the two others (99%); holds unless it is reliably below one half.",
        paper="appears higher",
        measured=chance(ends[FIXED.name], others),
        interval=(float(low), float(high)),
        holds=high > 0.5,
    )


def judge_speed(claims: Claims, learnt: dict[str, np.ndarray], seed: int) -> None:
    """Judge who learns faster: with the baseline that the paper ran, and with the two others."""

    def later(slow: Transformer, fast: Transformer) -> tuple[float, tuple[float, float]]:
        return median_difference(learnt[slow.name], learnt[fast.name], seed)

    lead, interval = later(FIXED_IP, PUBLISHED)
    claims.positive(
        "baseline-faster-than-fixed",
        "The baseline (published gradients) learns quickly compared to Fixed W_K with input projections: iterations it "
        "reaches 0.99 earlier (99%).",
        paper="faster",
        measured=lead,
        interval=interval,
    )
    lag, interval = later(BASELINE, FIXED_IP)
    claims.positive(
        "exact-slower-than-fixed",
        "Not in the paper: with the exact gradients of its own equations the baseline is slower than Fixed W_K with "
        "input projections: iterations it reaches 0.99 later (99%).",
        paper="not said; opposite with published gradients",
        measured=lag,
        interval=interval,
    )
    for baseline, words in ((PUBLISHED, ""), (BASELINE, "Not in the paper: "), (BETA_ONE, "Not in the paper: ")):
        lead, interval = later(baseline, QK_IP)
        claims.positive(
            f"qk-faster-than-{baseline.name}",
            f"{words}QK with input projections learns faster than the baseline ({baseline.label}): iterations it "
            "reaches 0.99 earlier (99%).",
            paper="faster" if baseline is PUBLISHED else "not said",
            measured=lead,
            interval=interval,
        )


def judge_fall(claims: Claims, context: Context, ends: np.ndarray) -> None:
    """Judge the rise and the fall of the MHN model with projections."""
    accuracy = context.results[MHN_IP.name]["accuracy"]
    claims.within(
        "mhn-rises",
        "MHN with input projections steeply rises to nearly 100%: largest median batch accuracy of the first 1,000 "
        "iterations, at least 0.95.",
        paper="nearly 1",
        measured=float(accuracy.isel(iteration=slice(0, 1000)).median("run").max()),
        low=0.95,
        high=1.0,
    )
    blocks = smoothed(accuracy)
    median = blocks.sel(iteration=slice(0, 1000)).median("run")
    peak = int(median["iteration"].values[median.values.argmax()])
    later = blocks.sel(iteration=slice(min(1000, context.scale.iterations // 2), None)).mean("iteration").values
    fall, interval = median_interval(blocks.sel(iteration=peak).values - later, context.seed)
    claims.positive(
        "mhn-falls",
        f"… but subsequently decreases: accuracy at the peak of the median (iteration {peak}) minus mean accuracy from "
        "iteration 1,000 on (median of all runs, 99%).",
        paper="decreases",
        measured=fall,
        interval=interval,
    )
    claims.within(
        "mhn-settles",
        "… and settles around 90%: median at the end, within 0.05.",
        paper=0.9,
        measured=float(np.median(ends)),
        low=0.85,
        high=0.95,
    )
    qk = smoothed(context.results[QK_IP.name]["accuracy"]).sel(iteration=slice(0, peak)).median("run")
    difference = float(np.abs(median.sel(iteration=slice(0, peak)) - qk).mean())
    claims.within(
        "mhn-matches-qk",
        "The initial trajectory of MHN with input projections matches that of QK: mean difference of median accuracies "
        "up to the peak, at most 0.03.",
        paper="matches",
        measured=difference,
        low=0.0,
        high=0.03,
    )


ITEM = Item(
    "fig7",
    "Accuracy of seven transformers on the Case Sequence Task, at the end and along training",
    EXPERIMENTS,
    make,
    seconds=3,
)
