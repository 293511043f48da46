"""Every model that can be trained, and what computes its batches."""

from typing import TypeAlias

from slotfree.attention.baseline import BaselineEngine, BaselineTransformer
from slotfree.attention.slot_free import SlotFreeEngine, SlotFreeTransformer

Model: TypeAlias = BaselineTransformer | SlotFreeTransformer
Engine: TypeAlias = BaselineEngine | SlotFreeEngine
