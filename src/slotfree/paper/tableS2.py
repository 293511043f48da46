"""Table S2: queries against lowercase keys, a block of W_Qᵀ W_K."""

from functools import partial

from slotfree.paper import similarity_tables
from slotfree.paper.items import Item
from slotfree.paper.similarity_tables import EXPERIMENTS

PRINTED = {
    "transformer": (4.73, 0.246, -1.57, 1.11),
    "Fixed W_K (no input proj.)": (1.83, 1.06, -0.497, 1.52),
    "Training W_K (no input proj.)": (4.06, 1.39, -0.126, 2.62),
    "Q-K Alignment (no input proj.)": (7.40, 1.94, -1.32, 1.91),
    "Fixed W_K (input proj.)": (2.58, 0.727, -0.313, 1.64),
    "Training W_K (input proj.)": (5.52, 2.83, 0.334, 4.17),
    "Q-K Alignment (input proj.)": (7.95, 1.89, -0.878, 2.21),
}

ITEM = Item(
    "tableS2",
    "Queries against lowercase keys: seven models and the printed table",
    EXPERIMENTS,
    partial(similarity_tables.make, "tableS2", "query-lower", "Queries and lowercase keys", PRINTED),
    3,
)
