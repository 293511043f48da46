"""k-winner-take-all in linear time, with a fair and reproducible rule for ties.

The tie rule. Of units that tie for the last places, those win for which a hash of the unit and of the layer's active
inputs is largest. So winners depend on the drives and the input alone, not on any hidden state, and whichever units
tie, each of them is as likely to win as any other.

The way. Counting how many drives reach the middle of their range halves the range; after a few rounds the middle is a
cut that k units reach, and few more. These candidates are halved on until exactly k are left. Only where units tie, so
that no cut leaves k, is the k-th largest drive sought, by histograms. At first the largest drives of small groups stand
for all: where k of them reach a cut, so do k units, and in the other groups nobody needs to look.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.sampling import positions
from slotfree.kernels.arithmetic.uniform import stream
from slotfree.kernels.compile import ZERO, kernel, lean, part

MAX_BUCKETS = 1024
GROUP = 4  # units next to each other
HALVINGS = 12  # nearly always enough, unless units tie

# The working room of one thread, for layers of up to n units.
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


def room_for(n: int) -> Room:
    """Allocate the working room; outside of kernels, so that they need no compiled code for it."""
    return Room(
        np.empty(n + 1, np.uint32),
        np.empty(n + 1, np.uint32),
        np.empty(n, np.float64),
        np.empty(n, np.float64),
        np.empty(MAX_BUCKETS, np.int32),
    )


@lean
def k_winners(
    drive: NDArray[np.float64],
    k: int,
    inputs: NDArray[np.uint32],
    winners: NDArray[np.uint32],
    values: NDArray[np.float64],
    counts: NDArray[np.int32],
) -> None:
    """Write the ascending indices of the k units with the largest drives to winners[:k].

    Parameters
    ----------
    drive : the drive of each unit of the layer: sums of float32 numbers, so finite, and different ones differ
        by no less than 2**-149.
    inputs : the active inputs of the layer; they decide ties and nothing else.
    winners, values, counts : working room for n + 1 units, n values and MAX_BUCKETS counts.
    """
    n_groups = group_maxima(drive, values)
    cut, found = -np.inf, False
    if n_groups >= k:
        cut, found = halve(values, n_groups, k, k + k // 8)
    if not found:
        cut, found = halve(drive, drive.size, k, k + k // 8)
    n = collect(drive, values, cut, winners)
    if n < k:  # only if drives are not numbers: then no unit is better than another
        for i in range(k):
            winners[i] = i
    if n <= k:
        return
    for c in range(n):
        values[c] = drive[winners[c]]
    cut, found = halve(values, n, k, k)
    n_left = ZERO
    for c in range(n):
        value = values[c]
        values[n_left] = value
        winners[n_left] = winners[c]
        n_left += value >= cut
    if n_left > k:
        seek(drive, k, inputs, winners, n_left, values, counts)


@part
def group_maxima(drive: NDArray[np.float64], maxima: NDArray[np.float64]) -> int:
    """Write the largest drive of each whole group to maxima, return how many there are."""
    n_groups = drive.size // GROUP
    for g in range(n_groups):
        i = g * GROUP
        maxima[g] = max(max(drive[i], drive[i + 1]), max(drive[i + 2], drive[i + 3]))
    return n_groups


@lean
def halve(values: NDArray[np.float64], n: int, k: int, most: int) -> tuple[float, bool]:
    """Return a cut that k or more of the first n values reach, and whether they are at most as many as wanted."""
    low, high = extremes(values, n)
    for _ in range(HALVINGS):
        middle = low + 0.5 * (high - low)
        reach = ZERO
        for i in range(n):
            reach += values[i] >= middle
        if k <= reach <= most:
            return middle, True
        low = middle if reach >= k else low
        high = high if reach >= k else middle
    return low, False


@part
def collect(drive: NDArray[np.float64], maxima: NDArray[np.float64], cut: float, out: NDArray[np.uint32]) -> int:
    """Write the ascending indices of the units whose drive reaches the cut to out, return how many.

    Without branches, which would often be mispredicted. The groups to look at are listed at the end of out, which has
    room for n + 1 units: what is found in them cannot catch up with the list.
    """
    n_groups = drive.size // GROUP
    groups = out[drive.size + 1 - n_groups :]
    n_listed = ZERO
    for g in range(n_groups):
        groups[n_listed] = g
        n_listed += maxima[g] >= cut
    n = ZERO
    for c in range(n_listed):
        first = groups[c] * GROUP
        for i in range(first, first + GROUP):
            out[n] = i
            n += drive[i] >= cut
    for i in range(n_groups * GROUP, drive.size):
        out[n] = i
        n += drive[i] >= cut
    return n


@part
def seek(
    drive: NDArray[np.float64],
    k: int,
    inputs: NDArray[np.uint32],
    winners: NDArray[np.uint32],
    n: int,
    values: NDArray[np.float64],
    counts: NDArray[np.int32],
) -> None:
    """Keep the k winners of n candidates, whose drives are in values; ties are possible."""
    threshold = kth_largest(values, n, k, counts)
    n_left = ZERO
    n_above = ZERO
    for c in range(n):
        value = drive[winners[c]]
        winners[n_left] = winners[c]
        n_left += value >= threshold
        n_above += value > threshold
    if n_left > k:
        break_ties(drive, threshold, k - n_above, hash_inputs(inputs), winners, n_left, values, counts)


@lean
def extremes(values: NDArray[np.float64], n: int) -> tuple[float, float]:
    """Least and greatest of the first n values; four lanes, so that no comparison waits for the last one."""
    a0 = a1 = a2 = a3 = values[0]
    b0 = b1 = b2 = b3 = values[0]
    n_lanes = n - n % 4
    for i in range(0, n_lanes, 4):
        v0, v1, v2, v3 = values[i], values[i + 1], values[i + 2], values[i + 3]
        a0 = v0 if v0 < a0 else a0
        a1 = v1 if v1 < a1 else a1
        a2 = v2 if v2 < a2 else a2
        a3 = v3 if v3 < a3 else a3
        b0 = v0 if v0 > b0 else b0
        b1 = v1 if v1 > b1 else b1
        b2 = v2 if v2 > b2 else b2
        b3 = v3 if v3 > b3 else b3
    for i in range(n_lanes, n):
        a0 = min(a0, values[i])
        b0 = max(b0, values[i])
    return min(min(a0, a1), min(a2, a3)), max(max(b0, b1), max(b2, b3))


@lean
def kth_largest(values: NDArray[np.float64], n: int, k: int, counts: NDArray[np.int32]) -> float:
    """Return the k-th largest of the first n values (k counts from 1), which are overwritten.

    Spread the values over buckets between their extremes, walk down from the top until k are passed, go on
    within that bucket. Rounding keeps (v - low) * scale monotone in v, so a higher bucket always means a larger
    value. The extremes never share a bucket (there are at least four), so every round drops a value; nearly
    always the first leaves a handful. Values that are not finite have no order, but do no harm.
    """
    while True:
        low, high = extremes(values, n)
        if not low < high:
            return low
        n_buckets = min(n + 2, MAX_BUCKETS)
        scale = (n_buckets - 1) / (high - low)
        for bucket in range(n_buckets):
            counts[bucket] = 0
        for i in range(n):
            counts[bucket_of(values[i], low, scale, n_buckets)] += 1
        bucket = n_buckets - 1
        while counts[bucket] < k:
            k -= counts[bucket]
            bucket -= 1
        n_left = ZERO
        for i in range(n):
            value = values[i]
            values[n_left] = value
            n_left += bucket_of(value, low, scale, n_buckets) == bucket
        if n_left == n:  # only if not all values are finite
            return high
        n = n_left


@lean
def bucket_of(value: float, low: float, scale: float, n_buckets: int) -> np.uint32:
    """Return the bucket of a value, from 0 to n_buckets - 1; what is not finite is in the last one."""
    place = (value - low) * scale
    return np.uint32(place) if 0 <= place < n_buckets else np.uint32(n_buckets - 1)


@part
def hash_inputs(inputs: NDArray[np.uint32]) -> np.uint64:
    """Return a hash of the active inputs of a layer (FNV-1a over integers)."""
    code = np.uint64(0xCBF29CE484222325)
    for a in range(inputs.size):
        code = (code ^ np.uint64(inputs[a])) * np.uint64(0x100000001B3)
    return code


@lean
def turn(code: np.uint64, unit: int) -> float:
    """Return where a unit stands in a tie: an integer of 53 bits, largest first."""
    return float(stream(code, unit) >> np.uint64(11))


@part
def break_ties(
    drive: NDArray[np.float64],
    threshold: float,
    n_places: int,
    code: np.uint64,
    winners: NDArray[np.uint32],
    n_winners: int,
    values: NDArray[np.float64],
    counts: NDArray[np.int32],
) -> None:
    """Keep those above the threshold, and n_places of those at it, by turn (equal turns: the lowest index)."""
    n_tied = ZERO
    for c in range(n_winners):
        if drive[winners[c]] == threshold:
            values[n_tied] = turn(code, winners[c])
            n_tied += 1
    last = kth_largest(values, n_tied, n_places, counts)
    n_equal = n_places
    for c in range(n_winners):
        n_equal -= drive[winners[c]] == threshold and turn(code, winners[c]) > last
    n_left = ZERO
    for c in range(n_winners):
        i = winners[c]
        keep = True
        if drive[i] == threshold:
            place = turn(code, i)
            keep = place > last or (place == last and n_equal > 0)
            n_equal -= place == last
        winners[n_left] = i
        n_left += keep


@kernel
def largest(drive: NDArray[np.float64], k: int, inputs: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return the ascending indices of the k units with the largest drives, for callers that keep no working room."""
    winners = np.empty(drive.size + 1, np.uint32)
    k_winners(drive, k, inputs, winners, np.empty(drive.size, np.float64), np.empty(MAX_BUCKETS, np.int32))
    return winners[:k]


@kernel
def turns(units: NDArray[np.uint32], inputs: NDArray[np.uint32]) -> NDArray[np.float64]:
    """Return where units stand in a tie, largest first, given the layer's active inputs."""
    code = hash_inputs(inputs)
    out = np.empty(units.size)
    for a in range(units.size):
        out[a] = turn(code, units[a])
    return out


@lean
def row_winners(
    drives: NDArray[np.float64], k: int, cues: NDArray[np.uint8], out: NDArray[np.uint8], room: Room
) -> None:
    """Set the k winners of each row of drives to one in out (T, n), which holds zeros; the cue's ones decide ties.

    Drives are rounded to float32 first. What k_winners asks of drives then holds, and sums that differ only by the
    order of their additions tie.
    """
    n_rows, n = drives.shape
    drive = room.drive[:n]
    for t in range(n_rows):
        for i in range(n):
            drive[i] = np.float32(drives[t, i])
        active = room.active[: positions(cues[t], room.active)]
        k_winners(drive, k, active, room.winners, room.values, room.counts)
        for a in range(k):
            out[t, room.winners[a]] = 1
