"""Kernels that know numbers only: random numbers, sums, winners, bits."""

from slotfree import rooms

__getattr__, __dir__ = rooms.lazy(__name__)
