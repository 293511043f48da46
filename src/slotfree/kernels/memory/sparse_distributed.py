"""Kanerva's sparse distributed memory: hard locations with fixed addresses, and counters at each.

A written one adds 1 to a counter and a written zero takes 1 from it. With n writes of which c were ones the counter is
2c − n; n is the same for all counters of a location, so that sums over locations are ordered by c alone. Only c
is kept, in ``C``, so that a pattern touches only its ones; ``writes`` keeps n, and ``clock`` the increment.
"""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.sampling import positions
from slotfree.kernels.arithmetic.winners import Room, k_winners
from slotfree.kernels.compile import kernel
from slotfree.kernels.memory.decay import LARGE, fade


@kernel
def activate(addresses: NDArray[np.uint8], k_l: int, active: NDArray[np.uint32], room: Room) -> None:
    """Leave the k_l nearest locations in room.winners[:k_l]; addresses are (n_v, n_l).

    All addresses have the same number of ones, so the nearest are those that share most ones with the cue.
    """
    shared = room.drive[: addresses.shape[1]]
    shared[:] = 0.0
    for a in range(active.size):
        row = addresses[active[a]]
        for i in range(row.size):
            shared[i] += row[i]
    k_winners(shared, k_l, active, room.winners, room.values, room.counts)


@kernel
def store_at_locations(
    addresses: NDArray[np.uint8],
    C: NDArray[np.float64],
    writes: NDArray[np.float64],
    clock: NDArray[np.float64],
    k_l: int,
    decay: float,
    patterns: NDArray[np.uint8],
    room: Room,
) -> None:
    """Write each row of patterns, in order, at the locations nearest to it; C is (n_l, n_v)."""
    for row in range(patterns.shape[0]):
        clock[0] /= 1 - decay
        if clock[0] > LARGE:
            factor = 1 / clock[0]
            fade(C.reshape(C.size), factor)
            fade(writes, factor)
            fade(clock, factor)
        active = room.active[: positions(patterns[row], room.active)]
        activate(addresses, k_l, active, room)
        for b in range(k_l):
            counters = C[room.winners[b]]
            for a in range(active.size):
                counters[active[a]] += clock[0]
            writes[room.winners[b]] += clock[0]


@kernel
def retrieve_from_locations(
    addresses: NDArray[np.uint8],
    C: NDArray[np.float64],
    k_l: int,
    k_v: int,
    cues: NDArray[np.uint8],
    out: NDArray[np.uint8],
    room: Room,
) -> None:
    """Write the k_v units with the largest sums over the locations nearest to each cue to out, which holds zeros."""
    n_v = C.shape[1]
    chosen = room.active[:k_l]
    for row in range(cues.shape[0]):
        activate(addresses, k_l, room.active[: positions(cues[row], room.active)], room)
        for b in range(k_l):
            chosen[b] = room.winners[b]
        sums = room.drive[:n_v]
        sums[:] = 0.0
        for b in range(k_l):
            counters = C[chosen[b]]
            for i in range(n_v):
                sums[i] += counters[i]
        k_winners(sums, k_v, chosen, room.winners, room.values, room.counts)
        for a in range(k_v):
            out[row, room.winners[a]] = 1
