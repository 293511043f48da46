"""The report: one page that shows everything."""

from slotfree import rooms

__getattr__, __dir__ = rooms.lazy(__name__)
