"""What stores of whole patterns share, each in a slot: the most similar one is recalled."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from slotfree.files.saved_arrays import Numbers
from slotfree.memory.base import B, BinaryMemory, check_layers
from slotfree.memory.diluted import winners


@dataclass(frozen=True)
class SlotSettings:
    """The size of a store of slots; the default makes 100,000 bits."""

    n_visible: int = 1000
    k_visible: int = 100
    n_slots: int = 100

    def __post_init__(self) -> None:
        check_layers(self, "visible", "slots")

    @property
    def n_weights(self) -> int:
        """Numbers that all slots hold."""
        return self.n_slots * self.n_visible

    @property
    def n_bits(self) -> int:
        """Bits of state."""
        return self.n_weights

    @property
    def n_touched(self) -> float:
        """Bits that are written when a pattern is stored, at most."""
        return self.n_visible


class SlotStore(BinaryMemory[B]):
    """Patterns as they are, in slots; a cue recalls the one that shares most ones with it."""

    def _begin(self, rng: np.random.Generator) -> None:
        self.slots = np.zeros(self._shape(), np.uint8)

    def _shape(self) -> tuple[int, int]:
        return self.settings.n_slots, self.settings.n_visible  # type: ignore[attr-defined]

    def _order(self) -> NDArray[np.float64] | float:
        """Return which slots win ties: those with the largest of these numbers, in [0, 1); or else the first."""
        return 0.0

    def _matches(self, cues: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return the ones that each cue shares with each slot, (T, n_slots)."""
        found: NDArray[np.float64] = cues.astype(np.float64) @ self.slots.T
        return found

    def _retrieve(self, cues: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
        best = (self._matches(cues) + self._order()).argmax(axis=1)
        winners(self.slots[best].astype(np.float64), self.settings.k_visible, cues, out)


def saved_slots(settings: SlotSettings) -> Numbers:
    """Describe the saved slots; those that are empty hold zeros."""
    return Numbers("slots", (settings.n_slots, settings.n_visible), 0, 1, np.uint8)
