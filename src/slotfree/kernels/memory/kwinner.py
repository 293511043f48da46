"""The K-winner MHN over streams of patterns: h = Wx, z = the k_h largest, v = W'z, x_out = the k_v largest.

Only active units and existing connections are touched. Drives are sums of float32 weights in float64, always
in ascending order of the active units, so they are the same bits on every machine.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.prefetch import prefetch
from slotfree.kernels.arithmetic.sampling import positions
from slotfree.kernels.arithmetic.winners import MAX_BUCKETS, k_winners, turn
from slotfree.kernels.compile import kernel, part
from slotfree.kernels.memory.synapses import Indices, Synapses
from slotfree.kernels.memory.widened_sums import eight

# The working room of one thread; nothing is allocated per pattern.
Workspace = NamedTuple(
    "Workspace",
    [
        ("active", NDArray[np.uint32]),
        ("h", NDArray[np.float64]),
        ("z", NDArray[np.uint32]),
        ("v", NDArray[np.float64]),
        ("x_out", NDArray[np.uint32]),
        ("values", NDArray[np.float64]),
        ("counts", NDArray[np.int32]),
        ("x_float", NDArray[np.float32]),
    ],
)


@part
def workspace(synapses: Synapses) -> Workspace:
    """Allocate the working room for one thread."""
    n_h = synapses.inputs.shape[0]
    n_v = synapses.start.size - 1
    return Workspace(
        np.empty(n_v + 1, np.uint32),
        np.empty(n_h, np.float64),
        np.empty(n_h + 1, np.uint32),
        np.empty(n_v, np.float64),
        np.empty(n_v + 1, np.uint32),
        np.empty(max(n_v, n_h), np.float64),
        np.empty(MAX_BUCKETS, np.int32),
        np.empty(n_v, np.float32),
    )


@kernel
def store_patterns(
    synapses: Synapses,
    k_h: int,
    eps: np.float32,
    patterns: NDArray[np.uint8],
    winners: NDArray[np.uint32],
) -> None:
    """Store the rows of patterns in order; winners gets each row's k_h winners, if it has rows."""
    room = workspace(synapses)
    for t in range(patterns.shape[0]):
        code_pattern(synapses, k_h, patterns[t], room)
        learn(synapses, room.z[:k_h], eps, patterns[t], room.x_float)
        if winners.shape[0] > 0:
            for a in range(k_h):
                winners[t, a] = room.z[a]


@kernel
def store_at_random(
    synapses: Synapses,
    k_h: int,
    eps: np.float32,
    key: np.uint64,
    n_stored: int,
    patterns: NDArray[np.uint8],
    winners: NDArray[np.uint32],
) -> None:
    """Store the rows of patterns in order by k_h random units each; winners gets these, if it has rows.

    The units follow from the key and from how many patterns were stored before, n_stored for the first row.
    """
    room = workspace(synapses)
    for t in range(patterns.shape[0]):
        draw_winners(key, n_stored + t, k_h, room)
        learn(synapses, room.z[:k_h], eps, patterns[t], room.x_float)
        if winners.shape[0] > 0:
            for a in range(k_h):
                winners[t, a] = room.z[a]


@kernel
def code_patterns(synapses: Synapses, k_h: int, cues: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
    """Write the hidden code of each cue to out (T, n_h), which holds zeros."""
    room = workspace(synapses)
    for t in range(cues.shape[0]):
        code_pattern(synapses, k_h, cues[t], room)
        for a in range(k_h):
            out[t, room.z[a]] = 1


@kernel
def retrieve_patterns(synapses: Synapses, k_h: int, k_v: int, cues: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
    """Write what each cue recalls to out (T, n_v), which holds zeros."""
    room = workspace(synapses)
    for t in range(cues.shape[0]):
        code_pattern(synapses, k_h, cues[t], room)
        recall_pattern(synapses, room.z[:k_h], k_v, room)
        for a in range(k_v):
            out[t, room.x_out[a]] = 1


@part
def code_pattern(synapses: Synapses, k_h: int, x: NDArray[np.uint8], room: Workspace) -> None:
    """Leave the winners of one cue in room.z[:k_h]."""
    active = room.active[: positions(x, room.active)]
    drive_hidden(synapses, active, room.h)
    k_winners(room.h, k_h, active, room.z, room.values, room.counts)


@part
def draw_winners(key: np.uint64, n_stored: int, k_h: int, room: Workspace) -> None:
    """Leave k_h random units in room.z[:k_h]: those with the largest of random numbers of 53 bits."""
    code = np.uint64(turn(key, n_stored))
    for i in range(room.h.size):
        room.h[i] = turn(code, i)
    k_winners(room.h, k_h, room.active[:0], room.z, room.values, room.counts)


@part
def recall_pattern(synapses: Synapses, z: NDArray[np.uint32], k_v: int, room: Workspace) -> None:
    """Leave the visible winners of a hidden code in room.x_out[:k_v]."""
    drive_visible(synapses, z, room.v)
    k_winners(room.v, k_v, z, room.x_out, room.values, room.counts)


@part
def drive_hidden(synapses: Synapses, active: NDArray[np.uint32], h: NDArray[np.float64]) -> None:
    """h = Wx."""
    if synapses.inputs.shape[1] == synapses.start.size - 1:
        drive_hidden_fully(synapses, active, h)
        return
    h[:] = 0.0
    for a in range(active.size):
        begin, end = synapses.start[active[a]], synapses.start[active[a] + 1]
        after = synapses.start[active[min(a + 1, active.size - 1)]]
        ask_for(synapses.units[after:], synapses.forward[after:])
        add_at(synapses.units[begin:end], synapses.forward[begin:end], h)


@part
def drive_hidden_fully(synapses: Synapses, active: NDArray[np.uint32], h: NDArray[np.float64]) -> None:
    """h = Wx where all units are connected (f = 1): the same sums without looking units up, twice as fast."""
    h[:] = 0.0
    for a in range(active.size):
        begin = synapses.start[active[a]]
        w = synapses.forward[begin : begin + h.size]
        for i in range(h.size):
            h[i] += w[i]


@part
def drive_visible(synapses: Synapses, z: NDArray[np.uint32], v: NDArray[np.float64]) -> None:
    """v = W'z."""
    v[:] = 0.0
    for a in range(z.size):
        after = z[min(a + 1, z.size - 1)]
        ask_for(synapses.inputs[after], synapses.back[after])
        add_at(synapses.inputs[z[a]], synapses.back[z[a]], v)


@part
def ask_for(units: Indices, w: NDArray[np.float32]) -> None:
    """Ask for the first 32 synapses of the unit whose turn is next; the machine foresees the rest."""
    prefetch(units, 0)
    prefetch(w, 0)
    prefetch(w, 16)


@part
def add_at(units: Indices, w: NDArray[np.float32], drive: NDArray[np.float64]) -> None:
    """Add the weights of synapses to the drives of their units, in order."""
    n_eights = units.size - units.size % 8
    for q in range(0, n_eights, 8):
        w0, w1, w2, w3, w4, w5, w6, w7 = eight(w, q)
        drive[units[q]] += w0
        drive[units[q + 1]] += w1
        drive[units[q + 2]] += w2
        drive[units[q + 3]] += w3
        drive[units[q + 4]] += w4
        drive[units[q + 5]] += w5
        drive[units[q + 6]] += w6
        drive[units[q + 7]] += w7
    for q in range(n_eights, units.size):
        drive[units[q]] += w[q]


@part
def learn(
    synapses: Synapses,
    z: NDArray[np.uint32],
    eps: np.float32,
    x: NDArray[np.uint8],
    x_float: NDArray[np.float32],
) -> None:
    """W_ij += eps (x_j - W_ij) for the winners i and their connections j, and the same for W'.

    A winner's forward weights are scattered over memory, so those of the next one are asked for meanwhile.
    """
    for j in range(x.size):
        x_float[j] = x[j]
    forward = synapses.forward
    for a in range(z.size):
        inputs = synapses.inputs[z[a]]
        place = synapses.place[z[a]]
        back = synapses.back[z[a]]
        next_place = synapses.place[z[min(a + 1, z.size - 1)]]
        for q in range(place.size):
            prefetch(forward, next_place[q])
            x_j = x_float[inputs[q]]
            back[q] += eps * (x_j - back[q])
            forward[place[q]] += eps * (x_j - forward[place[q]])
