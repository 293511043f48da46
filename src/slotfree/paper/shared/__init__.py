"""What several items of the paper share: its models and their experiments, measures, and parts of diagrams."""

from slotfree import rooms

__getattr__, __dir__ = rooms.lazy(__name__)
