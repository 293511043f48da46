"""SI A.1, the modern Hopfield network; A.2.1, baseline accuracy; A.4, preprocessing."""

from slotfree.paper.statement import Statement

BACKGROUND: tuple[Statement, ...] = ()
PREPROCESSING: tuple[Statement, ...] = ()
