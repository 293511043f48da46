"""Sparse random connections from one layer to another: how they are drawn, and laid out for kernels."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.sampling import draw_subsets
from slotfree.kernels.memory.synapses import Indices, Synapses, index_type, lay_out

T = TypeVar("T", bound=np.generic)

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
