"""k-winner-take-all in linear time, with a fair and reproducible rule for ties.

The tie rule. Of units that tie for the last places, those win for which a hash of the unit and of the layer's active
inputs is largest. So winners depend on the drives and the input alone, not on any hidden state, and whichever units
tie, each of them is as likely to win as any other.

The way. A sample of the drives gives a cut that, most likely, a little more than k units pass; one pass finds
them, and only among them is the k-th largest drive sought, by histograms. The cut saves time and decides
nothing: if fewer than k pass, all units are candidates.
"""

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.compile import ZERO, kernel, part

MAX_BUCKETS = 1024
SAMPLED = 8  # every eighth unit


@kernel
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
    n_candidates = collect(drive, likely_cut(drive, k, values, counts), winners)
    if n_candidates < k:
        n_candidates = collect(drive, -np.inf, winners)
    if n_candidates < k:  # only if drives are not numbers: then no unit is better than another
        for i in range(k):
            winners[i] = i
        return
    if n_candidates == k:
        return
    for c in range(n_candidates):
        values[c] = drive[winners[c]]
    threshold = kth_largest(values, n_candidates, k, counts)

    n_left = ZERO
    n_above = ZERO
    for c in range(n_candidates):
        value = drive[winners[c]]
        winners[n_left] = winners[c]
        n_left += value >= threshold
        n_above += value > threshold
    if n_left > k:
        break_ties(drive, threshold, k - n_above, hash_inputs(inputs), winners, n_left, values, counts)


@part
def likely_cut(drive: NDArray[np.float64], k: int, values: NDArray[np.float64], counts: NDArray[np.int32]) -> float:
    """Return a value that probably at least k drives, and not many more, reach: a quantile of a sample."""
    n_sampled = drive.size // SAMPLED
    expected = k / SAMPLED
    rank = int(expected + 2 * np.sqrt(expected)) + 1
    if rank >= n_sampled:
        return -np.inf
    for c in range(n_sampled):
        values[c] = drive[c * SAMPLED]
    return kth_largest(values, n_sampled, rank, counts)


@kernel
def collect(drive: NDArray[np.float64], cut: float, out: NDArray[np.uint32]) -> int:
    """Write the ascending indices of the units whose drive reaches the cut to out, return how many."""
    n = ZERO
    for i in range(drive.size):
        out[n] = i
        n += drive[i] >= cut  # without a branch, which would often be mispredicted
    return n


@part
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


@kernel
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
        counts[:n_buckets] = 0
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


@part
def bucket_of(value: float, low: float, scale: float, n_buckets: int) -> np.uint32:
    """Return the bucket of a value, from 0 to n_buckets - 1; what is not finite is in the last one."""
    place = (value - low) * scale
    return np.uint32(place) if 0 <= place < n_buckets else np.uint32(n_buckets - 1)


@part
def hash_inputs(inputs: NDArray[np.uint32]) -> np.uint64:
    """Return a hash of the active inputs of a layer (FNV-1a over whole numbers)."""
    code = np.uint64(0xCBF29CE484222325)
    for a in range(inputs.size):
        code = (code ^ np.uint64(inputs[a])) * np.uint64(0x100000001B3)
    return code


@kernel
def turn(code: np.uint64, unit: int) -> float:
    """Return where a unit stands in a tie: a whole number of 53 bits (SplitMix64), largest first."""
    mixed = code + np.uint64(unit + 1) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return float((mixed ^ (mixed >> np.uint64(31))) >> np.uint64(11))


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
