"""Willshaw's associative memory, whose weights are 0 or 1 and fill up."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from slotfree.display.glance import of_share
from slotfree.display.html import Html
from slotfree.files.safetensors import Arrays
from slotfree.files.saved_arrays import Numbers, Saved
from slotfree.kernels.arithmetic.winners import room_for
from slotfree.kernels.memory.willshaw import retrieve_clipped, store_clipped
from slotfree.memory.base import BinaryMemory
from slotfree.memory.recurrent import (
    RecurrentSettings,
    connect,
    incoming,
    outgoing,
    recurrent_bytes,
    saved_connections,
)


@dataclass(frozen=True)
class WillshawSettings(RecurrentSettings):
    """The arguments of ``Willshaw``, except its seed."""

    @property
    def n_touched(self) -> float:
        """Weights that may change when a pattern is stored, expected: those between active units."""
        return self.n_weights * (self.k_visible / self.n_visible) ** 2


class Willshaw(BinaryMemory[WillshawSettings]):
    """A memory of binary weights (Willshaw, Buneman and Longuet-Higgins, 1969), auto-associative and diluted.

    W_ij ← max(W_ij, x_i x_j) on the connections there are: each unit has some, drawn at random, from other units.
    Nothing is forgotten: weights only ever become 1. When all are 1, nothing can be recalled any more.

    Retrieval takes the k_v units that are likeliest to belong to the cue's pattern. All connections from a pattern's
    ones to one another are 1, so an active input over a connection that is still 0 speaks against a unit with
    certainty, and one over a connection that is 1 speaks for it, by the factor 1 / (share of ones). Units are therefore
    ranked by the fewest active inputs over silent connections, then by the most over others: the order of likelihood if
    all units have the same share of ones among their weights, and cues hold no wrong ones. Ties are broken as in
    ``KWinnerMHN``.

    Parameters
    ----------
    n_visible, k_visible : n_v and k_v, units, and winners among them.
    fan_in : the fraction of the units that each unit is connected from. The default makes 100,000
        synapses: 94,995 weights, as W_ij and W_ji are equal, and count as one where both are there.
    seed : decides the connections; an integer, a SeedSequence or a Generator.

    Examples
    --------
    >>> import slotfree as sf
    >>> memory = sf.memory.Willshaw(seed=0)
    >>> patterns = sf.random_patterns(3, seed=1)
    >>> memory.store(patterns)
    >>> bool((memory.retrieve(patterns) == patterns).all())
    True
    """

    def _begin(self, rng: np.random.Generator) -> None:
        self._net = connect(self.settings, rng)
        self._W = np.zeros(self.settings.n_synapses, np.uint8)

    def _store(self, patterns: NDArray[np.uint8]) -> None:
        store_clipped(self._net, self._W, patterns, np.empty(self.settings.n_visible + 1, np.uint32))

    def _retrieve(self, cues: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
        s = self.settings
        retrieve_clipped(self._net, self._W, s.n_connections, s.k_visible, cues, out, room_for(s.n_visible))

    @property
    def filled(self) -> float:
        """The fraction of weights that are 1."""
        return float(self._W.mean())

    def _glance(self) -> Html:
        return of_share(self.filled, 1.0, "the weights are 1")

    @classmethod
    def saved(cls, settings: WillshawSettings, n_stored: int) -> list[Saved]:
        """Row i of both arrays belongs to the connections that lead to unit i."""
        connections = saved_connections(settings)
        return [connections, Numbers("weights", connections.shape, 0, 1, np.uint8)]

    @classmethod
    def peak_bytes(cls, settings: WillshawSettings, n_stored: int, *, loading: bool = False) -> int:
        """Its connections and a byte for each."""
        return recurrent_bytes(settings, 1, loading)

    def arrays(self) -> Arrays:
        """Return the connections and their weights."""
        connections, place = incoming(self._net)
        return {"connections": connections, "weights": self._W[place]}

    def _restore(self, arrays: Arrays) -> None:
        self._net, place = outgoing(arrays["connections"])
        self._W = np.empty(place.size, np.uint8)
        self._W[place] = arrays["weights"]
