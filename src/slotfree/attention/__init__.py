"""Attention without slots: fast weights, transformer models, learning rules, training."""

from slotfree import rooms

__getattr__, __dir__ = rooms.lazy(__name__)
