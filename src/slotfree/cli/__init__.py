"""The command line: ``slotfree``."""

from slotfree import rooms

__getattr__, __dir__ = rooms.lazy(__name__)
