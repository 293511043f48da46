"""What ``reproduce`` knows: the paper, what goes beyond it, what takes a large machine, and memories compared."""

from slotfree import beyond, paper
from slotfree.study.study import together

EVERYTHING = together(
    "Neural Computation Without Slots, reproduced",
    paper.STUDY,
    beyond.STUDY,
    beyond.SCALE,
    beyond.MEMORIES,
    about="What Bhandarkar & McClelland say in their paper of this name, in numbers or in words, made into "
    "computations that can fail; and claims of our own, about the paper and what goes beyond it.",
)
GROUPS = {
    "paper": paper.STUDY.names,
    "beyond": beyond.STUDY.names,
    "scale": beyond.SCALE.names,
    "memories": beyond.MEMORIES.names,
}
USUAL = (*GROUPS["paper"], *GROUPS["beyond"])  # what is run if nothing is named
