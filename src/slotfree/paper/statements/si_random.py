"""SI A.2.2, A.2.3, A.2.5 and A.2.6: random patterns."""

from slotfree.paper.statement import Statement

RANDOM: tuple[Statement, ...] = ()
