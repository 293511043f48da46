"""Figure S10: one run of the QK model with input projections, and what its weights represent."""

from functools import partial

from slotfree.paper import single_run
from slotfree.paper.items import Item
from slotfree.paper.training_runs import training
from slotfree.paper.transformers import QK_IP

ITEM = Item(
    "figS10",
    "One run of the QK model with input projections: accuracy, values, query-key and key-key alignment",
    (training(QK_IP),),
    partial(single_run.make, "figS10", QK_IP),
    seconds=3,
)
