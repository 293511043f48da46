"""Plain twin of the stacked K-winner memory: dense matrices, one pattern at a time."""

import numpy as np
import twin


class DenseLayer:
    """A code layer with a whole matrix."""

    def __init__(self, layer):
        self.settings, self.k_inputs = layer.settings, layer.k_inputs
        self.F = np.zeros((layer.settings.n_units, layer.n_inputs), bool)
        np.put_along_axis(self.F, layer.connections.astype(int), True, axis=1)
        self.W = np.zeros(self.F.shape, np.float32)
        np.put_along_axis(self.W, layer.connections.astype(int), layer.weights, axis=1)

    def encode(self, x):
        active = np.flatnonzero(x)
        h = np.zeros(len(self.W))
        for j in active:
            h += self.W[:, j]
        code = np.zeros(len(self.W), np.uint8)
        if self.settings.threshold is None:
            code[twin.k_winners(h, self.settings.k_units, active)] = 1
        else:
            code[h >= self.settings.threshold] = 1
        return code

    def decode(self, z):
        active = np.flatnonzero(z)
        v = np.zeros(self.W.shape[1])
        for i in active:
            v += self.W[i]
        x = np.zeros(self.W.shape[1], np.uint8)
        x[twin.k_winners(v, self.k_inputs, active)] = 1
        return x

    def learn(self, x, rate, rule):
        z = self.encode(x)
        restored = self.decode(z)
        z_restored = self.encode(restored) if rule == "contrastive" else z
        self.add(z, x, np.float32(rate))
        self.add(z_restored, restored, -np.float32(rate))

    def add(self, z, x, amount):
        where = self.F & np.outer(z, x).astype(bool)
        self.W[where] = np.maximum(self.W[where] + amount, np.float32(0))


class DenseStack:
    """The whole stack."""

    def __init__(self, stack):
        self.settings = stack.settings
        self.layers = [DenseLayer(layer) for layer in stack.layers]
        self.memory = twin.DenseTwin(stack.memory)

    def encode(self, x):
        for layer in self.layers:
            x = layer.encode(x)
        return x

    def store(self, x):
        if self.settings.slow_rate:
            below = x
            for layer in self.layers:
                layer.learn(below, self.settings.slow_rate, self.settings.slow_rule)
                below = layer.encode(below)
        self.memory.store(self.encode(x))

    def retrieve(self, x):
        x = self.memory.retrieve(self.encode(x))
        for layer in reversed(self.layers):
            x = layer.decode(x)
        return x
