"""Many memories at a time, for those who compare settings or seeds."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slotfree import checks
from slotfree.memory.base import BinaryMemory


def store_many(memories: Sequence[BinaryMemory[Any]], patterns: ArrayLike, *, threads: int = 1) -> None:
    """Store patterns in many independent memories; the result is the same as one memory after the other.

    Everything is checked before the first pattern is stored.

    Parameters
    ----------
    memories : different memories of zeros and ones, of any classes and sizes.
    patterns : an array (n_visible,) or (T, n_visible) that all of them store; or a list of such arrays, one for each.
    threads : the number of threads that share the memories; the result is the same for any number.

    Examples
    --------
    >>> import slotfree as sf
    >>> memories = [sf.KWinnerMHN(learning_rate=rate, seed=0) for rate in (0.1, 0.3)]
    >>> sf.memory.store_many(memories, sf.random_patterns(5, seed=1), threads=2)
    >>> [memory.n_stored for memory in memories]
    [5, 5]
    """
    threads = checks.integer("threads", threads, 1)
    listed = list(memories)
    places: dict[int, int] = {}
    for number, memory in enumerate(listed):
        if not isinstance(memory, BinaryMemory):
            shown = checks.shown(memory)
            raise TypeError(f"memories must hold memories of zeros and ones, not memories[{number}] = {shown}")
        first = places.setdefault(id(memory), number)
        if first < number:
            raise ValueError(f"memories must differ, but memories[{first}] and memories[{number}] are the same")
    rows = [
        checks.binary_rows(name, each, memory.settings.n_visible)
        for memory, (name, each) in zip(listed, _for_each(patterns, len(listed)), strict=True)
    ]
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda memory, own: memory.store(own), listed, rows))


def _for_each(patterns: ArrayLike, n_memories: int) -> list[tuple[str, ArrayLike]]:
    """Return the patterns of each memory, and what an error calls them."""
    if isinstance(patterns, np.ndarray) and patterns.ndim < 3:
        return [("patterns", patterns)] * n_memories
    each: list[NDArray[Any]] = list(patterns)  # type: ignore[arg-type]
    if len(each) != n_memories:
        raise ValueError(
            f"patterns must be one array, or a list of {n_memories} arrays, one for each memory, not of {len(each)}"
        )
    return [(f"patterns[{number}]", own) for number, own in enumerate(each)]
