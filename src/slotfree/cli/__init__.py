"""The command line: ``slotfree``."""
