"""Streams of numbers as the compiled models draw them: who wins a tie, and which units a key has.

The arithmetic is that of ``slotfree.kernels.arithmetic.uniform.stream``, with the 64 bits read as signed numbers, which
wrap around alike.
"""

import numpy as np
import torch
from torch import Tensor

from slotfree.kernels.attention.distributed_context import TIES


def signed(bits: int) -> int:
    """The signed number with the same 64 bits."""
    return (bits & (2**64 - 1)) - (bits >> 63 & 1) * 2**64


GOLDEN, FIRST, SECOND = (signed(n) for n in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))


def shifted(z: Tensor, by: int) -> Tensor:
    """The bits moved right, with zeros from the left."""
    return (z >> by) & ((1 << (64 - by)) - 1)


def stream(key: Tensor, n: Tensor | int) -> Tensor:
    """The key of the n-th stream under a key."""
    z = key + ((n + 1) * GOLDEN if isinstance(n, Tensor) else signed((n + 1) * GOLDEN))
    z = (z ^ shifted(z, 30)) * FIRST
    z = (z ^ shifted(z, 27)) * SECOND
    return z ^ shifted(z, 31)


def turns(seeds: Tensor, stored: Tensor, n: int) -> Tensor:
    """Units in the order in which they win ties, (B, H, T, n), where ``stored``, (B, T), items are stored already."""
    tie = stream(stream(seeds, TIES)[None, :, None], stored[:, None])
    return turns_of(tie, n)


def turns_of(tie: Tensor, n: int) -> Tensor:
    """Units in the order in which they win this tie, (…, n)."""
    turn = shifted(stream(tie[..., None], torch.arange(n, device=tie.device)), 11)
    return turn.argsort(dim=-1, descending=True)


@torch.library.custom_op("slotfree::units_of_keys", mutates_args=())
def units_of_keys(k: Tensor, seeds: Tensor, n: int, n_winners: int) -> Tensor:
    """The random units that each key has, (B, H, T, n_winners): equal keys the same. Found on the CPU, in double."""
    from slotfree.kernels.attention.distributed_context import draw_units
    from slotfree.kernels.attention.key_value import stream_of

    rows = k.detach().double().cpu().numpy() + 0.0  # −0 is 0
    units = np.empty((*k.shape[:3], n_winners), np.int64)
    for b, h, t in np.ndindex(*k.shape[:3]):
        code = stream_of(np.uint64(int(seeds[h]) % 2**64), np.ascontiguousarray(rows[b, h, t]).view(np.uint64))
        draw_units(np.uint64(code), n, units[b, h, t])
    return torch.from_numpy(units).to(k.device)


@units_of_keys.register_fake
def _(k: Tensor, seeds: Tensor, n: int, n_winners: int) -> Tensor:
    return seeds.new_empty(*k.shape[:3], n_winners)
