"""A store of slots that keeps a fair sample of all patterns: a yardstick."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from slotfree.files.saved_arrays import Saved
from slotfree.memory.diluted import chance, new_key, saved_key
from slotfree.memory.slots import SlotSettings, SlotStore, saved_slots


@dataclass(frozen=True)
class ReservoirSettings(SlotSettings):
    """The arguments of ``Reservoir``, except its seed."""


class Reservoir(SlotStore[ReservoirSettings]):
    """A random sample of all patterns, whole: each of T patterns is there with probability n_slots/T (Vitter, 1985).

    Pattern t takes slot j, drawn uniformly from 0 to t − 1, if there is such a slot. Age does not matter: the memory
    does not forget, but keeps ever fewer of all. A cue recalls the pattern that shares most ones with it.

    Parameters
    ----------
    n_visible, k_visible : bits, and ones of every recalled pattern.
    n_slots : how many patterns are kept. The default makes 100,000 bits.
    seed : decides which are kept; an integer, a SeedSequence or a Generator.

    Examples
    --------
    >>> import slotfree as sf
    >>> memory = sf.memory.Reservoir(n_slots=10, seed=0)
    >>> patterns = sf.random_patterns(30, seed=1)
    >>> memory.store(patterns)
    >>> int((memory.retrieve(patterns) == patterns).all(axis=1).sum())
    10
    """

    def _begin(self, rng: np.random.Generator) -> None:
        super()._begin(rng)
        self.key = new_key(rng)

    def _store(self, patterns: NDArray[np.uint8]) -> None:
        n_slots = self.settings.n_slots
        for number, x in enumerate(patterns, self.n_stored):
            slot = number if number < n_slots else int(chance(self.key, number).integers(number + 1))
            if slot < n_slots:
                self.slots[slot] = x

    @classmethod
    def saved(cls, settings: ReservoirSettings, n_stored: int) -> list[Saved]:
        """The slots, and the key that the sample follows from."""
        return [saved_slots(settings), saved_key()]
