"""What ``reproduce`` knows: the paper and what goes beyond it, as one study in two groups."""

from slotfree import beyond, paper
from slotfree.study.study import together

EVERYTHING = together("Neural Computation Without Slots, reproduced", paper.STUDY, beyond.STUDY)
GROUPS = {"paper": paper.STUDY.names, "beyond": beyond.STUDY.names}
