"""A plain twin in PyTorch: one sequence, one head, one item after the other, as the equations stand."""

import math

import numpy as np
import torch

from slotfree.kernels.arithmetic.uniform import stream
from slotfree.kernels.arithmetic.winners import turn
from slotfree.kernels.attention.distributed_context import TIES, draw_units
from slotfree.kernels.attention.key_value import stream_of


class PlainHead:
    """Fast weights of one sequence and one head."""

    def __init__(self, storage, n, N, V, *, seen=None, first_keys=None, seed=0):
        self.storage, self.n, self.seed = storage, n, seed
        self.seen = torch.ones(n, N, dtype=torch.float64) if seen is None else seen.double()
        self.f = float(self.seen[0].mean())
        self.beta = 1 / (self.f * storage.rate) if storage.beta is None else storage.beta
        self.W = torch.zeros(n, N, dtype=torch.float64) if first_keys is None else first_keys * self.seen
        self.V, self.g = torch.zeros(n, V, dtype=torch.float64), torch.zeros(n, dtype=torch.float64)
        self.written, self.stored = [0] * n, 0

    @property
    def gamma(self):
        if self.storage.projection_gain is not None:
            return self.storage.projection_gain
        if self.storage.address == "oldest":
            chance = math.sqrt(2 * math.log(self.n / self.storage.k) / float(self.seen[0].sum()))
            return 0.5 * (1 + min(0.9, chance))
        return 0.9 if self.storage.address == "key" and self.f == 1 else 3.0

    def winners(self, k, drive):
        k = k.detach()
        h = (self.W.detach() * k).sum(1)
        if self.storage.address == "oldest":
            known = [m for m in range(self.n) if self.written[m]]
            nearest = sorted(known, key=lambda m: (-float(h[m]), m))[: self.storage.k]
            match = float(h[nearest].mean()) if nearest else -math.inf
            if match > (1 + 1e-5) * self.gamma * self.f * self.storage.rate * float(k @ k):
                return nearest
            return sorted(range(self.n), key=lambda m: (self.written[m], m))[: self.storage.k]
        if self.storage.address == "key":
            units = np.empty(self.storage.k, np.int64)
            bits = np.ascontiguousarray(k.numpy() + 0.0).view(np.uint64)
            draw_units(np.uint64(stream_of(np.uint64(self.seed), bits)), self.n, units)
            drive = torch.zeros(self.n, dtype=torch.float64)
            drive[units] = self.gamma * self.f * float(k @ k)
        h = h if drive is None else h + drive.detach()
        tie = np.uint64(stream(np.uint64(stream(np.uint64(self.seed), TIES)), self.stored))
        return sorted(range(self.n), key=lambda m: (-float(h[m]), -turn(tie, m)))[: self.storage.k]

    def store(self, k, v, drive=None):
        won = self.winners(k, drive)
        self.stored += 1
        a = torch.zeros(self.n, dtype=torch.float64)
        a[won] = self.storage.rate
        self.W = (1 - a[:, None]) * self.W + a[:, None] * (k * self.seen)  # W += a (k − W), with equal bits for equals
        self.V = (1 - a[:, None]) * self.V + a[:, None] * v
        self.g = (1 - a) * self.g + a
        for m in won:
            self.written[m] = self.stored
        return won

    def read(self, q):
        h = self.beta * (self.W * q).sum(1)
        found = h.tolist()
        units = [m for m in range(self.n) if self.written[m] or not self.storage.normalise]
        if self.storage.reading == "winners":
            units = sorted(units, key=lambda m: (-found[m], -turn(np.uint64(0), m)))[: self.storage.k]
        if not units:
            return torch.zeros_like(self.V[0])
        s = torch.softmax(h[units], 0)
        return s @ self.V[units] / (s @ self.g[units] if self.storage.normalise else 1.0)


def plain_scan(q, k, v, storage, n, *, connections=None, drive=None, first_keys=None, mask=None, seeds=None):
    """Return y, (B, T, H, V), the heads, and the winners, all in sets."""
    B, T, H, N = k.shape
    y, heads, winners = torch.zeros(B, T, H, v.shape[3], dtype=torch.float64), [], []
    rows = []
    for b in range(B):
        for h in range(H):
            part = [None if each is None else each[h] for each in (connections, first_keys)]
            head = PlainHead(
                storage, n, N, v.shape[3], seen=part[0], first_keys=part[1], seed=h if seeds is None else seeds[h]
            )
            for t in range(T):
                if mask is not None and not mask[b, t]:
                    winners.append(set())
                    rows.append(torch.zeros_like(v[0, 0, 0]))
                    continue
                winners.append(set(head.store(k[b, t, h], v[b, t, h], None if drive is None else drive[b, t, h])))
                rows.append(head.read(q[b, t, h]))
            heads.append(head)
    y = torch.stack(rows).reshape(B, H, T, -1).transpose(1, 2)
    return y, heads, np.array(winners, object).reshape(B, H, T)
