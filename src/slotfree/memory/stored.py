"""Synapses whose connections are stored, with weights of float32: the default of the K-winner MHN."""

from functools import partial
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from slotfree.display.glance import some_of
from slotfree.files.safetensors import Arrays
from slotfree.files.saved_arrays import Connections, Numbers, Saved
from slotfree.kernels.memory.kwinner import code_patterns, retrieve_patterns, store_at_random, store_patterns
from slotfree.kernels.memory.synapses import Indices, Synapses, forward_by_hidden, forward_from_hidden
from slotfree.memory.base import per_row
from slotfree.memory.connections import draw_connections, laid_out, read_only, synapse_bytes
from slotfree.memory.wiring import LARGEST_KEY, Wiring

if TYPE_CHECKING:
    from slotfree.memory.kwinner import KWinnerSettings


class Stored(Wiring):
    """Connections in memory: 16 to 20 bytes per synapse, and 8 per visible unit.

    A pattern is stored by one thread: what it touches is small, where connections fit in memory.
    """

    def __init__(self, settings: "KWinnerSettings", synapses: Synapses, key: NDArray[np.uint64]) -> None:
        self.settings = settings
        self.synapses = synapses
        self.key = key  # what winners at random follow from, and how many patterns are stored: (1,), or none

    @classmethod
    def begin(cls, settings: "KWinnerSettings", rng: np.random.Generator) -> Self:
        """Draw connections and initial weights."""
        s = settings
        inputs = draw_connections(rng, s.n_hidden, s.n_connections, s.n_visible)
        synapses = laid_out(inputs, rng.random(inputs.shape, np.float32), s.n_visible)
        if s.tied:
            forward_from_hidden(synapses, synapses.back)
        else:
            rng.random(dtype=np.float32, out=synapses.forward)
        n_keys = 1 if s.storing == "random" else 0
        return cls(s, synapses, rng.integers(0, LARGEST_KEY, n_keys, np.uint64, endpoint=True))

    @classmethod
    def restored(cls, settings: "KWinnerSettings", arrays: Arrays) -> Self:
        """Lay out what was saved."""
        back = arrays["weights" if settings.tied else "return_weights"]
        synapses = laid_out(arrays["connections"], back, settings.n_visible)
        forward_from_hidden(synapses, arrays["weights"])
        return cls(settings, synapses, arrays["key"] if "key" in arrays else np.empty(0, np.uint64))

    @classmethod
    def saved(cls, settings: "KWinnerSettings") -> list[Saved]:
        """Connections and both weights of each, which are one if tied; row i belongs to hidden unit i.

        With winners at random, the key that they follow from is added. The layout in memory is built anew on loading:
        what is not in the file cannot be wrong in it.
        """
        shape = settings.n_hidden, settings.n_connections
        names = ("weights",) if settings.tied else ("weights", "return_weights")
        key = [Numbers("key", (1,), 0, LARGEST_KEY, np.uint64)] if settings.storing == "random" else []
        weights = [Numbers(name, shape, 0, 1, np.float32) for name in names]
        return [Connections("connections", shape, settings.n_visible), *weights, *key]

    @classmethod
    def peak_bytes(cls, settings: "KWinnerSettings", *, loading: bool) -> int:
        """Its synapses; while it is loaded, also its forward weights as they are in the file, unless it is tied."""
        s = settings
        twice = loading and not s.tied
        return synapse_bytes(s.n_hidden, s.n_connections, s.n_visible) + (4 * s.n_synapses if twice else 0)

    def arrays(self) -> Arrays:
        """Return connections and weights, and return weights unless tied, each (n_hidden, f n_visible); and the key."""
        back = self.synapses.back
        weights = {"weights": back} if self.settings.tied else {"weights": self.forward(), "return_weights": back}
        key = {"key": self.key} if self.key.size else {}
        return {"connections": self.inputs, **weights, **key}

    def store(
        self, patterns: NDArray[np.uint8], n_stored: int, winners: NDArray[np.uint32] | None, threads: int
    ) -> None:
        """Store the rows in order, on one thread."""
        s = self.settings
        kept = np.empty((0, s.k_hidden), np.uint32) if winners is None else winners
        eps = np.float32(s.learning_rate)
        if s.storing == "random":
            store_at_random(self.synapses, s.k_hidden, eps, self.key[0], n_stored, patterns, kept)
        else:
            store_patterns(self.synapses, s.k_hidden, eps, patterns, kept)

    def code(self, cues: NDArray[np.uint8], threads: int) -> NDArray[np.uint8]:
        """Return the hidden code of each cue; threads share the cues."""
        s = self.settings
        return per_row(partial(code_patterns, self.synapses, s.k_hidden), cues, s.n_hidden, threads)

    def retrieve(self, cues: NDArray[np.uint8], threads: int) -> NDArray[np.uint8]:
        """Return what each cue recalls; threads share the cues."""
        s = self.settings
        return per_row(partial(retrieve_patterns, self.synapses, s.k_hidden, s.k_visible), cues, s.n_visible, threads)

    @property
    def inputs(self) -> Indices:
        """The visible units each hidden unit is connected to."""
        return read_only(self.synapses.inputs)

    def forward(self) -> NDArray[np.float32]:
        """Return W, which is laid out by visible units, in the order of ``inputs``."""
        weights = np.empty(self.synapses.back.shape, np.float32)
        forward_by_hidden(self.synapses, weights)
        return weights

    def back(self) -> NDArray[np.float32]:
        """Return W'."""
        return self.synapses.back

    def some(self) -> NDArray[np.float32]:
        """Return some of W'."""
        return some_of(self.synapses.back)

    @property
    def nbytes(self) -> int:
        """Bytes of the synapses."""
        return sum(array.nbytes for array in self.synapses)
