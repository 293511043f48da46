"""Dense NumPy versions of the baseline memories, to measure against: the equations as they are printed.

Each begins from the connections or addresses of a slotfree memory, so that both recall the same but for ties.
"""

import numpy as np
from dense import GoodDense


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


class DenseStack:
    """A code layer and a K-winner MHN in whole float32 matrices, all patterns of a batch coded at once.

    Its codes differ from slotfree's in ties, of which counts have many; so what both recall agrees less.
    """

    def __init__(self, stack):
        (layer,) = stack.layers
        self.k_code, self.k_visible = layer.settings.k_units, layer.k_inputs
        self.F = np.zeros((layer.settings.n_units, layer.n_inputs), np.float32)
        np.put_along_axis(self.F, layer.connections.astype(int), 1, axis=1)
        self.memory = GoodDense(stack.memory)

    def encode(self, patterns):
        return winners(patterns.astype(np.float32) @ self.F.T, self.k_code)

    def store(self, patterns):
        self.memory.store(self.encode(patterns))

    def retrieve(self, cues):
        codes = self.memory.retrieve(self.encode(cues))
        return winners(codes.astype(np.float32) @ self.F, self.k_visible)
