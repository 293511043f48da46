"""Sparse random connections from one layer to another: how they are drawn, and laid out for kernels."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.sampling import draw_subsets
from slotfree.kernels.synapses import Indices, Synapses, index_type, lay_out

T = TypeVar("T", bound=np.generic)

MAX_SYNAPSES = 2**32 - 1  # positions of synapses are kept in 32 bits


def draw_connections(rng: np.random.Generator, n_units: int, n_connections: int, n_inputs: int) -> Indices:
    """Return the inputs of each unit, (n_units, n_connections), drawn without replacement, independently per unit."""
    inputs = np.empty((n_units, n_connections), index_type(n_inputs))
    draw_subsets(rng, n_inputs, inputs)
    return inputs


def laid_out(inputs: Indices, back: NDArray[np.float32], n_inputs: int) -> Synapses:
    """Lay the connections out; the rows of inputs are sorted, and the forward weights are left to be filled."""
    start = np.zeros(n_inputs + 1, np.int64)
    units = np.empty(inputs.size, index_type(len(inputs)))
    place = np.empty(inputs.shape, np.uint32)
    lay_out(inputs, start, units, place)
    return Synapses(inputs, back, place, start, units, np.empty(inputs.size, np.float32))


def read_only(array: NDArray[T]) -> NDArray[T]:
    """Return a view that cannot be written to."""
    view = array.view()
    view.flags.writeable = False
    return view
