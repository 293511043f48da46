"""MINERVA 2: traces of all that was experienced, which answer a cue together."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.files.saved_arrays import Saved
from slotfree.memory.base import check_fractions, keep
from slotfree.memory.diluted import chance, new_key, saved_key, winners
from slotfree.memory.slots import SlotSettings, SlotStore, saved_slots


@dataclass(frozen=True)
class MinervaSettings(SlotSettings):
    """The arguments of ``Minerva``, except its seed."""

    encoding: float = 0.8
    power: int = 3

    def __post_init__(self) -> None:
        super().__post_init__()
        check_fractions(self, "encoding")
        keep(self, power=checks.integer("power", self.power, 1, 99))


class Minerva(SlotStore[MinervaSettings]):
    """Hintzman's MINERVA 2 (1984, 1988) for patterns of zeros and ones, with a limited number of traces.

    Each pattern leaves a trace T_i, in which each of its ones is encoded with probability L. A cue P activates all
    traces at once, and what comes back is an echo:

        similarity   S_i = |P ∩ T_i| / |P ∪ T_i|
        activation   A_i = S_i³
        content      C = Σ A_i T_i, whose k_v largest numbers are recalled
        intensity    I = Σ A_i, the familiarity of the cue

    In Hintzman's patterns features are 1, −1 or 0, and those that are 0 in both cue and trace do not count; here there
    is no −1. He keeps every trace; here the newest take the place of the oldest. Ties are broken as in ``KWinnerMHN``.

    Parameters
    ----------
    n_visible, k_visible : bits, and ones of every recalled pattern.
    n_slots : traces. The default makes 100,000 bits.
    encoding : L, in (0, 1].
    power : of the similarity; 3 is Hintzman's.
    seed : decides what is encoded; an integer, a SeedSequence or a Generator.

    Examples
    --------
    >>> import slotfree as sf
    >>> memory = sf.memory.Minerva(seed=0)
    >>> patterns = sf.random_patterns(40, seed=1)
    >>> memory.store(patterns[:20])
    >>> old, new = memory.familiarity(patterns).reshape(2, 20).mean(axis=1).round(2).tolist()
    >>> old > 10 * new
    True
    """

    def _begin(self, rng: np.random.Generator) -> None:
        super()._begin(rng)
        self.key = new_key(rng)

    def _store(self, patterns: NDArray[np.uint8]) -> None:
        s = self.settings
        for number, x in enumerate(patterns, self.n_stored):
            self.slots[number % s.n_slots] = x & (chance(self.key, number).random(s.n_visible) < s.encoding)

    def _activations(self, cues: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return A, (T, n_slots)."""
        shared = self._matches(cues)
        either = cues.sum(axis=1, dtype=np.float64)[:, None] + self.slots.sum(axis=1, dtype=np.float64) - shared
        activations: NDArray[np.float64] = (shared / np.maximum(either, 1)) ** self.settings.power
        return activations

    def _retrieve(self, cues: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
        winners(self._activations(cues) @ self.slots, self.settings.k_visible, cues, out)

    def familiarity(self, cues: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return the intensity of the echo to each cue, (T,)."""
        rows = checks.binary_rows("cues", cues, self.settings.n_visible)
        intensities: NDArray[np.float64] = self._activations(rows).sum(axis=1)
        return intensities

    @classmethod
    def saved(cls, settings: MinervaSettings, n_stored: int) -> list[Saved]:
        """The traces as they lie: the next one goes to slot n_stored modulo n_slots; and the key of their encoding."""
        return [saved_slots(settings), saved_key()]
