"""``python -m slotfree`` is the command ``slotfree``."""

from slotfree.cli.main import main

main()
