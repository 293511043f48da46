"""Kernels of memories: who wins, what is stored, what is recalled."""

from slotfree import rooms

__getattr__, __dir__ = rooms.lazy(__name__)
