"""Synapses whose connections are stored, with weights of float32: the default of the K-winner MHN.

How sparse random connections from one layer to another are drawn, and laid out for kernels, comes first.
"""

from typing import TYPE_CHECKING, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from slotfree.display.glance import some_of
from slotfree.files.safetensors import Arrays
from slotfree.files.saved_arrays import Connections, Numbers, Saved
from slotfree.kernels.arithmetic.sampling import draw_subsets
from slotfree.kernels.arithmetic.winners import room_for
from slotfree.kernels.memory.kwinner import draw_winners, learn_patterns, present_patterns
from slotfree.kernels.memory.synapses import (
    Indices,
    Synapses,
    forward_by_hidden,
    forward_from_hidden,
    index_type,
    lay_out,
)
from slotfree.memory.base import per_row

if TYPE_CHECKING:
    from slotfree.memory.kwinner import KWinnerSettings

T = TypeVar("T", bound=np.generic)

LARGEST_KEY = 2**64 - 1
MAX_SYNAPSES = 2**32 - 1  # positions of synapses are kept in 32 bits
FEW_INPUTS, MAX_INPUTS_PER_SYNAPSE = 2**20, 4  # so that what a layer takes follows from its synapses, as its file does


def too_many_inputs(n_inputs: int, n_synapses: int) -> bool:
    """Return whether a layer has far more inputs than its synapses could reach."""
    return n_inputs > max(FEW_INPUTS, MAX_INPUTS_PER_SYNAPSE * n_synapses)


def index_bytes(n_units: int) -> int:
    """Return the bytes of an index of a layer of n_units."""
    return np.dtype(index_type(n_units)).itemsize


def synapse_bytes(n_units: int, n_connections: int, n_inputs: int) -> int:
    """Return the bytes of ``laid_out`` connections, and of the copy of ``start`` that laying them out takes."""
    per_synapse = index_bytes(n_inputs) + index_bytes(n_units) + 4 + 4 + 4  # inputs, units, place, back, forward
    return n_units * n_connections * per_synapse + 16 * (n_inputs + 1)


def draw_connections(rng: np.random.Generator, n_units: int, n_connections: int, n_inputs: int) -> Indices:
    """Return the inputs of each unit, (n_units, n_connections), drawn without replacement, independently per unit."""
    inputs = np.empty((n_units, n_connections), index_type(n_inputs))
    draw_subsets(rng, np.arange(n_inputs, dtype=np.uint32), inputs)
    return inputs


def laid_out(inputs: Indices, back: NDArray[np.float32], n_inputs: int) -> Synapses:
    """Lay the connections out; the rows of inputs are sorted, and the forward weights are left to be filled."""
    start, units, place = transposed(inputs, n_inputs)
    return Synapses(inputs, back, place, start, units, np.empty(inputs.size, np.float32))


def transposed(inputs: Indices, n_inputs: int) -> tuple[NDArray[np.int64], Indices, NDArray[np.uint32]]:
    """Sort connections by their inputs: start, units and place of ``Synapses``; the rows of inputs are sorted."""
    start = np.zeros(n_inputs + 1, np.int64)
    units: Indices = np.empty(inputs.size, index_type(len(inputs)))
    place = np.empty(inputs.shape, np.uint32)
    lay_out(inputs, start, units, place, np.zeros(len(inputs), np.uint32))
    return start, units, place


def read_only(array: NDArray[T]) -> NDArray[T]:
    """Return a view that cannot be written to."""
    view = array.view()
    view.flags.writeable = False
    return view


class Stored:
    """Connections and weights in memory: 16 to 20 bytes per synapse, and 8 per visible unit.

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
        self, patterns: NDArray[np.uint8], n_stored: int, *, return_winners: bool, threads: int
    ) -> NDArray[np.uint32]:
        """Store the rows in order, on one thread; return their winners (T, k_hidden), or no rows."""
        s = self.settings
        if s.storing == "best":
            return self._presented(patterns, storing=True, return_winners=return_winners)
        winners, room = np.empty((len(patterns), s.k_hidden), np.uint32), room_for(s.n_hidden)
        draw_winners(self.key[0], n_stored, winners, room)
        learn_patterns(self.synapses, winners, np.float32(s.learning_rate), patterns, self._x_float())
        return winners

    def code(self, cues: NDArray[np.uint8], threads: int) -> NDArray[np.uint8]:
        """Return the hidden code of each cue, (T, n_hidden); threads share the cues."""

        def run(rows: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
            np.put_along_axis(out, self._presented(rows, return_winners=True).astype(np.int64), 1, axis=1)

        return per_row(run, cues, self.settings.n_hidden, threads)

    def retrieve(self, cues: NDArray[np.uint8], threads: int) -> NDArray[np.uint8]:
        """Return what each cue recalls, (T, n_visible); threads share the cues."""
        return per_row(lambda rows, out: self._presented(rows, recalled=out), cues, self.settings.n_visible, threads)

    def _presented(
        self,
        rows: NDArray[np.uint8],
        *,
        storing: bool = False,
        return_winners: bool = False,
        recalled: NDArray[np.uint8] | None = None,
    ) -> NDArray[np.uint32]:
        """Present rows to the network, and return their winners if asked to (``present_patterns``)."""
        s = self.settings
        winners = np.empty((len(rows) if return_winners else 0, s.k_hidden), np.uint32)
        recalling = recalled is not None
        present_patterns(
            self.synapses,
            s.k_hidden,
            rows,
            room_for(max(s.n_visible, s.n_hidden)),
            storing,
            np.float32(s.learning_rate),
            self._x_float(),
            return_winners,
            winners,
            recalling,
            s.k_visible,
            recalled if recalled is not None else np.empty((0, 0), np.uint8),
        )
        return winners

    def _x_float(self) -> NDArray[np.float32]:
        """Return working room for learning."""
        return np.empty(self.settings.n_visible, np.float32)

    @property
    def inputs(self) -> Indices:
        """The visible units each hidden unit is connected to, ascending: (n_hidden, f n_visible), read-only."""
        return read_only(self.synapses.inputs)

    def forward(self) -> NDArray[np.float32]:
        """Return W, which is laid out by visible units, in the order of ``inputs``."""
        weights = np.empty(self.synapses.back.shape, np.float32)
        forward_by_hidden(self.synapses, weights)
        return weights

    def back(self) -> NDArray[np.float32]:
        """Return W' in the order of ``inputs``."""
        return self.synapses.back

    def some(self) -> NDArray[np.float32]:
        """Return some of W', spread over all of it: without work, for a picture."""
        return some_of(self.synapses.back)

    def asymmetry(self) -> float:
        """Return the mean of |W_ij − W'_ji| over the connections."""
        return float(np.abs(self.forward() - self.back()).mean(dtype=np.float64))

    @property
    def nbytes(self) -> int:
        """Bytes of the synapses."""
        return sum(array.nbytes for array in self.synapses)
