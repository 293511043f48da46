"""Random connections among the units of one layer, from a few others to each."""

import numpy as np

from slotfree.kernels.recurrent import Recurrent
from slotfree.kernels.sampling import draw_subsets
from slotfree.kernels.synapses import index_type, lay_out


def n_inputs(n_units: int, fan_in: float) -> int:
    """Return incoming connections of each unit: fan_in of all units, halves upwards, but none from itself."""
    count = min(int(fan_in * n_units + 0.5), n_units - 1)
    if count < 1:
        raise ValueError(
            f"fan_in must give each unit a connection from another: at least {0.5 / n_units:.2g} "
            f"for n_visible = {n_units}, which must be at least 2, not {fan_in}"
        )
    return count


def connect(n_units: int, m: int, rng: np.random.Generator) -> Recurrent:
    """Draw m incoming connections for each unit, uniformly among the others."""
    inputs = np.empty((n_units, m), index_type(n_units))
    draw_subsets(rng, n_units - 1, inputs)
    inputs += inputs >= np.arange(n_units)[:, None]  # leave out the unit itself
    start = np.zeros(n_units + 1, np.int64)
    targets = np.empty(n_units * m, index_type(n_units))
    lay_out(inputs, start, targets, np.empty(inputs.shape, np.uint32))
    return Recurrent(start, targets)
