"""Random connections among the units of one layer, from a few others to each."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from slotfree.files.saved_arrays import Connections
from slotfree.kernels.memory.synapses import Indices, Recurrent, index_type
from slotfree.memory.base import check_fractions, check_layers
from slotfree.memory.stored import MAX_SYNAPSES, draw_connections, index_bytes, transposed


@dataclass(frozen=True)
class RecurrentSettings:
    """The size of a layer whose units drive each other over random connections."""

    n_visible: int = 1000
    k_visible: int = 100
    fan_in: float = 0.1

    bits: ClassVar[int] = 1  # of each weight

    def __post_init__(self) -> None:
        check_layers(self, "visible")
        check_fractions(self, "fan_in")
        if self.n_connections < 1:
            raise ValueError(
                f"fan_in={self.fan_in:g} leaves units no connections from others (n_visible={self.n_visible}); "
                f"use ≥ {0.5 / self.n_visible:.2g}, and n_visible ≥ 2"
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

    @property
    def n_bits(self) -> int:
        """Bits of state."""
        return self.bits * self.n_weights


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
    inputs: Indices = draw_connections(rng, n_units, settings.n_connections, n_units - 1).astype(
        index_type(n_units), copy=False
    )
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
    start, targets, place = transposed(inputs, len(inputs))
    return Recurrent(start, targets), place


def incoming(net: Recurrent) -> tuple[Indices, NDArray[np.int64]]:
    """Return what ``outgoing`` made the layout from: the inputs of each unit, and where they stand in the layout."""
    n_units = net.start.size - 1
    place = np.argsort(net.targets, kind="stable").reshape(n_units, -1)
    sources = np.repeat(np.arange(n_units, dtype=net.targets.dtype), np.diff(net.start))
    return sources[place], place
