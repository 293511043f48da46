"""SI B.1 to B.5.1: data, models, training, tables, gradients, learning dynamics."""

from slotfree.paper.statement import Statement

TRAINING: tuple[Statement, ...] = ()
