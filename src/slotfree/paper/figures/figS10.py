"""Figure S10: one run of the QK model with input projections, and what its weights represent."""

from functools import partial

from slotfree.paper.shared.structure import draw
from slotfree.paper.shared.transformers import PUBLISHED, QK_IP, training
from slotfree.study.item import Item

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
    draw=partial(draw, (QK_IP,)),
)
