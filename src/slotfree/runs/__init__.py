"""How work is run: seeds, executors. It knows none of the science."""

from slotfree import rooms

__getattr__, __dir__ = rooms.lazy(__name__)
