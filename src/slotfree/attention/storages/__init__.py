"""Where a slot-free transformer stores the items of a context: one file for each storage."""

from slotfree import rooms

__getattr__, __dir__ = rooms.lazy(__name__)
