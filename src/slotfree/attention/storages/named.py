"""Storages by name."""

from slotfree.attention.registry import lookup
from slotfree.attention.storages.base import Storage
from slotfree.attention.storages.one_winner import OneWinner
from slotfree.attention.storages.perfect import Perfect

EVERY: tuple[Storage, ...] = (OneWinner(), Perfect())
STORAGES = {storage.name: storage for storage in EVERY}


def storage(value: object) -> Storage:
    """Return a storage, given by its name or as an object."""
    return lookup("storage", value, STORAGES, Storage, "sf.Winners(k=3)")  # type: ignore[type-abstract]
