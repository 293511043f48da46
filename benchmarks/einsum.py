"""Batched NumPy versions of a training step, to measure against: a good one and a straightforward one.

Every array has the batch in front, and no loop runs over sequences. Both start from slow weights as kernels keep them,
Q (D, N), K (D, N) and V (2, D); fast weights have a row for each hidden unit: HK (B, n_h, N), VH (B, n_h, 2) and IH
(B, n_h, D). ``check_rivals`` sees to it that their gradients are those of slotfree.
"""

from typing import NamedTuple

import numpy as np


class Outcome(NamedTuple):
    """Gradients summed over a batch, in the layout of the slow weights, and its mean accuracy and loss."""

    Q: np.ndarray
    K: np.ndarray | float
    V: np.ndarray
    accuracy: float
    loss: float


class Rival:
    """What all versions share: random sequences and fast weights, the score, and the descent."""

    def __init__(self, model, task, slow, rates, batch_size=64, seed=0):
        self.model, self.task, self.rates, self.batch_size = model, task, rates, batch_size
        self.Q, self.K, self.V = (W.copy() for W in slow)
        self.rng = np.random.default_rng(seed)
        self.one_hot, self.targets = np.eye(task.n_tokens), np.eye(2)

    def draw_sequences(self, steps):
        """Context (steps, B, C), query and target (steps, B), for many steps at once."""
        L, C, shape = self.task.n_letters, self.task.context_length, (steps, self.batch_size)
        letters = self.rng.permuted(np.broadcast_to(np.arange(L), (*shape, L)), axis=2)[:, :, :C]
        context = letters + L * self.rng.integers(0, 2, (*shape, C))
        place = self.rng.integers(0, C, (*shape, 1))
        asked = np.take_along_axis(context, place, axis=2)[:, :, 0]
        return context, asked % L + 2 * L, asked // L

    def draw_fast_weights(self):
        """HK, VH and IH of a batch; none for the transformer."""
        if not hasattr(self.model, "key_rule"):
            return ()
        shape = (self.batch_size, self.model.units)
        if self.model.input_projections:
            HK = np.zeros((*shape, self.model.key_dim))
        else:
            HK = self.rng.random((*shape, self.model.key_dim))
            HK *= 0.5
        return HK, self.rng.random((*shape, 2)), self.rng.random((*shape, self.task.n_tokens))

    def train(self, steps):
        for context, query, target in zip(*self.draw_sequences(steps), strict=True):
            outcome = self.gradients(context, query, target, *self.draw_fast_weights())
            if not np.isfinite(outcome.loss):
                raise FloatingPointError("the rival diverged")
            for W, gradient, rate in zip((self.Q, self.K, self.V), outcome[:3], self.rates, strict=True):
                W -= rate * gradient

    @staticmethod
    def score(output, y, target):
        accuracy = np.count_nonzero((output[:, 1] > output[:, 0]) == target) / len(target)
        error = (output - y).ravel()
        return accuracy, error @ error / len(target)


class Slots(Rival):
    """The transformer: β of the output, and of the gradients, which is another one as the paper's numbers have it."""

    def __init__(self, model, *arguments):
        super().__init__(model, *arguments)
        self.beta = model.inverse_temperature
        self.gradient_beta = 1.0 if model.gradients == "published" else self.beta


class GoodBaseline(Slots):
    """What a careful person writes: matmul, up to twice as fast as einsum here, and tokens that pick rows."""

    def gradients(self, context, query, target):
        keys, values = self.K.take(context, axis=0), self.V.T.take(context, axis=0)
        q, y = self.Q.take(query, axis=0), self.targets.take(target, axis=0)
        h = product(keys, q)
        s = softmax(self.beta * h)
        output = y_hat = transposed_product(values, s)
        if self.gradient_beta != self.beta:
            s = softmax(self.gradient_beta * h)
            y_hat = transposed_product(values, s)
        error = output - y
        c = 2 * self.gradient_beta * credit(s, product(values, error), y_hat, error)
        x = self.one_hot.take(context, axis=0)
        grad_Q = self.one_hot.take(query, axis=0).T @ transposed_product(keys, c)
        grad_K = transposed_product(x, c).T @ q
        grad_V = 2 * error.T @ transposed_product(x, s)
        return Outcome(grad_Q, grad_K, grad_V, *self.score(output, y, target))


class GoodSlotFree(Rival):
    """The same care: a winner's weights are replaced where they are, and nothing else is touched."""

    def gradients(self, context, query, target, HK, VH, IH):
        rows = np.arange(len(query))
        for token in context.T:
            k = self.K.take(token, axis=0)
            h = product(HK, k)
            if self.model.input_projections:
                h[rows, token] += 1
            m = h.argmax(axis=1)
            HK[rows, m] = k
            VH[rows, m] = self.V.T.take(token, axis=0)
            IH[rows, m] = self.one_hot.take(token, axis=0)
        q, y = self.Q.take(query, axis=0), self.targets.take(target, axis=0)
        s = softmax(product(HK, q))
        x = transposed_product(IH, s)
        y_hat, y_val = x @ self.V.T, transposed_product(VH, s)
        error = y_hat - y
        c = 2 * credit(s, product(IH, error @ self.V), y_hat, error)
        grad_Q = self.one_hot.take(query, axis=0).T @ transposed_product(HK, c)
        return Outcome(grad_Q, self.key_gradient(HK, VH, x, q, y), 2 * error.T @ x, *self.score(y_val, y, target))

    def key_gradient(self, HK, VH, x, q, y):
        if self.model.key_rule == "fixed":
            return 0.0
        k = x @ self.K
        if self.model.key_rule == "query-key":
            return 2 * x.T @ (k - q)
        s = softmax(product(HK, k))
        y_hat = transposed_product(VH, s)
        error = y_hat - y
        c = 2 * credit(s, product(VH, error), y_hat, error)
        return x.T @ transposed_product(HK, c)


class PlainBaseline(Slots):
    """The equations as they are printed: one-hot vectors, and einsum over the batch."""

    def gradients(self, context, query, target):
        x, x_q, y = self.one_hot[context], self.one_hot[query], self.targets[target]
        k, v = np.einsum("btd,dn->btn", x, self.K), np.einsum("btd,od->bto", x, self.V)
        q = np.einsum("bd,dn->bn", x_q, self.Q)
        h = np.einsum("btn,bn->bt", k, q)
        s = softmax(self.beta * h)
        output = y_hat = np.einsum("bto,bt->bo", v, s)
        if self.gradient_beta != self.beta:
            s = softmax(self.gradient_beta * h)
            y_hat = np.einsum("bto,bt->bo", v, s)
        error = output - y
        c = 2 * self.gradient_beta * s * np.einsum("bo,bto->bt", error, v - y_hat[:, None])
        grad_Q = np.einsum("bd,bn->dn", x_q, np.einsum("bt,btn->bn", c, k))
        grad_K = np.einsum("bd,bn->dn", np.einsum("bt,btd->bd", c, x), q)
        grad_V = 2 * np.einsum("bo,bd->od", error, np.einsum("bt,btd->bd", s, x))
        return Outcome(grad_Q, grad_K, grad_V, *self.score(output, y, target))


class PlainSlotFree(Rival):
    """The same plainness: W += a (… − W) with the one-hot a of the winner, over whole matrices."""

    def gradients(self, context, query, target, HK, VH, IH):
        units = np.eye(self.model.units)
        for token in context.T:
            x = self.one_hot[token]
            k, v = np.einsum("bd,dn->bn", x, self.K), np.einsum("bd,od->bo", x, self.V)
            h = np.einsum("bhn,bn->bh", HK, k)
            if self.model.input_projections:
                h += units[token]
            a = units[h.argmax(axis=1)][:, :, None]
            HK += a * (k[:, None] - HK)
            VH += a * (v[:, None] - VH)
            IH += a * (x[:, None] - IH)
        x_q, y = self.one_hot[query], self.targets[target]
        q = np.einsum("bd,dn->bn", x_q, self.Q)
        s = softmax(np.einsum("bhn,bn->bh", HK, q))
        x, y_val = np.einsum("bhd,bh->bd", IH, s), np.einsum("bho,bh->bo", VH, s)
        y_hat = np.einsum("od,bd->bo", self.V, x)
        error = y_hat - y
        c = 2 * s * np.einsum("bo,bho->bh", error, np.einsum("od,bhd->bho", self.V, IH) - y_hat[:, None])
        grad_Q = np.einsum("bd,bn->dn", x_q, np.einsum("bh,bhn->bn", c, HK))
        grad_V = 2 * np.einsum("bo,bd->od", error, x)
        return Outcome(grad_Q, self.key_gradient(HK, VH, x, q, y), grad_V, *self.score(y_val, y, target))

    def key_gradient(self, HK, VH, x, q, y):
        if self.model.key_rule == "fixed":
            return 0.0
        k = np.einsum("bd,dn->bn", x, self.K)
        if self.model.key_rule == "query-key":
            return 2 * np.einsum("bd,bn->dn", x, k - q)
        s = softmax(np.einsum("bhn,bn->bh", HK, k))
        y_hat = np.einsum("bho,bh->bo", VH, s)
        c = 2 * s * np.einsum("bo,bho->bh", y_hat - y, VH - y_hat[:, None])
        return np.einsum("bd,bn->dn", x, np.einsum("bh,bhn->bn", c, HK))


def product(W, x):
    """W x of each sequence."""
    return (W @ x[:, :, None])[:, :, 0]


def transposed_product(W, e):
    """Wᵀ e of each sequence."""
    return (e[:, None] @ W)[:, 0]


def credit(s, back, y_hat, error):
    """s_m eᵀ(o_m − ŷ), with the error e carried back to the units, oᵀ e."""
    return s * (back - (error * y_hat).sum(axis=1, keepdims=True))


def softmax(h):
    s = np.exp(h - h.max(axis=1, keepdims=True))
    s /= s.sum(axis=1, keepdims=True)
    return s
