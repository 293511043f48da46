"""Streams in which items come back: where each presentation stands."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

TRIES = 100


def placed(offsets: Sequence[NDArray[np.int64]], length: int, rng: np.random.Generator) -> list[tuple[int, int]]:
    """Place items that are shown several times at random in a stream; other items, shown once, fill the rest.

    Parameters
    ----------
    offsets : for each item, the places of its presentations, relative to the first: [0, lag + 1] for two.
    length : of the stream.

    Returns
    -------
    For each place the item and which of its presentations it is, from 0. Fillers have the numbers after the items.

    Examples
    --------
    >>> placed([np.array([0, 2])], 3, np.random.default_rng(0))
    [(0, 0), (1, 0), (0, 1)]
    """
    order = sorted(range(len(offsets)), key=lambda i: -int(offsets[i][-1]))  # the longest first, while there is room
    for _ in range(TRIES):
        taken = np.full((length, 2), -1)
        if all(_place(taken, item, offsets[item], rng) for item in order):
            fillers = np.flatnonzero(taken[:, 0] < 0)
            taken[fillers, 0] = len(offsets) + np.arange(len(fillers))
            taken[fillers, 1] = 0
            return [(int(item), int(occasion)) for item, occasion in taken]
    raise ValueError(
        f"length must be larger: {len(offsets)} items that come back, up to {int(max(o[-1] for o in offsets))} places "
        f"later, do not fit a stream of {length}"
    )


def _place(taken: NDArray[np.int64], item: int, offsets: NDArray[np.int64], rng: np.random.Generator) -> bool:
    """Put one item at a random place where all of its presentations find room; return whether there is one."""
    starts = np.arange(len(taken) - int(offsets[-1]))
    free = (taken[starts[:, None] + offsets, 0] < 0).all(axis=1)
    if not free.any():
        return False
    taken[rng.choice(starts[free]) + offsets] = np.stack([np.full(len(offsets), item), np.arange(len(offsets))], axis=1)
    return True
