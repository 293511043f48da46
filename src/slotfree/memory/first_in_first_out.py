"""A store of slots in which the newest pattern takes the place of the oldest: a yardstick."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from slotfree.files.saved_arrays import Saved
from slotfree.memory.slots import SlotSettings, SlotStore, saved_slots


@dataclass(frozen=True)
class FirstInFirstOutSettings(SlotSettings):
    """The arguments of ``FirstInFirstOut``, except its seed."""


class FirstInFirstOut(SlotStore[FirstInFirstOutSettings]):
    """The newest patterns, whole: pattern t is in slot t mod n_slots, and gone when n_slots others have come.

    A cue recalls the pattern that shares most ones with it, of equals the newest. Nothing is random.

    Parameters
    ----------
    n_visible, k_visible : bits, and ones of every recalled pattern.
    n_slots : how many of the newest patterns are kept. The default makes 100,000 bits.
    seed : not used.

    Examples
    --------
    >>> import slotfree as sf
    >>> memory = sf.memory.FirstInFirstOut(n_slots=10, seed=0)
    >>> patterns = sf.random_patterns(30, seed=1)
    >>> memory.store(patterns)
    >>> (memory.retrieve(patterns) == patterns).all(axis=1).nonzero()[0].tolist()
    [20, 21, 22, 23, 24, 25, 26, 27, 28, 29]
    """

    def _store(self, patterns: NDArray[np.uint8]) -> None:
        n_slots = self.settings.n_slots
        kept = np.arange(len(patterns))[-n_slots:]
        self.slots[(self.n_stored + kept) % n_slots] = patterns[kept]

    def _order(self) -> NDArray[np.float64]:
        n_slots = self.settings.n_slots
        age = (self.n_stored - 1 - np.arange(n_slots)) % n_slots
        return 0.5 * (1 - age / n_slots)

    @classmethod
    def saved(cls, settings: FirstInFirstOutSettings, n_stored: int) -> list[Saved]:
        """The slots as they lie: the next pattern goes to slot n_stored modulo n_slots."""
        return [saved_slots(settings)]
