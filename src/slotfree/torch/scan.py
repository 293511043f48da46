"""Straight-through addresses: one item after the other, with a graph through all of it.

Forward, winners are as ever. Backward, an address a_m, which is 1 in winners and else 0, has the gradient of

    softmax(h / (τ f ε |k|²)),

a share of the item for each unit. So where an item goes can be learnt, at the price of a graph through time.
"""

import torch
from torch import Tensor

from slotfree.torch.parallel import Fast, attention
from slotfree.torch.rule import Rule


def scan(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    winners: Tensor,
    fast: Fast,
    drive: Tensor | None,
    connections: Tensor | None,
    rule: Rule,
    temperature: Tensor,
) -> tuple[Tensor, Fast]:
    """Return what queries read, (B, H, T, V), and fast weights after the last item; winners are those of pass 1.

    ``temperature``, (B, H, T, 1), is τ f ε |k|².
    """
    W, V, g = fast
    n, outputs = g.shape[2], []
    seen = torch.ones_like(W[:1]) if connections is None else connections.to(W.dtype)
    for t in range(k.shape[2]):
        kt, vt = k[:, :, t, None], v[:, :, t, None]
        h = (W * kt).sum(3)
        if drive is not None:
            h = h + drive[:, :, t]
        stores = (winners[:, :, t] < n).any(2, keepdim=True)
        soft = (h / temperature[:, :, t]).softmax(2)
        won = torch.zeros_like(soft).scatter(2, winners[:, :, t].clamp(max=n - 1), 1.0)
        a = rule.rate * (won + soft - soft.detach()) * stores
        W = W + a[..., None] * (kt * seen - W)
        V = V + a[..., None] * (vt - V)
        g = g + a * (1 - g)
        s = attention((W * q[:, :, t, None]).sum(3), g, rule)
        outputs.append((s[..., None] * V).sum(2))
    return torch.stack(outputs, 2), Fast(W, V, g)
