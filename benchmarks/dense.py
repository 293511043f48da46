"""Dense NumPy versions of the K-winner MHN, to measure against: a good one and a straightforward one.

Both start from the connections and weights of a slotfree memory; ``check_rivals`` sees to it that they recall the same.
"""

import numpy as np


class GoodDense:
    """What a careful person writes: float32, matrix products, argpartition, only the winners' rows updated."""

    def __init__(self, memory):
        self.settings = memory.settings
        self.F = memory.mask.astype(np.float32)
        self.W = memory.weights.copy()
        self.W_return = memory.return_weights.T.copy()

    def store(self, patterns):
        k, eps = self.settings.k_hidden, np.float32(self.settings.learning_rate)
        for x in patterns.astype(np.float32):
            z = np.argpartition(self.W @ x, -k)[-k:]
            connected = self.F[z]
            self.W[z] += eps * (x - self.W[z]) * connected
            self.W_return[z] += eps * (x - self.W_return[z]) * connected

    def retrieve(self, cues):
        """All cues at once, so that both products run at the speed of BLAS."""
        z = self._winners(cues.astype(np.float32) @ self.W.T, self.settings.k_hidden, np.float32)
        return self._winners(z @ self.W_return, self.settings.k_visible, np.uint8)

    @staticmethod
    def _winners(drives, k, dtype):
        out = np.zeros(drives.shape, dtype)
        np.put_along_axis(out, np.argpartition(drives, -k, axis=1)[:, -k:], 1, axis=1)
        return out


class PlainDense:
    """The equations as they are printed: float64, whole-matrix products, argsort, masked updates."""

    def __init__(self, memory):
        self.settings = memory.settings
        self.F = memory.mask.astype(float)
        self.W = memory.weights.astype(float)
        self.W_return = memory.return_weights.astype(float)

    def store(self, patterns):
        eps = self.settings.learning_rate
        for x in patterns.astype(float):
            z = self._winners(self.W @ x, self.settings.k_hidden)
            self.W += eps * (x[None, :] - self.W) * z[:, None] * self.F
            self.W_return += eps * (x[:, None] - self.W_return) * z[None, :] * self.F.T

    def retrieve(self, cues):
        recalled = []
        for x in cues.astype(float):
            z = self._winners(self.W @ x, self.settings.k_hidden)
            recalled.append(self._winners(self.W_return @ z, self.settings.k_visible))
        return np.array(recalled, np.uint8)

    @staticmethod
    def _winners(drive, k):
        out = np.zeros(len(drive))
        out[np.argsort(drive)[-k:]] = 1
        return out
