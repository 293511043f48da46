"""A K-winner memory of complex synapses, each a chain of variables that change ever more slowly."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.files.saved_arrays import Connections, Numbers, Saved, saved_bytes
from slotfree.memory.base import BinaryMemory, check_fractions, keep
from slotfree.memory.diluted import HiddenLayerSettings, back_drives, drawn_connections, drives, spread, winners


@dataclass(frozen=True)
class ComplexSynapsesSettings(HiddenLayerSettings):
    """The arguments of ``ComplexSynapses``, except its seed."""

    k_hidden: int = 15
    fan_in: float = 0.05
    learning_rate: float = 0.5
    n_variables: int = 4
    coupling: float = 0.2

    def __post_init__(self) -> None:
        super().__post_init__()
        check_fractions(self, "learning_rate", "coupling")
        keep(self, n_variables=checks.integer("n_variables", self.n_variables, 1, 30))
        if self.n_variables > 1 and self.learning_rate + self.coupling > 1:
            raise ValueError(
                f"coupling must be at most 1 - learning_rate = {1 - self.learning_rate:g}, not {self.coupling:g}"
            )

    @property
    def n_weights(self) -> int:
        """Numbers that learn: each synapse has as many as it has variables."""
        return self.n_hidden * self.n_connections * self.n_variables

    @property
    def n_bits(self) -> int:
        """Bits of state, of variables of 32 bits."""
        return 32 * self.n_weights

    @property
    def n_touched(self) -> float:
        """Numbers that change when a pattern is stored: those of the winners."""
        return self.k_hidden * self.n_connections * self.n_variables

    @property
    def dynamics(self) -> NDArray[np.float64]:
        """A, how one win changes the variables of a synapse: u ← A u + (ε x, 0, …, 0)."""
        m = self.n_variables
        A = np.eye(m)
        A[0, 0] -= self.learning_rate
        for k in range(m - 1):
            flow = self.coupling / 2.0**k  # from one variable to the next
            for here, there in ((k, k + 1), (k + 1, k)):
                A[here, here] -= flow / 2.0**here
                A[here, there] += flow / 2.0**here
        return A


class ComplexSynapses(BinaryMemory[ComplexSynapsesSettings]):
    """The K-winner architecture with the synapses of Benna and Fusi (2016).

    Each synapse is a chain of variables u_1 … u_m like beakers joined by tubes: beaker k has the size 2^(k − 1), and
    the tube to the next the width g 2^(1 − k). u_1 is the weight. When hidden unit i wins, in each of its synapses

        u_1 ← u_1 + ε (x_j − u_1) + g (u_2 − u_1)
        u_k ← u_k + [g_(k−1) (u_(k−1) − u_k) + g_k (u_(k+1) − u_k)] / 2^(k−1),    g_k = g 2^(1 − k)

    all at once, so that what flows from a beaker reaches the next. With m = 1 it is the K-winner MHN's rule. Retrieval
    is the K-winner MHN's, with one weight for both ways: x_out = σ_v(Wᵀ σ_h(W x)). Unlike theirs, the last beaker does
    not leak, so that weights stay in [0, 1]. Time passes for a synapse when its unit wins. All variables of a synapse
    begin at one random number in [0, 1). Ties are broken as in ``KWinnerMHN``.

    Parameters
    ----------
    n_visible, n_hidden, k_visible, k_hidden, fan_in, learning_rate : as in ``KWinnerMHN``. The defaults make 25,000
        synapses of 4 variables, 100,000 numbers that learn.
    n_variables : m, of each synapse.
    coupling : g, in (0, 1 − ε].
    seed : decides connections and initial weights; an integer, a SeedSequence or a Generator.

    Examples
    --------
    >>> import slotfree as sf
    >>> memory = sf.memory.ComplexSynapses(seed=0)
    >>> patterns = sf.random_patterns(300, seed=1)
    >>> memory.store(patterns)
    >>> bool((memory.retrieve(patterns[-5:]) & patterns[-5:]).sum() > 5 * 60)
    True
    """

    def _begin(self, rng: np.random.Generator) -> None:
        s = self.settings
        self.connections = drawn_connections(rng, s.n_hidden, s.n_connections, s.n_visible)
        first = rng.random(self.connections.shape, np.float32)
        self.variables = np.repeat(first[:, None], s.n_variables, axis=1)

    def _store(self, patterns: NDArray[np.uint8]) -> None:
        s, A = self.settings, self.settings.dynamics.astype(np.float32)
        won = np.zeros((1, s.n_hidden), np.uint8)
        for x in patterns:
            won[:] = 0
            winners(drives(x[None], self.connections, self.variables[:, 0]), s.k_hidden, x[None], won)
            units = np.flatnonzero(won[0])
            u = A @ self.variables[units]
            u[:, 0] += np.float32(s.learning_rate) * x[self.connections[units]]
            self.variables[units] = u.clip(0, 1)  # rounding must not leave the interval

    def _retrieve(self, cues: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
        s, W = self.settings, self.variables[:, 0]
        hidden = np.zeros((len(cues), s.n_hidden), np.uint8)
        winners(drives(cues, self.connections, W), s.k_hidden, cues, hidden)
        winners(back_drives(hidden, self.connections, W, s.n_visible), s.k_visible, hidden, out)

    @property
    def weights(self) -> NDArray[np.float64]:
        """W: a dense copy, (n_hidden, n_visible)."""
        return spread(self.connections, self.variables[:, 0], self.settings.n_visible)

    @classmethod
    def saved(cls, settings: ComplexSynapsesSettings, n_stored: int) -> list[Saved]:
        """Row i of both arrays belongs to hidden unit i."""
        s = settings
        variables = Numbers("variables", (s.n_hidden, s.n_variables, s.n_connections), 0, 1, np.float32)
        return [Connections("connections", (s.n_hidden, s.n_connections), s.n_visible), variables]

    @classmethod
    def peak_bytes(cls, settings: ComplexSynapsesSettings, n_stored: int, *, loading: bool = False) -> int:
        """Its arrays; they are drawn in twice their room."""
        return 2 * saved_bytes(cls.saved(settings, n_stored))
