"""A shard of a K-winner MHN: some blocks of its hidden units, on one worker, and the best of them for a cue.

Winners are the first k_h of all units in an order: by drive, largest first; of equal drives, by turn, a hash of the
unit and of the active inputs (``kernels.arithmetic.winners``); of equal turns, by index. Which of two units is first
depends on nothing but the two and the cue, so units of a shard stand to each other as they do among all. A unit
that wins among all has fewer than k_h before it, so fewer than k_h of its own shard, and is one of the shard's first
k_h. Hence the winners are the first k_h of what all shards give as their first k_h, or as all if they have fewer.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slotfree.available_memory import check_fits
from slotfree.kernels.arithmetic.winners import largest, turns
from slotfree.kernels.memory.computed_connections import drive_hidden, random_drives
from slotfree.memory.computed import Team, fixed_rate, network, network_bytes
from slotfree.memory.kwinner import KWinnerSettings

Units = NDArray[np.uint32]
NOTHING: Units = np.empty(0, np.uint32)


class Shard:
    """Neighbouring blocks of a network, with initial weights; others can be put in their place.

    Parameters
    ----------
    key : of the whole network.
    first : the first hidden unit of each block, and one after the last.
    n_stored : how many patterns have been stored, in the weights that it has or will be given.
    threads : that share the work of each pattern.
    """

    def __init__(
        self, settings: KWinnerSettings, key: int, first: NDArray[np.int64], n_stored: int, threads: int
    ) -> None:
        self.settings, self.n_stored = settings, n_stored
        check_fits("a shard of these settings", network_bytes(settings, first))
        self.net = network(settings, key, first=first)
        self.team = Team(self.net, threads)
        self._x = np.zeros(settings.n_visible, np.uint8)

    def put(self, name: str, begin: int, piece: NDArray[Any]) -> None:
        """Set some of the weights, ``forward`` or ``back``, in the order of memory."""
        self._flat(name)[begin : begin + piece.size] = piece

    def get(self, name: str, begin: int, end: int) -> NDArray[Any]:
        """Return some of the weights, ``forward`` or ``back``, in the order of memory."""
        return self._flat(name)[begin:end]

    def nbytes(self) -> int:
        """Return the bytes of weights, strata and blocks."""
        return sum(array.nbytes for array in self.net[1:])

    def store(self, n_stored: int, z: Units | None, active: Units | None) -> tuple[Units, NDArray[Any]] | None:
        """Store the pattern at hand in its winners, then take up the next and return the best units for it.

        Parameters
        ----------
        n_stored : how many patterns are stored so far.
        z : the winners among the units held, ascending; None if there is no pattern at hand.
        active : the ones of the next pattern, ascending; None if there is none.
        """
        if n_stored != self.n_stored:
            raise RuntimeError(f"a shard has stored {self.n_stored} patterns, and the memory {n_stored}")
        if z is not None:
            self.team.learn(z, self._x, fixed_rate(self.settings.learning_rate), n_stored)
            self.n_stored += 1
        if active is None:
            return None
        self._x[:] = 0
        self._x[active] = 1
        if self.settings.storing == "random":
            return self._best(self.team.drives(random_drives, self.n_stored), NOTHING)
        return self._best(self.team.drives(drive_hidden, active), active)

    def code(self, active: Units, lengths: Sequence[int]) -> tuple[Units, NDArray[Any]]:
        """Return the best units for each cue, and their drives; ones of the cues stand one after another."""
        found = [self._best(self.team.drives(drive_hidden, ones), ones) for ones in cut(active, lengths)]
        units, drives = zip(*found, strict=True)
        return np.array(units), narrow(np.array(drives))

    def returned(self, z: Units, lengths: Sequence[int]) -> NDArray[Any]:
        """Return this shard's share of W'z for each cue; winners among the units held stand one after another."""
        return narrow(np.array([self.team.returned(winners) for winners in cut(z, lengths)]))

    def _best(self, h: NDArray[np.float64], inputs: Units) -> tuple[Units, NDArray[Any]]:
        """Return the ascending first k_h units, or all if they are fewer, and their drives."""
        k = min(self.settings.k_hidden, h.size)
        units = np.flatnonzero(h >= h[largest(h, k, NOTHING)].min())  # with all that tie for the last place
        units = units[first_of((units + self.net.first[0]).astype(np.uint32), h[units], k, inputs)]
        return (units + self.net.first[0]).astype(np.uint32), narrow(h[units])

    def _flat(self, name: str) -> NDArray[Any]:
        weights: NDArray[Any] = getattr(self.net, name).reshape(-1)
        return weights


def first_of(units: Units, drives: NDArray[Any], k: int, inputs: Units) -> NDArray[np.intp]:
    """Return where, among ascending units, the first k are: by drive, then by turn, then by index."""
    if units.size <= k:
        return np.arange(units.size)
    threshold = np.partition(drives, units.size - k)[units.size - k]
    above, tied = np.flatnonzero(drives > threshold), np.flatnonzero(drives == threshold)
    n_places = k - above.size
    if tied.size > n_places:
        tied = tied[np.argsort(-turns(units[tied], inputs), kind="stable")[:n_places]]
    return np.sort(np.concatenate([above, tied]))


def narrow(whole: NDArray[Any]) -> NDArray[Any]:
    """Return integers from 0 on in the narrowest type that holds them."""
    return whole.astype(np.min_scalar_type(int(whole.max(initial=0))))


def cut(rows: Units, lengths: Sequence[int]) -> list[Units]:
    """Return rows of these lengths that stand one after another."""
    ends = np.cumsum([0, *lengths]).tolist()
    return [rows[begin:end] for begin, end in pairwise(ends)]
