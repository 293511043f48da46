"""SI A.3: patterns with hierarchical similarity."""

from slotfree.paper.statement import Statement

TREES: tuple[Statement, ...] = ()
