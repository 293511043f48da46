"""Table S3: queries against uppercase keys, a block of W_Qᵀ W_K."""

from functools import partial

from slotfree.paper.shared.similarity import Table, draw
from slotfree.paper.shared.similarity_claims import claims_with_fixed_queries
from slotfree.paper.shared.transformers import ALL, training
from slotfree.study.item import Item

TABLE = Table(
    "query-upper",
    "Queries and uppercase keys",
    {
        "transformer": (4.78, 0.307, -1.59, 1.01),
        "Fixed W_K (no input proj.)": (1.89, 1.00, -0.582, 1.35),
        "Training W_K (no input proj.)": (4.00, 1.91, -0.0940, 2.32),
        "Q-K Alignment (no input proj.)": (7.41, 1.92, -1.33, 1.98),
        "Fixed W_K (input proj.)": (2.90, 0.547, -0.351, 1.76),
        "Training W_K (input proj.)": (6.12, 1.10, -0.944, 4.14),
        "Q-K Alignment (input proj.)": (7.95, 1.89, -0.879, 2.21),
    },
)
ITEM = Item(
    name="tableS3",
    number="Table S3",
    title="Queries and uppercase keys",
    text="The same for uppercase letters, with nearly the same numbers as for lowercase ones. Queries thus find a "
    "letter whatever its case, which is what the task needs.",
    alt="Four panels with a row for each model: on-diagonal mean and range, off-diagonal mean and range of the dot "
    "products of queries and uppercase keys, as printed and as measured with intervals; ranges by two definitions.",
    experiments=tuple(map(training, ALL)),
    draw=partial(draw, TABLE),
    claims=partial(claims_with_fixed_queries, TABLE),
)
