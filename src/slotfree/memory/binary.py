"""What memories of binary patterns have in common: how patterns come in and go out, and how they show themselves."""

from abc import ABC, abstractmethod
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slotfree import checks


class BinaryMemory(ABC):
    """A memory of patterns of n_visible zeros and ones that recalls patterns with exactly k_visible ones.

    Attributes
    ----------
    settings : the frozen dataclass of the memory's arguments, but its seed.
    n_stored : how many patterns have been stored.
    """

    settings: Any
    n_stored: int = 0

    def store(self, patterns: ArrayLike) -> None:
        """Store one pattern (n_visible,), or many (T, n_visible) in their order; all at once is as one by one."""
        rows = checks.binary_rows("patterns", patterns, self.settings.n_visible)
        self._store(rows)
        self.n_stored += len(rows)

    def retrieve(self, cues: ArrayLike) -> NDArray[np.uint8]:
        """Return what each cue recalls: uint8, of the same shape, with exactly k_visible ones per pattern.

        Cues are (n_visible,) or (T, n_visible) of zeros and ones, any number of ones. The memory stays as it is.
        """
        rows = checks.binary_rows("cues", cues, self.settings.n_visible)
        out = np.zeros(rows.shape, np.uint8)
        self._retrieve(rows, out)
        return out.reshape(np.shape(cues))

    @abstractmethod
    def _store(self, patterns: NDArray[np.uint8]) -> None:
        """Store the rows in order."""

    @abstractmethod
    def _retrieve(self, cues: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
        """Write what each row recalls to out, which holds zeros."""

    def __repr__(self) -> str:
        arguments = ", ".join(
            f"{field.name}={_shown(getattr(self.settings, field.name))}" for field in fields(self.settings)
        )
        counts = f"{self.settings.n_weights:,} weights, {self.n_stored:,} patterns stored"
        return f"{type(self).__name__}({arguments}): {counts}"


def _shown(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:g}"
