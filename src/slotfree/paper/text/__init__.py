"""What the paper says, a file for each section: its sentences in their order, each with how it is judged."""

from slotfree import rooms

__getattr__, __dir__ = rooms.lazy(__name__)
