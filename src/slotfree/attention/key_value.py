"""A memory of a user's own keys and values, stored as a slot-free transformer with winners stores its context."""

import copy
import os
from collections.abc import Callable, Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from slotfree import checks
from slotfree.attention.key_value_settings import LARGEST, LARGEST_SEED, STORAGE, KeyValueSettings, settings_of
from slotfree.attention.lock import OwnLock
from slotfree.attention.pairs import Pairs
from slotfree.attention.storages.base import MOST_STORED
from slotfree.attention.storages.winners import Winners
from slotfree.attention.tensors import as_array, like
from slotfree.available_memory import check_fits
from slotfree.display.counts import counted_words
from slotfree.display.glance import of_share
from slotfree.display.html import card, changed, settings
from slotfree.files.memory_file import read_arrays, read_settings, write_memory
from slotfree.files.safetensors import ArrayFile, Arrays
from slotfree.files.saved_arrays import copied
from slotfree.kernels.attention.whole_keys import Floats

FORMAT, VERSION = "slotfree.KeyValueMemory", "1"


class KeyValueMemory:
    """Slot-free attention on your own keys and values: pairs are kept in fast weights of a fixed number of units.

    A pair of a key and a value is stored by k hidden units,

        W_HK += ε (k − W_HK),  W_VH += ε (v − W_VH),  g += ε (1 − g),

    on the connections there are, all from 0. A query q reads

        W_VH s / Z,    s = softmax(β W_HK q),  Z = g·s,

    over the units that have stored something. Nothing grows with what is stored. Which units store a pair is the
    ``address`` of the storage:

    - "key", the default: those with the largest h = W_HK k + γ f |k|² P k. P, the projection, sends each key to k
      random units that belong to it: equal keys to the same ones, others to others. New pairs take units of old ones at
      random: of a pair that is a others old, a unit is left with probability exp(−k a/n_hidden), and one is enough.
      With k = 3, of the last n_hidden/k pairs 92 % can be read, of the last n_hidden 56 %.
    - "oldest": those that match the key, if there are any, else those that were written longest ago. It holds all of
      the last n_hidden/k different pairs, as a ring buffer does, and none that is older; what is stored again is new
      again, and takes no room twice.

    Three things to know:

    - *Length.* A stored key meets the query that equals it with an exponent of β f ε |k|². By default that is 16 for
      keys of usual length, κ = mean |k|² of all that was stored: β = 16/(f ε κ). Near 1, what is read blurs into a mean
      of all values. Values of keys that are much shorter than others are lost in those of longer ones.
    - *Likeness.* With ε = 1 and f = 1, a key that is as long as a stored one, and more alike to it than a cosine of γ,
      takes its units and so updates it; others have units of their own. With "key", γ is 0.9, and 3 where f < 1: then
      only equal keys update. With "oldest", see ``Winners``. With f < 1 units see different parts, and keys that are
      alike are told apart less well; with ε < 1 they mix.
    - *No gradients.* Tensors of PyTorch are read and returned on their device; what is computed is not differentiated.

    Threads that share a memory take turns.

    Parameters
    ----------
    key_dim, value_dim : N, numbers in a key and a query; numbers in a value.
    n_hidden : n_h, hidden units.
    storage : how pairs are stored: k, f, ε, γ (``projection_gain``), β, address and how it is read; see ``Winners``,
        all of whose settings but those of tokens (``item_fan_out``, ``start``) apply. The default has k = 3, f = 1.
    seed : decides connections, projections and ties; an integer, a SeedSequence or a Generator.
    dtype : of weights and of what is read, "float64" or "float32". Units are chosen in double precision in both.
    batch : B independent memories with the same connections and projections, stored in and read at once: all arrays
        have a leading axis. Each is what one memory with this seed would be. None is one memory, and no axis.

    Examples
    --------
    >>> import numpy as np
    >>> import slotfree as sf
    >>> memory = sf.KeyValueMemory(key_dim=2, value_dim=1, n_hidden=50, seed=0)
    >>> memory.store([[1, 0], [0, 1]], [[1], [2]])
    >>> memory.read([[0.9, 0.1], [0, 1]]).round(3).tolist()
    [[1.0], [2.0]]
    >>> two = sf.KeyValueMemory(2, 1, n_hidden=50, seed=0, dtype="float32", batch=2)
    >>> two.store([[1, 0], [0, 1]], [[1], [2]])  # one pair for each
    >>> two.read([[1, 0], [1, 0]]).tolist()
    [[1.0], [2.0]]
    """

    _settings: KeyValueSettings
    _pairs: Pairs
    _lock: OwnLock

    def __init__(
        self,
        key_dim: int,
        value_dim: int,
        n_hidden: int = 256,
        storage: Winners = STORAGE,
        *,
        seed: checks.Seed,
        dtype: DTypeLike = "float64",
        batch: int | None = None,
    ) -> None:
        self._settings = KeyValueSettings(key_dim, value_dim, n_hidden, storage, dtype, batch)  # type: ignore[arg-type]
        rng = checks.generator(seed, "key-value memory")
        check_fits("a KeyValueMemory of these settings", self.settings.peak_bytes())
        self._pairs = Pairs(self.settings, rng.integers(0, LARGEST_SEED, dtype=np.uint64, endpoint=True))
        self._lock = OwnLock()

    def store(self, keys: ArrayLike, values: ArrayLike) -> None:
        """Store one pair, or many in their order, which is the same as one by one.

        Parameters
        ----------
        keys : (key_dim,) or (T, key_dim), real numbers of at most 1e100 in magnitude, 1e15 in single precision; with
            ``batch=B`` (B, key_dim) or (B, T, key_dim), as many for each memory.
        values : the same with value_dim, one for each key.
        """
        s = self.settings
        rows, shape = self._rows("keys", keys, s.key_dim)
        kept, given = self._rows("values", values, s.value_dim)
        if shape[:-1] != given[:-1]:
            raise ValueError(f"values must be one for each key, of the shape {(*shape[:-1], s.value_dim)}, not {given}")
        with self._lock:
            self._pairs.store(rows, kept)

    def read(self, queries: ArrayLike) -> Any:
        """Return the value that each query reads; 0 if nothing was stored. The memory stays as it is.

        Parameters
        ----------
        queries : (key_dim,) or (T, key_dim); with ``batch=B`` (B, key_dim) or (B, T, key_dim).

        Returns
        -------
        The same with value_dim: an array of the memory's ``dtype``, or a tensor for a tensor, of its own type.
        """
        return self._read(self._pairs.read, queries)

    def attention(self, queries: ArrayLike) -> Any:
        """Return s, how much each query attends to each hidden unit: as ``read``, with n_hidden for value_dim.

        Each row sums to 1, over the units that have stored something; before anything was stored, all are 0. If what is
        read is not divided by Z (``normalise=False``), all units take part, whether they hold something or not.
        """
        return self._read(self._pairs.attention, queries)

    def _read(self, reading: Callable[[NDArray[np.float64]], Floats], queries: Any) -> Any:
        rows, shape = self._rows("queries", queries, self.settings.key_dim)
        with self._lock:
            out = reading(rows)
        return like(queries, out.reshape((*shape[:-1], out.shape[2])))

    def _rows(self, name: str, given: Any, width: int) -> tuple[NDArray[np.float64], tuple[int, ...]]:
        """What is given for all memories of the batch, (B, T, width), checked, and the shape it was given in."""
        s, array = self.settings, as_array(name, given)
        if s.batch is None:
            rows, shape = checks.real_rows(name, array, width, LARGEST[s.dtype])[None], np.shape(array)
        else:
            shape = np.shape(checks.unmasked(name, array))
            if len(shape) not in (2, 3) or shape[0] != s.batch or shape[-1] != width:
                right = f"({s.batch}, {width}) or ({s.batch}, T, {width})"
                raise ValueError(f"{name} must have the shape {right} in a batch of {s.batch}, not {shape}")
            rows = checks.real_rows(name, np.reshape(array, (-1, width)), width, LARGEST[s.dtype])
            rows = rows.reshape(s.batch, 1 if len(shape) == 2 else shape[1], width)
        return (rows.astype(np.float32).astype(np.float64) if s.dtype == "float32" else rows), shape

    @property
    def settings(self) -> KeyValueSettings:
        """The arguments, except the seed."""
        return self._settings

    @property
    def beta(self) -> Any:
        """β, with which queries are read now: that of the storage, or 16/(f ε κ); (batch,) in one."""
        with self._lock:
            betas = self._pairs.betas()
        return float(betas[0]) if self.settings.batch is None else betas

    @property
    def n_stored(self) -> int:
        """How many pairs have been stored; in a batch, by each memory."""
        return self._pairs.n_stored

    @property
    def n_weights(self) -> int:
        """Fast weights: of W_HK, W_VH and g; they stay as many."""
        return self.settings.n_weights

    @property
    def keys(self) -> Floats:
        """W_HK: a copy, (n_hidden, key_dim), 0 where there is no connection; or (batch, n_hidden, key_dim)."""
        with self._lock:
            return self._of_batch(self._pairs.W_HK())

    @property
    def values(self) -> Floats:
        """W_VH: a copy, (value_dim, n_hidden), or (batch, value_dim, n_hidden)."""
        with self._lock:
            return self._of_batch(self._pairs.fast.values.transpose(0, 2, 1).copy())

    @property
    def strength(self) -> Floats:
        """g, how much each unit has stored, from 0 to 1: a copy, (n_hidden,), or (batch, n_hidden)."""
        with self._lock:
            return self._of_batch(self._pairs.fast.g.copy())

    def _of_batch(self, arrays: Floats) -> Floats:
        """Arrays of all memories, with a leading axis if there is a batch."""
        return arrays[0] if self.settings.batch is None else arrays

    def reset(self) -> None:
        """Forget all pairs: the memory is as it was made, with the same connections and projections."""
        with self._lock:
            self._pairs.put({each.name: np.zeros(each.shape, each.dtype) for each in self.settings.fast()}, 0)

    def state(self) -> dict[str, NDArray[Any]]:
        """Return all that was stored, as copied arrays by name, and the number that connections follow from."""
        with self._lock:
            return {**self._pairs.arrays(), "n_stored": np.array(self.n_stored)}

    def load_state(self, state: Mapping[str, ArrayLike]) -> None:
        """Become what ``state`` returned, of this memory or of one with the same settings; go on exactly from there.

        Raises
        ------
        ValueError : if the state is of other settings, or cannot be; then the memory stays as it is.
        """
        if not isinstance(state, Mapping) or "n_stored" not in state:
            raise ValueError(f"state must be what state() returns, not {checks.shown(state)}")
        parts = {name: np.asarray(as_array(name, part)) for name, part in state.items()}
        n_stored = checks.integer("n_stored", parts.pop("n_stored")[()], 0, MOST_STORED)
        arrays = copied(self.settings.fast(), parts)
        fault = self.settings.contradiction(n_stored, arrays)
        if fault is not None:
            raise ValueError(f"state must be that of a memory with these settings: {fault}")
        with self._lock:
            if arrays["key"][0] != self._pairs.fast.key:
                self._pairs = Pairs(self.settings, arrays["key"][0])
            self._pairs.put(arrays, n_stored)

    def copy(self) -> Self:
        """Return an independent copy, a snapshot: given the same pairs, both go on to the same bits."""
        with self._lock:
            return copy.deepcopy(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self._made(self.settings, self._pairs.arrays(connections=True), self.n_stored)

    def __reduce__(self) -> tuple[Callable[..., Self], tuple[Any, ...]]:
        with self._lock:
            return self._made, (self.settings, self._pairs.arrays(connections=True), self.n_stored)

    @classmethod
    def _made(cls, settings: KeyValueSettings, arrays: Arrays, n_stored: int) -> Self:
        """A memory of settings and what it holds."""
        memory = cls.__new__(cls)
        memory._settings, memory._lock = settings, OwnLock()
        memory._pairs = Pairs(settings, arrays["key"][0], arrays["connections"])
        memory._pairs.put(arrays, n_stored)
        return memory

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the memory to a safetensors file, atomically: a crash leaves the old file or the new one."""
        with self._lock:
            arrays = self._pairs.arrays(connections=True)
            write_memory(path, FORMAT, VERSION, self.settings, self.n_stored, arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a memory that ``save`` wrote; it continues exactly as the saved one would have.

        Nothing in the file is executed, and everything in it is checked.

        Raises
        ------
        FormatError : if the file is not a whole and valid KeyValueMemory.
        MemoryError : if it needs more than the machine has available.
        """
        with ArrayFile(path) as file:
            settings, n_stored = read_settings(file, FORMAT, VERSION, KeyValueSettings, settings_of)
            arrays = read_arrays(file, settings.saved(), 2 * settings.peak_bytes())
            fault = settings.contradiction(n_stored, arrays)
            if fault is not None:
                file.refuse(fault)
        return cls._made(settings, arrays, n_stored)

    def __repr__(self) -> str:
        s = self.settings
        storage = ", ".join(f"{name}={value!r}" for name, value in changed(s.storage).items())
        sizes = f"key_dim={s.key_dim}, value_dim={s.value_dim}, n_hidden={s.n_hidden}, storage=Winners({storage})"
        more = "".join(f", {name}={value!r}" for name, value in changed(s).items() if name in ("dtype", "batch"))
        return f"KeyValueMemory({sizes}{more}): {self._summary()}"

    def _repr_html_(self) -> str:
        """Return the settings and how many units hold something, as a notebook shows them."""
        with self._lock:
            g = self._pairs.fast.g
            used = int(np.count_nonzero(g))
        glance = of_share(used, g.size, f"the hidden units hold something: {used:,}")
        return card("KeyValueMemory", settings(self.settings), note=self._summary(), picture=glance)

    def _summary(self) -> str:
        return f"{self.n_weights:,} weights, {counted_words(self.n_stored, 'pairs')} stored"
