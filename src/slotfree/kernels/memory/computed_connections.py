"""Sparse connections that are computed, not stored, with weights of 8 or 16 bits: the K-winner MHN at any size.

Hidden units are cut into blocks of 2^b. Each block has the visible units in an order of its own, and cuts it into m
strata of about n_v / m; each hidden unit has exactly one input in each stratum, so its fan-in is exact. In each block
and stratum, a random permutation π orders the block's units, and the stratum's visible units have the places one after
another, as many as would choose each of them by chance. So every hidden unit's input is any of a stratum's, whatever
the others have.

In a block, the outgoing synapses of a visible unit lie together, and belong to the units π(p); a hidden unit's synapse
in a stratum is at p = π⁻¹(i). Orders and permutations are hashed from the key, the block's first unit, and the stratum.
All that is kept of the connections is the order, and where a visible unit's places begin: 6 bytes for each, in each
block.

A weight is an integer w, which means w / (2^bits − 1). Drives are sums of integers, so they are exact, and the
same in any order: for any number of threads, and however the blocks are spread over machines. All functions work on
the blocks that a ``Computed`` holds, which may be some of a network's: see ``part``.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.permutation import Halves, Inverses, images, origins, undo
from slotfree.kernels.arithmetic.sampling import positions
from slotfree.kernels.arithmetic.uniform import fill_integers, hashed, stream
from slotfree.kernels.arithmetic.vectors import prefetch
from slotfree.kernels.arithmetic.winners import largest, turn
from slotfree.kernels.compile import ZERO, kernel, leaf

Integers: TypeAlias = NDArray[np.unsignedinteger[Any]]
Units: TypeAlias = NDArray[np.uint32]

ORDERS, CONNECTIONS, SHARES, FORWARD, BACK, ROUNDING, WINNERS = range(7)  # streams of the key
BATCH = 256  # synapses of a hidden unit, or visible units, that are worked on together
EXACT = 65536  # weights of 16 bits that can be added in 32
LINE = 64  # bytes
LOW, HALF, ONE = np.uint32(0xFFFF), np.uint32(16), np.uint16(1)

# Fields, of blocks with n hidden units in all, and m strata:
#   key                 what connections, initial weights and rounding follow from
#   start    (m + 1)    the first rank of each stratum, and n_v; ranks are those of visible units in a block's order
#   first    (blocks+1) the first hidden unit of each block, and one after the last
#   order    (blocks, n_v)  the visible units in each block's order, by rank
#   begins   (blocks, n_v)  where the places of each rank's unit begin, in its stratum
#   forward  (n * m)    W by block, stratum and place
#   back     (n, m)     W' by hidden unit and stratum
Computed = NamedTuple(
    "Computed",
    [
        ("key", np.uint64),
        ("start", NDArray[np.int64]),
        ("first", NDArray[np.int64]),
        ("order", Units),
        ("begins", Halves),
        ("forward", Integers),
        ("back", Integers),
    ],
)

# The synapses of one hidden unit in a batch of strata.
Located = NamedTuple(
    "Located",
    [
        ("inverses", Inverses),
        ("place", Halves),
        ("ranks", Units),
        ("w", Units),
        ("x", Units),
    ],
)


def part(net: Computed, begin: int, end: int) -> Computed:
    """Return the blocks from begin to end of a network: views of its arrays."""
    first = net.first[begin : end + 1]
    low, high = int(first[0] - net.first[0]), int(first[-1] - net.first[0])
    m = net.start.size - 1
    order, begins = net.order[begin:end], net.begins[begin:end]
    return Computed(net.key, net.start, first, order, begins, net.forward[low * m : high * m], net.back[low:high])


@kernel
def store_patterns(
    net: Computed,
    k_h: int,
    eps: int,
    at_random: bool,
    n_stored: int,
    patterns: NDArray[np.uint8],
    return_winners: bool,
    winners: Units,
) -> None:
    """Store the rows of patterns in order in a whole network, on one thread.

    Parameters
    ----------
    winners : (T, k_h), gets the winners of each pattern, if ``return_winners``.
    at_random : whether random units store a pattern, not those that it drives most.
    n_stored : how many patterns were stored before.
    """
    h, ones = np.empty(net.back.shape[0], np.float64), np.empty(net.start[-1] + 1, np.uint32)
    for t in range(patterns.shape[0]):
        active = ones[:0] if at_random else ones[: positions(patterns[t], ones)]
        if at_random:
            random_drives(net, n_stored + t, h)
        else:
            drive_hidden(net, active, h)
        z = largest(h, k_h, active)
        learn(net, z, patterns[t], eps, n_stored + t)
        if return_winners:
            winners[t] = z


@kernel
def share_places(net: Computed) -> None:
    """Find where visible units' places begin: each place of a block chooses one of a stratum's units by chance."""
    for b in range(net.first.size - 1):
        size, begins = net.first[b + 1] - net.first[b], net.begins[b]
        begins[:] = 0
        code = stream(stream(net.key, SHARES), net.first[b])
        for q in range(net.start.size - 1):
            share_stratum(stream(code, q), size, begins[net.start[q] : net.start[q + 1]])


@leaf
def share_stratum(code: np.uint64, size: int, begins: Halves) -> None:
    """Count how many places choose each unit of a stratum, and add up the counts before it."""
    first, second = np.uint32(code), np.uint32(code >> np.uint64(32))
    n_units = np.uint64(begins.size)
    for p in range(size):
        begins[(np.uint64(hashed(np.uint32(p), first, second)) * n_units) >> np.uint64(32)] += ONE
    total = np.uint16(0)
    for g in range(begins.size):
        count = begins[g]
        begins[g] = total
        total = np.uint16(total + count)


@kernel
def fill_weights(net: Computed) -> None:
    """Draw the initial weights, uniformly over all that there are."""
    m = net.start.size - 1
    for b in range(net.first.size - 1):
        size = net.first[b + 1] - net.first[b]
        code = stream(stream(net.key, FORWARD), net.first[b])
        begin = (net.first[b] - net.first[0]) * m
        for q in range(m):
            fill_integers(stream(code, q), net.forward[begin + q * size : begin + (q + 1) * size])
    code = stream(net.key, BACK)
    for i in range(net.back.shape[0]):
        fill_integers(stream(code, net.first[0] + i), net.back[i])


@kernel
def list_units(net: Computed) -> None:
    """Find each block's order of the visible units: (a r + c) mod n_v, with a random a that has no divisor of n_v."""
    n_v = net.start[-1]
    for b in range(net.first.size - 1):
        code = stream(stream(net.key, ORDERS), net.first[b])
        unit, step = below(code, n_v), below(stream(code, 0), n_v)
        while divisor(step, n_v) > 1:
            step = (step + 1) % n_v
        for rank in range(n_v):
            net.order[b, rank] = unit
            unit += step
            if unit >= n_v:
                unit -= n_v


@leaf
def below(code: np.uint64, n: int) -> np.int64:
    """Return a random number from 0 to n - 1."""
    return np.int64(((code >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@leaf
def divisor(a: np.int64, b: np.int64) -> np.int64:
    """Return the greatest common divisor."""
    while b:
        a, b = b, a % b
    return a


@kernel
def drive_hidden(net: Computed, active: Units, h: NDArray[np.float64]) -> None:
    """h = Wx of the units held, with the active units of x."""
    m, n_v = net.start.size - 1, net.start[-1]
    x = np.zeros(n_v, np.uint8)
    for a in range(active.size):
        x[active[a]] = 1
    most = ZERO
    for b in range(net.first.size - 1):
        most = max(most, net.first[b + 1] - net.first[b])
    sums, units = np.empty(most, np.uint32), np.empty(most, np.uint16)
    ranks = np.empty(n_v + 1, np.uint32)
    codes, spans = np.empty((BATCH, 2), np.uint64), np.empty((BATCH, 3), np.int64)
    for b in range(net.first.size - 1):
        size = net.first[b + 1] - net.first[b]
        begin = net.first[b] - net.first[0]
        forward = net.forward[begin * m : (begin + size) * m]
        h_block = h[begin : begin + size]
        h_block[:] = 0.0
        sums[:size] = 0
        order = net.order[b]
        n_active = ZERO
        for rank in range(n_v):
            ranks[n_active] = rank
            n_active += x[order[rank]]
        code = stream(stream(net.key, CONNECTIONS), net.first[b])
        q = ZERO
        for a in range(0, n_active, BATCH):
            n = min(BATCH, n_active - a)
            for t in range(n):
                while net.start[q + 1] <= ranks[a + t]:
                    q += 1
                span(net, b, code, q, np.int64(ranks[a + t]), codes[t], spans[t])
            add_spans(forward, size, codes, spans, n, units, sums)
            if (a + BATCH) % EXACT == 0 or a + BATCH >= n_active:
                for i in range(size):
                    h_block[i] += sums[i]
                    sums[i] = 0


@leaf
def span(
    net: Computed,
    b: int,
    code: np.uint64,
    q: int,
    rank: np.int64,
    codes: NDArray[np.uint64],
    spans: NDArray[np.int64],
) -> None:
    """Find the synapses of a visible unit, of stratum q, in a block: the first place, and where they begin and end."""
    size = net.first[b + 1] - net.first[b]
    codes[0], codes[1] = stream(code, 2 * q), stream(code, 2 * q + 1)
    spans[0] = net.begins[b, rank]
    spans[1] = q * size + spans[0]
    spans[2] = q * size + (np.int64(net.begins[b, rank + 1]) if rank + 1 < net.start[q + 1] else size)


@leaf
def add_spans(
    forward: Integers,
    size: int,
    codes: NDArray[np.uint64],
    spans: NDArray[np.int64],
    n: int,
    units: Halves,
    sums: Units,
) -> None:
    """Add the weights of some spans of a block to the sums of their units.

    Spans are far apart, and each is too short for the processor to see where reading goes: without the hint, half of
    the time is waiting.
    """
    step = LINE // forward.itemsize
    for t in range(n):
        if t + 1 < n and spans[t + 1, 2] > spans[t + 1, 1]:
            for place in range(spans[t + 1, 1], spans[t + 1, 2], step):
                prefetch(forward, place)
            prefetch(forward, spans[t + 1, 2] - 1)
        w = forward[spans[t, 1] : spans[t, 2]]
        images(codes[t, 0], codes[t, 1], np.uint16(size - 1), spans[t, 0], w.size, units)
        for p in range(w.size):
            sums[units[p]] += w[p]


@kernel
def random_drives(net: Computed, n_stored: int, h: NDArray[np.float64]) -> None:
    """Fill h with random numbers that follow from the key and how many patterns were stored: winners at random."""
    code = stream(stream(net.key, WINNERS), n_stored)
    for i in range(h.size):
        h[i] = turn(code, net.first[0] + i)


@kernel
def drive_visible(net: Computed, z: Units, v: NDArray[np.float64]) -> None:
    """v += W'z, with ascending winners z among the units held."""
    m = net.start.size - 1
    batch = located()
    sums = np.zeros(v.size, np.uint64)
    begin = ZERO
    for b in range(net.first.size - 1):
        end = end_of_block(net, b, z, begin)
        for q in range(0, m if end > begin else 0, BATCH):
            n = min(BATCH, m - q)
            open_batch(net, b, q, n, batch)
            for a in range(begin, end):
                locate(net, b, q, n, z[a], batch)
                back = net.back[z[a] - net.first[0], q : q + n]
                for t in range(n):
                    sums[batch.ranks[t]] += back[t]
        if end > begin:
            for rank in range(v.size):
                v[net.order[b, rank]] += sums[rank]
                sums[rank] = 0
        begin = end


@kernel
def learn(net: Computed, z: Units, x: NDArray[np.uint8], eps: int, n_stored: int) -> None:
    """W_ij += ε (x_j − W_ij) for ascending winners i among the units held and their inputs j, and the same for W'.

    All is rounded at random: ε = eps / 2^32 to a multiple of 2^-16, for each unit, and w ← ⌊(1 − ε) w + ε x w_max + u⌋
    with u uniform among such multiples in [0, 1). So expectations are exact, however small a step is, and weights stay
    from 0 to w_max. What is random follows from the key, how many patterns were stored, the unit and the stratum.
    """
    m = net.start.size - 1
    code = stream(stream(net.key, ROUNDING), n_stored)
    batch = located()
    x_block = np.empty(x.size, np.uint8)
    begin = ZERO
    for b in range(net.first.size - 1):
        end = end_of_block(net, b, z, begin)
        if end > begin:
            for rank in range(x.size):
                x_block[rank] = x[net.order[b, rank]]
        size = net.first[b + 1] - net.first[b]
        for q in range(0, m if end > begin else 0, BATCH):
            n = min(BATCH, m - q)
            open_batch(net, b, q, n, batch)
            low = (net.first[b] - net.first[0]) * m + q * size
            forward = net.forward[low : low + n * size]
            for a in range(begin, end):
                locate(net, b, q, n, z[a], batch)
                back = net.back[z[a] - net.first[0], q : q + n]
                learn_batch(forward, back, size, x_block, eps, stream(code, z[a]), q, batch)
        begin = end


@leaf
def learn_batch(
    forward: Integers,
    back: Integers,
    size: int,
    x: NDArray[np.uint8],
    eps: int,
    code: np.uint64,
    q: int,
    batch: Located,
) -> None:
    """Learn one hidden unit's synapses in the strata from q on; x is in the block's order.

    All of its forward weights, which are far apart, are read before the first is written, so that the reads overlap.
    """
    rate = np.uint32((np.uint64(eps) + (stream(code, 0) >> np.uint64(48))) >> np.uint64(16))
    keep, gain = np.uint32(65536 - rate), np.uint32(rate * np.uint32((1 << (8 * forward.itemsize)) - 1))
    first, second = np.uint32(code), np.uint32(code >> np.uint64(32))
    w, x_in = batch.w, batch.x
    for t in range(back.size):
        w[t] = forward[t * size + np.int64(batch.place[t])]
        x_in[t] = x[batch.ranks[t]]
    for t in range(back.size):
        u = hashed(np.uint32(q + t), first, second)
        moved = np.uint32(x_in[t] * gain)
        w[t] = np.uint32(np.uint32(keep * w[t] + moved) + (u & LOW)) >> HALF
        back[t] = np.uint32(np.uint32(keep * np.uint32(back[t]) + moved) + (u >> HALF)) >> HALF
    for t in range(back.size):
        forward[t * size + np.int64(batch.place[t])] = w[t]


@leaf
def end_of_block(net: Computed, b: int, z: Units, begin: int) -> int:
    """Return where those of the ascending units from begin on end that are in a block."""
    end = begin
    while end < z.size and z[end] < net.first[b + 1]:
        end += 1
    return end


@leaf
def open_batch(net: Computed, b: int, q: int, n: int, batch: Located) -> None:
    """Undo the permutations of a block in n strata from q on."""
    code = stream(stream(net.key, CONNECTIONS), net.first[b])
    for t in range(n):
        undo(stream(code, 2 * (q + t)), stream(code, 2 * (q + t) + 1), t, batch.inverses)


@leaf
def locate(net: Computed, b: int, q: int, n: int, i: int, batch: Located) -> None:
    """Find hidden unit i's synapses in n strata from q on: their places in the block, and the ranks of their inputs."""
    size = net.first[b + 1] - net.first[b]
    origins(i - net.first[b], np.uint16(size - 1), n, batch.inverses, batch.place)
    shift = ZERO
    while (1 << shift) < size:
        shift += 1
    begins = net.begins[b]
    for t in range(n):
        low, high = net.start[q + t], net.start[q + t + 1]
        place = batch.place[t]
        rank = low + (np.int64(place) * (high - low) >> shift)  # as if all had the same number of places
        while begins[rank] > place:
            rank -= 1
        while rank + 1 < high and begins[rank + 1] <= place:
            rank += 1
        batch.ranks[t] = rank


@kernel
def located() -> Located:
    """Allocate the room for a batch."""
    inverses = Inverses(
        np.empty(BATCH, np.uint16),
        np.empty(BATCH, np.uint16),
        np.empty(BATCH, np.uint16),
        np.empty(BATCH, np.uint16),
        np.empty(BATCH, np.uint16),
        np.empty(BATCH, np.uint16),
    )
    return Located(
        inverses,
        np.empty(BATCH, np.uint16),
        np.empty(BATCH, np.uint32),
        np.empty(BATCH, np.uint32),
        np.empty(BATCH, np.uint32),
    )


@kernel
def by_hidden(net: Computed, inputs: Integers, forward: Integers) -> None:
    """Write the inputs of each unit held by stratum, and its forward weights in that order: (n, m) each."""
    m = net.start.size - 1
    batch = located()
    for b in range(net.first.size - 1):
        size = net.first[b + 1] - net.first[b]
        begin = net.first[b] - net.first[0]
        for q in range(0, m, BATCH):
            n = min(BATCH, m - q)
            open_batch(net, b, q, n, batch)
            for i in range(size):
                locate(net, b, q, n, net.first[b] + i, batch)
                for t in range(n):
                    inputs[begin + i, q + t] = net.order[b, batch.ranks[t]]
                    forward[begin + i, q + t] = net.forward[begin * m + (q + t) * size + np.int64(batch.place[t])]
