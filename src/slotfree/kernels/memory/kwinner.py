"""The K-winner MHN over streams of patterns: h = Wx, z = the k_h largest, v = W'z, x_out = the k_v largest.

Only active units and existing connections are touched. Drives are sums of float32 weights in float64, always
in ascending order of the active units, so they are the same bits on every machine. Nothing is allocated here: the
working room of a thread has place for the larger of the two layers.
"""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.sampling import positions
from slotfree.kernels.arithmetic.vectors import eight, prefetch
from slotfree.kernels.arithmetic.winners import Room, k_winners, turn
from slotfree.kernels.compile import leaf, lean, part
from slotfree.kernels.memory.synapses import Indices, Synapses

Units = NDArray[np.uint32]


@lean
def present_patterns(
    synapses: Synapses,
    k_h: int,
    patterns: NDArray[np.uint8],
    room: Room,
    storing: bool,
    eps: np.float32,
    x_float: NDArray[np.float32],
    return_winners: bool,
    winners: Units,
    recalling: bool,
    k_v: int,
    recalled: NDArray[np.uint8],
) -> None:
    """Code the rows of patterns in order; if asked to, store each of them, return its winners, and recall from them.

    It is one kernel, so that all of this is compiled once.

    Parameters
    ----------
    storing : whether each pattern is stored before the next comes, with the learning rate eps. x_float, of the size of
        a pattern, is working room.
    return_winners : whether winners (T, k_h) gets the winners of each row, ascending.
    recalling : whether recalled (T, n_v), which holds zeros, gets the k_v ones that each row recalls.
    """
    for t in range(patterns.shape[0]):
        code_pattern(synapses, k_h, patterns[t], room)
        z = room.winners[:k_h]
        if storing:
            learn(synapses, z, eps, patterns[t], x_float)
        if return_winners:
            for a in range(k_h):
                winners[t, a] = z[a]
        if recalling:
            recall_pattern(synapses, z, k_v, room)
            for a in range(k_v):
                recalled[t, room.active[a]] = 1


@lean
def learn_patterns(
    synapses: Synapses, winners: Units, eps: np.float32, patterns: NDArray[np.uint8], x_float: NDArray[np.float32]
) -> None:
    """Store the rows of patterns in order, each in the given hidden units, (T, k_h)."""
    for t in range(patterns.shape[0]):
        learn(synapses, winners[t], eps, patterns[t], x_float)


@lean
def draw_winners(key: np.uint64, n_stored: int, winners: Units, room: Room) -> None:
    """Write random units to each row of winners, (T, k_h): those with the largest of random numbers of 53 bits.

    They follow from the key and from how many patterns were stored before, n_stored for the first row. The room is
    that of the hidden layer alone.
    """
    for t in range(winners.shape[0]):
        code = np.uint64(turn(key, n_stored + t))
        for i in range(room.drive.size):
            room.drive[i] = turn(code, i)
        k_winners(room.drive, winners.shape[1], room.active[:0], room.winners, room.values, room.counts)
        for a in range(winners.shape[1]):
            winners[t, a] = room.winners[a]


@part
def code_pattern(synapses: Synapses, k_h: int, x: NDArray[np.uint8], room: Room) -> None:
    """Leave the winners of one cue in room.winners[:k_h]."""
    active, h = room.active[: positions(x, room.active)], room.drive[: synapses.inputs.shape[0]]
    drive_hidden(synapses, active, h)
    k_winners(h, k_h, active, room.winners, room.values, room.counts)


@part
def recall_pattern(synapses: Synapses, z: Units, k_v: int, room: Room) -> None:
    """Leave the visible winners of a hidden code in room.active[:k_v]."""
    v = room.drive[: synapses.start.size - 1]
    drive_visible(synapses, z, v)
    k_winners(v, k_v, z, room.active, room.values, room.counts)


@part
def drive_hidden(synapses: Synapses, active: Units, h: NDArray[np.float64]) -> None:
    """h = Wx. Where all units are connected (f = 1), units are not looked up: the same sums, twice as fast."""
    for i in range(h.size):
        h[i] = 0.0
    full = synapses.inputs.shape[1] == synapses.start.size - 1
    for a in range(active.size):
        begin, end = synapses.start[active[a]], synapses.start[active[a] + 1]
        if full:
            w = synapses.forward[begin:end]
            for i in range(h.size):
                h[i] += w[i]
        else:
            after = synapses.start[active[min(a + 1, active.size - 1)]]
            ask_for(synapses.units[after:], synapses.forward[after:])
            add_at(synapses.units[begin:end], synapses.forward[begin:end], h)


@part
def drive_visible(synapses: Synapses, z: Units, v: NDArray[np.float64]) -> None:
    """v = W'z."""
    for j in range(v.size):
        v[j] = 0.0
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


@leaf
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
    z: Units,
    eps: np.float32,
    x: NDArray[np.uint8],
    x_float: NDArray[np.float32],
) -> None:
    """W_ij += eps (x_j - W_ij) for the winners i and their connections j, and the same for W'.

    A winner's forward weights are scattered over memory, so those of the next one are asked for meanwhile. x_float, of
    the size of x, is working room.
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
