"""What ``reproduce`` knows: the paper and what goes beyond it, as one study in two groups."""

from slotfree import beyond, paper
from slotfree.study.study import together

EVERYTHING = together(
    "Neural Computation Without Slots, reproduced",
    paper.STUDY,
    beyond.STUDY,
    about="What Bhandarkar & McClelland say in their paper of this name, in numbers or in words, made into "
    "computations that can fail; and claims of our own, about the paper and what goes beyond it.",
)
GROUPS = {"paper": paper.STUDY.names, "beyond": beyond.STUDY.names}
