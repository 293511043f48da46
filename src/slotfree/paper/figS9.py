"""Figure S9: one run of the baseline transformer, and what its weights represent."""

from functools import partial

from slotfree.paper import single_run
from slotfree.paper.items import Item
from slotfree.paper.training_runs import training
from slotfree.paper.transformers import BASELINE

ITEM = Item(
    "figS9",
    "One run of the baseline: accuracy, values, query-key and key-key alignment",
    (training(BASELINE),),
    partial(single_run.make, "figS9", BASELINE),
    seconds=3,
)
