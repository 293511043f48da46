"""All that the paper says, one file for each part of it, in its order."""

from slotfree.paper.statements.attention import ATTENTION
from slotfree.paper.statements.captions import DIAGRAMS
from slotfree.paper.statements.introduction import DISCUSSION, INTRODUCTION
from slotfree.paper.statements.memory import MEMORY
from slotfree.paper.statements.si_background import BACKGROUND, PREPROCESSING
from slotfree.paper.statements.si_random import RANDOM
from slotfree.paper.statements.si_theory import THEORY
from slotfree.paper.statements.si_training import TRAINING
from slotfree.paper.statements.si_trees import TREES
from slotfree.paper.statements.si_values_first import VALUES_FIRST
from slotfree.study.statement import Statement

PARTS: dict[str, tuple[Statement, ...]] = {
    "Abstract and introduction": INTRODUCTION,
    "Section 2: the K-winner MHN": MEMORY,
    "Section 3: slot-free transformers": ATTENTION,
    "Diagrams: Figures 3, 5, 6 and S8": DIAGRAMS,
    "Section 4: discussion": DISCUSSION,
    "SI A.1 and A.2.1: background and baseline accuracy": BACKGROUND,
    "SI A.2.2, A.2.3, A.2.5, A.2.6: random patterns": RANDOM,
    "SI A.2.4: theory of the 1-winner MHN": THEORY,
    "SI A.3: patterns with hierarchical similarity": TREES,
    "SI A.4: preprocessing": PREPROCESSING,
    "SI B.1 to B.5.1: models, training, tables, gradients, dynamics": TRAINING,
    "SI B.5.2: values are learnt first": VALUES_FIRST,
}
STATEMENTS = tuple(statement for part in PARTS.values() for statement in part)
