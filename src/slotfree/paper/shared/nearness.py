"""Claims that one model comes near another: nearer than those with which the paper contrasts it."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from slotfree.paper.shared.overwriting import SLOT_FREE
from slotfree.paper.shared.transformers import MHN_IP, QK_IP, Transformer
from slotfree.study import estimate
from slotfree.study.claim import Claim, above, of_paper

Values = NDArray[np.float64]


def claim_nearer(
    name: str,
    words: str,
    paper: str,
    of_runs: Mapping[Transformer, Values],
    *,
    model: Transformer,
    to: Transformer,
    than: Sequence[Transformer],
    seed: int,
) -> Claim:
    """The claim that the median of a model's runs is nearer to that of another model than the medians of others are.

    Parameters
    ----------
    words : what the paper says, and what is measured in each run.
    of_runs : what is measured, by model, (run,).
    """
    middle = {transformer: float(np.median(of_runs[transformer])) for transformer in (to, model, *than)}
    found = ", ".join(f"{t.label}: {abs(middle[t] - middle[to]):.3f}" for t in (model, *than))
    return of_paper(
        name,
        f"{words}; distance of the median from that of {to.label} ({found}), the smallest of the "
        "others minus the first.",
        paper=paper,
        estimate=estimate.bootstrap(
            lead, *(of_runs[transformer] for transformer in middle), of=estimate.medians, seed=seed
        ),
        limits=above(0),
    )


def lead(goal: Values, model: Values, *others: Values) -> Values:
    """By how much a model is nearer to a goal than the nearest other one."""
    nearer: Values = np.min([abs(other - goal) for other in others], axis=0) - abs(model - goal)
    return nearer


def claim_like_qk(name: str, words: str, paper: str, of_runs: Mapping[Transformer, Values], seed: int) -> Claim:
    """The claim that MHN is near QK, both with projections: nearer than every other model without slots."""
    others = [transformer for transformer in SLOT_FREE if transformer not in (MHN_IP, QK_IP)]
    return claim_nearer(name, words, paper, of_runs, model=MHN_IP, to=QK_IP, than=others, seed=seed)
