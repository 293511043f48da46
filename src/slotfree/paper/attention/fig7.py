"""Figure 7: accuracy on the Case Sequence Task across models, at the end and along training."""

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from slotfree.attention.measures import ending, learnt_at, smoothed
from slotfree.attention.weights import diagonal, letter_blocks, off_diagonal
from slotfree.drawing import training as panels
from slotfree.drawing.picture import Picture, rounded
from slotfree.drawing.style import GREY
from slotfree.paper.shared.nearness import claim_like_qk, claim_nearer
from slotfree.paper.shared.overwriting import SLOT_FREE, claims_overwriting, draw_overwritten
from slotfree.paper.shared.transformers import (
    ALL,
    BASELINE,
    BASELINES,
    BETA_ONE,
    FIXED,
    FIXED_IP,
    MHN,
    MHN_IP,
    PAIRS,
    PERFECT,
    PUBLISHED,
    QK,
    QK_IP,
    SEVEN,
    SHOWN,
    Transformer,
    training,
)
from slotfree.study import estimate
from slotfree.study.claim import Claim, above, at_least, at_most, below, equal_to, of_paper, within
from slotfree.study.item import Item
from slotfree.study.results import Results
from slotfree.study.training import weights_at

Quantity = Literal["accuracy", "loss"]
Ends = dict[Transformer, NDArray[np.float64]]

AROUND_90 = within(0.85, 0.95)
RISE = 1000  # iterations within which models with projections rise


def draw(r: Results) -> Picture:
    """Draw every run's end (A), median curves (B), the baseline three ways (C), and what storage overwrites (D)."""
    picture = Picture(2, 3, width=13, height=3.4, width_ratios=(1.25, 1, 1))
    second, third, fourth = picture.axes[1]
    first = picture.across(0)
    draw_ends(first, r, "accuracy")
    first.set(ylabel="ending accuracy (mean of the last fifth)", ylim=(0.7, 1.02))
    draw_curves(picture, second, r, (*SEVEN, BASELINE), "accuracy", "B")
    draw_curves(picture, third, r, (*BASELINES, QK_IP), "accuracy", "C")
    for axis in (second, third):
        axis.set(ylabel="batch accuracy", ylim=(0.4, 1.02))
        axis.axhline(0.5, color=GREY, lw=0.6)
    third.legend(loc="lower right", bbox_to_anchor=(1, 0.2), fontsize=7)
    draw_overwritten(picture, fourth, r)
    picture.panel(first, "A", "Every run at the end")
    picture.panel(second, "B", "Along training")
    picture.panel(third, "C", "The baseline three ways")
    picture.panel(fourth, "D", "Items overwritten in storage")
    note = (
        "i.p.: input projections; dashed: exact gradients, which the paper does not show. "
        f"A, D: dots are runs (small: beyond the paper's {SHOWN}), bars medians. B, C: {panels.CURVES}"
    )
    picture.legend_below(second, 8, note)
    for transformer in ALL:
        accuracy = r[training(transformer)]["accuracy"]
        for run, (end, at) in enumerate(zip(ending(accuracy), learnt_at(accuracy, PERFECT), strict=True)):
            row = {"model": transformer.name, "run": run, "ending_accuracy": rounded(float(end))}
            picture.record({**row, f"iteration_of_{PERFECT}": at if np.isfinite(at) else "never"})
    return picture


def draw_ends(axis: Axes, r: Results, quantity: Quantity) -> None:
    """Draw the end of each run of the paper's models and, behind a line, of two more versions of the baseline."""
    transformers = (*SEVEN, BASELINE, BETA_ONE)
    jitter = np.random.default_rng(0)
    for place, transformer in enumerate(transformers):
        ends = ending(r[training(transformer)][quantity])
        panels.dots(axis, place, ends, transformer.colour, jitter, shown=SHOWN)
    panels.name_places(axis, [transformer.label for transformer in transformers])
    axis.axvline(len(SEVEN) - 0.5, color=GREY, lw=0.8, ls=":")


def draw_curves(
    picture: Picture, axis: Axes, r: Results, transformers: Sequence[Transformer], quantity: Quantity, panel: str
) -> None:
    """Draw medians along training; that of exact gradients, which the paper has not, is dashed."""
    for transformer in transformers:
        runs = r[training(transformer)][quantity].isel(run=slice(SHOWN))
        row = {"panel": panel, "model": transformer.name}
        style = "--" if transformer is BASELINE else "-"
        panels.along_training(
            picture, axis, runs, transformer.colour, transformer.label, style=style, row=row, table="-curves"
        )
        axis.set_xlim(0, runs.sizes["iteration"])


def ends_of(r: Results, quantity: Quantity) -> Ends:
    """Accuracy or loss of each run at the end."""
    return {transformer: ending(r[training(transformer)][quantity]) for transformer in ALL}


def claims(r: Results) -> Iterator[Claim]:
    """What the results section says of accuracies."""
    ends = ends_of(r, "accuracy")
    yield from claims_perfect(ends)
    yield claim_approaches(ends, r.seed)
    yield from claims_projections(ends, r.seed)
    yield from claims_overwriting(r)
    yield from claims_without_projections(ends, r.seed)
    yield from claims_fixed_keys(r)
    yield from claims_speed(r)
    yield from claims_mhn(r)


def claims_perfect(ends: Ends) -> Iterator[Claim]:
    """Who solves the task."""
    for transformer in BASELINES:
        yield Claim(
            f"perfect-{transformer.name}",
            f"The baseline solves the task “with 100% accuracy across all runs” ({transformer.label}): ending accuracy "
            "of the worst run.",
            source="paper" if transformer is PUBLISHED else "ours",
            paper=1.0,
            estimate=estimate.exact(ends[transformer].min()),
            limits=at_least(PERFECT),
        )
    solved = ends[FIXED_IP] >= PERFECT
    yield of_paper(
        "fixed-ip-largely-perfect",
        "Fixed W_K with input projections “largely attains perfect accuracy at the end of training”: share of runs "
        f"that end at 100% (worst run: {ends[FIXED_IP].min():.3f}).",
        paper="largely",
        estimate=estimate.share(int(solved.sum()), len(solved)),
        limits=above(0.5),
    )
    solved = ends[QK_IP] >= PERFECT
    failed = f"{(~solved).sum()} of {len(solved)}"
    yield of_paper(
        "qk-ip-perfect",
        "QK with input projections “also attains perfect task accuracy”: share of runs that end at 100% (all but "
        f"{failed}).",
        paper="perfect",
        estimate=estimate.share(int(solved.sum()), len(solved)),
        limits=above(0.5),
    )
    yield Claim(
        "qk-ip-not-always",
        f"QK with input projections does not attain perfect accuracy in every run: {failed} runs end below 100%; "
        "ending accuracy of the worst run.",
        paper="perfect",
        estimate=estimate.exact(ends[QK_IP].min()),
        limits=below(PERFECT),
    )


def claim_approaches(ends: Ends, seed: int) -> Claim:
    """The claim that one model without slots comes near to the baseline."""
    return claim_nearer(
        "qk-ip-approaches",
        "QK with input projections “approaches the performance of a standard decoder-only transformer”: ending "
        "accuracy, in contrast to models without input projections",
        "approaches",
        ends,
        model=QK_IP,
        to=PUBLISHED,
        than=(FIXED, MHN, QK),
        seed=seed,
    )


def claims_projections(ends: Ends, seed: int) -> Iterator[Claim]:
    """What input projections do to accuracy."""
    for without, with_ in PAIRS:
        yield of_paper(
            f"projections-{without.name}",
            "“The addition of input projections boosts accuracy across each model type”: median ending accuracy of "
            f"{with_.label} minus that of {without.label}.",
            paper="higher",
            estimate=estimate.median_difference(ends[with_], ends[without], seed=seed),
            limits=above(0),
        )


def claims_without_projections(ends: Ends, seed: int) -> Iterator[Claim]:
    """How well models do without input projections, and which of them does best."""
    for transformer in (FIXED, MHN, QK):
        yield of_paper(
            f"around-90-{transformer.name}",
            f"Models without input projections “attain accuracies of around 90%”: median of {transformer.label}.",
            paper="around 0.9",
            estimate=estimate.median(ends[transformer], seed=seed),
            limits=AROUND_90,
        )
    yield of_paper(
        "fixed-higher-without",
        "Without input projections Fixed W_K appears to attain “higher ending accuracy”: chance that a run of Fixed "
        "W_K ends above a run of MHN or QK.",
        paper="higher",
        estimate=estimate.chance_above(ends[FIXED], np.concatenate([ends[MHN], ends[QK]]), seed=seed),
        limits=above(0.5),
    )
    spreads = {transformer: ends[transformer].std(ddof=1) for transformer in (FIXED, MHN, QK)}
    found = ", ".join(f"{transformer.label} {spread:.3f}" for transformer, spread in spreads.items())
    yield of_paper(
        "fixed-consistent-without",
        "Without input projections Fixed W_K appears to attain its ending accuracy “more consistently”: standard "
        f"deviation over runs, the smaller one of MHN and QK minus that of Fixed W_K ({found}).",
        paper="more consistently",
        estimate=estimate.bootstrap(
            lambda fixed, mhn, qk: np.minimum(mhn, qk) - fixed,
            *(ends[transformer] for transformer in spreads),
            of=lambda rows: rows.std(axis=1, ddof=1),
            seed=seed,
        ),
        limits=above(0),
    )


def claims_fixed_keys(r: Results) -> Iterator[Claim]:
    """Keys that do not learn do not become alike."""
    for transformer in (FIXED, FIXED_IP):
        block = letter_blocks(weights_at(r[training(transformer)]))["key-key"]
        yield of_paper(
            f"unrelated-keys-{transformer.name}",
            "Fixing W_K “prevents the uppercase and lowercase key for any given letter type from developing meaningful "
            f"correlations” ({transformer.label}): mean dot product of the keys of equal letters minus that of "
            "different ones, no difference.",
            paper="no correlations",
            estimate=estimate.mean(diagonal(block).mean(axis=-1) - off_diagonal(block).mean(axis=-1)),
            limits=equal_to(0),
        )


def claims_speed(r: Results) -> Iterator[Claim]:
    """Who learns faster: with the baseline that the paper ran, and with the two others."""
    learnt = {transformer: learnt_at(r[training(transformer)]["accuracy"], PERFECT) for transformer in ALL}
    yield of_paper(
        "qk-ip-within-1000",
        "QK with input projections is “sharply rising to perfect accuracy within 1,000 training iterations”: iteration "
        "at which a run reaches it, median.",
        paper="within 1000",
        estimate=estimate.median(learnt[QK_IP], seed=r.seed),
        limits=at_most(RISE),
    )
    yield of_paper(
        "baseline-faster-than-fixed",
        "The baseline (published gradients) “learns quickly compared to” Fixed W_K with input projections: iterations "
        "by which it is earlier at perfect accuracy, medians.",
        paper="quickly",
        estimate=estimate.median_difference(learnt[FIXED_IP], learnt[PUBLISHED], seed=r.seed),
        limits=above(0),
    )
    yield Claim(
        "exact-slower-than-fixed",
        "With the exact gradients of its own equations the baseline is slower than Fixed W_K with input projections: "
        "iterations by which it is later at perfect accuracy, medians.",
        paper="opposite with published gradients",
        estimate=estimate.median_difference(learnt[BASELINE], learnt[FIXED_IP], seed=r.seed),
        limits=above(0),
    )
    for baseline in BASELINES:
        yield Claim(
            f"qk-faster-than-{baseline.name}",
            f"QK with input projections “learns more rapidly than the given baseline transformer” ({baseline.label}): "
            "iterations by which it is earlier at perfect accuracy, medians.",
            source="paper" if baseline is PUBLISHED else "ours",
            paper="more rapidly" if baseline is PUBLISHED else "",
            estimate=estimate.median_difference(learnt[baseline], learnt[QK_IP], seed=r.seed),
            limits=above(0),
        )


def claims_mhn(r: Results) -> Iterator[Claim]:
    """The rise and the fall of the MHN model with projections."""
    accuracy = r[training(MHN_IP)]["accuracy"]
    blocks, peak, ends = smoothed(accuracy), peak_of_mhn(r), ending(accuracy)
    first, highest = blocks.isel(iteration=0).values, blocks.sel(iteration=peak).values
    yield of_paper(
        "mhn-rises",
        "MHN with input projections “steeply rises to nearly 100% at the start of training” (to "
        f"{np.median(highest):.3f} at iteration {peak}): how far it rises, median.",
        paper="rises",
        estimate=estimate.median(highest - first, seed=r.seed),
        limits=above(0),
    )
    yield of_paper(
        "mhn-falls",
        "MHN with input projections rises “but subsequently decreases”: accuracy at its peak minus that at the end of "
        "the same run, median.",
        paper="decreases",
        estimate=estimate.median(highest - ends, seed=r.seed),
        limits=above(0),
    )
    yield of_paper(
        "mhn-settles",
        "MHN with input projections then “settles around 90%”: median ending accuracy.",
        paper="around 0.9",
        estimate=estimate.median(ends, seed=r.seed),
        limits=AROUND_90,
    )
    rise = {t: smoothed(r[training(t)]["accuracy"]).sel(iteration=slice(0, peak)) for t in SLOT_FREE}
    yield claim_like_qk(
        "mhn-matches-qk",
        "The median accuracy of MHN “appears to match the initial accuracy trajectory” of QK, both with input "
        f"projections: mean accuracy until its peak (iteration {peak})",
        "matches",
        {transformer: accuracy.mean("iteration").values for transformer, accuracy in rise.items()},
        r.seed,
    )


def peak_of_mhn(r: Results) -> int:
    """Iteration at which the median accuracy of the MHN model with projections is highest before it falls."""
    median = smoothed(r[training(MHN_IP)]["accuracy"]).sel(iteration=slice(0, RISE)).median("run")
    return int(median["iteration"].values[median.values.argmax()])


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
    "baseline. B: median accuracy along training, with bands from the least to the largest. C: the baseline with "
    "published gradients, with exact ones, and with β = 1, next to the QK model. D: share of context items that are "
    "overwritten in storage after training, for six slot-free models.",
    experiments=tuple(map(training, ALL)),
    draw=draw,
    claims=claims,
)
