"""What memories in plain NumPy share: drives over sparse connections, winners, and chance that can be resumed."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from slotfree.files.saved_arrays import Numbers
from slotfree.kernels.arithmetic.winners import room_for, row_winners
from slotfree.kernels.memory.synapses import Indices
from slotfree.memory.base import check_fractions, check_layers
from slotfree.memory.stored import draw_connections

FEW = 12  # cues for which connections are gone through one by one; for more, a dense matrix is quicker


@dataclass(frozen=True)
class HiddenLayerSettings:
    """The size of a memory whose hidden units are each connected to a random share of the visible ones."""

    n_visible: int = 1000
    n_hidden: int = 500
    k_visible: int = 100
    k_hidden: int = 5
    fan_in: float = 0.1

    def __post_init__(self) -> None:
        check_layers(self, "visible", "hidden")
        check_fractions(self, "fan_in")
        if self.n_connections == 0:
            least = 0.5 / self.n_visible
            raise ValueError(
                f"fan_in={self.fan_in:g} leaves hidden units no connections (n_visible={self.n_visible}); "
                f"use ≥ {least:.2g}"
            )

    @property
    def n_connections(self) -> int:
        """Connections of each hidden unit, f n_v."""
        return int(self.fan_in * self.n_visible + 0.5)


def drawn_connections(rng: np.random.Generator, n_units: int, n_connections: int, n_inputs: int) -> Indices:
    """Return the inputs of each unit, ascending, (n_units, n_connections), drawn without replacement."""
    return np.sort(draw_connections(rng, n_units, n_connections, n_inputs), axis=1)


def drives(cues: NDArray[np.uint8], connections: Indices, weights: NDArray[np.generic]) -> NDArray[np.float64]:
    """Return W x of each cue over connections: (T, n_units)."""
    if len(cues) <= FEW:
        parts = [(weights * cue[connections]).sum(axis=1, dtype=np.float64) for cue in cues]
        return np.array(parts).reshape(len(cues), len(connections))
    found: NDArray[np.float64] = cues.astype(np.float64) @ spread(connections, weights, cues.shape[1]).T
    return found


def back_drives(
    hidden: NDArray[np.uint8], connections: Indices, weights: NDArray[np.generic], n_inputs: int
) -> NDArray[np.float64]:
    """Return Wᵀ z of each hidden code over connections: (T, n_inputs)."""
    if len(hidden) > FEW:
        found: NDArray[np.float64] = hidden.astype(np.float64) @ spread(connections, weights, n_inputs)
        return found
    active = [np.flatnonzero(z) for z in hidden]
    parts = [np.bincount(connections[i].ravel(), weights[i].ravel(), n_inputs) for i in active]
    return np.array(parts, np.float64).reshape(len(hidden), n_inputs)


def spread(connections: Indices, weights: NDArray[np.generic], n_inputs: int) -> NDArray[np.float64]:
    """Return W as a dense matrix, (n_units, n_inputs)."""
    dense = np.zeros((len(connections), n_inputs))
    np.put_along_axis(dense, connections.astype(np.int64), weights, axis=1)
    return dense


def winners(values: NDArray[np.float64], k: int, inputs: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
    """Set the k largest of each row to one in out, which holds zeros; ties are broken as in ``KWinnerMHN``."""
    room = room_for(max(values.shape[1], inputs.shape[1]))
    row_winners(np.ascontiguousarray(values), k, np.ascontiguousarray(inputs), out, room)


def new_key(rng: np.random.Generator) -> NDArray[np.uint32]:
    """Return what all chance of a memory follows from."""
    return rng.integers(0, 2**32, 4, np.uint32)


def saved_key() -> Numbers:
    """Describe the saved key."""
    return Numbers("key", (4,), 0, 2**32 - 1, np.uint32)


def chance(key: NDArray[np.uint32], number: int) -> np.random.Generator:
    """Return the generator of one pattern, by its number: a memory that was loaded goes on as it would have."""
    return np.random.default_rng([*key.tolist(), number])
