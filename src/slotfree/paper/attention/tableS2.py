"""Table S2: queries against lowercase keys, a block of W_Qᵀ W_K."""

from functools import partial

from slotfree.paper.shared.similarity import Table, draw
from slotfree.paper.shared.similarity_claims import claims_with_fixed_queries
from slotfree.paper.shared.transformers import ALL, training
from slotfree.study.item import Item

TABLE = Table(
    "query-lower",
    "Queries and lowercase keys",
    {
        "transformer": (4.73, 0.246, -1.57, 1.11),
        "Fixed W_K (no input proj.)": (1.83, 1.06, -0.497, 1.52),
        "Training W_K (no input proj.)": (4.06, 1.39, -0.126, 2.62),
        "Q-K Alignment (no input proj.)": (7.40, 1.94, -1.32, 1.91),
        "Fixed W_K (input proj.)": (2.58, 0.727, -0.313, 1.64),
        "Training W_K (input proj.)": (5.52, 2.83, 0.334, 4.17),
        "Q-K Alignment (input proj.)": (7.95, 1.89, -0.878, 2.21),
    },
)
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
    draw=partial(draw, TABLE),
    claims=partial(claims_with_fixed_queries, TABLE),
)
