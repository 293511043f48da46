"""A storage for keys of some size and a number of units, as numbers: what both passes need to know."""

from math import inf
from typing import Literal, NamedTuple, TypeAlias

from slotfree import checks
from slotfree.attention.storages.address import OF_TOKENS, PARTS_OF_KEYS, WHOLE_KEYS, least_match
from slotfree.attention.storages.perfect import Perfect
from slotfree.attention.storages.winners import Winners, part_of

Storage: TypeAlias = Winners | Perfect | Literal["perfect"]

OLDEST = Winners(k=1, fan_in=1.0, address="oldest")
ADDRESSES = ("oldest", "token", "key", "start")


class Rule(NamedTuple):
    """How items are stored and read.

    Attributes
    ----------
    k, rate, f : winners, ε, and the part of a key that each unit sees.
    address : how winners are found; "perfect" never matches, and so units take turns.
    gain : γ.
    scales : whether a projection drives with γ f |k|², or else with γ f.
    beta : β.
    normalise, by_winners, shared : of the storage: division by Z, reading by winners, one mask for all units.
    """

    k: int
    rate: float
    f: float
    address: str
    gain: float
    scales: bool
    beta: float
    normalise: bool
    by_winners: bool
    shared: bool

    @property
    def is_softmax(self) -> bool:
        """Whether reading is softmax attention over what was not evicted."""
        return self.rate == 1 and self.normalise and not self.by_winners


def rule_of(storage: Storage, n_hidden: int, key_dim: int) -> Rule:
    """Return a storage as numbers; ValueError if it is not one for keys that are not of tokens."""
    if storage == "perfect" or isinstance(storage, Perfect):
        return Rule(1, 1.0, 1.0, "oldest", inf, True, 1.0, True, False, False)
    if not isinstance(storage, Winners):
        wrong = ValueError if isinstance(storage, str) else TypeError
        raise wrong(f"storage must be a Winners or 'perfect', not {checks.shown(storage)}")
    storage.check_units(n_hidden)
    address = storage.address or "oldest"
    checks.one_of("storage.address", address, ADDRESSES)
    if storage.start != "zero":
        raise ValueError(f"storage.start must be 'zero' for tensors, not {storage.start!r}")
    seen = part_of(storage.fan_in, key_dim)
    f = seen / key_dim
    gain = storage.projection_gain
    if gain is None:
        of_keys = WHOLE_KEYS if seen == key_dim else PARTS_OF_KEYS
        usual = {"oldest": least_match(n_hidden, storage.k, seen), "key": of_keys}
        gain = usual.get(address, OF_TOKENS)
    scales = address != "token" or storage.projection_gain is None
    beta = 1 / (f * storage.rate) if storage.beta is None else storage.beta
    reads = storage.normalise, storage.reading == "winners", storage.masks == "shared"
    return Rule(storage.k, storage.rate, f, address, gain, scales, beta, *reads)
