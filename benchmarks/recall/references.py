"""Memories beside each other: a write for each item, reads at the end, and states that are counted in the same way.

All have queries, keys and values by projections of their own. Keys and queries have length 1, and where there is a
softmax its β is 16; linear attention has its feature map instead. ``floats`` is the size of a state for one sequence,
``touched`` how many of its numbers one write changes.
"""

from math import floor

import torch
from tasks import SIZE, WIDTH
from torch import nn
from torch.nn.functional import elu, normalize

import slotfree as sf
from slotfree.torch.attention import Memory, attend, recall
from slotfree.torch.layer import SlotFreeAttention
from slotfree.torch.rule import rule_of
from slotfree.torch.wiring import connected, start_keys

KEY, VALUE, BETA = 16, SIZE, 16.0


class Projected(nn.Module):
    """What all have: q, k and v."""

    def __init__(self, key_dim=KEY):
        super().__init__()
        self.W_Q, self.W_K = (nn.Linear(WIDTH, key_dim, bias=False) for _ in range(2))
        self.W_V = nn.Linear(WIDTH, VALUE, bias=False)

    def pair(self, x):
        return normalize(self.W_K(x), dim=-1), self.W_V(x)

    def query(self, x):
        return normalize(self.W_Q(x), dim=-1)


class Softmax(Projected):
    """A slot for each item: what a state grows to."""

    floats = touched = float("nan")

    def write(self, x):
        return self.pair(x)

    def read(self, x, state):
        k, v = state
        return (BETA * self.query(x) @ k.mT).softmax(2) @ v


class Hopfield(Projected):
    """A modern Hopfield layer over the last n items: the query moves to what it retrieves, then reads."""

    def __init__(self, floats, steps=1):
        super().__init__()
        self.n, self.steps = floor(floats / (KEY + VALUE)), steps
        self.floats, self.touched = self.n * (KEY + VALUE), KEY + VALUE

    def write(self, x):
        return tuple(part[:, -self.n :] for part in self.pair(x))

    def read(self, x, state):
        (k, v), q = state, self.query(x)
        for _ in range(self.steps):
            q = (BETA * q @ k.mT).softmax(2) @ k
        return (BETA * q @ k.mT).softmax(2) @ v


class Linear(Projected):
    """S += φ(k) vᵀ, z += φ(k), φ = elu + 1; a read is Sᵀφ(q) / zᵀφ(q)."""

    def __init__(self, floats):
        self.n = floor(floats / (VALUE + 1))
        super().__init__(self.n)
        self.floats = self.touched = self.n * (VALUE + 1)

    def write(self, x):
        k = elu(self.W_K(x)) + 1
        return k.mT @ self.W_V(x), k.sum(1)

    def read(self, x, state):
        q = elu(self.W_Q(x)) + 1
        return q @ state[0] / (q * state[1][:, None]).sum(2, keepdim=True)


class Delta(Projected):
    """S ← α S + b k (v − α Sᵀk)ᵀ, b = σ(W_b x); α = σ(W_α x) if gated, else 1."""

    def __init__(self, floats, gated=False):
        super().__init__(floor(floats / VALUE))
        self.gate, self.decay = nn.Linear(WIDTH, 1), nn.Linear(WIDTH, 1) if gated else None
        if gated:
            nn.init.constant_(self.decay.bias, 4.0)
        self.floats = self.touched = floor(floats / VALUE) * VALUE

    def write(self, x):
        (k, v), b = self.pair(x), self.gate(x).sigmoid()
        S = x.new_zeros(len(x), k.shape[2], VALUE)
        for t in range(x.shape[1]):
            if self.decay is not None:
                S = S * self.decay(x[:, t]).sigmoid()[..., None]
            S = S + k[:, t, :, None] * (b[:, t] * (v[:, t] - (k[:, t, None] @ S)[:, 0]))[:, None]
        return S

    def read(self, x, state):
        return self.query(x) @ state


class Raven(Projected):
    """n fixed slots: a learnt router chooses K of them, each moves towards the pair by η times its weight."""

    def __init__(self, floats, K=2):
        super().__init__()
        self.n, self.K = floor(floats / (KEY + VALUE)), K
        self.router, self.step = nn.Linear(WIDTH, self.n), nn.Parameter(torch.zeros(()))
        self.floats, self.touched = self.n * (KEY + VALUE), K * (KEY + VALUE)

    def write(self, x):
        pair, scores = torch.cat(self.pair(x), 2), self.router(x).sigmoid()
        top = scores.topk(self.K, dim=2).indices
        moves = self.step.sigmoid() * torch.zeros_like(scores).scatter(2, top, scores.gather(2, top))
        slots = x.new_zeros(len(x), self.n, KEY + VALUE)
        for t in range(x.shape[1]):
            slots = slots + moves[:, t, :, None] * (pair[:, t, None] - slots)
        return slots

    def read(self, x, state):
        k, v = state.split([KEY, VALUE], 2)
        return (BETA * self.query(x) @ k.mT).softmax(2) @ v


class SlotFree(Projected):
    """Ours, by address rule, k, f and ε; ``crowding`` is the weight of a loss that spreads items over units."""

    def __init__(self, floats, address="oldest", k=1, fan_in=1.0, rate=1.0, select="hard", crowding=0.0):
        super().__init__()
        storage = sf.Winners(k=k, fan_in=fan_in, rate=rate, address=address, beta=BETA / (fan_in * rate))
        one = rule_of(storage, k, KEY)
        each = round(one.f * KEY) + VALUE + 1 + (address == "oldest")
        n = floor(floats / each)
        number = [int(torch.randint(2**62, ()))]
        self.register_buffer("connections", connected(storage, number, n, KEY) if fan_in < 1 else None)
        self.register_buffer("first_keys", start_keys(number, n, KEY).float() if address == "start" else None)
        rule = rule_of(storage, n, KEY)
        self.memory = Memory(rule, n, self.connections, self.first_keys, torch.tensor(number), select)
        self.floats, self.touched, self.crowding, self.extra = n * each, k * each, crowding, 0.0

    def write(self, x):
        k, v = (part[:, :, None] for part in self.pair(x))
        _, state, info = attend(None, k, v, None, self.memory, with_info=self.crowding > 0)
        self.extra = self.crowding * info.crowding.mean() if info is not None else 0.0
        return state

    def read(self, x, state):
        return recall(self.query(x)[:, :, None], state, self.memory)[:, :, 0]


class Local(nn.Module):
    """Ours, by the paper's local rules: W_IH is a part of the state."""

    def __init__(self, floats):
        super().__init__()
        storage = sf.Winners(k=1, fan_in=1.0, address="oldest", beta=BETA / 2)  # keys begin with a squared length of 2
        numbers = KEY + VALUE + WIDTH + 2
        n = floor(floats / numbers)
        self.layer = SlotFreeAttention(WIDTH, n, KEY, VALUE, storage=storage, local=True, project_out=False)
        for each in (self.layer.q_proj, self.layer.k_proj):
            nn.init.normal_(each.weight, std=KEY**-0.5)
        self.floats, self.touched = n * numbers, numbers

    def write(self, x):
        return self.layer.write(x, None)

    def read(self, x, state):
        return self.layer.read(x, state)


MODELS = {
    "softmax (grows)": lambda floats: Softmax(),
    "Hopfield, last n": Hopfield,
    "linear": Linear,
    "delta": Delta,
    "gated delta": lambda floats: Delta(floats, gated=True),
    "Raven's store": Raven,
    "slot-free, oldest": SlotFree,
    "slot-free, oldest, k=2": lambda floats: SlotFree(floats, k=2),
    "slot-free, oldest, k=2, f=1/2": lambda floats: SlotFree(floats, k=2, fan_in=0.5),
    "slot-free, oldest, ε=1/2": lambda floats: SlotFree(floats, rate=0.5),
    "slot-free, key": lambda floats: SlotFree(floats, address="key"),
    "slot-free, start (the paper's)": lambda floats: SlotFree(floats, address="start"),
    "slot-free, start, crowding": lambda floats: SlotFree(floats, address="start", crowding=0.1),
    "slot-free, start, straight-through": lambda floats: SlotFree(floats, address="start", select="straight-through"),
    "slot-free, oldest, local": Local,
}
