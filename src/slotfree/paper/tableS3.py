"""Table S3: queries against uppercase keys, a block of W_Qᵀ W_K."""

from functools import partial

from slotfree.paper import similarity_tables
from slotfree.paper.items import Item
from slotfree.paper.similarity_tables import EXPERIMENTS

PRINTED = {
    "transformer": (4.78, 0.307, -1.59, 1.01),
    "Fixed W_K (no input proj.)": (1.89, 1.00, -0.582, 1.35),
    "Training W_K (no input proj.)": (4.00, 1.91, -0.0940, 2.32),
    "Q-K Alignment (no input proj.)": (7.41, 1.92, -1.33, 1.98),
    "Fixed W_K (input proj.)": (2.90, 0.547, -0.351, 1.76),
    "Training W_K (input proj.)": (6.12, 1.10, -0.944, 4.14),
    "Q-K Alignment (input proj.)": (7.95, 1.89, -0.879, 2.21),
}

ITEM = Item(
    "tableS3",
    "Queries against uppercase keys: seven models and the printed table",
    EXPERIMENTS,
    partial(similarity_tables.make, "tableS3", "query-upper", "Queries and uppercase keys", PRINTED),
    3,
)
