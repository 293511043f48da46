"""How memories forget, measured and predicted.

``protocol`` stores a stream of patterns and tests them by age; ``agreement`` has what it measures, accuracy, precision
and overlap, and ``checked_memory`` refuses what is not a memory; ``metrics`` and ``fits`` turn what it returns into
curves and constants; ``merit`` has the single numbers that say how good a memory is; ``theory`` predicts the curves
without running a memory; ``family`` and ``search`` look for the best memory with a given number of
weights.

``experiment`` runs any schedule of ``events``; on it are built recognition (``old_new``), repetition and what an
online stream forgets (``streams``), experiments with lists (``lists``) and with pairs (``pairs``). ``detection`` tells
old from new, and ``tables`` are read from and written for other programs.

The modules and these functions are imported when they are first used.
"""

from slotfree import rooms

_HOMES = {
    "OnCopy": "events",
    "Store": "events",
    "Test": "events",
    "along_stream": "streams",
    "capacity": "lists",
    "continuous_recognition": "old_new",
    "interference": "pairs",
    "list_length": "lists",
    "list_strength": "lists",
    "long_table": "tables",
    "recalled": "tables",
    "recognition": "old_new",
    "repetition": "streams",
    "schedule_of": "tables",
}
__getattr__, __dir__ = rooms.lazy(__name__, _HOMES)
