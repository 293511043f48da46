"""Plain twins: the same mathematics, dense and slow, so that nobody has to wonder whether it is right."""

import numpy as np


def turn(inputs, unit):
    """Where a unit stands in a tie, in a layer with these active inputs: largest first."""
    code = 0xCBF29CE484222325
    for j in inputs:
        code = (code ^ int(j)) * 0x100000001B3 % 2**64
    return mixed_bits(code, unit)


def mixed_bits(code, unit):
    """A random number of 53 bits that follows from a code and a unit (SplitMix64)."""
    mixed = (code + (int(unit) + 1) * 0x9E3779B97F4A7C15) % 2**64
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB % 2**64
    return (mixed ^ (mixed >> 31)) >> 11


def k_winners(drive, k, inputs):
    """The k units with the largest drive, ascending; ties by turn."""
    best_first = np.argsort(-np.asarray(drive), kind="stable")
    threshold = drive[best_first[k - 1]]
    above = np.flatnonzero(drive > threshold)
    tied = np.flatnonzero(drive == threshold)
    if len(above) + len(tied) > k:
        tied = sorted(tied, key=lambda unit: -turn(inputs, unit))[: k - len(above)]
    return np.sort(np.concatenate([above, tied]).astype(int))


def random_winners(key, n_stored, n_units, k):
    """The k units that store pattern number n_stored at random, ascending: those with the largest random numbers."""
    code = mixed_bits(int(key), n_stored)
    numbers = np.array([mixed_bits(code, unit) for unit in range(n_units)], float)
    return k_winners(numbers, k, [])


class DenseTwin:
    """A K-winner MHN with whole matrices, one pattern at a time."""

    def __init__(self, memory):
        self.settings = memory.settings
        self.F = memory.mask.copy()
        self.W = memory.weights.copy()
        self.W_return = memory.return_weights.copy()
        self.key = memory.arrays().get("key")
        self.n_stored = memory.n_stored

    def winners(self, x):
        active = np.flatnonzero(x)
        h = np.zeros(self.settings.n_hidden)
        for j in active:
            h += self.W[:, j]
        return k_winners(h, self.settings.k_hidden, active)

    def storing_winners(self, x):
        if self.settings.storing == "best":
            return self.winners(x)
        return random_winners(self.key[0], self.n_stored, self.settings.n_hidden, self.settings.k_hidden)

    def store(self, x):
        z = self.storing_winners(x)
        self.n_stored += 1
        eps, x = np.float32(self.settings.learning_rate), np.asarray(x, np.float32)
        for i in z:
            connected = self.F[i]
            self.W[i, connected] += eps * (x[connected] - self.W[i, connected])
            self.W_return[connected, i] += eps * (x[connected] - self.W_return[connected, i])
        return z

    def retrieve(self, x):
        z = self.winners(x)
        v = np.zeros(self.settings.n_visible)
        for i in z:
            v += self.W_return[:, i]
        out = np.zeros(self.settings.n_visible, np.uint8)
        out[k_winners(v, self.settings.k_visible, z)] = 1
        return out
