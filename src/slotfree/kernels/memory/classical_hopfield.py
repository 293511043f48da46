"""The classical Hopfield network with the covariance rule, touching only what is active.

The rule W_ij ← (1 − λ) W_ij + (x_i − s)(x_j − s) changes every weight. With the decayed sums C_ij of x_i x_j, r_i of
x_i, and t of 1 it is the same as

    W_ij = C_ij − s r_i − s r_j + s² t,

of which a pattern changes only C between its ones, r at its ones, and t. ``clock`` holds t and the increment.
"""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.sampling import positions
from slotfree.kernels.arithmetic.winners import Room, k_winners
from slotfree.kernels.compile import lean
from slotfree.kernels.memory.decay import LARGE, fade
from slotfree.kernels.memory.synapses import Recurrent


@lean
def store_covariances(
    net: Recurrent,
    C: NDArray[np.float64],
    r: NDArray[np.float64],
    clock: NDArray[np.float64],
    decay: float,
    patterns: NDArray[np.uint8],
    room: Room,
) -> None:
    """Store the rows of patterns in order."""
    for row in range(patterns.shape[0]):
        x = patterns[row]
        clock[1] /= 1 - decay
        if clock[1] > LARGE:
            factor = 1 / clock[1]
            fade(C, factor)
            fade(r, factor)
            fade(clock, factor)
        increment = clock[1]
        for a in range(positions(x, room.active)):
            j = room.active[a]
            for p in range(net.start[j], net.start[j + 1]):
                C[p] += increment * x[net.targets[p]]  # without a branch, which would often be mispredicted
            r[j] += increment
        clock[0] += increment


@lean
def drive_by_covariance(
    net: Recurrent,
    C: NDArray[np.float64],
    r: NDArray[np.float64],
    t: float,
    s: float,
    active: NDArray[np.uint32],
    h: NDArray[np.float64],
    shift: NDArray[np.float64],
) -> None:
    """h = Wx; shift is working room."""
    for i in range(r.size):
        h[i] = 0.0
        shift[i] = s * r[i]
    for a in range(active.size):
        j = active[a]
        shift_j = s * (s * t - r[j])
        for p in range(net.start[j], net.start[j + 1]):
            i = net.targets[p]
            h[i] += (C[p] - shift[i]) + shift_j


@lean
def retrieve_by_covariance(
    net: Recurrent,
    C: NDArray[np.float64],
    r: NDArray[np.float64],
    t: float,
    k: int,
    steps: int,
    cues: NDArray[np.uint8],
    out: NDArray[np.uint8],
    room: Room,
) -> None:
    """Write the state of each cue after some synchronous updates to out, which holds zeros."""
    n = r.size
    s = k / n
    for row in range(cues.shape[0]):
        n_active = positions(cues[row], room.active)
        for _ in range(steps):
            active = room.active[:n_active]
            drive_by_covariance(net, C, r, t, s, active, room.drive, room.values)
            k_winners(room.drive, k, active, room.winners, room.values, room.counts)
            rests = n_active == k
            for a in range(k):
                rests &= room.active[a] == room.winners[a]
                room.active[a] = room.winners[a]
            n_active = k
            if rests:
                break
        for a in range(k):
            out[row, room.active[a]] = 1
