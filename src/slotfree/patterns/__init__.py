"""Where patterns come from: random ones, trees, clusters, and cues made of them."""

from slotfree import rooms

__getattr__, __dir__ = rooms.lazy(__name__)
