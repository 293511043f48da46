"""One-shot memory by behavioural time-scale plasticity: random units are gated by a plateau, and their weights flip."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from slotfree.files.saved_arrays import Connections, Numbers, Saved, saved_bytes
from slotfree.memory.base import BinaryMemory, check_fractions
from slotfree.memory.diluted import (
    HiddenLayerSettings,
    back_drives,
    chance,
    drawn_connections,
    drives,
    new_key,
    saved_key,
    winners,
)


@dataclass(frozen=True)
class BTSPSettings(HiddenLayerSettings):
    """The arguments of ``BTSP``, except its seed."""

    plateau: float = 0.01
    flip: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        check_fractions(self, "plateau", "flip")

    @property
    def n_weights(self) -> int:
        """Learned weights: those forth and back learn by different rules, and both count."""
        return 2 * self.n_hidden * self.n_connections

    @property
    def n_bits(self) -> int:
        """Bits of state."""
        return self.n_weights

    @property
    def n_touched(self) -> float:
        """Weights that may change when a pattern is stored, expected: those of active inputs of gated units."""
        return self.n_weights * self.plateau * self.k_visible / self.n_visible


class BTSP(BinaryMemory[BTSPSettings]):
    """Binary weights of a hidden layer whose units are chosen by chance (Wu and Maass, 2025).

    With each pattern a hidden unit has a plateau potential with probability f_q, whatever the pattern is. Of the units
    that have one, on the connections there are,

        forth   W_ij → 1 − W_ij with probability p, if x_j = 1 (p = ½)
        back    W'_ji → 1, if x_j = 1

    In retrieval the k_h units with the largest drive W x are active, z, and the k_v largest of W' z are recalled. All
    weights begin at 0. What has flipped as often as not says nothing: with every pattern the expected weight goes to ½
    by the factor 1 − 2 p f_q s, s = k_v/n_v, so that a long stream fills the memory. Ties are broken as in
    ``KWinnerMHN``; where Wu and Maass have thresholds, here are winners, since thresholds do not suit partial cues.

    Parameters
    ----------
    n_visible, n_hidden : n_v and n_h, units of the two layers.
    k_visible, k_hidden : k_v and k_h, winners in each layer.
    fan_in : f, the fraction of visible units each hidden unit is connected to. The defaults make 50,000 connections,
        with 100,000 weights of one bit.
    plateau, flip : f_q and p, probabilities in (0, 1].
    seed : decides connections and chance; an integer, a SeedSequence or a Generator.

    Examples
    --------
    >>> import slotfree as sf
    >>> memory = sf.memory.BTSP(plateau=0.02, seed=0)
    >>> patterns = sf.random_patterns(20, seed=1)
    >>> memory.store(patterns)
    >>> bool((memory.retrieve(patterns) & patterns).sum() > 20 * 40)
    True
    """

    def _begin(self, rng: np.random.Generator) -> None:
        s = self.settings
        self.connections = drawn_connections(rng, s.n_hidden, s.n_connections, s.n_visible)
        self.weights, self.return_weights = np.zeros((2, *self.connections.shape), np.uint8)
        self.key = new_key(rng)

    def _store(self, patterns: NDArray[np.uint8]) -> None:
        s = self.settings
        for number, x in enumerate(patterns, self.n_stored):
            rng = chance(self.key, number)
            gated = np.flatnonzero(rng.random(s.n_hidden) < s.plateau)
            active = x[self.connections[gated]]
            flips = rng.random(active.shape) < s.flip
            self.weights[gated] ^= active & flips
            self.return_weights[gated] |= active

    def _retrieve(self, cues: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
        s = self.settings
        hidden = np.zeros((len(cues), s.n_hidden), np.uint8)
        winners(drives(cues, self.connections, self.weights), s.k_hidden, cues, hidden)
        winners(back_drives(hidden, self.connections, self.return_weights, s.n_visible), s.k_visible, hidden, out)

    @classmethod
    def saved(cls, settings: BTSPSettings, n_stored: int) -> list[Saved]:
        """Row i of all arrays but the key belongs to hidden unit i."""
        shape = settings.n_hidden, settings.n_connections
        weights = (Numbers(name, shape, 0, 1, np.uint8) for name in ("weights", "return_weights"))
        return [Connections("connections", shape, settings.n_visible), *weights, saved_key()]

    @classmethod
    def peak_bytes(cls, settings: BTSPSettings, n_stored: int, *, loading: bool = False) -> int:
        """Its arrays; connections are drawn in twice their room."""
        return 2 * saved_bytes(cls.saved(settings, n_stored))
