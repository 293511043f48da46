"""Plain twins of the baseline memories: dense, one pattern at a time, with sums in the same order."""

import numpy as np
import twin


def recalled(drive, k, inputs):
    out = np.zeros(len(drive), np.uint8)
    out[twin.k_winners(drive, k, inputs)] = 1
    return out


class Increment:
    """What a pattern adds to decayed sums, all of which are too large by the same factor."""

    def __init__(self, decay):
        self.decay = decay
        self.value = 1.0

    def grow(self, *sums):
        """Let one pattern pass; bring the sums back in range if need be."""
        self.value /= 1 - self.decay
        if self.value > 2.0**100:
            factor = 1 / self.value
            for values in sums:
                values *= factor
                values[values < 2.0**-200] = 0
            self.value *= factor


class PlainClassical:
    """Covariances kept as decayed sums of products, as in the fast one, but dense."""

    def __init__(self, memory):
        self.settings = s = memory.settings
        self.mask = memory.mask
        self.C, self.r, self.t = np.zeros((s.n_visible, s.n_visible)), np.zeros(s.n_visible), np.zeros(1)
        self.increment = Increment(s.decay)

    def store(self, x):
        self.increment.grow(self.C, self.r, self.t)
        ones = np.flatnonzero(x)
        self.C[np.ix_(ones, ones)] += self.increment.value
        self.r[ones] += self.increment.value
        self.t += self.increment.value

    def retrieve(self, x):
        s = self.settings.k_visible / self.settings.n_visible
        for _ in range(self.settings.steps):
            active = np.flatnonzero(x)
            h = np.zeros(len(x))
            for j in active:
                to = self.mask[:, j]
                h[to] += (self.C[to, j] - s * self.r[to]) + s * (s * self.t[0] - self.r[j])
            x = recalled(h, self.settings.k_visible, active)
        return x


class PlainWillshaw:
    def __init__(self, memory):
        self.settings = memory.settings
        self.mask = np.zeros((memory.settings.n_visible, memory.settings.n_visible), bool)
        for j, (a, b) in enumerate(zip(memory._net.start, memory._net.start[1:], strict=False)):
            self.mask[memory._net.targets[a:b], j] = True
        self.W = np.zeros(self.mask.shape, int)

    def store(self, x):
        self.W |= np.outer(x, x) & self.mask

    def retrieve(self, x):
        active = np.flatnonzero(x)
        silent = (self.mask & (self.W == 0))[:, active].sum(axis=1)
        speaking = self.W[:, active].sum(axis=1)
        order = np.lexsort((speaking, -silent))  # worst first
        keys = list(zip(-silent, speaking, strict=True))
        ranks = {key: rank for rank, key in enumerate(dict.fromkeys(keys[i] for i in order))}
        return recalled(np.array([ranks[key] for key in keys]), self.settings.k_visible, active)


class PlainSparseDistributed:
    """Counters with ones and zeros both written; decay as it is printed, so equal but for rounding."""

    def __init__(self, memory):
        self.settings = s = memory.settings
        self.addresses = memory.addresses.astype(int)
        self.counters = np.zeros((s.n_locations, s.n_visible))

    def active(self, x):
        distance = (self.addresses != x).sum(axis=1)
        return twin.k_winners(-distance, self.settings.k_locations, np.flatnonzero(x))

    def store(self, x):
        self.counters *= 1 - self.settings.decay
        self.counters[self.active(x)] += 2.0 * x - 1

    def sums(self, x):
        return self.counters[self.active(x)].sum(axis=0)

    def retrieve(self, x):
        return recalled(self.sums(x), self.settings.k_visible, self.active(x))
