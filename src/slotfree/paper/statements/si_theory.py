"""SI A.2.4: theory of the 1-winner MHN."""

from slotfree.paper.statement import Statement

THEORY: tuple[Statement, ...] = ()
