"""The K-winner MHN of computed connections over streams of patterns, on one thread: h, z, v and x_out as elsewhere."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.compile import kernel, part
from slotfree.kernels.computed import Computed, Units, drive_hidden, drive_visible, learn, random_drives
from slotfree.kernels.sampling import positions
from slotfree.kernels.winners import MAX_BUCKETS, hash_inputs, k_winners, turn

# The working room of one thread.
Room = NamedTuple(
    "Room",
    [
        ("active", Units),
        ("h", NDArray[np.float64]),
        ("z", Units),
        ("v", NDArray[np.float64]),
        ("x_out", Units),
        ("values", NDArray[np.float64]),
        ("counts", NDArray[np.int32]),
    ],
)


@part
def room_for(net: Computed) -> Room:
    """Allocate the working room for one thread."""
    n_h, n_v = net.back.shape[0], net.start[-1]
    return Room(
        np.empty(n_v + 1, np.uint32),
        np.empty(n_h, np.float64),
        np.empty(n_h + 1, np.uint32),
        np.empty(n_v, np.float64),
        np.empty(n_v + 1, np.uint32),
        np.empty(max(n_v, n_h), np.float64),
        np.empty(MAX_BUCKETS, np.int32),
    )


@kernel
def store_patterns(
    net: Computed, k_h: int, at_random: bool, eps: int, n_stored: int, patterns: NDArray[np.uint8], winners: Units
) -> None:
    """Store the rows of patterns in order, n_stored being before the first, in the best units or in some at random.

    winners gets each row's k_h, if it has rows.
    """
    room = room_for(net)
    for t in range(patterns.shape[0]):
        if at_random:
            random_drives(net, n_stored + t, room.h)
            k_winners(room.h, k_h, room.active[:0], room.z, room.values, room.counts)
        else:
            code_pattern(net, k_h, patterns[t], room)
        learn(net, room.z[:k_h], patterns[t], eps, n_stored + t)
        if winners.shape[0] > 0:
            for a in range(k_h):
                winners[t, a] = room.z[a]


@kernel
def code_patterns(net: Computed, k_h: int, cues: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
    """Write the hidden code of each cue to out (T, n_h), which holds zeros."""
    room = room_for(net)
    for t in range(cues.shape[0]):
        code_pattern(net, k_h, cues[t], room)
        for a in range(k_h):
            out[t, room.z[a]] = 1


@kernel
def retrieve_patterns(net: Computed, k_h: int, k_v: int, cues: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
    """Write what each cue recalls to out (T, n_v), which holds zeros."""
    room = room_for(net)
    for t in range(cues.shape[0]):
        code_pattern(net, k_h, cues[t], room)
        z = room.z[:k_h]
        for j in range(room.v.size):
            room.v[j] = 0.0
        drive_visible(net, z, room.v)
        k_winners(room.v, k_v, z, room.x_out, room.values, room.counts)
        for a in range(k_v):
            out[t, room.x_out[a]] = 1


@part
def code_pattern(net: Computed, k_h: int, x: NDArray[np.uint8], room: Room) -> None:
    """Leave the winners of one cue in room.z[:k_h]."""
    active = room.active[: positions(x, 1, room.active)]
    drive_hidden(net, active, room.h)
    k_winners(room.h, k_h, active, room.z, room.values, room.counts)


@kernel
def largest(drive: NDArray[np.float64], k: int, inputs: Units) -> Units:
    """Return the ascending k units with the largest drives; the active inputs decide ties."""
    winners = np.empty(drive.size + 1, np.uint32)
    k_winners(drive, k, inputs, winners, np.empty(drive.size, np.float64), np.empty(MAX_BUCKETS, np.int32))
    return winners[:k]


@kernel
def turns(units: Units, inputs: Units) -> NDArray[np.float64]:
    """Return where units stand in a tie, largest first, given the layer's active inputs."""
    code = hash_inputs(inputs)
    out = np.empty(units.size)
    for a in range(units.size):
        out[a] = turn(code, units[a])
    return out
