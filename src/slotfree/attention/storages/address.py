"""Address rules: which hidden units store an item. Each has a name."""

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from slotfree.kernels.arithmetic.uniform import stream
from slotfree.kernels.attention.distributed_context import draw_units
from slotfree.tasks.base import Task, n_item_tokens, query_of

Address: TypeAlias = Literal["token", "own", "letter", "redrawn", "start", "key", "oldest"]

BY_TOKEN = ("token", "own", "letter", "redrawn")  # input projections choose
ADDRESSES = (*BY_TOKEN, "start", "key", "oldest")
OF_TOKENS = 1.0  # γ of projections of tokens, relative to |k|²: as much as an equal key that is stored
WHOLE_KEYS, PARTS_OF_KEYS = 0.9, 3.0  # γ of projections of keys: whole ones that are alike share units
MOST_CHANCE = 0.9  # so that an equal key still matches


def least_match(n_units: int, k: int, n_seen: int) -> float:
    """γ = ½ (1 + min(0.9, √(2 ln(n_h/k)/(f N)))) of match or oldest, if none is given.

    Half-way between the best match by chance and that of an equal key. In units that see n_seen = f N components and
    hold random keys, a key has matches with the standard deviation f|k|²/√(f N), and the k largest of n_h such numbers
    are about √(2 ln(n_h/k)) of these.
    """
    chance = float(np.sqrt(2 * np.log(n_units / k) / n_seen))
    return (1 + min(MOST_CHANCE, chance)) / 2


def units_of_tokens(address: str, task: Task, n_tokens: int, n_units: int, k: int, wiring: int) -> NDArray[np.int64]:
    """The units that each token drives directly, (D, k); −1 for none."""
    tokens = n_item_tokens(task)
    projected = np.full((n_tokens, k), -1)
    if address == "own":
        projected[:tokens] = np.arange(tokens * k).reshape(tokens, k)
    elif address in BY_TOKEN:
        groups = query_of(task) if address == "letter" else np.arange(tokens)
        for token, group in enumerate(groups):
            if group >= 0:
                draw_units(np.uint64(stream(np.uint64(wiring), int(group))), n_units, projected[token])
    return projected


def renewed(storage: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of ``Winners`` out of a file of version 0.16 or before, in which an address was ``projections``."""
    addresses = {"token": None}  # the default, also where there were no projections
    words = {"projections": "address"}
    return {
        words.get(name, name): addresses.get(value, value) if name in words else value
        for name, value in storage.items()
    }
