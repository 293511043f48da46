"""What a key-value memory holds: fast weights of a batch of memories, filled and read by the kernels that fit them."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slotfree.attention import whole_keys
from slotfree.attention.key_value_settings import KeyValueSettings
from slotfree.files.safetensors import Arrays
from slotfree.kernels.attention.distributed_context import LIVE, STORED, WRITTEN, Context
from slotfree.kernels.attention.key_value import LEAST_DRIVE, attend_rows, read_rows, store_pairs
from slotfree.kernels.attention.transformer import Sizes
from slotfree.kernels.attention.whole_keys import Floats, Whole
from slotfree.kernels.memory.synapses import index_type

EXPONENT = 16.0  # with which a key of usual length meets itself, if no β is given
NO_ITEM = np.empty(0, np.int64)


class Pairs:
    """Fast weights of B memories that hold nothing yet; connections, projections and ties follow from a key.

    Attributes
    ----------
    fast : the fast weights, as kernels for units that see whole keys have them.
    members : the same arrays, memory by memory, as kernels for units that see parts of keys have them.
    n_stored : pairs in each memory.
    """

    def __init__(
        self, settings: KeyValueSettings, key: np.uint64, connections: NDArray[np.integer[Any]] | None = None
    ) -> None:
        self.settings = s = settings
        units = (s.n_members, s.n_hidden)
        self.fast = fast = Whole(
            keys=np.zeros((*units, s.n_seen), s.dtype),
            values=np.zeros((*units, s.value_dim), s.dtype),
            g=np.zeros(units, s.dtype),
            when=np.zeros(units, np.int64),
            held=np.zeros(s.n_members, np.int64),
            lengths=np.zeros(s.n_members),
            longest=np.zeros(s.n_members),
            key=key,
            k=s.storage.k,
            rate=s.storage.rate,
            gain=s.storage.gain(s.address, s.n_hidden, s.n_seen),
            by_age=s.address == "oldest",
            epsilon=float(np.finfo(s.dtype).eps),
        )
        sizes, no_tokens = Sizes(s.n_hidden, s.key_dim, 0, s.value_dim), np.empty((0, s.storage.k), np.int64)
        drawn = s.storage.context(sizes, 0, s.address, no_tokens, int(key))
        drawn.key[0] = key
        if connections is not None:
            drawn.inputs[:] = connections
        self.members: list[Context] = []
        for b in range(s.n_members):
            own = {name: np.zeros_like(getattr(drawn, name)) for name in ("live", "is_live", "count")}
            arrays = {"keys": fast.keys[b], "values": fast.values[b], "g": fast.g[b], "when": fast.when[b]}
            self.members.append(drawn._replace(**arrays, **own))
        self.put({}, 0)

    @property
    def is_whole(self) -> bool:
        """Whether units see whole keys: then drives are products of matrices."""
        return self.settings.n_seen == self.settings.key_dim

    def store(self, rows: NDArray[np.float64], values: NDArray[np.float64]) -> None:
        """Store pairs, (B, T, N) and (B, T, n_outputs), in their order."""
        rows = rows + 0.0  # −0 is 0, and has the same units
        if self.is_whole:
            with np.errstate(under="ignore"):
                whole_keys.store_pairs(self.fast, self.n_stored, rows, values)
        else:
            for b, member in enumerate(self.members):
                bits, lengths = rows[b].view(np.uint64), self.fast.lengths[b : b + 1]
                store_pairs(member, rows[b], bits, values[b], NO_ITEM, lengths)
        self.n_stored += rows.shape[1]

    def read(self, queries: NDArray[np.float64]) -> Floats:
        """What queries (B, T, N) read, (B, T, n_outputs)."""
        return self._at(queries, whole_keys.read_values, read_rows, self.settings.value_dim)

    def attention(self, queries: NDArray[np.float64]) -> Floats:
        """How queries (B, T, N) attend to units, (B, T, n_h)."""
        return self._at(queries, whole_keys.attention, attend_rows, self.settings.n_hidden)

    def _at(self, queries: Floats, whole: Callable[..., Floats], rows: Callable[..., None], width: int) -> Floats:
        storage, beta, dtype = self.settings.storage, self.betas(), self.fast.keys.dtype
        if self.is_whole and storage.reading == "all" and (self.n_stored or not storage.normalise):
            with np.errstate(under="ignore"):
                return whole(self.fast, queries, beta, storage.normalise)
        out = np.zeros((*queries.shape[:2], width), dtype)
        for b, member in enumerate(self.members):
            live, count = np.flatnonzero(self._takes_part(b)), np.zeros_like(member.count)
            count[LIVE] = live.size
            room = np.empty_like(member.attended)
            rows(member._replace(live=live, attended=room, count=count, beta=float(beta[b])), queries[b], out[b])
        return out

    def _takes_part(self, b: int) -> NDArray[np.bool_]:
        """Which units are read: those that hold something, or all if what is read is not divided by Z."""
        return np.asarray((self.fast.g[b] > 0) | (not self.settings.storage.normalise))

    def betas(self) -> NDArray[np.float64]:
        """β of each memory, (B,): 16/(f ε κ), with the mean κ of |k|², if none is given."""
        s = self.settings
        if s.storage.beta is not None:
            return np.full(s.n_members, s.storage.beta)
        sharp, n = EXPONENT * self.members[0].beta, max(self.n_stored, 1)  # theirs is 1/(f ε)
        usual: list[float] = self.fast.lengths.tolist()
        return np.array([sharp / (total / n if total / n > LEAST_DRIVE else 1.0) for total in usual])

    def W_HK(self) -> Floats:
        """W_HK with 0 where there is no connection, (B, n_h, N)."""
        s = self.settings
        found = np.zeros((s.n_members, s.n_hidden, s.key_dim), s.dtype)
        np.put_along_axis(found, self.members[0].inputs[None], self.fast.keys, axis=2)
        return found

    def arrays(self, *, connections: bool = False) -> dict[str, NDArray[Any]]:
        """The arrays that change, copied, as files and states have them; and the connections, if wanted."""
        s, arrays = self.settings, self.fast._asdict() | {"key": np.array([self.fast.key])}
        found = {each.name: np.array(np.reshape(arrays[each.name], each.shape)) for each in s.fast()}
        return {"connections": self.members[0].inputs.astype(index_type(s.key_dim)), **found} if connections else found

    def put(self, arrays: Arrays, n_stored: int) -> None:
        """Make the arrays that change these; those that are not there stay."""
        fast, self.n_stored = self.fast, n_stored
        for name in {"keys", "values", "g", "when", "lengths"} & set(arrays):
            room = getattr(fast, name)
            room[...] = np.reshape(arrays[name], room.shape)
        fast.held[:] = np.count_nonzero(fast.g, axis=1)
        fast.longest[:] = np.sqrt(np.einsum("bmi,bmi->bm", fast.keys, fast.keys).max(axis=1))
        for b, member in enumerate(self.members):
            member.is_live[:] = self._takes_part(b)
            live = np.flatnonzero(member.is_live)
            member.live[: live.size] = live
            member.count[LIVE], member.count[STORED], member.count[WRITTEN] = live.size, n_stored, fast.held[b]
