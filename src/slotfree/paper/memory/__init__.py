"""The paper's first part: a sparse distributed memory, and how it forgets. One file for each figure or theorem."""

from slotfree import rooms

__getattr__, __dir__ = rooms.lazy(__name__)
