"""Plain twins of both transformers: one-hot vectors, whole matrices, and the equations of the paper as they stand.

Slow weights are a triple (W_Q, W_K, W_V), fast weights a triple (W_HK, W_VH, W_IH).
"""

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st
from own_task import ColourOfShape

import slotfree as sf
from slotfree.attention.key_rules import MHN_AS_PRINTED
from slotfree.attention.prediction import fast_key
from slotfree.attention.storages.one_winner import OneWinner
from slotfree.attention.weights import Weights
from slotfree.checks import generator
from slotfree.kernels.arithmetic.uniform import stream
from slotfree.kernels.arithmetic.winners import turn
from slotfree.kernels.attention.distributed_context import PROJECTIONS, TIES, draw_units
from slotfree.paper.shared.printed_values import AsPrinted


class Example(NamedTuple):
    """One sequence as vectors: the items of the context as columns (D, C), the query (D,), the target (n_outputs,)."""

    X: np.ndarray
    x_q: np.ndarray
    y: np.ndarray


def examples(task, sequences):
    """Every sequence as vectors."""
    return [Example(*vectors) for _, *vectors in numbered(task, sequences)]


def numbered(task, sequences, first=0):
    """Every query, with the number of its sequence and its vectors."""
    tokens, outputs = np.eye(task.n_tokens), np.eye(task.n_outputs)
    for n, items in enumerate(sequences.items):
        X = np.array([sum(tokens[t] for t in item) for item in items]).T
        for query, target in zip(sequences.queries[n], sequences.targets[n], strict=True):
            yield first + n, X, tokens[query], outputs[target]


def softmax(h):
    weights = np.exp(h - np.max(h))
    return weights / weights.sum()


def squared_error(y_hat, y):
    return float(np.sum((y_hat - y) ** 2))


def is_right(y_val, y):
    """Whether the answer is right; the first of equal outputs is the answer."""
    return float(np.argmax(y_val) == np.argmax(y))


class PlainSlotFree:
    """A slot-free transformer, one sequence at a time. ``start(n)`` gives the initial fast weights of sequence n."""

    def __init__(self, model, task, key):
        self.model, self.task = model, task
        self.start = model.engine(task, key).start
        self.W_HI = np.zeros((model.n_hidden, task.n_tokens))
        if model.input_projections and model.storage != "perfect":
            shown = task.n_item_tokens
            self.W_HI[:shown, :shown] = np.eye(shown)

    def store(self, slow, fast, X, n=0):
        """Return the fast weights after the context, and the unit that stored each item; n counts for others."""
        _, W_K, W_V = slow
        W_HK, W_VH, W_IH = (part.copy() for part in fast)
        winners = []
        for t, x in enumerate(X.T):
            k, v = W_K @ x, W_V @ x
            winner = t if self.model.storage == "perfect" else int(np.argmax(drives(W_HK, k) + self.W_HI @ x))
            W_HK[winner, :] = k
            if isinstance(self.model.storage, AsPrinted):
                W_VH += (np.eye(len(W_HK))[winner] - W_VH) * v[:, None]
            else:
                W_VH[:, winner] = v
            W_IH[:, winner] = x
            winners.append(winner)
        return (W_HK, W_VH, W_IH), winners

    @staticmethod
    def answer(slow, fast, x_q):
        """Return s, x̃, ŷ and ŷ_val."""
        W_Q, _, W_V = slow
        W_HK, W_VH, W_IH = fast
        s = softmax(W_HK @ W_Q @ x_q)
        x = W_IH @ s
        return s, x, W_V @ x, W_VH @ s

    def gradients(self, slow, fast, x_q, y):
        """The gradients of one sequence, by the equations of the SI, from the fast weights after the context."""
        W_Q, W_K, W_V = slow
        W_HK, W_VH, W_IH = fast
        s, x, y_hat, _ = self.answer(slow, fast, x_q)
        units = range(len(s))

        grad_V = 2 * np.outer(y_hat - y, x)
        delta_Q = sum(2 * (y_hat - y) @ (s[m] * (-y_hat + W_V @ W_IH[:, m])) * W_HK[m] for m in units)
        grad_Q = np.outer(delta_Q, x_q)
        if self.model.key_rule == "fixed":
            return grad_Q, np.zeros_like(W_K), grad_V
        if self.model.key_rule == "query-key":
            return grad_Q, 2 * np.outer(W_K @ x - W_Q @ x_q, x), grad_V
        s_K = softmax(W_HK @ W_K @ x)
        y_K = W_VH @ (softmax(W_HK @ W_Q @ x) if self.model.key_rule == MHN_AS_PRINTED else s_K)
        delta_K = sum(2 * (y_K - y) @ (s_K[m] * (-y_K + W_VH[:, m])) * W_HK[m] for m in units)
        return grad_Q, np.outer(delta_K, x), grad_V

    def batch(self, slow, sequences, first=0):
        """The summed gradients, the mean accuracy and the mean loss of a batch."""
        outcomes = []
        for n, X, x_q, y in numbered(self.task, sequences, first):
            fast, _ = self.store(slow, self.start(n), X, n)
            y_val = self.answer(slow, fast, x_q)[-1]
            outcomes.append((self.gradients(slow, fast, x_q, y), is_right(y_val, y), squared_error(y_val, y)))
        return summed(outcomes)


def drives(W, k):
    """W k, to the same bits for equal rows, so that units which tie do so here too."""
    return (W * k).sum(axis=1)


def hashed(key, *numbers):
    """The key of a stream below others."""
    for number in numbers:
        key = stream(np.uint64(key), int(number))
    return np.uint64(key)


def match_or_oldest(W_HK, when, k, storage, f):
    """The units that match a key best, or else all units, those written longest ago first."""
    n, N = W_HK.shape
    gain = storage.projection_gain
    if gain is None:
        gain = (1 + min(0.9, np.sqrt(2 * np.log(n / storage.k) / round(f * N)))) / 2
    h = np.where(when > 0, drives(W_HK, k), -np.inf)
    best = np.argsort(-h, kind="stable")[: storage.k]
    if h[best].mean() > (1 + 1e-5) * gain * f * storage.rate * (k @ k):  # by more than rounding
        return list(best)
    return list(np.argsort(when, kind="stable"))


class PlainContext(NamedTuple):
    """Fast weights of a distributed context as whole matrices, and how much each unit has stored."""

    W_HK: np.ndarray
    W_VH: np.ndarray
    W_IH: np.ndarray
    g: np.ndarray


class PlainWinners(PlainSlotFree):
    """A slot-free transformer with a distributed context. Connections are those of the model; all else is plain."""

    def __init__(self, model, task, key, wiring=0):
        self.model, self.task, self.key, self.storage = model, task, key, model.storage
        engine = model.engine(task, key, wiring)
        self.begin, self.projected = engine.start, engine.fast.projected.copy()
        self.sees, self.reaches = np.zeros((model.n_hidden, model.key_dim)), engine.fast.reaches.copy()
        np.put_along_axis(self.sees, engine.fast.inputs, 1, axis=1)
        self.f, self.f_out = self.sees.mean(), self.reaches[:, : task.n_item_tokens].mean()
        self.beta = 1 / (self.f * self.storage.rate) if self.storage.beta is None else self.storage.beta

    def start(self, n):
        return PlainContext(*self.begin(n), np.zeros(self.model.n_hidden))

    def projection(self, x, n):
        """P x: each token drives the units that it projects to."""
        drive = np.zeros(self.model.n_hidden)
        for token in np.flatnonzero(x):
            units = self.projected[token].copy()
            if self.storage.address == "redrawn":
                draw_units(hashed(self.key, n, PROJECTIONS, token), len(drive), units)
            drive[units[units >= 0]] += x[token]
        return drive

    def gain(self, k):
        """The drive of a projection."""
        gain = self.storage.projection_gain
        return (k @ k if gain is None else gain) * self.f

    def store(self, slow, fast, X, n=0):
        """Return the fast weights after the context of sequence n, and the units that stored each item."""
        _, W_K, W_V = slow
        W_HK, W_VH, W_IH, g = (part.copy() for part in fast)
        eps, winners, when = self.storage.rate, [], np.zeros(len(g), int)
        for t, x in enumerate(X.T):
            k, v = W_K @ x, W_V @ x
            if self.storage.address == "oldest":
                order = match_or_oldest(W_HK, when, k, self.storage, self.f)
            else:
                h = drives(W_HK, k) + self.gain(k) * self.projection(x, n)
                tie = hashed(self.key, n, TIES, t)
                order = sorted(range(len(h)), key=lambda m, h=h, tie=tie: (h[m], turn(tie, m)), reverse=True)
            for m in order[: self.storage.k]:
                when[m] = t + 1
                # W += ε (k − W), so written that units which stored the same tie to the bit
                W_HK[m] = ((1 - eps) * W_HK[m] + eps * k) * self.sees[m]
                W_VH[:, m] = (1 - eps) * W_VH[:, m] + eps * v
                W_IH[:, m] = ((1 - eps) * W_IH[:, m] + eps * x) * self.reaches[m]
                g[m] = (1 - eps) * g[m] + eps
            winners.append(order[: self.storage.k])
        return PlainContext(W_HK, W_VH, W_IH, g), winners

    def attend(self, fast, q):
        """s, and what the outputs are multiplied by: 1/Z; 0, if none of those attended has stored anything."""
        h = self.beta * drives(fast.W_HK, q)
        if self.storage.reading == "winners":
            used = (
                np.flatnonzero(fast.g > 0) if self.storage.normalise and self.storage.start == "zero" else range(len(h))
            )
            kept = sorted(used, key=lambda m: (h[m], turn(np.uint64(0), m)), reverse=True)[: self.storage.k]
            h[np.setdiff1d(np.arange(len(h)), kept)] = -np.inf
        s = softmax(h)
        Z = fast.g @ s if self.storage.normalise else 1.0
        return s, 1 / Z if Z > 0 else 0.0

    def answer(self, slow, fast, x_q):
        """Return s, x̃, ŷ and ŷ_val."""
        W_Q, _, W_V = slow
        s, scale = self.attend(fast, W_Q @ x_q)
        x = fast.W_IH @ s / self.f_out * scale
        return s, x, W_V @ x, fast.W_VH @ s * scale

    def read_by_key(self, W_K, fast, x):
        """ŷ_K = W_VH s_K/Z_K, with the key of the reinstated input."""
        s, scale = self.attend(fast, W_K @ x)
        return fast.W_VH @ s * scale

    def gradients(self, slow, fast, x_q, y):
        """The gradients of one query, unit by unit."""
        W_Q, W_K, W_V = slow
        _, x, y_hat, _ = self.answer(slow, fast, x_q)
        s, scale = self.attend(fast, W_Q @ x_q)
        g = fast.g if self.storage.normalise else np.ones_like(fast.g)
        units = range(len(s))
        c = [
            2 * self.beta * s[m] * scale * (y_hat - y) @ (W_V @ fast.W_IH[:, m] / self.f_out - g[m] * y_hat)
            for m in units
        ]
        grad_Q = np.outer(sum(c[m] * fast.W_HK[m] for m in units), x_q)
        grad_V = 2 * np.outer(y_hat - y, x)
        if self.model.key_rule == "fixed":
            return grad_Q, np.zeros_like(W_K), grad_V
        if self.model.key_rule == "query-key":
            return grad_Q, 2 * np.outer(W_K @ x - W_Q @ x_q, x), grad_V
        s, scale = self.attend(fast, W_K @ x)
        y_K = self.read_by_key(W_K, fast, x)
        c = [2 * self.beta * s[m] * scale * (y_K - y) @ (fast.W_VH[:, m] - g[m] * y_K) for m in units]
        return grad_Q, np.outer(sum(c[m] * fast.W_HK[m] for m in units), x), grad_V


class PlainBaseline:
    """The transformer, one sequence at a time; everything about its context is a column of X."""

    def __init__(self, model, task, key=0):
        self.task = task
        self.beta = 1 / np.sqrt(model.key_dim) if model.beta is None else model.beta
        self.gradient_beta = 1.0 if model.gradients == "published" else self.beta

    @staticmethod
    def answer(slow, X, x_q, beta):
        """Return s, x̃ and ŷ."""
        W_Q, W_K, W_V = slow
        s = softmax(beta * (x_q @ W_Q.T @ W_K @ X))
        x = X @ s
        return s, x, W_V @ x

    def gradients(self, slow, X, x_q, y):
        """The gradients of one sequence, by the equations of the SI; the error is that of the output."""
        W_Q, W_K, W_V = slow
        error = self.answer(slow, X, x_q, self.beta)[-1] - y
        beta = self.gradient_beta
        s, x, y_hat = self.answer(slow, X, x_q, beta)
        theta = [2 * beta * s[i] * error @ (-y_hat + W_V @ X[:, i]) for i in range(len(s))]
        grad_Q = sum(theta[i] * np.outer(W_K @ X[:, i], x_q) for i in range(len(s)))
        grad_K = sum(theta[i] * np.outer(W_Q @ x_q, X[:, i]) for i in range(len(s)))
        return grad_Q, grad_K, 2 * np.outer(error, x)

    def batch(self, slow, sequences, first=0):
        """The summed gradients, the mean accuracy and the mean loss of a batch."""
        outcomes = []
        for _, X, x_q, y in numbered(self.task, sequences):
            y_hat = self.answer(slow, X, x_q, self.beta)[-1]
            outcomes.append((self.gradients(slow, X, x_q, y), is_right(y_hat, y), squared_error(y_hat, y)))
        return summed(outcomes)


def summed(outcomes):
    gradients, right, loss = zip(*outcomes, strict=True)
    return [sum(parts) for parts in zip(*gradients, strict=True)], np.mean(right), np.mean(loss)


def plain(model, task, key, wiring=0):
    """The plain twin of a model."""
    if isinstance(model, sf.BaselineTransformer):
        return PlainBaseline(model, task, key)
    if isinstance(model.storage, sf.Winners):
        return PlainWinners(model, task, key, wiring)
    return PlainSlotFree(model, task, key)


def key_of(seed):
    """The key of the initial fast weights that a seed means in ``gradients`` and ``inspect``."""
    return fast_key(generator(seed, "fast weights"))


def triple(weights):
    return weights.W_Q, weights.W_K, weights.W_V


def random_weights(model, task, seed, scale=1.0):
    """Weights of every sign, larger than those before training."""
    rng = np.random.default_rng(seed)
    shape = (model.key_dim, task.n_tokens)
    W_Q, W_K, W_V = (scale * rng.normal(size=size) for size in (shape, shape, (task.n_outputs, task.n_tokens)))
    return Weights(W_Q, W_K, W_V, 0 if model.is_wired else None)


@st.composite
def tasks(draw, max_letters=5):
    n_letters = draw(st.integers(1, max_letters))
    return sf.CaseSequenceTask(n_letters, draw(st.integers(1, n_letters)))


@st.composite
def any_tasks(draw):
    """The Case Sequence Task, or one with other numbers of outputs, and of tokens in an item."""
    if draw(st.booleans()):
        return draw(tasks())
    n_shapes = draw(st.integers(1, 4))
    return ColourOfShape(n_shapes, draw(st.integers(1, 5)), draw(st.integers(1, n_shapes)))


@st.composite
def named_tasks(draw):
    """Tasks that say which query asks for which token, with one or several queries and tokens in an item."""
    if draw(st.booleans()):
        return draw(tasks())
    n_keys = draw(st.integers(1, 5))
    pairs = draw(st.integers(1, n_keys))
    return sf.AssociativeRecall(n_keys, draw(st.integers(1, 4)), pairs, n_queries=draw(st.integers(1, pairs)))


@st.composite
def slot_free_models(draw, task, rules=("fixed", "mhn", "query-key")):
    """Slot-free models of every kind that fit a task, with as few hidden units as it allows, or more."""
    storage = draw(st.sampled_from(["winner", "winner", OneWinner(initial_keys=0.4), "perfect"]))
    projections = draw(st.booleans())
    fewest = task.context_length if storage == "perfect" else task.n_item_tokens if projections else 1
    return sf.SlotFreeTransformer(
        key_rule=draw(st.sampled_from(rules)),
        input_projections=projections,
        key_dim=draw(st.integers(1, 12)),
        n_hidden=fewest + draw(st.integers(0, 9)),
        storage=storage,
    )


@st.composite
def storages(draw, **fixed):
    """Distributed storages of every kind, but none that divides random initial weights by a Z that may be near 0."""
    gain, start = draw(st.floats(0.5, 10)), draw(st.sampled_from(["zero", "zero", "random"]))
    return sf.Winners(
        **{
            "k": draw(st.integers(1, 5)),
            "fan_in": draw(st.sampled_from([0.1, 0.3, 0.5, 1.0])),
            "item_fan_out": draw(st.sampled_from([0.3, 0.6, 1.0])),
            "rate": draw(st.sampled_from([0.1, 0.3, 0.7, 1.0])),
            "normalise": start == "zero" and draw(st.booleans()),
            "projection_gain": draw(st.none() | st.just(gain)),
            "beta": draw(st.none() | st.floats(0.5, 5)),
            "reading": draw(st.sampled_from(["all", "all", "winners"])),
            "masks": draw(st.sampled_from(["own", "shared"])),
            "start": start,
            "address": draw(st.sampled_from([None, "token", "own", "letter", "redrawn", "start", "oldest", "oldest"])),
        }
        | fixed
    )


@st.composite
def distributed_models(draw, task, rules=("fixed", "mhn", "query-key"), **fixed):
    """Slot-free models with a distributed context that fit a task."""
    storage = draw(storages(**fixed))
    projections = storage.address in ("token", "own", "letter", "redrawn") or draw(st.booleans())
    fewest = storage.k * (task.n_item_tokens if storage.address == "own" else 1)
    return sf.SlotFreeTransformer(
        draw(st.sampled_from(rules)), projections, draw(st.integers(1, 12)), fewest + draw(st.integers(0, 9)), storage
    )


@st.composite
def baselines(draw, kinds=("exact", "published")):
    beta = draw(st.none() | st.floats(0.1, 2))
    return sf.BaselineTransformer(draw(st.integers(1, 12)), beta, draw(st.sampled_from(kinds)))
