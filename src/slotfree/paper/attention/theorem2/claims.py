"""All that theorem 7 and its proof claim, and what we found about them."""

from collections.abc import Iterator

from slotfree.paper.attention.theorem2.of_built import claims_of_built
from slotfree.paper.attention.theorem2.of_curvature import claims_of_curvature_and_descent
from slotfree.paper.attention.theorem2.of_loss import claims_of_loss_and_gradient
from slotfree.paper.attention.theorem2.of_storage import claims_of_storage
from slotfree.paper.attention.theorem2.of_training import claims_of_training
from slotfree.study.claim import Claim
from slotfree.study.results import Results


def claims(r: Results) -> Iterator[Claim]:
    """Theorem 7, in the transformer and in the slot-free model; lemma 8; the proof with lemma 9."""
    yield from claims_of_training(r)
    yield from claims_of_built(r)
    yield from claims_of_storage(r)
    yield from claims_of_loss_and_gradient()
    yield from claims_of_curvature_and_descent()
