"""Binary synapses that switch at random, and so forget at a rate that can be chosen."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from slotfree.files.saved_arrays import Numbers, Saved
from slotfree.memory.base import BinaryMemory, check_fractions
from slotfree.memory.diluted import chance, drawn_connections, drives, new_key, saved_key, winners
from slotfree.memory.recurrent import RecurrentSettings, recurrent_bytes, saved_connections


@dataclass(frozen=True)
class StochasticBinarySettings(RecurrentSettings):
    """The arguments of ``StochasticBinary``, except its seed."""

    potentiation: float = 0.5
    depression: float = 0.05

    def __post_init__(self) -> None:
        super().__post_init__()
        check_fractions(self, "potentiation", "depression")

    @property
    def n_weights(self) -> int:
        """Learned weights: w_ij and w_ji switch independently."""
        return self.n_synapses

    @property
    def n_touched(self) -> float:
        """Weights that may switch when a pattern is stored, expected."""
        s = self.k_visible / self.n_visible
        return self.n_synapses * (s * s + 2 * s * (1 - s))

    @property
    def rates(self) -> tuple[float, float]:
        """The probabilities with which a random pattern switches a synapse on, if it is off, and off, if it is on."""
        n, k = self.n_visible, self.k_visible
        pairs = n * (n - 1)
        return self.potentiation * k * (k - 1) / pairs, self.depression * 2 * k * (n - k) / pairs


class StochasticBinary(BinaryMemory[StochasticBinarySettings]):
    """Synapses of two states in an auto-associative network (Amit and Fusi, 1994; Dubreuil, Amit and Brunel, 2014).

    With each pattern, on the connections there are,

        W_ij → 1 with probability q₊   if both units are active,
        W_ij → 0 with probability q₋   if one of them is,

    and x ← σ(W x) in retrieval, σ the k_v-winner-take-all. It is a palimpsest: what a pattern did to a synapse is gone
    as soon as another switches it, so that a trace decays by the factor 1 − p₊ − p₋ with each random pattern, where
    p₊ = q₊ k(k − 1)/n(n − 1) and p₋ = q₋ 2k(n − k)/n(n − 1). In a new memory synapses are in the steady state, on with
    probability p₊/(p₊ + p₋). Ties are broken as in ``KWinnerMHN``.

    Parameters
    ----------
    n_visible, k_visible : n and k, units, and winners among them.
    fan_in : the fraction of the units that each unit is connected from. The default makes 100,000 synapses of one bit.
    potentiation, depression : q₊ and q₋, in (0, 1].
    seed : decides connections, first states and what switches; an integer, a SeedSequence or a Generator.

    Examples
    --------
    >>> import slotfree as sf
    >>> memory = sf.memory.StochasticBinary(seed=0)
    >>> patterns = sf.random_patterns(20, seed=1)
    >>> memory.store(patterns)
    >>> bool((memory.retrieve(patterns[-1]) & patterns[-1]).sum() > 45)
    True
    """

    def _begin(self, rng: np.random.Generator) -> None:
        s = self.settings
        inputs = drawn_connections(rng, s.n_visible, s.n_connections, s.n_visible - 1)
        inputs += inputs >= np.arange(s.n_visible)[:, None]  # leave out the unit itself
        self.connections = inputs
        on, off = s.rates
        self.weights = (rng.random(inputs.shape, np.float32) * (on + off) < on).astype(np.uint8)
        self.key = new_key(rng)

    def _store(self, patterns: NDArray[np.uint8]) -> None:
        s, weights = self.settings, self.weights.reshape(-1)
        for number, x in enumerate(patterns, self.n_stored):
            rng = chance(self.key, number)
            active = (x[self.connections] + x[:, None]).reshape(-1)  # of the two units of each connection
            for count, probability, state in ((2, s.potentiation, 1), (1, s.depression, 0)):
                touched = np.flatnonzero(active == count)
                weights[touched[rng.random(touched.size) < probability]] = state

    def _retrieve(self, cues: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
        winners(drives(cues, self.connections, self.weights), self.settings.k_visible, cues, out)

    @classmethod
    def saved(cls, settings: StochasticBinarySettings, n_stored: int) -> list[Saved]:
        """Row i of connections and weights belongs to what leads to unit i."""
        connections = saved_connections(settings)
        return [connections, Numbers("weights", connections.shape, 0, 1, np.uint8), saved_key()]

    @classmethod
    def peak_bytes(cls, settings: StochasticBinarySettings, n_stored: int, *, loading: bool = False) -> int:
        """Its connections, a byte for each, and what choosing among them takes."""
        return recurrent_bytes(settings, 8, loading)
