"""Table S2: queries against lowercase keys, a block of W_Qᵀ W_K."""

from functools import partial

from slotfree.paper.shared.similarity import LOWER, draw, own_claims
from slotfree.paper.shared.transformers import ALL, training
from slotfree.study.item import Item

ITEM = Item(
    name="tableS2",
    number="Table S2",
    title="Queries and lowercase keys",
    text="The same for queries and the keys of lowercase letters: every model has higher dot products for equal "
    "letters than for different ones, those with fixed keys too, and the QK models the highest. The printed row of the "
    "baseline belongs to the published gradients, not to the exact ones.",
    alt="Four panels with a row for each model: on-diagonal mean and range, off-diagonal mean and range of the dot "
    "products of queries and lowercase keys, as printed and as measured with intervals; ranges by two definitions.",
    experiments=tuple(map(training, ALL)),
    draw=partial(draw, LOWER),
    claims=own_claims(LOWER),
)
