"""The classical Hopfield network for sparse patterns, which forgets by weight decay."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.files.safetensors import Arrays
from slotfree.files.saved_arrays import Numbers, Saved
from slotfree.kernels.arithmetic.winners import room_for
from slotfree.kernels.memory.classical_hopfield import retrieve_by_covariance, store_covariances
from slotfree.kernels.memory.decay import LARGE, TINY
from slotfree.memory.base import BinaryMemory, keep
from slotfree.memory.recurrent import (
    RecurrentSettings,
    connect,
    incoming,
    outgoing,
    recurrent_bytes,
    saved_connections,
)

MOST_STEPS = 1_000_000  # a network that has not come to rest by then never will


@dataclass(frozen=True)
class ClassicalHopfieldSettings(RecurrentSettings):
    """The arguments of ``ClassicalHopfield``, except its seed."""

    decay: float = 0.0014
    steps: int = 1

    bits: ClassVar[int] = 64

    def __post_init__(self) -> None:
        super().__post_init__()
        keep(self, decay=checks.decay("decay", self.decay), steps=checks.integer("steps", self.steps, 1, MOST_STEPS))

    @property
    def n_touched(self) -> int:
        """Weights that change when a pattern is stored: all of them."""
        return self.n_weights


class ClassicalHopfield(BinaryMemory[ClassicalHopfieldSettings]):
    """A network of units that drive each other, with the covariance rule for sparse patterns.

    With s = k_v / n_v (Tsodyks and Feigel'man, 1988), and σ the k_v-winner-take-all of the layer:

        W_ij ← (1 − λ) W_ij + (x_i − s)(x_j − s)
        x ← σ(W x)

    on the connections there are: each unit has some, drawn at random, from other units. Without decay every pattern
    counts the same, and beyond its capacity the network recalls none; with decay it is a palimpsest, in which new
    patterns cover old ones (Nadal et al., 1986). Ties are broken as in ``KWinnerMHN``.

    Parameters
    ----------
    n_visible, k_visible : n_v and k_v, units, and winners among them.
    fan_in : the fraction of the units that each unit is connected from. The default makes 100,000
        synapses: 94,995 weights, as w_ij and w_ji are equal, and count as one where both are there.
    decay : λ, in [0, 1). At the default size, the default retains most over the last 1000 patterns.
    steps : synchronous updates in a retrieval; it ends earlier if the state rests.
    seed : decides the connections; an integer, a SeedSequence or a Generator.

    Examples
    --------
    >>> import slotfree as sf
    >>> memory = sf.memory.ClassicalHopfield(fan_in=0.5, seed=0)
    >>> patterns = sf.random_patterns(3, seed=1)
    >>> memory.store(patterns)
    >>> bool((memory.retrieve(patterns) == patterns).all())
    True
    """

    def _begin(self, rng: np.random.Generator) -> None:
        self._net = connect(self.settings, rng)
        self._C = np.zeros(self.settings.n_synapses)
        self._r = np.zeros(self.settings.n_visible)
        self._clock = np.array([0.0, 1.0])

    def _store(self, patterns: NDArray[np.uint8]) -> None:
        store_covariances(
            self._net, self._C, self._r, self._clock, self.settings.decay, patterns, room_for(self.settings.n_visible)
        )

    def _retrieve(self, cues: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
        s = self.settings
        retrieve_by_covariance(
            self._net, self._C, self._r, self._clock[0], s.k_visible, s.steps, cues, out, room_for(s.n_visible)
        )

    @property
    def mask(self) -> NDArray[np.bool]:
        """The connections: a dense copy, (n_visible, n_visible), row i those that lead to unit i."""
        return self._dense(np.ones(self._C.shape)) > 0

    @property
    def weights(self) -> NDArray[np.float64]:
        """W: a dense copy, (n_visible, n_visible), row i the weights that lead to unit i; 0 where none does."""
        s, (t, increment) = self.settings.k_visible / self.settings.n_visible, self._clock
        common = s * s * t - s * (self._r[:, None] + self._r[None, :])
        weights: NDArray[np.float64] = (self._dense(self._C) + np.where(self.mask, common, 0)) / increment
        return weights

    def _dense(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        dense = np.zeros((self.settings.n_visible, self.settings.n_visible))
        sources = np.repeat(np.arange(self.settings.n_visible), np.diff(self._net.start))
        dense[self._net.targets, sources] = values
        return dense

    @classmethod
    def saved(cls, settings: ClassicalHopfieldSettings, n_stored: int) -> list[Saved]:
        """The sums that the weights follow from, all too large by the increment, which is what a pattern adds.

        ``both`` counts the patterns in which both units of a connection were active, row i for those that lead to
        unit i; ``active`` those in which a unit was, and ``patterns`` all: decayed, and times the increment.
        """
        connections, most = saved_connections(settings), LARGE * n_stored
        return [
            connections,
            Numbers("both", connections.shape, 0, most, least=TINY),
            Numbers("active", (settings.n_visible,), 0, most, least=TINY),
            Numbers("patterns", (1,), 0, most, least=TINY),
            Numbers("increment", (1,), 0.5, LARGE),
        ]

    @classmethod
    def peak_bytes(cls, settings: ClassicalHopfieldSettings, n_stored: int, *, loading: bool = False) -> int:
        """Its connections and a sum for each."""
        return recurrent_bytes(settings, 8, loading)

    def arrays(self) -> Arrays:
        """Return the connections, their sums, and the clock."""
        connections, place = incoming(self._net)
        sums = {"both": self._C[place], "active": self._r, "patterns": self._clock[:1]}
        return {"connections": connections, **sums, "increment": self._clock[1:]}

    def _restore(self, arrays: Arrays) -> None:
        self._net, place = outgoing(arrays["connections"])
        self._C = np.empty(place.size)
        self._C[place] = arrays["both"]
        self._r = arrays["active"]
        self._clock = np.concatenate([arrays["patterns"], arrays["increment"]])
