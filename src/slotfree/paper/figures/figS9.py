"""Figure S9: one run of the baseline transformer, and what its weights represent."""

from functools import partial

from slotfree.paper.shared.structure import draw
from slotfree.paper.shared.transformers import BASELINE, PUBLISHED, training
from slotfree.study.item import Item

ITEM = Item(
    name="figS9",
    number="Figure S9",
    title="What the baseline's weights represent",
    text="After training, values encode the case of a letter, queries match the keys of their letter in both cases, "
    "and the keys of both cases of a letter match each other. This is the solution that the task asks for: keys say "
    "which letter, values say which case. The upper row has the published gradients, as the paper; the lower one has "
    "the exact ones, with which the baseline learns later and ends with the same structure.",
    alt="Two rows, for published and for exact gradients: accuracy of one run of the baseline along training, and "
    "three heat maps with a row for each letter: values in two columns for lowercase and uppercase; dot products of "
    "queries and keys; dot products of keys. Equal letters stand out as diagonals.",
    experiments=(training(PUBLISHED), training(BASELINE)),
    draw=partial(draw, (PUBLISHED, BASELINE)),
)
