"""Pass 1: who wins. No graph is kept, as winners are integers; everything that is differentiated comes in pass 2.

Which units win depends on what they hold, and so on all items before: one item after the other, all sequences and heads
at a time. With ε = 1 and f = 1 a unit holds one key, and so a number says what it holds; drives are then entries of one
matrix of products of keys. Else fast weights are changed as they are.

It is one operator for PyTorch, so that ``torch.compile`` leaves it as it is.
"""

from typing import Any

import torch
from torch import Tensor, nn


@torch.library.custom_op("slotfree::find_winners", mutates_args=())
def find_winners(
    k: Tensor,
    threshold: Tensor | None,
    drive: Tensor | None,
    turns: Tensor | None,
    valid: Tensor | None,
    keys: Tensor,
    written: Tensor,
    count: Tensor,
    connections: Tensor | None,
    n_winners: int,
    rate: float,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return the winners and what each of them held, (B, H, T, k), and W_HK and ``written`` after the last item.

    Parameters
    ----------
    k : (B, H, T, N).
    threshold : (B, H, T) γ ε f |k|², which a match exceeds; None if the largest drives win whatever they are.
    drive : (B, H, T, n) what is added to W_HK k, or None.
    turns : (B, H, T, n) units in the order in which they win ties; None: by number.
    valid : (B, T) False where nothing is stored: the winner is then n, and what it held −1; None: all are.
    keys, written : (B, H, n, N) W_HK, and (B, H, n) one more than the number of the last item, 0 for none.
    count : (B,) items stored so far.
    connections : (H, n, N) 1 where a unit sees a component, or None if each sees all.
    n_winners, rate : k and ε.
    """
    B, H, T, _ = k.shape
    n = keys.shape[2]
    valid = torch.ones(B, T, dtype=torch.bool, device=k.device) if valid is None else valid
    numbers = count[:, None] + valid.cumsum(1)  # (B, T) of items, from 1
    written = torch.cat([written, written.new_zeros(B, H, 1)], 2)  # the last is a unit for what is not stored
    holds = _Numbers(k, keys) if rate == 1 and connections is None else _Weights(k, keys, connections, rate)
    winners = written.new_empty(B, H, T, n_winners)
    held = torch.empty_like(winners)
    for t in range(T):
        h = holds.drives(t)
        if drive is not None:
            h = h + drive[:, :, t]
        if threshold is None:
            won = best(h, n_winners, None if turns is None else turns[:, :, t])[1]
        else:
            won = match_or_oldest(h, written[..., :n], threshold[:, :, t], n_winners)
        won = torch.where(valid[:, None, t, None], won, n)
        winners[:, :, t] = won
        held[:, :, t] = written.gather(2, won) - 1
        written.scatter_(2, won, numbers[:, None, t, None].expand_as(won))
        written[..., n] = 0
        holds.store(t, won)
    return winners, held, holds.keys(), written[..., :n].clone()


@find_winners.register_fake
def _(k: Tensor, *rest: Any) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    keys, written, n_winners = rest[4], rest[5], rest[8]
    winners = written.new_empty(*k.shape[:3], n_winners)
    return winners, torch.empty_like(winners), torch.empty_like(keys), torch.empty_like(written)


def best(h: Tensor, k: int, turns: Tensor | None) -> tuple[Tensor, Tensor]:
    """The k largest drives and their units, the first in ``turns`` of equal ones, or those with the lowest number."""
    if turns is not None:
        h = h.gather(-1, turns)
    if k == 1:
        found = h.argmax(-1, keepdim=True)  # the first of equal ones
        drives = h.gather(-1, found)
    else:
        ordered, units = h.sort(dim=-1, descending=True, stable=True)
        drives, found = ordered[..., :k], units[..., :k]
    return drives, found if turns is None else turns.gather(-1, found)


def match_or_oldest(h: Tensor, written: Tensor, threshold: Tensor, k: int) -> Tensor:
    """The k units that match best, if the mean of their drives exceeds the threshold; else the k oldest."""
    drives, matching = best(torch.where(written > 0, h, -torch.inf), k, None)
    if k == 1:
        return torch.where(
            drives > threshold[..., None], matching, written.argmin(-1, keepdim=True)
        )  # of equal, the first
    oldest = written.sort(dim=-1, stable=True).indices[..., :k]
    return torch.where(drives.mean(-1, keepdim=True) > threshold[..., None], matching, oldest)


class _Numbers:
    """Units that hold one key each: entry n + t is that of item t, entries before are those at the start."""

    def __init__(self, k: Tensor, keys: Tensor) -> None:
        self.all = torch.cat([keys, k], 2)
        self.products = k @ self.all.transpose(2, 3)
        self.n = keys.shape[2]
        self.held = torch.arange(self.n + 1, device=k.device).expand(*k.shape[:2], -1).clone()
        self.alike = first_alike(self.all)  # a product may round equal columns apart, and so decide ties

    def drives(self, t: int) -> Tensor:
        return self.products[:, :, t].gather(2, self.alike.gather(2, self.held[..., : self.n]))

    def store(self, t: int, winners: Tensor) -> None:
        self.held.scatter_(2, winners, self.n + t)

    def keys(self) -> Tensor:
        return self.all.gather(2, self.held[..., : self.n, None].expand(-1, -1, -1, self.all.shape[3]))


def first_alike(rows: Tensor) -> Tensor:
    """The first of the rows that equal each row, (B, H, m, N) → (B, H, m)."""
    _, kinds = rows.flatten(0, 2).unique(dim=0, return_inverse=True)
    ordered, order = kinds.view(rows.shape[:3]).sort(dim=2, stable=True)
    starts = nn.functional.pad(ordered[..., 1:] != ordered[..., :-1], (1, 0), value=True)
    place = torch.where(starts, torch.arange(rows.shape[2], device=rows.device), 0).cummax(2).values
    return torch.zeros_like(order).scatter(2, order, order.gather(2, place))


class _Weights:
    """Fast weights as they are: in the winners, W_HK ← (1 − ε) W_HK + ε k on the connections there are."""

    def __init__(self, k: Tensor, keys: Tensor, connections: Tensor | None, rate: float) -> None:
        self.k, self.n, self.rate = k, keys.shape[2], rate
        self.W = torch.cat([keys, keys.new_zeros(*keys.shape[:2], 1, keys.shape[3])], 2)
        self.seen = None
        if connections is not None:
            seen = torch.cat(
                [connections.to(k.dtype), connections.new_zeros(connections.shape[0], 1, keys.shape[3])], 1
            )
            self.seen = seen.expand(k.shape[0], -1, -1, -1)

    def drives(self, t: int) -> Tensor:
        return (self.W[:, :, : self.n] * self.k[:, :, t, None]).sum(3)  # equal bits for equal rows, unlike a product

    def store(self, t: int, winners: Tensor) -> None:
        rows = winners[..., None].expand(-1, -1, -1, self.W.shape[3])
        k = self.k[:, :, t, None]
        if self.seen is not None:
            k = k * self.seen.gather(2, rows)
        self.W.scatter_(2, rows, (1 - self.rate) * self.W.gather(2, rows) + self.rate * k)

    def keys(self) -> Tensor:
        return self.W[:, :, : self.n].clone()
