"""Kernels of the theory of forgetting."""

from slotfree import rooms

__getattr__, __dir__ = rooms.lazy(__name__)
