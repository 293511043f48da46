"""How figures look: one style, and the panels that studies, sweeps and the command line share."""

from slotfree import rooms

__getattr__, __dir__ = rooms.lazy(__name__)
