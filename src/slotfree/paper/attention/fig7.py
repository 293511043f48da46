"""Figure 7: accuracy on the Case Sequence Task across models, at the end and along training."""

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from slotfree.attention.measures import LEARNT, ending, learnt_at, smoothed
from slotfree.drawing import training as panels
from slotfree.drawing.picture import Picture, rounded
from slotfree.drawing.style import GREY
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
    SHOWN,
    Transformer,
    training,
)
from slotfree.study import estimate
from slotfree.study.claim import Claim, above, at_least, at_most, within
from slotfree.study.item import Item
from slotfree.study.results import Results

Quantity = Literal["accuracy", "loss"]
Ends = dict[Transformer, NDArray[np.float64]]

AROUND_90 = within(0.85, 0.95)
RISE = 1000  # iterations within which models with projections rise


def draw(r: Results) -> Picture:
    """Draw every run's end (A), median curves (B), and the baseline three ways against the QK model (C)."""
    picture = Picture(2, 2, width=9.5, height=3.3)
    second, third = picture.axes[1]
    first = picture.across(0)
    draw_ends(first, r, "accuracy")
    first.set(ylabel="ending accuracy (mean of the last fifth)", ylim=(0.7, 1.02))
    draw_curves(picture, second, r, SEVEN, "accuracy", "B")
    draw_curves(picture, third, r, (*BASELINES, QK_IP), "accuracy", "C")
    for axis in (second, third):
        axis.set(ylabel="batch accuracy", ylim=(0.4, 1.02))
        axis.axhline(0.5, color=GREY, lw=0.6)
    third.legend(loc="lower right", bbox_to_anchor=(1, 0.2))
    picture.panel(first, "A", "Every run at the end")
    picture.panel(second, "B", "Along training")
    picture.panel(third, "C", "The baseline three ways")
    note = f"i.p.: input projections. A: dots are runs, bars medians. B, C: {panels.CURVES}"
    picture.legend_below(second, 7, note)
    for transformer in ALL:
        accuracy = r[training(transformer)]["accuracy"]
        for run, (end, at) in enumerate(zip(ending(accuracy), learnt_at(accuracy), strict=True)):
            row = {"model": transformer.name, "run": run, "ending_accuracy": rounded(float(end))}
            picture.record({**row, f"iteration_of_{LEARNT}": at if np.isfinite(at) else "never"})
    return picture


def draw_ends(axis: Axes, r: Results, quantity: Quantity) -> None:
    """Draw the end of each run of the seven models and, behind a line, of two more versions of the baseline."""
    transformers = (*SEVEN, PUBLISHED, BETA_ONE)
    jitter = np.random.default_rng(0)
    for place, transformer in enumerate(transformers):
        runs = r[training(transformer)][quantity].isel(run=slice(SHOWN))
        panels.endings(axis, place, runs, transformer.colour, jitter)
    panels.name_places(axis, [transformer.label for transformer in transformers])
    axis.axvline(len(SEVEN) - 0.5, color=GREY, lw=0.8, ls=":")


def draw_curves(
    picture: Picture, axis: Axes, r: Results, transformers: Sequence[Transformer], quantity: Quantity, panel: str
) -> None:
    """Draw medians along training."""
    for transformer in transformers:
        runs = r[training(transformer)][quantity].isel(run=slice(SHOWN))
        row = {"panel": panel, "model": transformer.name}
        panels.along_training(picture, axis, runs, transformer.colour, transformer.label, row=row, table="-curves")
        axis.set_xlim(0, runs.sizes["iteration"])


def ends_of(r: Results, quantity: Quantity) -> Ends:
    """Accuracy or loss of each run at the end."""
    return {transformer: ending(r[training(transformer)][quantity]) for transformer in ALL}


def claims(r: Results) -> Iterator[Claim]:
    """What the results section says of accuracies."""
    ends = ends_of(r, "accuracy")
    yield from claims_perfect(ends)
    yield from claims_projections(ends, r.seed)
    yield from claims_speed(r)
    yield from claims_mhn(r, ends[MHN_IP])
    yield claim_same_start(r)


def claims_perfect(ends: Ends) -> Iterator[Claim]:
    """Who solves the task."""
    for transformer in BASELINES:
        yield Claim(
            f"perfect-{transformer.name}",
            f"The baseline solves the task with 100% accuracy across all runs ({transformer.label}): the worst run, at "
            "least 0.999.",
            source="ours" if transformer is BETA_ONE else "paper",
            paper=1.0,
            estimate=estimate.exact(ends[transformer].min()),
            limits=at_least(0.999),
        )
    for transformer, name, words, word, least in (
        (FIXED_IP, "fixed-ip-largely-perfect", "Fixed W_K with input projections largely attains", "largely", 0.8),
        (QK_IP, "qk-ip-perfect", "QK with input projections attains", "perfect", 0.9),
    ):
        yield Claim(
            name,
            f"{words} perfect accuracy: share of runs at {LEARNT} or more, at least {least}.",
            source="paper",
            paper=word,
            estimate=estimate.share(int((ends[transformer] >= LEARNT).sum()), len(ends[transformer])),
            limits=at_least(least),
        )


def claims_projections(ends: Ends, seed: int) -> Iterator[Claim]:
    """What input projections are good for, and how well models do without them."""
    for without, with_ in PAIRS:
        yield Claim(
            f"projections-{without.name}",
            f"Input projections raise accuracy: {with_.label} minus {without.label}, medians.",
            source="paper",
            paper="higher",
            estimate=estimate.median_difference(ends[with_], ends[without], seed=seed),
            limits=above(0),
        )
    for transformer in (FIXED, MHN, QK):
        yield Claim(
            f"around-90-{transformer.name}",
            f"Models without input projections attain around 90%: median of {transformer.label}, within 0.05.",
            source="paper",
            paper=0.9,
            estimate=estimate.median(ends[transformer], seed=seed),
            limits=AROUND_90,
        )
    yield Claim(
        "fixed-best-without",
        "Without input projections, Fixed W_K appears to attain higher accuracy more consistently: chance that a run "
        "of it ends above a run of the two others, above one half.",
        source="paper",
        paper="appears higher",
        estimate=estimate.chance_above(ends[FIXED], np.concatenate([ends[MHN], ends[QK]]), seed=seed),
        limits=above(0.5),
    )


def claims_speed(r: Results) -> Iterator[Claim]:
    """Who learns faster: with the baseline that the paper ran, and with the two others."""
    learnt = {transformer: learnt_at(r[training(transformer)]["accuracy"]) for transformer in ALL}
    yield Claim(
        "qk-ip-within-1000",
        "QK with input projections rises to perfect accuracy within 1,000 iterations: iteration at which runs reach "
        "0.99, median.",
        source="paper",
        paper="within 1000",
        estimate=estimate.median(learnt[QK_IP], seed=r.seed),
        limits=at_most(RISE),
    )
    yield Claim(
        "baseline-faster-than-fixed",
        "The baseline (published gradients) learns quickly compared to Fixed W_K with input projections: iterations it "
        "reaches 0.99 earlier, medians.",
        source="paper",
        paper="faster",
        estimate=estimate.median_difference(learnt[FIXED_IP], learnt[PUBLISHED], seed=r.seed),
        limits=above(0),
    )
    yield Claim(
        "exact-slower-than-fixed",
        "With the exact gradients of its own equations the baseline is slower than Fixed W_K with input projections: "
        "iterations it reaches 0.99 later, medians.",
        source="ours",
        paper="opposite with published gradients",
        estimate=estimate.median_difference(learnt[BASELINE], learnt[FIXED_IP], seed=r.seed),
        limits=above(0),
    )
    for baseline in BASELINES:
        yield Claim(
            f"qk-faster-than-{baseline.name}",
            f"QK with input projections learns faster than the baseline ({baseline.label}): iterations it reaches 0.99 "
            "earlier, medians.",
            source="paper" if baseline is PUBLISHED else "ours",
            paper="faster" if baseline is PUBLISHED else "",
            estimate=estimate.median_difference(learnt[baseline], learnt[QK_IP], seed=r.seed),
            limits=above(0),
        )


def claims_mhn(r: Results, ends: NDArray[np.float64]) -> Iterator[Claim]:
    """The rise and the fall of the MHN model with projections."""
    accuracy = r[training(MHN_IP)]["accuracy"]
    best = int(accuracy.isel(iteration=slice(RISE)).median("run").values.argmax())
    yield Claim(
        "mhn-rises",
        "MHN with input projections steeply rises to nearly 100%: largest median batch accuracy of the first 1,000 "
        "iterations, at least 0.95.",
        source="paper",
        paper="nearly 1",
        estimate=estimate.median(accuracy.isel(iteration=best).values, seed=r.seed),
        limits=at_least(0.95),
    )
    blocks = smoothed(accuracy)
    peak = peak_of_mhn(r)
    later = blocks.sel(iteration=slice(min(RISE, accuracy.sizes["iteration"] // 2), None)).mean("iteration")
    yield Claim(
        "mhn-falls",
        f"… but subsequently decreases: accuracy at the peak of the median (iteration {peak}) minus mean accuracy from "
        "iteration 1,000 on, median of all runs.",
        source="paper",
        paper="decreases",
        estimate=estimate.median(blocks.sel(iteration=peak).values - later.values, seed=r.seed),
        limits=above(0),
    )
    yield Claim(
        "mhn-settles",
        "… and settles around 90%: median at the end, within 0.05.",
        source="paper",
        paper=0.9,
        estimate=estimate.median(ends, seed=r.seed),
        limits=AROUND_90,
    )


def peak_of_mhn(r: Results) -> int:
    """Iteration at which the median accuracy of the MHN model with projections is highest before it falls."""
    median = smoothed(r[training(MHN_IP)]["accuracy"]).sel(iteration=slice(0, RISE)).median("run")
    return int(median["iteration"].values[median.values.argmax()])


def claim_same_start(r: Results) -> Claim:
    """How far apart the MHN and the QK model are until the former falls."""
    rises = [
        smoothed(r[training(transformer)]["accuracy"]).sel(iteration=slice(0, peak_of_mhn(r))).values
        for transformer in (MHN_IP, QK_IP)
    ]
    return Claim(
        "mhn-matches-qk",
        "The initial trajectory of MHN with input projections matches that of QK: mean difference of median accuracies "
        "up to the peak, at most 0.03.",
        source="paper",
        paper="matches",
        estimate=estimate.bootstrap(
            lambda mhn, qk: np.abs(mhn - qk).mean(axis=-1), *rises, of=estimate.medians, seed=r.seed
        ),
        limits=at_most(0.03),
    )


ITEM = Item(
    name="fig7",
    number="Figure 7",
    title="Seven transformers on one task",
    text="Each dot is one training run: the slot-based baseline and the slot-free QK model with input projections "
    "solve the task in every run, the models without projections end around 90%, and the MHN model with projections "
    "nearly solves it and then falls back. So local rules without a list of past items can match backpropagation "
    "through slots; panel C shows the baseline with three versions of its gradients.",
    alt="Three panels. A: accuracy at the end of training of each run, for seven models and two more versions of the "
    "baseline. B: median accuracy along training, with bands from the least to the largest. C: the baseline with exact "
    "gradients, with published ones, and with β = 1, next to the QK model.",
    experiments=tuple(map(training, ALL)),
    draw=draw,
    claims=claims,
)
