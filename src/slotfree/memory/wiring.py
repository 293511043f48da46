"""What a K-winner MHN asks of its synapses, whichever way they are kept; see ``stored`` and ``computed``."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from slotfree.files.safetensors import Arrays
from slotfree.files.saved_arrays import Saved
from slotfree.kernels.memory.synapses import Indices

if TYPE_CHECKING:
    from slotfree.memory.kwinner import KWinnerSettings

LARGEST_KEY = 2**64 - 1


class Wiring(ABC):
    """The connections and weights of a K-winner MHN, and how patterns are stored in them."""

    settings: "KWinnerSettings"

    @classmethod
    @abstractmethod
    def begin(cls, settings: "KWinnerSettings", rng: np.random.Generator) -> Self:
        """Draw connections and initial weights."""

    @classmethod
    @abstractmethod
    def restored(cls, settings: "KWinnerSettings", arrays: Arrays) -> Self:
        """Return the wiring whose ``arrays`` were these, which have been checked; they become its own."""

    @classmethod
    @abstractmethod
    def saved(cls, settings: "KWinnerSettings") -> list[Saved]:
        """Describe ``arrays``."""

    @classmethod
    @abstractmethod
    def peak_bytes(cls, settings: "KWinnerSettings", *, loading: bool) -> int:
        """Return what making, or loading, one takes at most."""

    @abstractmethod
    def arrays(self) -> Arrays:
        """Return what is to be saved, by name."""

    @abstractmethod
    def store(
        self, patterns: NDArray[np.uint8], n_stored: int, winners: NDArray[np.uint32] | None, threads: int
    ) -> None:
        """Store the rows in order, n_stored being before the first; winners (T, k_hidden) gets who won, if given."""

    @abstractmethod
    def code(self, cues: NDArray[np.uint8], threads: int) -> NDArray[np.uint8]:
        """Return the hidden code of each cue, (T, n_hidden)."""

    @abstractmethod
    def retrieve(self, cues: NDArray[np.uint8], threads: int) -> NDArray[np.uint8]:
        """Return what each cue recalls, (T, n_visible)."""

    @property
    @abstractmethod
    def inputs(self) -> Indices:
        """The visible units each hidden unit is connected to, ascending: (n_hidden, f n_visible), read-only."""

    @abstractmethod
    def forward(self) -> NDArray[np.float32]:
        """Return W in the order of ``inputs``."""

    @abstractmethod
    def back(self) -> NDArray[np.float32]:
        """Return W' in the order of ``inputs``."""

    @abstractmethod
    def some(self) -> NDArray[np.float32]:
        """Return some of W', spread over all of it: without work, for a picture."""

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """Bytes that connections and weights take."""

    def asymmetry(self) -> float:
        """Return the mean of |W_ij − W'_ji| over the connections."""
        return float(np.abs(self.forward() - self.back()).mean(dtype=np.float64))
