"""Sweeps: any grid over the parameters of the memories or of the transformers, its table, its data and its plot."""

from slotfree import rooms

__getattr__, __dir__ = rooms.lazy(__name__)
