"""Section 2: the sparse, distributed, slot-free memory."""

from slotfree.paper.statement import Statement

MEMORY: tuple[Statement, ...] = ()
