"""What several of our studies share: memories in theory and in simulation, and models that are trained side by side."""

from slotfree import rooms

__getattr__, __dir__ = rooms.lazy(__name__)
