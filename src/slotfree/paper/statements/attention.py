"""Section 3: connection weight-based transformers."""

from slotfree.paper.statement import Statement

ATTENTION: tuple[Statement, ...] = ()
