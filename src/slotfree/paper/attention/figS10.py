"""Figure S10: one run of the QK model with input projections, and what its weights represent."""

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from slotfree.attention.weights import Weights
from slotfree.paper.attention import figS9
from slotfree.paper.shared.transformers import PUBLISHED, QK_IP, TASK, training
from slotfree.study import estimate
from slotfree.study.claim import Claim, above, of_paper
from slotfree.study.item import Item
from slotfree.study.results import Results
from slotfree.study.training import weights_at


def claims(r: Results) -> Iterator[Claim]:
    """The structure of the QK model, and that the baseline has it too."""
    yield from figS9.claims_structure(QK_IP, r, source="paper")
    yield from figS9.claims_anti_aligned(QK_IP, r)
    yield from figS9.claims_not_all_anti_aligned(QK_IP, r)
    ours, theirs = (signs(weights_at(r[training(transformer)])) for transformer in (QK_IP, PUBLISHED))
    same = (ours[:, None] == theirs).mean(axis=(1, 2))
    yield of_paper(
        "matches-baseline",
        "The structure of QK with input projections “largely matches with the structure learned by the baseline "
        "transformer” (published gradients): share of the entries of W_V, W_QᵀW_K and W_KᵀW_K that are on the same "
        "side, of ½ for values and of 0 for dot products, mean of all runs.",
        paper="largely matches",
        estimate=estimate.mean(same),
        limits=above(0.5),
    )


def signs(weights: Weights) -> NDArray[np.bool_]:
    """On which side the entries of all three matrices are, (run, entry)."""
    L = TASK.n_letters
    values = weights.W_V[..., : 2 * L] > 0.5
    alike = weights.query_key[..., 2 * L :, : 2 * L] > 0, weights.key_key[..., : 2 * L, : 2 * L] > 0
    return np.concatenate([part.reshape(len(part), -1) for part in (values, *alike)], axis=1)


ITEM = Item(
    name="figS10",
    number="Figure S10",
    title="What the QK model's weights represent",
    text="The slot-free model ends with the same structure as the baseline, and with more of it: values encode case, "
    "queries match the keys of their letter, and keys ignore case. It gets there although nothing is sent back to past "
    "items and its keys learn only from the query and the blend of items that is reinstated for it. Keys of different "
    "letters tend to point away from each other, but not all of them do.",
    alt="Accuracy of one run of the QK model with input projections along training, and three heat maps with a row for "
    "each letter: values; dot products of queries and keys; dot products of keys. Diagonals of equal letters are "
    "strong and clean.",
    experiments=(training(QK_IP), training(PUBLISHED)),
    draw=partial(figS9.draw, (QK_IP,)),
    claims=claims,
)
