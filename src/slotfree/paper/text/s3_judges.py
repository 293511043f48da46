"""Judges of section 3 that other sections share: how well the transformers do, and why one of them falls back."""

from slotfree.paper.figures import fig6
from slotfree.paper.figures.fallback import END, FROZEN, PLAIN, at
from slotfree.paper.shared.performance import (
    RISE,
    ends,
    kept,
    learnt,
    median_end,
    n_unsolved,
    nearer,
    overwritten,
    solved,
)
from slotfree.paper.shared.transformers import BASELINE, BASELINES, FIXED_IP, PAIRS, PUBLISHED, QK_IP
from slotfree.study import at_most, between, estimate, judged, more, never, share_of_runs

WITHOUT = tuple(without for without, _ in PAIRS)
AROUND_90 = (0.85, 0.95)  # what rounds to 90%, in steps of 10%

PERFECT_BASELINES = {
    baseline: never(f"fig7.perfect-{baseline.name}", n_unsolved(baseline)) for baseline in (PUBLISHED, BASELINE)
}
PERFECT_BASELINE = PERFECT_BASELINES[PUBLISHED]
FIXED_IP_PERFECT = share_of_runs("fig7.fixed-ip-largely-perfect", solved(FIXED_IP))
QK_IP_PERFECT = share_of_runs("fig7.qk-ip-perfect", solved(QK_IP))
QK_IP_APPROACHES = more(
    "fig7.qk-ip-approaches",
    nearer(ends, QK_IP, PUBLISHED, WITHOUT),
    0,
    "median ending accuracy: how much nearer to the baseline QK, i.p. is than the best model without projections",
)
BOOSTED = {
    without: more(
        f"fig7.projections-{without.name}",
        ends(with_),
        ends(without),
        f"median ending accuracy, {with_.label} against {without.label}",
        median=True,
    )
    for without, with_ in PAIRS
}
OVERWRITTEN = {without: more(f"fig7.overwritten-{without.name}", overwritten(without), 0) for without in WITHOUT}
FEWER_OVERWRITTEN = {
    without: more(
        f"fig7.fewer-overwritten-{without.name}",
        overwritten(without),
        overwritten(with_),
        f"share of context items that a later one overwrites after training, {without.label} against {with_.label}",
    )
    for without, with_ in PAIRS
}
NEW_NEURONS = more(
    "fig6.projections",
    fig6.untrained_overwritten(False),
    fig6.untrained_overwritten(True),
    "share of context items that a later one overwrites before training, without projections against with them",
    paired=True,
)
KEPT = {with_: share_of_runs(f"fig7.kept-{with_.name}", kept(with_)) for _, with_ in PAIRS}
ABOUT_90 = {without: between(f"fig7.around-90-{without.name}", median_end(without), *AROUND_90) for without in WITHOUT}
FASTER_THAN_FIXED = {
    baseline: more(
        name,
        learnt(FIXED_IP),
        learnt(baseline),
        f"median iteration at which accuracy is perfect, Fixed, i.p. against {baseline.label}",
        median=True,
    )
    for baseline, name in ((PUBLISHED, "fig7.baseline-faster-than-fixed"), (BASELINE, "fig7.exact-faster-than-fixed"))
}
QK_FASTER = {
    baseline: more(
        f"fig7.qk-faster-than-{baseline.name}",
        learnt(baseline),
        learnt(QK_IP),
        f"median iteration at which accuracy is perfect, {baseline.label} against QK, i.p.",
        median=True,
    )
    for baseline in BASELINES
}
QK_WITHIN_1000 = judged(
    "fig7.qk-ip-within-1000",
    lambda r: estimate.median(learnt(QK_IP)(r), seed=r.seed),
    at_most(RISE),
    "median iteration at which accuracy is perfect, QK, i.p.",
)
TENSION = more(
    "fallback.frozen-keys-better",
    at(FROZEN, "accuracy", END),
    at(PLAIN, "accuracy", END),
    "median accuracy at the end, MHN, i.p., W_K frozen at the peak against W_K that goes on learning",
    median=True,
)
