"""Tasks that transformers learn, and the protocol that a task follows."""

from slotfree import rooms

__getattr__, __dir__ = rooms.lazy(__name__)
