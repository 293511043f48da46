"""The sparse quantised Hopfield network: units that average the patterns they match best."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.files.saved_arrays import Numbers, Saved
from slotfree.memory.base import BinaryMemory, check_layers, keep
from slotfree.memory.diluted import winners


@dataclass(frozen=True)
class SQHNSettings:
    """The arguments of ``SQHN``, except its seed."""

    n_visible: int = 1000
    k_visible: int = 100
    n_hidden: int = 100
    novelty: float = 0.5

    def __post_init__(self) -> None:
        check_layers(self, "visible", "hidden")
        keep(self, novelty=checks.fraction("novelty", self.novelty, zero_allowed=True))

    @property
    def n_weights(self) -> int:
        """Learned weights."""
        return self.n_hidden * self.n_visible

    @property
    def n_bits(self) -> int:
        """Bits of state: weights of 32 bits, and a count for each unit."""
        return 32 * (self.n_weights + self.n_hidden)

    @property
    def n_touched(self) -> float:
        """Weights that change when a pattern is stored: those of one unit."""
        return self.n_visible


class SQHN(BinaryMemory[SQHNSettings]):
    """A hidden layer in which one unit at a time learns, as fast as it is new (Alonso and Krichmar, 2024).

    The best-matching unit b is the one whose weights are nearest to the pattern. It learns with a rate that falls with
    how often it has won, so that its weights are the mean of the patterns it has stored:

        b = argmin_i ‖x − M_i‖²
        M_b ← M_b + (x − M_b)/n_b,    n_b ← n_b + 1

    If the pattern is novel, M_b · x/|x| below a threshold, and a unit is left that has never won, that unit stores it
    instead. When none is left, units take what matches best, and average unrelated patterns. The one layer of the paper
    is here, without its trees of layers; a cue recalls the k_v largest weights of its best-matching unit. Nothing is
    random; ties are broken as in ``KWinnerMHN``.

    Parameters
    ----------
    n_visible, k_visible : n_v and k_v, bits, and ones of every recalled pattern.
    n_hidden : units. The default makes 100,000 weights.
    novelty : the match below which a pattern is novel, in [0, 1].
    seed : not used.

    Examples
    --------
    >>> import slotfree as sf
    >>> memory = sf.memory.SQHN(seed=0)
    >>> patterns = sf.random_patterns(50, seed=1)
    >>> memory.store(patterns)
    >>> bool((memory.retrieve(patterns) == patterns).all())
    True
    """

    def _begin(self, rng: np.random.Generator) -> None:
        self.weights = np.zeros((self.settings.n_hidden, self.settings.n_visible), np.float32)
        self.counts = np.zeros(self.settings.n_hidden)

    def _store(self, patterns: NDArray[np.uint8]) -> None:
        for x in patterns:
            b, match = 0, -1.0
            if self.counts.any():
                b = int(self._nearest(x[None])[0])
                match = float(self.weights[b] @ x) / max(int(x.sum()), 1)
            if match < self.settings.novelty and not self.counts.all():
                b = int(self.counts.argmin())
            self.counts[b] += 1
            self.weights[b] += (x - self.weights[b]) / np.float32(self.counts[b])

    def _retrieve(self, cues: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
        best = self._nearest(cues)
        winners(self.weights[best].astype(np.float64), self.settings.k_visible, cues, out)

    def _nearest(self, rows: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Return the best-matching unit of each row, of those that have won: least ‖x − M‖² = ‖M‖² − 2 M · x + ‖x‖²."""
        W = self.weights.astype(np.float64)  # means are of 32 bits: distances that differ by rounding tie
        distance = (W * W).sum(axis=1) - 2 * (rows.astype(np.float64) @ W.T)
        found: NDArray[np.int64] = np.where(self.counts > 0, distance.round(4), np.inf).argmin(axis=1)
        return found

    def familiarity(self, cues: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return the match of each cue with its best-matching unit, M_b · x/|x|, (T,)."""
        rows = checks.binary_rows("cues", cues, self.settings.n_visible)
        matches: NDArray[np.float64] = (self.weights[self._nearest(rows)] * rows).sum(axis=1, dtype=np.float64)
        matches /= np.maximum(rows.sum(axis=1), 1)
        return matches

    @classmethod
    def saved(cls, settings: SQHNSettings, n_stored: int) -> list[Saved]:
        """The mean of each unit, and how often it has won."""
        weights = Numbers("weights", (settings.n_hidden, settings.n_visible), 0, 1, np.float32)
        return [weights, Numbers("counts", (settings.n_hidden,), 0, n_stored)]
