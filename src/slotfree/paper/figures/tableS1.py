"""Table S1: uppercase against lowercase keys, a block of W_Kᵀ W_K."""

from functools import partial

from slotfree.paper.shared.similarity import KEYS, draw, own_claims
from slotfree.paper.shared.transformers import ALL, training
from slotfree.study.item import Item

CLAIMS = own_claims(KEYS)
ITEM = Item(
    name="tableS1",
    number="Table S1",
    title="Keys of both cases",
    text="Dot products between uppercase and lowercase keys: of equal letters, on the diagonal of their matrix, and of "
    "different ones. Fixed keys show no structure, the baseline and the QK models a strong one. The printed means are "
    "ours. The printed ranges are those within a run, not, as the text says, those of the means of the runs; and the "
    "printed baseline comes out only with the gradient of the authors' public code.",
    alt="Four panels with a row for each model: on-diagonal mean and range, off-diagonal mean and range of the dot "
    "products of uppercase and lowercase keys, as printed and as measured with intervals; ranges by two definitions.",
    experiments=tuple(map(training, ALL)),
    draw=partial(draw, KEYS),
    claims=CLAIMS,
)
