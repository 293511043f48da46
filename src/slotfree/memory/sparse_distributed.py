"""Kanerva's sparse distributed memory."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.display.glance import of_share
from slotfree.display.html import Html
from slotfree.files.safetensors import Arrays
from slotfree.files.saved_arrays import Connections, Numbers, Saved, saved_bytes
from slotfree.kernels.arithmetic.sampling import draw_patterns
from slotfree.kernels.arithmetic.winners import room_for
from slotfree.kernels.memory.decay import LARGE, TINY
from slotfree.kernels.memory.sparse_distributed import retrieve_from_locations, store_at_locations
from slotfree.kernels.memory.synapses import index_type
from slotfree.memory.base import BinaryMemory, check_layers, keep


@dataclass(frozen=True)
class SparseDistributedMemorySettings:
    """The arguments of ``SparseDistributedMemory``, except its seed."""

    n_visible: int = 1000
    k_visible: int = 100
    n_locations: int = 100
    k_locations: int = 4
    decay: float = 0.0

    def __post_init__(self) -> None:
        check_layers(self, "visible", "locations")
        keep(self, decay=checks.decay("decay", self.decay))

    @property
    def n_weights(self) -> int:
        """Counters in all."""
        return self.n_locations * self.n_visible

    @property
    def n_bits(self) -> int:
        """Bits of state, of counters of 64 bits."""
        return 64 * self.n_weights

    @property
    def n_touched(self) -> int:
        """Counters that change when a pattern is stored: those of active locations, or all if they decay."""
        return self.n_weights if self.decay else self.k_locations * self.n_visible


class SparseDistributedMemory(BinaryMemory[SparseDistributedMemorySettings]):
    """Counters at hard locations with fixed random addresses (Kanerva, 1988).

    A cue activates the k_locations locations whose addresses are nearest to it. A pattern is written at the locations
    it activates: each counter of theirs gains 1 where the pattern has a one, and loses 1 where it has a zero. What is
    recalled are the k_v largest sums of counters over the locations that a cue activates.

    Kanerva activates all locations within a radius. Here it is always the nearest ones: partial cues have fewer ones
    and are thus farther from all addresses, so a radius that suits whole patterns would activate other numbers of
    locations, often none, for partial cues. Ties are broken as in ``KWinnerMHN``.

    Parameters
    ----------
    n_visible, k_visible : n_v and k_v, bits, and ones of every recalled pattern and of every address.
    n_locations, k_locations : hard locations, and how many of them are active. The default makes 100,000 counters.
    decay : λ, in [0, 1), by which all counters shrink with each pattern; Kanerva's do not.
    seed : decides the addresses; an integer, a SeedSequence or a Generator.

    Examples
    --------
    >>> import slotfree as sf
    >>> memory = sf.memory.SparseDistributedMemory(seed=0)
    >>> patterns = sf.random_patterns(3, seed=1)
    >>> memory.store(patterns)
    >>> bool((memory.retrieve(patterns) == patterns).all())
    True
    """

    def _begin(self, rng: np.random.Generator) -> None:
        s = self.settings
        addresses = np.zeros((s.n_locations, s.n_visible), np.uint8)
        draw_patterns(rng, s.k_visible, np.arange(s.n_visible, dtype=np.uint32), addresses)
        self._addresses = np.ascontiguousarray(addresses.T)
        self._C = np.zeros((s.n_locations, s.n_visible))
        self._writes = np.zeros(s.n_locations)
        self._clock = np.ones(1)

    def _store(self, patterns: NDArray[np.uint8]) -> None:
        s, room = self.settings, room_for(max(self._C.shape))
        store_at_locations(self._addresses, self._C, self._writes, self._clock, s.k_locations, s.decay, patterns, room)

    def _retrieve(self, cues: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
        s, room = self.settings, room_for(max(self._C.shape))
        retrieve_from_locations(self._addresses, self._C, s.k_locations, s.k_visible, cues, out, room)

    @property
    def addresses(self) -> NDArray[np.uint8]:
        """The addresses of the locations: a copy, (n_locations, n_visible)."""
        return self._addresses.T.copy()

    @property
    def counters(self) -> NDArray[np.float64]:
        """The counters: a copy, (n_locations, n_visible)."""
        counters: NDArray[np.float64] = (2 * self._C - self._writes[:, None]) / self._clock[0]
        return counters

    def _glance(self) -> Html:
        written = int(np.count_nonzero(self._writes))
        return of_share(written, len(self._writes), "the locations were written to")

    @classmethod
    def saved(cls, settings: SparseDistributedMemorySettings, n_stored: int) -> list[Saved]:
        """The ones of each address, and the sums that the counters follow from, times the increment.

        ``ones`` counts the ones written to each counter, ``writes`` the patterns written at each location.
        """
        s, most = settings, LARGE * n_stored
        return [
            Connections("addresses", (s.n_locations, s.k_visible), s.n_visible),
            Numbers("ones", (s.n_locations, s.n_visible), 0, most, least=TINY),
            Numbers("writes", (s.n_locations,), 0, most, least=TINY),
            Numbers("increment", (1,), 0.5, LARGE),
        ]

    @classmethod
    def peak_bytes(cls, settings: SparseDistributedMemorySettings, n_stored: int, *, loading: bool = False) -> int:
        """Counters, and addresses twice while they are drawn; or once, and as they are in the file."""
        if loading:
            return settings.n_weights + saved_bytes(cls.saved(settings, n_stored))
        return 10 * settings.n_weights + 8 * settings.n_locations

    def arrays(self) -> Arrays:
        """Return the addresses as the positions of their ones, the sums, and the increment."""
        s = self.settings
        positions = self._addresses.T.nonzero()[1].reshape(s.n_locations, s.k_visible)
        addresses = positions.astype(index_type(s.n_visible))
        return {"addresses": addresses, "ones": self._C, "writes": self._writes, "increment": self._clock}

    def _restore(self, arrays: Arrays) -> None:
        self._C, self._writes, self._clock = arrays["ones"], arrays["writes"], arrays["increment"]
        self._addresses = np.zeros(self._C.shape[::-1], np.uint8)
        self._addresses[arrays["addresses"], np.arange(len(self._C))[:, None]] = 1
