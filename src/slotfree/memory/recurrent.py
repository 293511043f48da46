"""Random connections among the units of one layer, from a few others to each."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.files.saved_arrays import Connections
from slotfree.kernels.arithmetic.sampling import draw_subsets
from slotfree.kernels.memory.recurrent import Recurrent
from slotfree.kernels.memory.synapses import Indices, index_type, lay_out
from slotfree.memory.base import keep
from slotfree.memory.connections import MAX_SYNAPSES, index_bytes


@dataclass(frozen=True)
class RecurrentSettings:
    """The size of a layer whose units drive each other over random connections."""

    n_visible: int = 1000
    k_visible: int = 100
    fan_in: float = 0.1

    def __post_init__(self) -> None:
        keep(
            self,
            n_visible=checks.integer("n_visible", self.n_visible, 1, checks.MANY),
            k_visible=checks.integer("k_visible", self.k_visible, 1, self.n_visible, "n_visible"),
            fan_in=checks.fraction("fan_in", self.fan_in),
        )
        if self.n_connections < 1:
            raise ValueError(
                f"fan_in must give each unit a connection from another: at least {0.5 / self.n_visible:.2g} "
                f"for n_visible = {self.n_visible}, which must be at least 2, not {self.fan_in}"
            )
        if self.n_synapses > MAX_SYNAPSES:
            raise ValueError(
                f"n_visible = {self.n_visible} units of {self.n_connections} connections make {self.n_synapses} "
                f"synapses; at most {MAX_SYNAPSES} are possible"
            )

    @property
    def n_connections(self) -> int:
        """Incoming connections of each unit."""
        return min(int(self.fan_in * self.n_visible + 0.5), self.n_visible - 1)

    @property
    def n_synapses(self) -> int:
        """Connections in all."""
        return self.n_visible * self.n_connections

    @property
    def n_weights(self) -> int:
        """Learned weights, expected: where two units are connected both ways, both learn the same and count as one."""
        both_ways = self.n_synapses * self.n_connections / (2 * (self.n_visible - 1))
        return round(self.n_synapses - both_ways)


def saved_connections(settings: RecurrentSettings) -> Connections:
    """Describe the saved array of the units that each unit is connected from."""
    n_units = settings.n_visible
    return Connections("connections", (n_units, settings.n_connections), n_units, from_itself=False)


def recurrent_bytes(settings: RecurrentSettings, weight_bytes: int, loading: bool) -> int:
    """Return what is taken at most while connections are drawn, or read with their weights, and laid out."""
    index, place = index_bytes(settings.n_visible), 4
    laying_out = 2 * index + place + (2 * weight_bytes if loading else 0)
    return settings.n_synapses * max(laying_out, index + weight_bytes) + 24 * settings.n_visible


def connect(settings: RecurrentSettings, rng: np.random.Generator) -> Recurrent:
    """Draw the incoming connections of each unit, uniformly among the others."""
    n_units = settings.n_visible
    inputs = np.empty((n_units, settings.n_connections), index_type(n_units))
    draw_subsets(rng, n_units - 1, inputs)
    inputs += inputs >= np.arange(n_units)[:, None]  # leave out the unit itself
    return outgoing(inputs)[0]


def outgoing(inputs: Indices) -> tuple[Recurrent, NDArray[np.uint32]]:
    """Lay out the connections by the units they come from.

    Parameters
    ----------
    inputs : (n, m), the units that each unit is connected from; the rows are sorted.

    Returns
    -------
    The layout, and where the connections in ``inputs`` stand in it, (n, m).
    """
    start = np.zeros(len(inputs) + 1, np.int64)
    targets = np.empty(inputs.size, index_type(len(inputs)))
    place = np.empty(inputs.shape, np.uint32)
    lay_out(inputs, start, targets, place)
    return Recurrent(start, targets), place


def incoming(net: Recurrent) -> tuple[Indices, NDArray[np.int64]]:
    """Return what ``outgoing`` made the layout from: the inputs of each unit, and where they stand in the layout."""
    n_units = net.start.size - 1
    place = np.argsort(net.targets, kind="stable").reshape(n_units, -1)
    sources = np.repeat(np.arange(n_units, dtype=net.targets.dtype), np.diff(net.start))
    return sources[place], place
