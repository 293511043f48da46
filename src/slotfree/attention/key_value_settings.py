"""The settings of a key-value memory, and what its file holds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from slotfree import checks
from slotfree.attention.storages.address import renewed
from slotfree.attention.storages.base import MOST_STORED
from slotfree.attention.storages.winners import Winners, part_of
from slotfree.files.options import option
from slotfree.files.safetensors import Arrays
from slotfree.files.saved_arrays import Connections, Numbers, Saved, saved_bytes

STORAGE = Winners(k=3, fan_in=1.0)
OF_ITEMS = ("item_fan_out", "start")  # settings of a storage that say something of tokens alone
HERE = (None, "key", "oldest")  # addresses
LARGEST = {"float64": 1e100, "float32": 1e15}  # magnitude of a number: products of two stay far from overflow
ROUNDED = 1 + 1e-6  # weights are means of what was stored, up to rounding
LARGEST_SEED = 2**64 - 1


@dataclass(frozen=True)
class KeyValueSettings:
    """The arguments of ``KeyValueMemory``, except its seed."""

    key_dim: int
    value_dim: int
    n_hidden: int = 256
    storage: Winners = STORAGE
    dtype: str = option("float64")
    batch: int | None = option(None)

    def __post_init__(self) -> None:
        for name in ("key_dim", "value_dim", "n_hidden"):
            object.__setattr__(self, name, checks.integer(name, getattr(self, name), 1, checks.MANY))
        if self.batch is not None:
            object.__setattr__(self, "batch", checks.integer("batch", self.batch, 1, checks.MANY))
        object.__setattr__(self, "dtype", _name_of(self.dtype))
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
    def n_members(self) -> int:
        """Memories in the batch; 1 without one."""
        return self.batch or 1

    @property
    def front(self) -> tuple[int, ...]:
        """The leading axis of its arrays: of the batch, if there is one."""
        return () if self.batch is None else (self.batch,)

    @property
    def address(self) -> str:
        """The address rule."""
        return self.storage.address or "key"

    @property
    def n_weights(self) -> int:
        """Fast weights: of W_HK, W_VH and g, of all memories in the batch."""
        return self.n_members * self.storage.n_weights(self.n_hidden, self.key_dim, 0, self.value_dim)

    def fast(self) -> list[Saved]:
        """The arrays that change when pairs are stored, and the number that all else follows from."""
        most, units = LARGEST[self.dtype] * ROUNDED, (*self.front, self.n_hidden)
        least = float(np.array(self.storage.rate, self.dtype))
        by_age, scaled = self.address == "oldest", self.storage.beta is None
        return [
            Numbers("keys", (*units, self.n_seen), -most, most, self.dtype),
            Numbers("values", (*units, self.value_dim), -most, most, self.dtype),
            Numbers("g", units, 0, 1, self.dtype, least),
            Numbers("key", (1,), 0, LARGEST_SEED, np.uint64),
            *([Numbers("when", units, 0, MOST_STORED, np.int64)] if by_age else []),
            *([Numbers("lengths", self.front or (1,), 0, np.finfo(float).max)] if scaled else []),
        ]

    def saved(self) -> list[Saved]:
        """The arrays of a file: connections, and those that change."""
        return [Connections("connections", (self.n_hidden, self.n_seen), self.key_dim), *self.fast()]

    def peak_bytes(self) -> int:
        """Its arrays, with the connections as kernels index with them, and room to work in."""
        return saved_bytes(self.saved()) + 8 * self.n_hidden * (self.n_seen + 16 * self.n_members)

    def contradiction(self, n_stored: int, arrays: Arrays) -> str | None:
        """Say which arrays, each right by itself, cannot be together."""
        holds = arrays["g"] > 0
        least, most = min(n_stored, 1) * self.storage.k, self.storage.k * n_stored
        for count in np.atleast_1d(np.count_nonzero(holds, axis=-1)).tolist():
            if not least <= count <= most:
                return f"{count} units hold something, which {n_stored} pairs cannot have made"
        if arrays["keys"][~holds].any() or arrays["values"][~holds].any():
            return "units that hold nothing have weights other than 0"
        if "when" in arrays:
            when, first = arrays["when"], np.arange(self.n_hidden) < holds.sum(axis=-1, keepdims=True)
            if not ((when > 0) == holds).all() or not (holds == first).all() or when.max() > n_stored:
                return (
                    f"when must be numbers of pairs from 1 to {n_stored} in the first units, those that hold "
                    "something, and 0 in the others"
                )
        return None


def settings_of(told: Any) -> Any:
    """Settings out of a file, in today's words; where β is missing in one of version 0.16 or before, it was 1/(f ε)."""
    storage = told.get("storage") if isinstance(told, dict) else None
    if not isinstance(storage, dict) or "projections" not in storage:
        return told
    if storage.get("beta", 0) is None:
        n_seen = part_of(storage["fan_in"], told["key_dim"])
        storage = storage | {"beta": 1 / (n_seen / told["key_dim"] * storage["rate"])}
    return told | {"storage": renewed(storage)}


def _name_of(dtype: object) -> str:
    """The name of a type of numbers, given as NumPy or PyTorch do, or by name."""
    try:
        name = np.dtype(dtype).name  # type: ignore[call-overload]
    except TypeError:
        name = str(dtype).removeprefix("torch.")
    if dtype is None or name not in LARGEST:
        raise ValueError(f"dtype must be 'float64' or 'float32', not {checks.shown(dtype)}")
    return str(name)
