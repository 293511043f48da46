"""What theorem 7 says of the slot-free model, judged in those that can be built."""

from collections.abc import Iterator

import numpy as np

from slotfree.attention import theory
from slotfree.paper.attention.theorem2.experiments import (
    BUILT,
    LIMIT,
    TASK,
    UNUSED,
    UNUSED_PRINTED,
    UNUSED_SMALL,
)
from slotfree.paper.attention.theorem2.judged import ROUNDING, equal
from slotfree.paper.attention.theorem2.measures import learned
from slotfree.paper.attention.theorem2.of_training import left_for_large
from slotfree.paper.shared.numeric import exactly
from slotfree.study import estimate
from slotfree.study.claim import Claim, above, at_least, of_paper
from slotfree.study.results import Results


def claims_of_built(r: Results) -> Iterator[Claim]:
    """With n_h = C units, which letters must share, and with n_h = 2L, one for each letter and case."""
    t, small, printed = (learned(r, e, BUILT) for e in (UNUSED, UNUSED_SMALL, UNUSED_PRINTED))
    L, C = TASK.n_letters, TASK.context_length
    size, runs = f"L = {L}, C = {C}", len(t.letters)
    yield exactly(
        "case-code-C",
        "“In either model” columns of W_V converge to [1, 0] and [0, 1] for large N and B; slot-free model with n_h = "
        f"C, {size}, letters spread evenly over the units: distance from the case code of the W_V of least loss.",
        float(theory.distance(theory.shared_units_limit(TASK)[:, : 2 * L])),
        ROUNDING,
        "0 for N, B → ∞",
    )
    left = left_for_large(small, t, r.seed)
    yield equal(
        "case-code-2L",
        "“In either model” columns of W_V converge to [1, 0] and [0, 1] for large N and B; slot-free model with n_h = "
        f"2L, so that W_HI can be built, {size}: squared distance from the case code that is left, extrapolated from "
        f"N = 25, B = 64 and N = 100, B = 256, {runs} runs. The distance at the latter is "
        f"{np.sqrt((t.distance[:, -1] ** 2).mean()):.2f}.",
        left,
        0.0,
        "0 for N, B → ∞",
    )
    contrast = t.contrast
    yield equal(
        "contrast-2L",
        "“In either model” columns of W_V converge to [1, 0] and [0, 1], so that the right output of a column exceeds "
        f"the wrong one by 1; slot-free model with n_h = 2L: mean over columns, N = {t.training.key_dim}, {runs} "
        "runs.",
        estimate.mean(contrast.mean(axis=1)),
        1.0,
        "1 for N, B → ∞",
    )
    u, n_h, T = 2 * L - C, 2 * L, int(t.steps[-1])
    limit = n_h / (C + u * L / 6)
    slowness = 1 - t.training.step * (theory.appearance(L, C) + u / 12) / n_h**2
    yield equal(
        "built-contrast",
        "With n_h = 2L units W_V is not the case code, as units without an item reinstate noise: in the end the "
        f"mean of right minus wrong output is n_h/(C + (n_h − C)L/6) = {limit:.3f}, and "
        f"{limit * (1 - slowness**T):.3f} after {T} steps.",
        estimate.mean(contrast.mean(axis=1)),
        limit * (1 - slowness**T),
        "1 for N, B → ∞",
        "ours",
    )
    yield exactly(
        "case-2L",
        "W_V “can successfully learn to exhibit case structure, even in the absence of any learning for W_K and W_Q”, "
        f"n_h = 2L: right minus wrong output of a column, the least of all columns and {runs} runs, "
        f"N = {t.training.key_dim}.",
        contrast.min(),
        above(0),
        "> 0",
    )
    most = 2 / np.linalg.eigvalsh(theory.slot_free_limit(L, C, 2 * L)[1])[-1]
    yield exactly(
        "step-limit-2L",
        f"Every η < C²/(2γd) = {LIMIT:g} suffices “in either model”: the largest for which descent converges with "
        "n_h = 2L, divided by that limit.",
        most / LIMIT,
        at_least(1),
        "≥ 1",
    )
    ended = len(printed.letters) - printed.diverged
    yield of_paper(
        "steps-2L",
        f"Training converges “with high probability” with n_h = 2L at η = {printed.training.step:g}, 0.9 of the "
        f"printed limit: share of {len(printed.letters)} runs that end nearer to the case code than they began; above "
        "½.",
        paper="high",
        estimate=estimate.share(ended, len(printed.letters)),
        limits=above(0.5),
    )
