"""Kernels of transformers and of the tasks that they learn."""

from slotfree import rooms

__getattr__, __dir__ = rooms.lazy(__name__)
