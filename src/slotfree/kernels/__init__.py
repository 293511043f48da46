"""Compiled array code: no files, no terminal, no classes."""

from slotfree import rooms

__getattr__, __dir__ = rooms.lazy(__name__)
