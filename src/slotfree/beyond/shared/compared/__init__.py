"""What the items ``people`` and ``bench`` share: memories tuned on equal terms, codes of images, signatures."""

from slotfree import rooms
from slotfree.beyond import MEMORIES

STUDY = MEMORIES  # whose verdicts are recorded here
__getattr__, __dir__ = rooms.lazy(__name__)
