"""Abstract, introduction and discussion."""

from slotfree.paper.statement import Statement

INTRODUCTION: tuple[Statement, ...] = ()
DISCUSSION: tuple[Statement, ...] = ()
