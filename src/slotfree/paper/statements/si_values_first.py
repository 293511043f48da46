"""SI B.5.2: why values are learnt first."""

from slotfree.paper.statement import Statement

VALUES_FIRST: tuple[Statement, ...] = ()
