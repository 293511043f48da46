"""The layout of a sparsely connected pair of layers, driven by active units.

Going up, the active *visible* units matter: their outgoing synapses lie together (``units``, ``forward``).
Going down, and in learning, the winning *hidden* units matter: theirs lie together (``inputs``, ``back``).
``place`` leads from a synapse in the second order to the same synapse in the first. Layers of at most 65,536
units are indexed by 16 bits, which makes sums a seventh faster: 16 to 20 bytes per synapse in all.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.compile import ZERO, lean

Indices: TypeAlias = NDArray[np.unsignedinteger[Any]]


# Fields, with n_h hidden units of m connections each, n_v visible units, and n_h * m synapses:
#   inputs   (n_h, m)  visible units that a hidden unit is connected to, ascending
#   back     (n_h, m)  W' of these connections
#   place    (n_h, m)  where these connections stand in units and forward
#   start    (n_v + 1) where a visible unit's synapses begin in units and forward
#   units    (n_h * m) hidden units that a visible unit is connected to, ascending
#   forward  (n_h * m) W of these connections
Synapses = NamedTuple(
    "Synapses",
    [
        ("inputs", Indices),
        ("back", NDArray[np.float32]),
        ("place", NDArray[np.uint32]),
        ("start", NDArray[np.int64]),
        ("units", Indices),
        ("forward", NDArray[np.float32]),
    ],
)


# The layout of a layer that drives itself over m incoming connections of each of its n units:
#   start    (n + 1)  where the outgoing connections of a unit begin in targets
#   targets  (n * m)  the units that a unit is connected to, ascending
Recurrent = NamedTuple("Recurrent", [("start", NDArray[np.int64]), ("targets", Indices)])


def index_type(n_units: int) -> type[np.uint16] | type[np.uint32]:
    """Return the narrowest type that can index a layer of n_units."""
    return np.uint16 if n_units <= 2**16 else np.uint32


@lean
def lay_out(
    inputs: Indices, start: NDArray[np.int64], units: Indices, place: NDArray[np.uint32], filled: NDArray[np.uint32]
) -> None:
    """Fill start, units and place from inputs, and sort the rows of inputs; start and filled (n_h) hold zeros at first.

    Two transpositions by counting, each linear: the first leaves the hidden units of every visible unit in
    ascending order, the second the visible units of every hidden unit. During the first, start[j + 1] counts up from
    where the synapses of j begin to where they end.
    """
    n_h, m = inputs.shape
    n_v = start.size - 1
    for i in range(n_h):
        for q in range(m):
            start[inputs[i, q] + 1] += 1
    total = ZERO
    for j in range(n_v):
        count = start[j + 1]
        start[j + 1] = total
        total += count
    for i in range(n_h):
        for q in range(m):
            j = inputs[i, q]
            units[start[j + 1]] = i
            start[j + 1] += 1
    for j in range(n_v):
        for p in range(start[j], start[j + 1]):
            i = units[p]
            inputs[i, filled[i]] = j
            place[i, filled[i]] = p
            filled[i] += 1


@lean
def forward_by_hidden(synapses: Synapses, out: NDArray[np.float32]) -> None:
    """Write the forward weights in the order of inputs, (n_h, m), to out."""
    n_h, m = out.shape
    for i in range(n_h):
        for q in range(m):
            out[i, q] = synapses.forward[synapses.place[i, q]]


@lean
def forward_from_hidden(synapses: Synapses, weights: NDArray[np.float32]) -> None:
    """Set the forward weights from weights in the order of inputs, (n_h, m)."""
    n_h, m = weights.shape
    for i in range(n_h):
        for q in range(m):
            synapses.forward[synapses.place[i, q]] = weights[i, q]


@lean
def first_bad_row(inputs: Indices, n_v: int) -> int:
    """Return the first row that is not strictly ascending below n_v, or -1."""
    n_h, m = inputs.shape
    for i in range(n_h):
        for q in range(m):
            if inputs[i, q] >= n_v or (q > 0 and inputs[i, q] <= inputs[i, q - 1]):
                return i
    return -1
