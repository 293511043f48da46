"""What takes a large memory and half an hour: studies that ``slotfree reproduce`` runs where they are named."""

from slotfree import rooms
from slotfree.study.record import recorded_in
from slotfree.study.study import Study

NAMES = ("billion",)
STUDY = Study("At scale", tuple(f"{__name__}.{name}" for name in NAMES), recorded_in(__name__))
__getattr__, __dir__ = rooms.lazy(__name__)
