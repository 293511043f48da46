"""Random connections among the units of one layer, from a few others to each."""

from dataclasses import dataclass

import numpy as np

from slotfree import checks
from slotfree.kernels.recurrent import Recurrent
from slotfree.kernels.sampling import draw_subsets
from slotfree.kernels.synapses import index_type, lay_out


@dataclass(frozen=True)
class RecurrentSettings:
    """The size of a layer whose units drive each other over random connections.

    Parameters
    ----------
    n_visible : n_v, units.
    k_visible : k_v, the ones of every recalled pattern.
    fan_in : the fraction of the units that each unit is connected from.
    """

    n_visible: int = 1000
    k_visible: int = 100
    fan_in: float = 0.1

    def __post_init__(self) -> None:
        self._keep("n_visible", checks.whole("n_visible", self.n_visible, 1, checks.MANY))
        self._keep("k_visible", checks.whole("k_visible", self.k_visible, 1, self.n_visible, "n_visible"))
        self._keep("fan_in", checks.fraction("fan_in", self.fan_in))
        n_inputs(self.n_visible, self.fan_in)

    def _keep(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    @property
    def n_weights(self) -> int:
        """Connections in all."""
        return self.n_visible * n_inputs(self.n_visible, self.fan_in)

    @property
    def n_touched(self) -> float:
        """Connections of a pattern's ones."""
        return self.k_visible / self.n_visible * self.n_weights


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
