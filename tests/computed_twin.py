"""The plain twin of a K-winner MHN with computed connections: integers, one by one, from its key alone."""

from math import gcd

import numpy as np
from twin import k_winners, mixed_bits

ORDERS, CONNECTIONS, SHARES, FORWARD, BACK, ROUNDING, WINNERS = range(7)


def stream(key, n):
    """The key of the n-th stream under a key (SplitMix64)."""
    z = (key + (n + 1) * 0x9E3779B97F4A7C15) % 2**64
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
    return z ^ (z >> 31)


def bits_of(key, n):
    """The n-th 32 bits of a stream."""
    x = (n * 0x9E3779B9 + key) % 2**32
    x = ((x ^ (x >> 16)) * 0x7FEB352D % 2**32) ^ (key >> 32)
    x = (x ^ (x >> 15)) * 0x846CA68B % 2**32
    return x ^ (x >> 16)


def permuted(p, first, second, size):
    """π(p) of the permutation of so many numbers, a power of two, with these random bits."""
    rounds = [((bits % 2**16) | 1, (bits >> 16) % 2**16) for bits in (first, first >> 32, second)]
    for a, c in rounds[:2]:
        p = (a * p + c) % size
        p ^= p >> 3
    a, c = rounds[2]
    return (a * p + c) % size


def order_of(code, n_visible):
    """A block's order of the visible units: steps of a random length around all of them."""
    begin, step = (code >> 32) * n_visible >> 32, (stream(code, 0) >> 32) * n_visible >> 32
    while gcd(step, n_visible) > 1:
        step = (step + 1) % n_visible
    return [(begin + rank * step) % n_visible for rank in range(n_visible)]


def blocks_of(n_hidden, largest):
    """The first unit and the size of each block: as many of the largest as fit, then smaller powers of two."""
    found, at = [], 0
    largest = min(largest, 1 << max(0, (n_hidden // 8).bit_length() - 1))
    while at < n_hidden:
        size = min(largest, 1 << ((n_hidden - at).bit_length() - 1))
        found.append((at, size))
        at += size
    return found


class ComputedTwin:
    """Everything follows from the settings, the key, and what is stored."""

    def __init__(self, settings, key, largest=4096):
        s = self.settings = settings
        self.key, self.n_stored = key, 0
        self.most = {"uint8": 255, "uint16": 65535}[s.weights]
        self.inputs = np.zeros((s.n_hidden, s.n_connections), int)
        self.W = np.zeros((s.n_hidden, s.n_connections), int)
        self.W_return = np.zeros((s.n_hidden, s.n_connections), int)
        self.place = np.zeros((s.n_hidden, s.n_connections), int)  # in a block's stratum
        for begin, size in blocks_of(s.n_hidden, largest):
            for q in range(s.n_connections):
                self._connect(begin, size, q)
        shift = 32 - self.most.bit_length()
        for i in range(s.n_hidden):
            code = stream(stream(key, BACK), i)
            self.W_return[i] = [bits_of(code, q) >> shift for q in range(s.n_connections)]

    def _connect(self, begin, size, q):
        s = self.settings
        low, high = q * s.n_visible // s.n_connections, (q + 1) * s.n_visible // s.n_connections
        code = stream(stream(self.key, CONNECTIONS), begin)
        first, second = stream(code, 2 * q), stream(code, 2 * q + 1)
        shares = stream(stream(stream(self.key, SHARES), begin), q)
        ranks = sorted(low + (bits_of(shares, p) * (high - low) >> 32) for p in range(size))
        order = order_of(stream(stream(self.key, ORDERS), begin), s.n_visible)
        weights = stream(stream(stream(self.key, FORWARD), begin), q)
        for p in range(size):
            i = begin + permuted(p, first, second, size)
            self.inputs[i, q] = order[ranks[p]]
            self.W[i, q] = bits_of(weights, p) >> (32 - self.most.bit_length())
            self.place[i, q] = p

    def winners(self, x):
        return k_winners((self.W * x[self.inputs]).sum(axis=1), self.settings.k_hidden, np.flatnonzero(x))

    def storing_winners(self, x):
        s = self.settings
        if s.storing == "best":
            return self.winners(x)
        code = stream(stream(self.key, WINNERS), self.n_stored)
        return k_winners(np.array([mixed_bits(code, i) for i in range(s.n_hidden)]), s.k_hidden, [])

    def store(self, x):
        z = self.storing_winners(x)
        eps = round(self.settings.learning_rate * 2**32)
        for i in z:
            code = stream(stream(stream(self.key, ROUNDING), self.n_stored), int(i))
            rate = (eps + (stream(code, 0) >> 48)) >> 16
            for q, j in enumerate(self.inputs[i]):
                u = bits_of(code, q)
                for weights, noise in ((self.W, u % 2**16), (self.W_return, u >> 16)):
                    kept = (2**16 - rate) * int(weights[i, q])
                    weights[i, q] = (kept + rate * int(x[j]) * self.most + noise) >> 16
        self.n_stored += 1
        return z

    def retrieve(self, x):
        s, z = self.settings, self.winners(x)
        v = np.zeros(s.n_visible, int)
        np.add.at(v, self.inputs[z].ravel(), self.W_return[z].ravel())
        out = np.zeros(s.n_visible, np.uint8)
        out[k_winners(v, s.k_visible, z)] = 1
        return out
