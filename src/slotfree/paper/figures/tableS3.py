"""Table S3: queries against uppercase keys, a block of W_Qᵀ W_K."""

from functools import partial

from slotfree.paper.shared.similarity import UPPER, draw, own_claims
from slotfree.paper.shared.transformers import ALL, training
from slotfree.study.item import Item

ITEM = Item(
    name="tableS3",
    number="Table S3",
    title="Queries and uppercase keys",
    text="The same for uppercase letters, with nearly the same numbers as for lowercase ones. Queries thus find a "
    "letter whatever its case, which is what the task needs.",
    alt="Four panels with a row for each model: on-diagonal mean and range, off-diagonal mean and range of the dot "
    "products of queries and uppercase keys, as printed and as measured with intervals; ranges by two definitions.",
    experiments=tuple(map(training, ALL)),
    draw=partial(draw, UPPER),
    claims=own_claims(UPPER),
)
