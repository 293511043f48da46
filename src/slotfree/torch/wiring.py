"""What is drawn once and does not learn, under the numbers and by the functions that compiled models draw it by."""

import numpy as np
import torch
from torch import Tensor

from slotfree.attention.storages.winners import HIGHEST_KEY, Winners, part_of
from slotfree.kernels.arithmetic.sampling import draw_subsets
from slotfree.kernels.arithmetic.uniform import fill_uniform, stream
from slotfree.kernels.attention.distributed_context import KEYS, draw_units


def connected(storage: Winners, numbers: list[int], n: int, key_dim: int) -> Tensor:
    """The components of keys that units see, (H, n, N) of booleans: each number draws those of a head."""
    seen = np.zeros((len(numbers), n, key_dim), bool)
    for head, number in enumerate(numbers):
        inputs = np.empty((1 if storage.masks == "shared" else n, part_of(storage.fan_in, key_dim)), np.uint32)
        draw_subsets(np.random.default_rng(number), np.arange(key_dim, dtype=np.uint32), inputs)
        np.put_along_axis(seen[head], np.broadcast_to(inputs.astype(np.int64), (n, inputs.shape[1])), True, axis=1)
    return torch.from_numpy(seen)


def projected(k: int, numbers: list[int], n: int, d_model: int) -> Tensor:
    """P, (H, n, d_model): each component of an item drives k units at random."""
    drives = np.zeros((len(numbers), n, d_model))
    units = np.empty(k, np.int64)
    for head, number in enumerate(numbers):
        for token in range(d_model):
            draw_units(np.uint64(stream(np.uint64(number), token)), n, units)
            drives[head, units, token] = 1.0
    return torch.from_numpy(drives)


def start_keys(numbers: list[int], n: int, key_dim: int) -> Tensor:
    """W_HK before the first item, (H, n, N), uniform in [0, 0.5)."""
    keys = np.empty((len(numbers), n, key_dim))
    for head, number in enumerate(numbers):
        fill_uniform(np.uint64(stream(np.uint64(number), KEYS)), HIGHEST_KEY, keys[head])
    return torch.from_numpy(keys)
