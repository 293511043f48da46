"""One root seed; each unit of work has its own stream, derived from what it is, never from when or where it runs."""

import hashlib

import numpy as np


def seed_for(root: int | np.random.SeedSequence, *identity: object) -> np.random.SeedSequence:
    """Return the seed sequence of the unit of work that identity names, under a root seed.

    Adding, removing or reordering other units changes nothing for this one.

    Parameters
    ----------
    root : the root seed, or a sequence derived from it.
    identity : what the unit is, e.g. an item's name and a run's number; told apart by their ``repr``.
    """
    parent = root if isinstance(root, np.random.SeedSequence) else np.random.SeedSequence(root)
    digest = hashlib.sha256(repr(identity).encode()).digest()
    words = tuple(int.from_bytes(digest[i : i + 4], "little") for i in range(0, 16, 4))
    return np.random.SeedSequence(parent.entropy, spawn_key=(*parent.spawn_key, *words))
