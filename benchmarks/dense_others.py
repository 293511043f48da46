"""Dense NumPy versions of the baseline memories, to measure against: the equations as they are printed.

Each begins from the connections or addresses of a slotfree memory, so that both recall the same but for ties.
"""

import numpy as np


def winners(drives, k):
    out = np.zeros(drives.shape, np.uint8)
    np.put_along_axis(out, np.argpartition(drives, -k, axis=-1)[..., -k:], 1, axis=-1)
    return out


class DenseClassical:
    """The covariance rule on a whole matrix."""

    def __init__(self, memory):
        self.settings = memory.settings
        self.mask = memory.mask.astype(float)
        self.W = np.zeros(self.mask.shape)

    def store(self, patterns):
        s = self.settings.k_visible / self.settings.n_visible
        for x in patterns - s:
            self.W = (1 - self.settings.decay) * self.W + np.outer(x, x) * self.mask

    def retrieve(self, cues):
        """All cues at once, so that the product runs at the speed of BLAS."""
        return winners(cues.astype(float) @ self.W.T, self.settings.k_visible)


class DenseWillshaw:
    """Binary weights in a whole matrix."""

    def __init__(self, memory):
        self.settings = memory.settings
        n = memory.settings.n_visible
        self.mask = np.zeros((n, n), bool)
        self.mask[memory._net.targets, np.repeat(np.arange(n), np.diff(memory._net.start))] = True
        self.W = np.zeros((n, n), bool)

    def store(self, patterns):
        for x in patterns.astype(bool):
            self.W |= np.outer(x, x) & self.mask

    def retrieve(self, cues):
        x = cues.astype(float)
        silent, speaking = x @ (self.mask & ~self.W).T.astype(float), x @ self.W.T.astype(float)
        return winners(speaking - (self.settings.n_visible + 1) * silent, self.settings.k_visible)


class DenseSparseDistributed:
    """Distances to all addresses by a product, and whole rows of counters."""

    def __init__(self, memory):
        self.settings = memory.settings
        self.addresses = memory.addresses.astype(float)
        self.counters = np.zeros(self.addresses.shape)

    def store(self, patterns):
        for x in patterns.astype(float):
            self.counters *= 1 - self.settings.decay
            active = winners(self.addresses @ x, self.settings.k_locations).astype(bool)
            self.counters[active] += 2 * x - 1

    def retrieve(self, cues):
        active = winners(cues.astype(float) @ self.addresses.T, self.settings.k_locations)
        return winners(active.astype(float) @ self.counters, self.settings.k_visible)
