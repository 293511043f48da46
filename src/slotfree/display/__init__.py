"""How things are shown to people, on terminals and in notebooks; nothing here knows what they are."""

from slotfree import rooms

__getattr__, __dir__ = rooms.lazy(__name__)
