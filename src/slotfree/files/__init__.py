"""Files that are whole or not there: atomic writing, and arrays with labels in the safetensors format."""

from slotfree import rooms

__getattr__, __dir__ = rooms.lazy(__name__)
