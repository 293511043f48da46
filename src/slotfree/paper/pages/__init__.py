"""Pages of the documentation about the paper, which are written from the results of a finished run."""

from slotfree import rooms

__getattr__, __dir__ = rooms.lazy(__name__)
