"""Every memory from its settings and a seed: what the retention protocol and the experiments are told."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from slotfree.memory.classical_hopfield import ClassicalHopfield, ClassicalHopfieldSettings
from slotfree.memory.kwinner import KWinnerMHN
from slotfree.memory.modern_hopfield import ModernHopfield
from slotfree.memory.modern_hopfield_settings import ModernHopfieldSettings
from slotfree.memory.settings import KWinnerSettings
from slotfree.memory.sparse_distributed import SparseDistributedMemory, SparseDistributedMemorySettings
from slotfree.memory.stacked import StackedKWinner
from slotfree.memory.stacked_settings import StackedSettings
from slotfree.memory.willshaw import Willshaw, WillshawSettings


class Memory(Protocol):
    """What all memories have in common."""

    def store(self, patterns: NDArray[np.uint8]) -> None:
        """Store the rows in order."""

    def retrieve(self, cues: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return what each row recalls."""


class Settings(Protocol):
    """A frozen dataclass with the arguments of a memory, but its seed."""

    @property
    def n_visible(self) -> int:
        """Units of the visible layer."""

    @property
    def k_visible(self) -> int:
        """Ones of every recalled pattern."""

    @property
    def n_weights(self) -> int | None:
        """Learned weights; None if their number grows."""

    @property
    def n_touched(self) -> float:
        """About how many weights a pattern touches, stored or retrieved."""


def _modern_hopfield(*, seed: np.random.SeedSequence, **arguments: Any) -> ModernHopfield:
    """Return a modern Hopfield network of binary patterns, which has nothing to draw."""
    if arguments["k_visible"] is None or arguments["n_values"] is not None:
        raise ValueError("ModernHopfieldSettings must have k_visible, and no n_values, to recall binary patterns")
    return ModernHopfield(**arguments)


MEMORIES: dict[type, Callable[..., Memory]] = {
    KWinnerSettings: KWinnerMHN,
    StackedSettings: StackedKWinner,
    ModernHopfieldSettings: _modern_hopfield,
    ClassicalHopfieldSettings: ClassicalHopfield,
    WillshawSettings: Willshaw,
    SparseDistributedMemorySettings: SparseDistributedMemory,
}


def build(settings: Settings, seed: np.random.SeedSequence) -> Memory:
    """Return a new memory that its settings describe."""
    return MEMORIES[type(settings)](**arguments(settings), seed=seed)


def arguments(settings: Any) -> dict[str, Any]:
    """Return the fields of a settings dataclass by name."""
    return {field.name: getattr(settings, field.name) for field in fields(settings)}
