"""The paper's second part: attention without slots. One file for each figure, table or theorem."""

from slotfree import rooms

__getattr__, __dir__ = rooms.lazy(__name__)
