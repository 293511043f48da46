"""How memories forget, measured and predicted.

``protocol`` stores a stream of patterns and tests them by age; ``agreement`` has what it measures, accuracy, precision
and overlap, and ``checked_memory`` refuses what is not a memory; ``metrics`` and ``fits`` turn what it returns into
curves and constants; ``merit`` has the single numbers that say how good a memory is; ``theory`` predicts the curves
without running a memory; ``family`` and ``search`` look for the best memory with a given number of
weights.

The modules are imported when they are first used.
"""

from slotfree import rooms

__getattr__, __dir__ = rooms.lazy(__name__)
