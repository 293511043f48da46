"""The layout of a sparsely connected layer that drives itself: the outgoing connections of a unit lie together."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.winners import MAX_BUCKETS
from slotfree.kernels.compile import kernel
from slotfree.kernels.memory.synapses import Indices

# Fields, with n units of m incoming connections each:
#   start    (n + 1)  where the outgoing connections of a unit begin in targets
#   targets  (n * m)  the units that a unit is connected to, ascending
Recurrent = NamedTuple("Recurrent", [("start", NDArray[np.int64]), ("targets", Indices)])

# The working room of one thread.
Room = NamedTuple(
    "Room",
    [
        ("active", NDArray[np.uint32]),
        ("winners", NDArray[np.uint32]),
        ("drive", NDArray[np.float64]),
        ("values", NDArray[np.float64]),
        ("counts", NDArray[np.int32]),
    ],
)


@kernel
def room_for(n: int) -> Room:
    """Allocate the working room for layers of up to n units."""
    return Room(
        np.empty(n + 1, np.uint32),
        np.empty(n + 1, np.uint32),
        np.empty(n, np.float64),
        np.empty(n, np.float64),
        np.empty(MAX_BUCKETS, np.int32),
    )
