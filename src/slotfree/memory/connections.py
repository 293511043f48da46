"""What layers of sparsely connected units have in common: how connections are drawn, laid out and run over cues."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.kernels.sampling import draw_subsets
from slotfree.kernels.synapses import Indices, Synapses, index_type, lay_out

Rows = NDArray[np.uint8]
T = TypeVar("T", bound=np.generic)


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


def per_row(kernel: Callable[[Rows, Rows], None], rows: Rows, width: int, threads: int) -> Rows:
    """Apply a kernel to rows, which fills as many of zeros, spread over threads; each row stands alone."""
    threads = min(checks.whole("threads", threads, 1), len(rows)) or 1
    out = np.zeros((len(rows), width), np.uint8)
    if threads == 1:
        kernel(rows, out)
    else:
        parts = [slice(t * len(rows) // threads, (t + 1) * len(rows) // threads) for t in range(threads)]
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda part: kernel(rows[part], out[part]), parts))
    return out
