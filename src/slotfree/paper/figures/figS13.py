"""Figure S13: how the QK model with input projections learns."""

from functools import partial

from slotfree.paper.shared.emergence import draw
from slotfree.paper.shared.transformers import QK_IP, training
from slotfree.study.item import Item

UNTIL = 1600  # iteration at which the axes end

ITEM = Item(
    name="figS13",
    number="Figure S13",
    title="How the QK model learns",
    text="Values come first here too, but then queries align with keys well before the keys of both cases of a letter "
    "align with each other. The order follows from the rule: keys are drawn towards queries, and so become alike only "
    "once queries are right.",
    alt="Accuracy and loss of one run of the QK model with four marked iterations; heat maps of values, keys and "
    "queries at these iterations; and the strength of the three structures along training: values, then query and key, "
    "then key and key.",
    experiments=(training(QK_IP),),
    draw=partial(draw, QK_IP, UNTIL),
)
