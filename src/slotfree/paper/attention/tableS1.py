"""Table S1: uppercase against lowercase keys, a block of W_Kᵀ W_K."""

from functools import partial

from slotfree.paper.shared.similarity import Table, draw
from slotfree.paper.shared.similarity_claims import claims_with_fixed_keys
from slotfree.paper.shared.transformers import ALL, training
from slotfree.study.item import Item

TABLE = Table(
    "key-key",
    "Uppercase and lowercase keys",
    {
        "transformer": (3.34, 0.323, -1.11, 0.693),
        "Fixed W_K (no input proj.)": (0.0563, 0.280, -0.00152, 0.470),
        "Training W_K (no input proj.)": (-0.0541, 2.22, -1.27, 2.32),
        "Q-K Alignment (no input proj.)": (7.19, 2.07, -1.42, 2.48),
        "Fixed W_K (input proj.)": (0.00806, 0.324, 0.00531, 0.482),
        "Training W_K (input proj.)": (0.532, 1.57, -0.933, 2.02),
        "Q-K Alignment (input proj.)": (7.96, 1.88, -0.916, 2.16),
    },
)
ITEM = Item(
    name="tableS1",
    number="Table S1",
    title="Keys of both cases",
    text="Dot products between uppercase and lowercase keys: of equal letters, on the diagonal of their matrix, and of "
    "different ones. Fixed keys show no structure, the baseline and the QK models a strong one. The printed means are "
    "ours. The printed ranges are those within a run, not, as the text says, those of the means of the runs; and the "
    "printed baseline comes out only with the published gradients.",
    alt="Four panels with a row for each model: on-diagonal mean and range, off-diagonal mean and range of the dot "
    "products of uppercase and lowercase keys, as printed and as measured with intervals; ranges by two definitions.",
    experiments=tuple(map(training, ALL)),
    draw=partial(draw, TABLE),
    claims=partial(claims_with_fixed_keys, TABLE),
)
