"""Pass 2: what queries read, and what is left in fast weights, once it is known who won. All times at once.

A *part* is what one winner holds of an item: T items have S = T k parts, and part s is in the unit ``flat[s]``. What is
left of it at a time is ε (1 − ε)^(wins of its unit since), so drives and outputs are sums over parts. With ε = 1 a part
is there or evicted, and if what is read is divided by Z, reading is softmax attention over parts with a mask.
"""

from math import log1p
from typing import NamedTuple

import torch
from torch import Tensor, nn

from slotfree.torch.rule import Rule
from slotfree.torch.ties import turns_of
from slotfree.torch.winners import best


class Fast(NamedTuple):
    """Fast weights before the first item: W_HK (B, H, n, N), W_VH (B, H, n, V), g (B, H, n)."""

    keys: Tensor
    values: Tensor
    g: Tensor


class Parts(NamedTuple):
    """What is left of each part at each time.

    Attributes
    ----------
    flat : (B, H, S) the unit of each part; n for what is not stored.
    left : (B, H, T, S) what is left of it.
    first : (B, H, T, n) what is left of the weights before the first item.
    rest : 1 − first, exact where almost everything is left.
    """

    flat: Tensor
    left: Tensor
    first: Tensor
    rest: Tensor

    def to_units(self, parts: Tensor) -> Tensor:
        """Sum over the parts of each unit, (B, H, T, S) → (B, H, T, n)."""
        n = self.first.shape[3]
        room = parts.new_zeros(*parts.shape[:3], n + 1)
        return room.scatter_add(3, self.flat[:, :, None].expand_as(parts), parts)[..., :n]

    def of_units(self, units: Tensor) -> Tensor:
        """To each part what its unit has, (B, H, T, n) → (B, H, T, S)."""
        return nn.functional.pad(units, (0, 1)).gather(3, self.flat[:, :, None].expand_as(self.left))


def parts_of(winners: Tensor, n: int, rate: float, like: Tensor, before: bool = False) -> Parts:
    """What is left of each part after each item, or before it; winners are (B, H, T, k), n for none."""
    T, k = winners.shape[2:]
    won = like.new_zeros(*winners.shape[:3], n + 1).scatter_(3, winners, 1.0)
    wins = won.cumsum(2)
    now = wins - won if before else wins
    flat = winners.flatten(2)
    since = now.gather(3, flat[:, :, None].expand(-1, -1, T, -1)) - wins.gather(3, winners).flatten(2)[:, :, None]
    time = torch.arange(T, device=winners.device)
    stored = time[:, None] >= time.repeat_interleave(k) + before
    left = torch.where(stored & (flat < n)[:, :, None], rate * (1 - lost(since.clamp(min=0), rate)), 0.0)
    rest = lost(now[..., :n], rate)
    return Parts(flat, left, 1 - rest, rest)


def lost(wins: Tensor, rate: float) -> Tensor:
    """1 − (1 − ε)^wins, also where ε is less than single precision can take from 1."""
    return (wins > 0).to(wins.dtype) if rate == 1 else -torch.expm1(wins * log1p(-rate))


def part_keys(k: Tensor, flat: Tensor, connections: Tensor) -> Tensor:
    """What each part holds of a key, (B, H, S, N)."""
    B, _, T, N = k.shape
    seen = nn.functional.pad(connections.to(k.dtype), (0, 0, 0, 1)).expand(B, -1, -1, -1)
    held = seen.gather(2, flat[..., None].expand(-1, -1, -1, N))
    return k.repeat_interleave(flat.shape[2] // T, 2) * held


def drives(q: Tensor, k: Tensor, before: Tensor, parts: Parts, connections: Tensor | None) -> Tensor:
    """W_HK q of all units at all times, (B, H, T, n)."""
    if connections is None:
        scores = (q @ k.transpose(2, 3)).repeat_interleave(parts.flat.shape[2] // k.shape[2], 3)
    else:
        scores = q @ part_keys(k, parts.flat, connections).transpose(2, 3)
    return parts.first * (q @ before.transpose(2, 3)) + parts.to_units(parts.left * scores)


def attention(h: Tensor, g: Tensor, rule: Rule) -> Tensor:
    """s/Z with s = softmax(β h) over the units that hold something, Z = g·s; or s; 0 where nothing is stored."""
    live = g > 0 if rule.normalise else torch.ones_like(g, dtype=torch.bool)
    if rule.by_winners and h.shape[-1] > rule.k:
        ranked = torch.where(live, h, -torch.inf).detach().float()  # what differs by rounding in double is a tie
        turns = turns_of(torch.zeros((), dtype=torch.int64, device=h.device), h.shape[-1])
        nearest = best(ranked, rule.k, turns.expand_as(ranked))[1]
        live = live & torch.zeros_like(live).scatter(-1, nearest, True)
    some = live.any(-1, keepdim=True)
    h = torch.where(live | ~some, h, -torch.inf)
    s = (rule.beta * (h - h.detach().amax(-1, keepdim=True))).softmax(-1) * some  # however large β is
    if not rule.normalise:
        return s
    Z = (s * g).sum(-1, keepdim=True)
    return s / torch.where(some, Z, 1.0)


def read_units(q: Tensor, fast: Fast, rule: Rule) -> Tensor:
    """W_VH s/Z at queries to fast weights as they are."""
    h = q @ fast.keys.transpose(2, 3)
    return attention(h, fast.g[:, :, None].expand_as(h), rule) @ fast.values


def read_parts(
    q: Tensor, k: Tensor, fast: Fast, parts: Parts, connections: Tensor | None, rule: Rule
) -> tuple[Tensor, Tensor]:
    """What queries attend to: weights of W_VH before the first item, (B, H, T, n), and of each part, (B, H, T, S)."""
    h = drives(q, k, fast.keys, parts, connections)
    g = parts.first * fast.g[:, :, None] + parts.rest
    s = attention(h, g, rule)
    return s * parts.first, parts.of_units(s) * parts.left


def outputs(v: Tensor, before: Tensor, first: Tensor, parts: Tensor) -> Tensor:
    """The sum of values before the first item, (B, H, n, V), and of items, (B, H, T, V), by these weights."""
    return first @ before + parts.unflatten(3, (v.shape[2], -1)).sum(4) @ v


def evicted_at(flat: Tensor, T: int, n: int) -> Tensor:
    """When each part is evicted, (B, H, S): the next time its unit wins, T if never, 0 for what is not stored."""
    k = flat.shape[2] // T
    order = flat.argsort(dim=2, stable=True)  # by unit, then by time
    units = flat.gather(2, order)
    following = torch.where(units[..., 1:] == units[..., :-1], order[..., 1:] // k, T)
    following = nn.functional.pad(following, (0, 1), value=T)
    return torch.zeros_like(flat).scatter(2, order, torch.where(units < n, following, 0))


def read_softmax(
    q: Tensor, k: Tensor, v: Tensor, winners: Tensor, fast: Fast | None, connections: Tensor | None, rule: Rule, n: int
) -> Tensor:
    """Softmax attention over parts that are there: for ε = 1. ``fast`` is None if nothing was stored before."""
    T, copies = winners.shape[2:]
    flat = winners.flatten(2)
    time = torch.arange(T, device=q.device)
    there = (time[:, None] >= time.repeat_interleave(copies)) & (time[:, None] < evicted_at(flat, T, n)[:, :, None])
    some = there.any(3, keepdim=True)
    if connections is not None:
        keys, values = part_keys(k, flat, connections), v.repeat_interleave(copies, 2)
    else:
        keys, values = k, v
        if copies > 1:  # equal parts of an item are one, with the logarithm of their number added
            there = there.unflatten(3, (T, copies)).sum(4).to(q.dtype).log()
    if fast is not None:
        first = torch.full((*flat.shape[:2], n + 1), T, device=q.device)
        first = first.scatter_reduce(2, flat, time.repeat_interleave(copies).expand_as(flat), "amin")[..., :n]
        held = (time[:, None] < first[:, :, None]) & (fast.g > 0)[:, :, None]
        some = some | held.any(3, keepdim=True)
        held = held if there.dtype == torch.bool else held.to(q.dtype).log()
        there = torch.cat([held, there], 3)
        keys, values = torch.cat([fast.keys, keys], 2), torch.cat([fast.values, values], 2)
    there = there | ~some if there.dtype == torch.bool else torch.where(some, there, 0.0)
    q = rule.beta * q  # before, as gradients of an exponent that is rounded later may overflow
    return nn.functional.scaled_dot_product_attention(q, keys, values, attn_mask=there, scale=1.0) * some


def after_last(k: Tensor, v: Tensor, winners: Tensor, fast: Fast, connections: Tensor | None, rate: float) -> Fast:
    """Fast weights after the last item."""
    T, copies = winners.shape[2:]
    n = fast.g.shape[2]
    flat = winners.flatten(2)
    if rate == 1:
        time = torch.arange(T, device=k.device).repeat_interleave(copies).expand_as(flat)
        last = torch.full((*flat.shape[:2], n + 1), -1, device=k.device).scatter_reduce(2, flat, time, "amax")[..., :n]
        index = torch.where(last >= 0, n + last, torch.arange(n, device=k.device))
        keys = rows_of(torch.cat([fast.keys, k], 2), index)
        if connections is not None:
            keys = torch.where((last >= 0)[..., None], keys * connections, keys)
        return Fast(keys, rows_of(torch.cat([fast.values, v], 2), index), torch.where(last >= 0, 1.0, fast.g))
    parts = parts_of(winners, n, rate, k)
    left, first, rest = parts.left[:, :, -1], parts.first[:, :, -1], parts.rest[:, :, -1]
    held = k.repeat_interleave(copies, 2) if connections is None else part_keys(k, flat, connections)
    mixed = [
        first[..., None] * old + added_to_units(left[..., None] * new, flat, n)
        for old, new in ((fast.keys, held), (fast.values, v.repeat_interleave(copies, 2)))
    ]
    return Fast(mixed[0], mixed[1], first * fast.g + rest)


def rows_of(rows: Tensor, index: Tensor) -> Tensor:
    """Some rows, (B, H, m, D) at (B, H, n)."""
    return rows.gather(2, index[..., None].expand(-1, -1, -1, rows.shape[3]))


def added_to_units(parts: Tensor, flat: Tensor, n: int) -> Tensor:
    """Sum over the parts of each unit, (B, H, S, D) → (B, H, n, D)."""
    room = parts.new_zeros(*parts.shape[:2], n + 1, parts.shape[3])
    return room.scatter_add(2, flat[..., None].expand_as(parts), parts)[:, :, :n]
