"""Willshaw's associative memory, whose weights are 0 or 1 and fill up."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.kernels.clipped import retrieve_clipped, store_clipped
from slotfree.memory.binary import BinaryMemory
from slotfree.memory.recurrent import RecurrentSettings, connect, n_inputs


@dataclass(frozen=True)
class WillshawSettings(RecurrentSettings):
    """The size of a Willshaw memory: n_visible, k_visible and fan_in; each weight is one bit."""


class Willshaw(BinaryMemory):
    """A memory of binary weights (Willshaw, Buneman and Longuet-Higgins, 1969), auto-associative and diluted.

    W_ij ← max(W_ij, x_i x_j) on the connections there are: each unit has some, drawn at random, from other units.
    Nothing is forgotten: weights only ever become 1, and when all are, nothing can be told any more.

    Retrieval takes the k_v units that are likeliest to belong to the cue's pattern. All connections from a pattern's
    ones to one another are 1, so an active input over a connection that is still 0 speaks against a unit with
    certainty, and one over a connection that is 1 speaks for it, by the factor 1 / (share of ones). Units are therefore
    ranked by the fewest active inputs over silent connections, then by the most over others: the order of likelihood if
    all units have weights as full as each other, and cues hold no wrong ones. Ties are broken as in ``KWinnerMHN``.

    Parameters
    ----------
    n_visible, k_visible : n_v and k_v, units, and winners among them.
    fan_in : the fraction of the units that each unit is connected from. The default makes 100,000 weights.
    seed : decides the connections; a whole number, a SeedSequence or a Generator.
    """

    settings: WillshawSettings

    def __init__(self, n_visible: int = 1000, k_visible: int = 100, fan_in: float = 0.1, *, seed: checks.Seed) -> None:
        self.settings = s = WillshawSettings(n_visible, k_visible, fan_in)
        self._net = connect(s.n_visible, n_inputs(s.n_visible, s.fan_in), checks.generator(seed, "memory"))
        self._W = np.zeros(s.n_weights, np.uint8)

    def _store(self, patterns: NDArray[np.uint8]) -> None:
        store_clipped(self._net, self._W, patterns)

    def _retrieve(self, cues: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
        s = self.settings
        retrieve_clipped(self._net, self._W, n_inputs(s.n_visible, s.fan_in), s.k_visible, cues, out)

    @property
    def filled(self) -> float:
        """The fraction of weights that are 1."""
        return float(self._W.mean())
