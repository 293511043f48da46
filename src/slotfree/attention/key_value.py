"""A memory of a user's own keys and values, stored as a slot-free transformer with winners stores its context."""

import copy
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slotfree import checks
from slotfree.attention.lock import OwnLock
from slotfree.attention.storages.address import renewed
from slotfree.attention.storages.base import MOST_STORED
from slotfree.attention.storages.winners import Winners, part_of, put_ages
from slotfree.available_memory import check_fits
from slotfree.display.counts import counted_words
from slotfree.display.glance import of_share
from slotfree.display.html import card, changed, settings
from slotfree.files.memory_file import read_arrays, read_settings, write_memory
from slotfree.files.safetensors import ArrayFile, Arrays
from slotfree.files.saved_arrays import Connections, Numbers, Saved, saved_bytes
from slotfree.kernels.attention.distributed_context import LIVE, STORED, Array, Context
from slotfree.kernels.attention.key_value import LEAST_DRIVE, attend_rows, read_rows, store_pairs
from slotfree.kernels.attention.transformer import Sizes
from slotfree.kernels.memory.synapses import index_type

STORAGE = Winners(k=3, fan_in=1.0)
OF_ITEMS = ("item_fan_out", "start")  # settings of a storage that say something of tokens alone
HERE = (None, "key", "oldest")  # addresses
EXPONENT = 16.0  # with which a key of usual length meets itself, if no β is given
LARGEST = 1e100  # magnitude of a number: products of two stay far from overflow
ROUNDED = 1 + 1e-6  # weights are means of what was stored, up to rounding
LARGEST_SEED = 2**64 - 1
FORMAT, VERSION = "slotfree.KeyValueMemory", "1"


@dataclass(frozen=True)
class KeyValueSettings:
    """The arguments of ``KeyValueMemory``, except its seed."""

    key_dim: int
    value_dim: int
    n_hidden: int = 256
    storage: Winners = STORAGE

    def __post_init__(self) -> None:
        for name in ("key_dim", "value_dim", "n_hidden"):
            object.__setattr__(self, name, checks.integer(name, getattr(self, name), 1, checks.MANY))
        if isinstance(self.storage, Mapping):  # as it is in a file
            object.__setattr__(self, "storage", Winners(**self.storage))
        if not isinstance(self.storage, Winners):
            raise TypeError(f"storage must be a Winners, not {checks.shown(self.storage)}")
        for name in OF_ITEMS:
            given, usual = getattr(self.storage, name), getattr(STORAGE, name)
            if given != usual:
                raise ValueError(f"storage must have {name} {usual!r}, as keys have no tokens, not {given!r}")
        if self.storage.address not in HERE:
            raise ValueError(
                f"storage must have address 'key' or 'oldest', as keys have no tokens, not {self.storage.address!r}"
            )
        self.storage.check_units(self.n_hidden)

    @property
    def n_seen(self) -> int:
        """Components of a key that each unit sees."""
        return part_of(self.storage.fan_in, self.key_dim)

    @property
    def n_weights(self) -> int:
        """Fast weights: of W_HK, W_VH and g."""
        return self.storage.n_weights(self.n_hidden, self.key_dim, 0, self.value_dim)

    def saved(self) -> list[Saved]:
        """The arrays of a file: connections, fast weights, and the number that projections and ties follow from."""
        keys, values = (self.n_hidden, self.n_seen), (self.n_hidden, self.value_dim)
        most = LARGEST * ROUNDED
        n = (self.n_hidden,)
        ages = [Numbers("when", n, 0, MOST_STORED, np.int64)] if self.storage.address == "oldest" else []
        lengths = [Numbers("lengths", (1,), 0, np.finfo(float).max)] if self.storage.beta is None else []
        return [
            Connections("connections", keys, self.key_dim),
            Numbers("keys", keys, -most, most),
            Numbers("values", values, -most, most),
            Numbers("g", n, 0, 1, least=self.storage.rate),
            Numbers("key", (1,), 0, LARGEST_SEED, np.uint64),
            *ages,
            *lengths,
        ]

    def peak_bytes(self) -> int:
        """Its arrays, with the connections as kernels index with them, and room to work in."""
        return saved_bytes(self.saved()) + 8 * self.n_hidden * (self.n_seen + 16)


class KeyValueMemory:
    """Slot-free attention on your own keys and values: pairs are kept in fast weights of a fixed number of units.

    A pair of a key and a value is stored by the k hidden units with the largest drives,

        h = W_HK k + γ f |k|² P k;    W_HK += ε (k − W_HK),  W_VH += ε (v − W_VH),  g += ε (1 − g)  in the winners,

    on the connections there are, all from 0. P, the projection, sends each key to k random units that belong to it:
    equal keys to the same ones, others to others. A query q reads

        W_VH s / Z,    s = softmax(β W_HK q),  Z = g·s,

    over the units that have stored something. Nothing grows with what is stored: new pairs take units of old ones, at
    random, and a pair is lost when its last unit is taken. Threads that share a memory take turns.

    Three things to know:

    - *Length.* A stored key meets the query that equals it with an exponent of about β f ε |k|². Where it is 10 to 20,
      keys are told apart well; where it is near 1, what is read blurs into a mean of all values. The default is
      made for keys of length 1 or more. β = 1/(f ε), which ``Winners(beta=None)`` means, is softmax(K q): for that,
      keys should have a length of about 4. Values of keys that are too short are lost in those of longer ones.
    - *Likeness.* With ε = 1 and f = 1, a key that is as long as a stored one, and more alike to it than a cosine of γ,
      takes its units and so updates it; others have units of their own. With γ above 1, only equal keys update. With
      f < 1 units see different parts, and keys that are alike are told apart less well; with ε < 1 they mix.
    - *Capacity.* A unit still holds its part of a pair after a others with probability exp(−k a/n_hidden), and one unit
      is enough: with k = 3, of the last n_hidden/k pairs 92 % can be read, of the last n_hidden 56 %.

    Parameters
    ----------
    key_dim, value_dim : N, numbers in a key and a query; numbers in a value.
    n_hidden : n_h, hidden units.
    storage : how pairs are stored: k, f, ε, γ (``projection_gain``), β and how it is read; see ``Winners``, all of
        whose settings but those of tokens (``item_fan_out``, ``start``, ``projections``) apply. The default has k = 3,
        f = 1, ε = 1, γ = 0.9 and β = 16.
    seed : decides connections, projections and ties; an integer, a SeedSequence or a Generator.

    Examples
    --------
    >>> import numpy as np
    >>> import slotfree as sf
    >>> memory = sf.KeyValueMemory(key_dim=2, value_dim=1, n_hidden=50, seed=0)
    >>> memory.store([[1, 0], [0, 1]], [[1], [2]])
    >>> memory.read([[0.9, 0.1], [0, 1]]).round(3).tolist()
    [[1.0], [2.0]]
    """

    _settings: KeyValueSettings
    _fast: Context

    def __init__(
        self, key_dim: int, value_dim: int, n_hidden: int = 256, storage: Winners = STORAGE, *, seed: checks.Seed
    ) -> None:
        self._settings = KeyValueSettings(key_dim, value_dim, n_hidden, storage)
        rng = checks.generator(seed, "key-value memory")
        check_fits("a KeyValueMemory of these settings", self.settings.peak_bytes())
        self._begin(rng.integers(0, LARGEST_SEED, dtype=np.uint64, endpoint=True))

    def _begin(self, key: np.uint64) -> None:
        s, self._lock = self.settings, OwnLock()
        no_tokens = np.empty((0, s.storage.k), np.int64)
        sizes = Sizes(s.n_hidden, s.key_dim, 0, s.value_dim)
        self._fast = s.storage.context(sizes, 0, s.storage.address or "key", no_tokens, int(key))
        self._lengths = np.zeros(1)  # Σ |k|² of all that was stored
        self._fast.key[0] = key
        self._live()

    def store(self, keys: ArrayLike, values: ArrayLike) -> None:
        """Store one pair, or many in their order, which is the same as one by one.

        Parameters
        ----------
        keys : (key_dim,) or (T, key_dim), real numbers of at most 1e100 in magnitude.
        values : (value_dim,) or (T, value_dim), one for each key.
        """
        s = self.settings
        rows = checks.real_rows("keys", keys, s.key_dim, LARGEST)
        kept = checks.real_rows("values", values, s.value_dim, LARGEST)
        if np.ndim(values) != np.ndim(keys) or len(kept) != len(rows):
            shape = (*np.shape(keys)[:-1], s.value_dim)
            raise ValueError(f"values must be one for each key, of the shape {shape}, not {np.shape(values)}")
        rows = rows + 0.0  # −0 is 0, and has the same units
        with self._lock:
            store_pairs(self._fast, rows, rows.view(np.uint64), kept, np.empty(0, np.int64), self._lengths)

    def read(self, queries: ArrayLike) -> NDArray[np.float64]:
        """Return the value that each query reads; 0 if nothing was stored. The memory stays as it is.

        Parameters
        ----------
        queries : (key_dim,) or (T, key_dim).

        Returns
        -------
        float64 array (value_dim,) or (T, value_dim).
        """
        return self._rows(read_rows, queries, self.settings.value_dim)

    def attention(self, queries: ArrayLike) -> NDArray[np.float64]:
        """Return s, how much each query attends to each hidden unit: (n_hidden,) or (T, n_hidden).

        Each row sums to 1, over the units that have stored something; before anything was stored, all are 0. If what is
        read is not divided by Z (``normalise=False``), all units take part, whether they hold something or not.
        """
        return self._rows(attend_rows, queries, self.settings.n_hidden)

    def _rows(self, kernel: Callable[..., None], queries: ArrayLike, width: int) -> NDArray[np.float64]:
        """Let a kernel fill one row for each query, while no other thread stores; units are summed in their order."""
        rows = checks.real_rows("queries", queries, self.settings.key_dim, LARGEST)
        out, fast = np.zeros((len(rows), width)), self._fast
        with self._lock:
            own = fast._replace(
                live=np.flatnonzero(fast.is_live),
                attended=np.empty_like(fast.attended),
                count=fast.count.copy(),
                beta=self.beta,
            )
            kernel(own, rows, out)
        return out.reshape((*np.shape(queries)[:-1], width))

    @property
    def settings(self) -> KeyValueSettings:
        """The arguments, except the seed."""
        return self._settings

    @property
    def beta(self) -> float:
        """β, with which queries are read now: that of the storage, or 16/(f ε κ) by the keys so far."""
        given, usual = self.settings.storage.beta, float(self._lengths[0]) / max(self.n_stored, 1)
        if given is not None:
            return given
        return EXPONENT * self._fast.beta / (usual if usual > LEAST_DRIVE else 1.0)  # that of the context is 1/(f ε)

    @property
    def n_stored(self) -> int:
        """How many pairs have been stored."""
        return int(self._fast.count[STORED])

    @property
    def n_weights(self) -> int:
        """Fast weights: of W_HK, W_VH and g; they stay as many."""
        return self.settings.n_weights

    @property
    def keys(self) -> Array:
        """W_HK: a copy, (n_hidden, key_dim), with 0 where there is no connection."""
        with self._lock:
            return self.settings.storage.stored(self._fast).W_HK

    @property
    def values(self) -> Array:
        """W_VH: a copy, (value_dim, n_hidden)."""
        with self._lock:
            return self.settings.storage.stored(self._fast).W_VH

    @property
    def strength(self) -> Array:
        """g, how much each unit has stored, from 0 to 1: a copy, (n_hidden,)."""
        with self._lock:
            return self._fast.g.copy()

    def copy(self) -> Self:
        """Return an independent copy, a snapshot: given the same pairs, both go on to the same bits."""
        with self._lock:
            return copy.deepcopy(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the memory to a safetensors file, atomically: a crash leaves the old file or the new one."""
        with self._lock:
            write_memory(path, FORMAT, VERSION, self.settings, self.n_stored, self._arrays())

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
            settings, n_stored = read_settings(file, FORMAT, VERSION, KeyValueSettings, _renewed)
            arrays = read_arrays(file, settings.saved(), 2 * settings.peak_bytes())
            fault = _contradiction(settings, n_stored, arrays)
            if fault is not None:
                file.refuse(fault)
            memory = cls.__new__(cls)
            memory._settings = settings
            memory._begin(arrays["key"][0])
            try:
                memory._restore(arrays, n_stored)
            except ValueError as error:
                file.refuse(str(error))
        return memory

    def _arrays(self) -> dict[str, NDArray[Any]]:
        fast = self._fast
        connections = fast.inputs.astype(index_type(self.settings.key_dim))
        weights = {"keys": fast.keys, "values": fast.values, "g": fast.g, "key": fast.key}
        arrays = {"connections": connections, **weights, "when": fast.when, "lengths": self._lengths}
        return {each.name: arrays[each.name] for each in self.settings.saved()}

    def _restore(self, arrays: Arrays, n_stored: int) -> None:
        self._fast = self._fast._replace(
            inputs=arrays["connections"].astype(np.int64), keys=arrays["keys"], values=arrays["values"], g=arrays["g"]
        )
        self._fast.count[STORED] = n_stored
        if self._fast.by_age:
            put_ages(self._fast, arrays["when"])
        self._lengths = arrays.get("lengths", self._lengths)
        self._live()

    def _live(self) -> None:
        """Note which units take part: those that hold something, or all if what is read is not divided by Z."""
        fast = self._fast
        fast.is_live[:] = (fast.g > 0) | (not fast.normalises)
        live = np.flatnonzero(fast.is_live)
        fast.live[: live.size] = live
        fast.count[LIVE] = live.size

    def __repr__(self) -> str:
        s = self.settings
        storage = ", ".join(f"{name}={value!r}" for name, value in changed(s.storage).items())
        sizes = f"key_dim={s.key_dim}, value_dim={s.value_dim}, n_hidden={s.n_hidden}, storage=Winners({storage})"
        return f"KeyValueMemory({sizes}): {self._summary()}"

    def _repr_html_(self) -> str:
        """Return the settings and how many units hold something, as a notebook shows them."""
        with self._lock:
            used = int(np.count_nonzero(self._fast.g))
        glance = of_share(used, self.settings.n_hidden, f"the hidden units hold something: {used:,}")
        return card("KeyValueMemory", settings(self.settings), note=self._summary(), picture=glance)

    def _summary(self) -> str:
        return f"{self.n_weights:,} weights, {counted_words(self.n_stored, 'pairs')} stored"


def _renewed(told: Any) -> Any:
    """Settings out of a file, in today's words; where β is missing in one of version 0.16 or before, it was 1/(f ε)."""
    storage = told.get("storage") if isinstance(told, dict) else None
    if not isinstance(storage, dict) or "projections" not in storage:
        return told
    if storage.get("beta", 0) is None:
        n_seen = part_of(storage["fan_in"], told["key_dim"])
        storage = storage | {"beta": 1 / (n_seen / told["key_dim"] * storage["rate"])}
    return told | {"storage": renewed(storage)}


def _contradiction(settings: KeyValueSettings, n_stored: int, arrays: Arrays) -> str | None:
    """Say which arrays of a file, each right by itself, cannot be together."""
    holds = arrays["g"] > 0
    least, most = min(n_stored, 1) * settings.storage.k, settings.storage.k * n_stored
    if not least <= np.count_nonzero(holds) <= most:
        return f"{np.count_nonzero(holds)} units hold something, which {n_stored} pairs cannot have made"
    if arrays["keys"][~holds].any() or arrays["values"][~holds].any():
        return "units that hold nothing have weights other than 0"
    return None
