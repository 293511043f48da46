"""The paper's figures, tables and theorems, a module for each: its experiments, its measures, and its drawing."""

from slotfree import rooms

__getattr__, __dir__ = rooms.lazy(__name__)
