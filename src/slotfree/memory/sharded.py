"""A K-winner MHN whose hidden units are spread over the workers of a Dask cluster: one memory, many machines."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Literal, Self, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slotfree import checks
from slotfree.available_memory import check_fits
from slotfree.display.counts import counted_words
from slotfree.display.html import card
from slotfree.files.checksum import refuse_changed_file
from slotfree.files.memory_file import read_settings, refuse_others, write_memory
from slotfree.files.options import told
from slotfree.files.safetensors import ArrayFile, Arrays
from slotfree.kernels.arithmetic.winners import largest
from slotfree.memory.actors import ActorLostError, Actors
from slotfree.memory.computed import blocks, drawn_key, shared
from slotfree.memory.kwinner import KWinnerMHN, KWinnerSettings
from slotfree.memory.shard import NOTHING, Shard, Units, first_of
from slotfree.runs.errors import UserError

MESSAGE = 2**24  # bytes that all shards send in an answer, at most, if more are not needed for one cue
SIDES = {"weights": "forward", "return_weights": "back"}  # what files and kernels call them


class ShardLostError(UserError):
    """A shard of a memory is lost, or may not have stored what the others have; the message says what to do."""

    exit_code = 1


class ShardedKWinner:
    """A ``KWinnerMHN`` of computed connections, shared by the workers of a Dask cluster.

    Each worker holds some of the hidden units, a shard, with all of their weights. A shard finds the drives of its own
    units, and gives the k_h largest; the winners of all are among these (``slotfree.memory.shard``). It learns in those
    of its own units that win. So only indices and drives are sent, never weights. Drives are exact, and everything
    random follows from the key and a unit's index: weights, winners and recalls are bit for bit those of the
    ``KWinnerMHN`` with the same settings and seed.

    To store T patterns takes T + 1 round trips, as a pattern's winners are sent with the next pattern; to retrieve
    takes two for as many cues as fit in a message. Between patterns, shards wait for each other.

    If a worker is lost, its shard is, and a memory without it would be another: every later call raises
    ``ShardLostError``, and so it does after a store that was interrupted. ``save`` from time to time.

    Parameters
    ----------
    settings : of the memory; they have connections="computed".
    seed : as of ``KWinnerMHN``.
    scheduler : the address of the cluster's scheduler, e.g. tcp://127.0.0.1:8786. Its workers must be reachable from
        here, and have the same slotfree.
    shards : how many workers to use; by default all that are there. Shards are whole blocks of hidden units, about as
        large as each other, so a small memory has fewer.

    Attributes
    ----------
    n_stored : how many patterns have been stored.

    Examples
    --------
    >>> settings = KWinnerSettings(weights="uint16", connections="computed")
    >>> with ShardedKWinner(settings, seed=0, scheduler="tcp://127.0.0.1:8786") as memory:  # doctest: +SKIP
    ...     memory.store(patterns)
    ...     memory.retrieve(cues)
    """

    def __init__(
        self, settings: KWinnerSettings, *, seed: checks.Seed, scheduler: str, shards: int | None = None
    ) -> None:
        _check_settings(settings)
        self._begin(settings, drawn_key(checks.generator(seed, KWinnerMHN.stream)), 0, scheduler, shards)

    @classmethod
    def from_memory(cls, memory: KWinnerMHN, *, scheduler: str, shards: int | None = None) -> Self:
        """Return a memory that goes on where this one is; it has copies of its weights."""
        if not isinstance(memory, KWinnerMHN):
            raise TypeError(f"memory must be a KWinnerMHN, not {checks.shown(memory)}")
        _check_settings(memory.settings)
        arrays = memory.arrays()
        sharded = cls.__new__(cls)
        sharded._begin(memory.settings, int(arrays["key"][0]), memory.n_stored, scheduler, shards)
        sharded._put(lambda name, begin, end: arrays[name].reshape(-1)[begin:end])
        return sharded

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, scheduler: str, shards: int | None = None) -> Self:
        """Read what ``save`` wrote, or a ``KWinnerMHN``; only a piece of it is ever here. See ``SavedMemory.load``."""
        kind = KWinnerMHN
        with ArrayFile(path) as file:
            settings, n_stored = read_settings(file, kind.format_name, kind.version, kind.settings_class)
            if settings.connections != "computed":
                file.refuse(f"its connections are {settings.connections!r}; only computed ones can be sharded")
            refuse_others(file, kind.saved(settings, n_stored))
            refuse_changed_file(file)
            sharded = cls.__new__(cls)
            sharded._begin(settings, int(file.read("key")[0]), n_stored, scheduler, shards)
            sharded._put(file.numbers)
        return sharded

    def _begin(self, settings: KWinnerSettings, key: int, n_stored: int, scheduler: str, shards: int | None) -> None:
        """Have shards made, with initial weights."""
        if shards is not None:
            checks.integer("shards", shards, 1)
        self.settings, self.n_stored, self._key = settings, n_stored, key
        self._lost: str | None = None
        self._actors = Actors(scheduler, shards, "scheduler", "shards")
        first = blocks(settings.n_visible, settings.n_hidden, settings.n_connections)
        self._first = [first[begin : end + 1] for begin, end in shared(first, len(self._actors.workers))]
        threads = self._actors.threads
        self._actors.make(Shard, [(settings, key, part, n_stored, threads[p]) for p, part in enumerate(self._first)])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the workers forget the memory."""
        self._lost = self._lost or "the memory is closed"
        self._actors.close()

    @overload
    def store(self, patterns: ArrayLike, *, return_winners: Literal[False] = False) -> None: ...
    @overload
    def store(self, patterns: ArrayLike, *, return_winners: Literal[True]) -> NDArray[np.uint32]: ...
    def store(self, patterns: ArrayLike, *, return_winners: bool = False) -> NDArray[np.uint32] | None:
        """Store one pattern, or many, which is quicker than one by one; see ``KWinnerMHN.store``."""
        s = self.settings
        rows = checks.binary_rows("patterns", patterns, s.n_visible)
        winners = np.empty((len(rows) if return_winners else 0, s.k_hidden), np.uint32)
        z = None
        for t, x in enumerate(rows):
            active = np.flatnonzero(x).astype(np.uint32)
            z = self._merged(self._step(z, active), NOTHING if s.storing == "random" else active)
            if return_winners:
                winners[t] = z
        if z is not None:
            self._step(z, None)
        return winners.reshape((*np.shape(patterns)[:-1], s.k_hidden)) if return_winners else None

    def retrieve(self, cues: ArrayLike) -> NDArray[np.uint8]:
        """Return what each cue recalls; the memory stays as it is. See ``KWinnerMHN.retrieve``."""
        s = self.settings
        rows = checks.binary_rows("cues", cues, s.n_visible)
        out = np.zeros_like(rows)
        step = max(1, MESSAGE // (8 * max(s.n_visible, s.k_hidden) * len(self._first)))
        for begin in range(0, len(rows), step):
            self._retrieve(rows[begin : begin + step], out[begin : begin + step])
        return out.reshape(np.shape(cues))

    def gather(self) -> KWinnerMHN:
        """Return the same memory in this process; MemoryError if it does not fit."""
        check_fits("the whole memory", KWinnerMHN.peak_bytes(self.settings, self.n_stored))
        return KWinnerMHN._made(self.settings, self.n_stored, self._arrays(np.empty))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the memory to a file of a ``KWinnerMHN``, atomically.

        Only a piece of it is ever in this process. Beside the file, its directory must have room for the weights once
        more, as their checksum stands in front of them.
        """
        kind = KWinnerMHN
        arrays = self._arrays(partial(_on_disk, Path(os.path.realpath(path)).parent))
        write_memory(path, kind.format_name, kind.version, self.settings, self.n_stored, arrays)

    @property
    def nbytes(self) -> int:
        """Bytes that weights take, on all workers."""
        with self._whole() as shards:
            return sum(shards.ask("nbytes", [()] * len(self._first)))

    def __repr__(self) -> str:
        return f"ShardedKWinner: {self._summary()}"

    def _repr_html_(self) -> str:
        """Return the settings and what the memory holds, as a notebook shows them; no worker is asked."""
        return card("ShardedKWinner", told(self.settings), note=self._summary())

    def _summary(self) -> str:
        state = f"{counted_words(self.n_stored, 'patterns')} stored" if self._lost is None else self._lost
        return f"{self.settings.n_synapses:,} synapses in {counted_words(len(self._first), 'shards')}, {state}"

    def _step(self, z: Units | None, active: Units | None) -> list[Any]:
        """Have the pattern at hand stored in its winners, and return what shards find for the next."""
        parts = [None] * len(self._first) if z is None else self._split(z)
        each = [(self.n_stored, part, active) for part in parts]
        with self._whole() as shards:
            try:
                found = shards.ask("store", each)
            except KeyboardInterrupt:  # some may have stored it, others not
                self._lost = f"storing in this memory was interrupted, after {self.n_stored} stored patterns"
                raise
        self.n_stored += z is not None
        return found

    def _merged(self, found: Sequence[tuple[Units, NDArray[Any]]], inputs: Units) -> Units:
        """Return the winners of all, ascending, out of the best of each shard."""
        units, drives = (np.concatenate(parts) for parts in zip(*found, strict=True))
        winners: Units = units[first_of(units, drives, self.settings.k_hidden, inputs)]
        return winners

    def _split(self, z: Units) -> Sequence[Units]:
        """Return those of ascending units that each shard has."""
        return np.split(z, np.searchsorted(z, [first[0] for first in self._first[1:]]))

    def _retrieve(self, cues: NDArray[np.uint8], out: NDArray[np.uint8]) -> None:
        """Write what each cue recalls to out, which holds zeros."""
        active = [np.flatnonzero(x).astype(np.uint32) for x in cues]
        with self._whole() as shards:
            found = shards.ask("code", [_joined(active)] * len(self._first))
            z = [self._merged([(units[t], h[t]) for units, h in found], ones) for t, ones in enumerate(active)]
            split = zip(*(self._split(winners) for winners in z), strict=True)
            parts = shards.ask("returned", [_joined(winners) for winners in split])
        v = np.zeros(cues.shape)
        for part in parts:
            v += part
        for t, winners in enumerate(z):
            out[t, largest(v[t], self.settings.k_visible, winners)] = 1

    def _arrays(self, empty: Callable[[tuple[int, ...], Any], NDArray[Any]]) -> Arrays:
        """Return what a ``KWinnerMHN`` saves; ``empty`` makes an array of a shape and a type."""
        arrays = {"key": np.array([self._key], np.uint64)}
        for each in KWinnerMHN.saved(self.settings, self.n_stored):
            if each.name in SIDES:
                arrays[each.name] = empty(each.shape, each.dtype)
        with self._whole() as shards:
            for shard, name, low, begin, end in self._pieces():
                (piece,) = shards.ask("get", [(SIDES[name], begin, end)], shard)
                arrays[name].reshape(-1)[low + begin : low + end] = piece
        return arrays

    def _put(self, read: Callable[[str, int, int], NDArray[Any]]) -> None:
        """Send the shards their weights; ``read`` gives some of a KWinnerMHN's, in the order of its file."""
        try:
            with self._whole() as shards:
                for shard, name, low, begin, end in self._pieces():
                    shards.ask("put", [(SIDES[name], begin, read(name, low + begin, low + end))], shard)
        except BaseException:
            self.close()
            raise

    def _pieces(self) -> Iterator[tuple[int, str, int, int, int]]:
        """Return pieces of all weights: the shard, their name, where the shard begins, and the piece in the shard."""
        m, step = self.settings.n_connections, MESSAGE // np.dtype(self.settings.weights).itemsize
        for shard, first in enumerate(self._first):
            n_weights = int(first[-1] - first[0]) * m
            for name in SIDES:
                for begin in range(0, n_weights, step):
                    yield shard, name, int(first[0]) * m, begin, min(begin + step, n_weights)

    @contextmanager
    def _whole(self) -> Iterator[Actors]:
        """Give all shards for some calls; whatever goes wrong with one, the memory is whole no more."""
        if self._lost is None:
            try:
                yield self._actors
                return
            except ActorLostError as error:
                self._lost = f"lost a shard of this memory, after {self.n_stored} stored patterns, with {error}"
        raise ShardLostError(f"{self._lost}; make it anew, or load it from where it was saved")


def _check_settings(settings: KWinnerSettings) -> None:
    if not isinstance(settings, KWinnerSettings):
        raise TypeError(f"settings must be KWinnerSettings, not {checks.shown(settings)}")
    if settings.connections != "computed":
        raise ValueError(
            "settings must have connections='computed', with weights='uint16' or 'uint8', to be sharded, "
            f"not connections={settings.connections!r}"
        )


def _joined(rows: Sequence[Units]) -> tuple[Units, list[int]]:
    """Return rows one after another, and their lengths."""
    return np.concatenate([NOTHING, *rows]), [row.size for row in rows]


def _on_disk(folder: Path, shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """Return an array in a file without a name, which is gone with the array."""
    with TemporaryFile(dir=folder) as file:
        return np.memmap(file, dtype, "w+", shape=shape)
