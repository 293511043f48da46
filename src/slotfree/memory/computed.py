"""Synapses whose connections are computed when they are needed, with weights of 8 or 16 bits: room for billions."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from slotfree.display.glance import some_of
from slotfree.files.safetensors import Arrays
from slotfree.files.saved_arrays import Numbers, Saved
from slotfree.kernels.arithmetic.winners import largest
from slotfree.kernels.memory.computed_connections import Computed as Net
from slotfree.kernels.memory.computed_connections import (
    by_hidden,
    drive_hidden,
    drive_visible,
    fill_weights,
    learn,
    list_units,
    part,
    random_drives,
    share_places,
    store_patterns,
)
from slotfree.kernels.memory.synapses import Indices, index_type
from slotfree.memory.base import per_row
from slotfree.memory.stored import LARGEST_KEY, read_only

if TYPE_CHECKING:
    from slotfree.memory.kwinner import KWinnerSettings

T = TypeVar("T")

TYPES: dict[str, type[np.unsignedinteger[Any]]] = {"uint16": np.uint16, "uint8": np.uint8}
RATE_ONE = 2**32  # the learning rate 1, as kernels count it
USUAL_BLOCK, LARGEST_BLOCK = 2**12, 2**15  # the sums of a usual one fit in a processor's first cache
NO_UNITS = np.empty(0, np.uint32)
FEWEST_BLOCKS = 8  # where there are as many units: units of different blocks are as independent as can be
AT_A_TIME = 10**8  # synapses times patterns between two moments at which a program can be interrupted
LONG = 2**8  # outgoing synapses of a visible unit in a block that are worth looking up


def fixed_rate(learning_rate: float) -> int:
    """Return a learning rate in units of 2^-32."""
    return round(learning_rate * RATE_ONE)


def strata(n_visible: int, n_connections: int) -> NDArray[np.int64]:
    """Return where each stratum of a block's order begins, and n_visible: each has one input of every hidden unit."""
    return np.array([q * n_visible // n_connections for q in range(n_connections + 1)], np.int64)


def blocks(n_visible: int, n_hidden: int, n_connections: int) -> NDArray[np.int64]:
    """Return the first hidden unit of each block, and n_hidden: as many of the largest as fit, then halves of it.

    A block is so large that a visible unit has some hundred outgoing synapses in it, if there are enough units.
    """
    size = USUAL_BLOCK
    while size < LARGEST_BLOCK and size * n_connections < LONG * n_visible:
        size *= 2
    while size > 1 and FEWEST_BLOCKS * size > n_hidden:
        size //= 2
    first = [0]
    while first[-1] < n_hidden:
        while first[-1] + size > n_hidden:
            size //= 2
        first.append(first[-1] + size)
    return np.array(first, np.int64)


def network(
    settings: "KWinnerSettings",
    key: int,
    forward: NDArray[Any] | None = None,
    back: NDArray[Any] | None = None,
    *,
    first: NDArray[np.int64] | None = None,
) -> Net:
    """Return the network of some settings, or some blocks of it, with new weights or given ones.

    Parameters
    ----------
    key : what everything random of it follows from.
    forward, back : the weights, if they are not to be drawn.
    first : the first hidden unit of each block held, and one after the last: neighbours out of ``blocks``.
    """
    s, m = settings, settings.n_connections
    first = blocks(s.n_visible, s.n_hidden, m) if first is None else first
    n_units, dtype = int(first[-1] - first[0]), TYPES[s.weights]
    shape = len(first) - 1, s.n_visible
    placed = strata(s.n_visible, m), first, np.empty(shape, np.uint32), np.empty(shape, np.uint16)
    if forward is not None and back is not None:
        net = Net(np.uint64(key), *placed, forward, back)
    else:
        net = Net(np.uint64(key), *placed, np.empty(n_units * m, dtype), np.empty((n_units, m), dtype))
        fill_weights(net)
    list_units(net)
    share_places(net)
    return net


def network_bytes(settings: "KWinnerSettings", first: NDArray[np.int64]) -> int:
    """Return the bytes of ``network``: weights, strata, blocks, and the order and places of visible units in each."""
    s, n_blocks = settings, len(first) - 1
    weights = 2 * int(first[-1] - first[0]) * s.n_connections * np.dtype(s.weights).itemsize
    return weights + 8 * (s.n_connections + 1) + (8 + 6 * s.n_visible) * n_blocks + 8


def shared(first: NDArray[np.int64], n_parts: int) -> list[tuple[int, int]]:
    """Cut blocks into at most n_parts parts of neighbours of about the same size: where each begins and ends.

    Parameters
    ----------
    first : the first hidden unit of each block, and one after the last.
    """
    wanted = first[0] + np.arange(n_parts + 1) * int(first[-1] - first[0]) / n_parts
    return list(pairwise(np.unique(np.abs(first[:, None] - wanted).argmin(axis=0)).tolist()))


def drawn_key(rng: np.random.Generator) -> int:
    """Draw the key of a new network."""
    return int(rng.integers(0, LARGEST_KEY, dtype=np.uint64, endpoint=True))


class Computed:
    """Connections that follow from a key: 4 bytes per synapse, or 2 with weights of 8 bits.

    Everything random follows from the key by counting, and all sums are exact. So threads, which share the blocks of
    hidden units, change nothing.
    """

    def __init__(self, settings: "KWinnerSettings", net: Net) -> None:
        self.settings = settings
        self.net = net

    @classmethod
    def begin(cls, settings: "KWinnerSettings", rng: np.random.Generator) -> Self:
        """Draw a key, and the initial weights that follow from it."""
        return cls(settings, network(settings, drawn_key(rng)))

    @classmethod
    def restored(cls, settings: "KWinnerSettings", arrays: Arrays) -> Self:
        """Take over what was saved."""
        return cls(settings, network(settings, int(arrays["key"][0]), arrays["weights"], arrays["return_weights"]))

    @classmethod
    def saved(cls, settings: "KWinnerSettings") -> list[Saved]:
        """The key, both weights as they are in memory: W by block, stratum and place, W' by hidden unit and stratum."""
        s, dtype = settings, TYPES[settings.weights]
        most = np.iinfo(dtype).max
        return [
            Numbers("key", (1,), 0, LARGEST_KEY, np.uint64),
            Numbers("weights", (s.n_synapses,), 0, most, dtype),
            Numbers("return_weights", (s.n_hidden, s.n_connections), 0, most, dtype),
        ]

    @classmethod
    def peak_bytes(cls, settings: "KWinnerSettings", *, loading: bool) -> int:
        """Those of its network, also while it is loaded."""
        return network_bytes(settings, blocks(settings.n_visible, settings.n_hidden, settings.n_connections))

    def arrays(self) -> Arrays:
        """Return the key and the weights."""
        net = self.net
        return {"key": np.array([net.key], np.uint64), "weights": net.forward, "return_weights": net.back}

    def store(
        self, patterns: NDArray[np.uint8], n_stored: int, *, return_winners: bool, threads: int
    ) -> NDArray[np.uint32]:
        """Store the rows in order; threads share the work of each. Return their winners (T, k_hidden), or no rows."""
        s, eps, at_random = self.settings, fixed_rate(self.settings.learning_rate), self.settings.storing == "random"
        winners = np.empty((len(patterns) if return_winners else 0, s.k_hidden), np.uint32)
        if threads == 1:
            step = max(1, AT_A_TIME // s.n_synapses)
            for t in range(0, len(patterns), step):
                rows = patterns[t : t + step]
                kept = winners[t : t + step]
                store_patterns(self.net, s.k_hidden, eps, at_random, n_stored + t, rows, return_winners, kept)
            return winners
        with Team(self.net, threads) as team:
            for t, x in enumerate(patterns):
                if at_random:
                    z = largest(team.drives(random_drives, n_stored + t), s.k_hidden, NO_UNITS)
                else:
                    z = team.winners(x, s.k_hidden)
                team.learn(z, x, eps, n_stored + t)
                if return_winners:
                    winners[t] = z
        return winners

    def code(self, cues: NDArray[np.uint8], threads: int) -> NDArray[np.uint8]:
        """Return the hidden code of each cue; threads share the cues, and the work of each if there are few."""
        s = self.settings

        def code(cues: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
            with Team(self.net, threads // n_cues) as team:
                for x, code in zip(cues, out, strict=True):
                    code[team.winners(x, s.k_hidden)] = 1

        n_cues = min(max(1, len(cues)), threads)
        return per_row(code, cues, s.n_hidden, threads)

    def retrieve(self, cues: NDArray[np.uint8], threads: int) -> NDArray[np.uint8]:
        """Return what each cue recalls; threads share the cues, and the work of each if there are few."""
        s = self.settings

        def recall(cues: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
            with Team(self.net, threads // n_cues) as team:
                for x, recalled in zip(cues, out, strict=True):
                    z = team.winners(x, s.k_hidden)
                    recalled[largest(team.returned(z), s.k_visible, z)] = 1

        n_cues = min(max(1, len(cues)), threads)
        return per_row(recall, cues, s.n_visible, threads)

    @property
    def inputs(self) -> Indices:
        """The visible units each hidden unit is connected to, ascending."""
        inputs, _ = self._by_hidden(self.net)
        inputs.sort(axis=1)
        return read_only(inputs)

    def forward(self) -> NDArray[np.float32]:
        """Return W in the order of ``inputs``."""
        inputs, forward = self._by_hidden(self.net)
        return self._real(np.take_along_axis(forward, inputs.argsort(axis=1), axis=1))

    def back(self) -> NDArray[np.float32]:
        """Return W' in the order of ``inputs``."""
        inputs, _ = self._by_hidden(self.net)
        return self._real(np.take_along_axis(self.net.back, inputs.argsort(axis=1), axis=1))

    def some(self) -> NDArray[np.float32]:
        """Return some of W'."""
        return self._real(some_of(self.net.back))

    @property
    def nbytes(self) -> int:
        """Bytes of the weights, and of the strata and blocks."""
        return sum(array.nbytes for array in self.net[1:])

    def asymmetry(self) -> float:
        """Return the mean of |W_ij − W'_ji|, block by block: all of W in another order would take too much."""
        total = 0
        for b in range(len(self.net.first) - 1):
            block = part(self.net, b, b + 1)
            total += int(np.abs(self._by_hidden(block)[1].astype(np.int32) - block.back).sum(dtype=np.int64))
        return total / self.settings.n_synapses / np.iinfo(self.net.back.dtype).max

    def _by_hidden(self, net: Net) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the inputs of each hidden unit by stratum, and its forward weights in that order."""
        inputs: Indices = np.empty(net.back.shape, index_type(self.settings.n_visible))
        forward = np.empty_like(net.back)
        by_hidden(net, inputs, forward)
        return inputs, forward

    def _real(self, weights: NDArray[Any]) -> NDArray[np.float32]:
        return (weights / np.float32(np.iinfo(weights.dtype).max)).astype(np.float32, copy=False)


class Team:
    """Threads that share the work of one pattern: each has some blocks of the hidden units. A context manager."""

    def __init__(self, net: Net, threads: int) -> None:
        self._net = net
        self._parts = [part(net, begin, end) for begin, end in shared(net.first, threads)]
        self._pool = ThreadPoolExecutor(len(self._parts)) if len(self._parts) > 1 else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool:
            self._pool.shutdown()

    def drives(self, drive: Callable[[Net, T, NDArray[np.float64]], None], what: T) -> NDArray[np.float64]:
        """Return the drives of all hidden units, which a kernel finds part by part."""
        h, low = np.empty(len(self._net.back)), self._net.first[0]
        self._each(lambda net: drive(net, what, h[net.first[0] - low : net.first[-1] - low]))
        return h

    def winners(self, x: NDArray[np.uint8], k_hidden: int) -> NDArray[np.uint32]:
        """Return the winners of one cue, ascending."""
        active = np.flatnonzero(x).astype(np.uint32)
        return largest(self.drives(drive_hidden, active), k_hidden, active)

    def returned(self, z: NDArray[np.uint32]) -> NDArray[np.float64]:
        """Return W'z."""

        def sums(net: Net) -> NDArray[np.float64]:
            v = np.zeros(int(net.start[-1]))
            drive_visible(net, held(net, z), v)
            return v

        return reduce(np.add, self._each(sums))

    def learn(self, z: NDArray[np.uint32], x: NDArray[np.uint8], eps: int, n_stored: int) -> None:
        """Store one pattern in its winners."""
        self._each(lambda net: learn(net, held(net, z), x, eps, n_stored))

    def _each(self, work: Callable[[Net], T]) -> list[T]:
        """Let each thread do the work for its part."""
        return list(self._pool.map(work, self._parts) if self._pool else map(work, self._parts))


def held(net: Net, z: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return those of ascending hidden units that are in a part."""
    low, high = np.searchsorted(z, [net.first[0], net.first[-1]])
    return z[low:high]
