"""The gradient equations of SI B.4 as they are printed, next to finite differences of the losses they belong to."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.files.safetensors import Arrays
from slotfree.paper.shared.numeric import slope, softmax
from slotfree.paper.shared.transformers import TASK

Array = NDArray[np.float64]

BATCH = 64
EQUATIONS = {
    "baseline-v": "Baseline, W_V: 2 Σ s_i (ŷ − y) x_iᵀ",
    "baseline-v-batch": "Baseline, W_V: 2 Σ_b (ŷ − y) x̃ᵀ",
    "baseline-k": "Baseline, W_K: Σ δ_K,i x_iᵀ",
    "baseline-q": "Baseline, W_Q: δ_Q x_qᵀ = Σ θ_Q,i W_K x_i x_qᵀ",
    "slot-free-v": "Slot-free, W_V: 2 (ŷ − y) x̃ᵀ",
    "slot-free-q": "Slot-free, W_Q: δ_Q x_qᵀ",
    "slot-free-q-eq": "Slot-free, W_Q, with ŷ of the transformer",
    "mhn-k": "MHN, W_K: δ_K x̃ᵀ, with ŷ_K of W_K x̃",
    "mhn-k-printed": "MHN, W_K: δ_K x̃ᵀ, with ŷ_K of W_Q x̃",
    "qk-k": "QK, W_K: 2 (W_K x̃ − W_Q x_q) x̃ᵀ",
}


@dataclass(frozen=True)
class Case:
    """Weights, a sequence (X has its items as columns), and the fast weights that its context leaves."""

    W_Q: Array
    W_K: Array
    W_V: Array
    W_HK: Array
    W_VH: Array
    W_IH: Array
    X: Array
    x_q: Array
    y: Array

    @property
    def beta(self) -> float:
        """β of the transformer, 1/√N."""
        return float(len(self.W_Q) ** -0.5)

    def attention(self, W_Q: Array, W_K: Array) -> Array:
        """The transformer's s = softmax(β x_qᵀ W_Qᵀ W_K X)."""
        return softmax(self.beta * (self.x_q @ W_Q.T @ W_K @ self.X))

    def transformer(self, W_Q: Array, W_K: Array, W_V: Array) -> Array:
        """The transformer's ŷ."""
        return W_V @ self.X @ self.attention(W_Q, W_K)

    def recalled(self, W_Q: Array) -> Array:
        """The slot-free s = softmax(W_HK W_Q x_q)."""
        return softmax(self.W_HK @ W_Q @ self.x_q)

    def slot_free(self, W_Q: Array, W_V: Array) -> Array:
        """The slot-free ŷ = W_V W_IH s."""
        return W_V @ self.W_IH @ self.recalled(W_Q)

    @property
    def x_tilde(self) -> Array:
        """x̃ = W_IH s, the reinstated input, which the rules for W_K hold."""
        return self.W_IH @ self.recalled(self.W_Q)

    def by_keys(self, W: Array) -> Array:
        """ŷ_K = W_VH softmax(W_HK W x̃): with W_K, or with W_Q as it is printed once."""
        return self.W_VH @ softmax(self.W_HK @ W @ self.x_tilde)


def draw_case(seed: np.random.SeedSequence, key_dim: int = 10) -> Case:
    """Draw weights as large as after training, and a sequence."""
    rng = np.random.default_rng(seed)
    W_Q, W_K = rng.normal(0, 0.7, (2, key_dim, TASK.n_tokens))
    W_V = rng.normal(0, 0.7, (TASK.n_outputs, TASK.n_tokens))
    sequence = TASK.batch(1, seed=rng)
    engine = SlotFreeTransformer("mhn", True, key_dim).engine(TASK, int(rng.integers(2**63)))
    engine.start(0)
    X = TASK.one_hot(sequence.context[0]).T
    W_HK, W_VH, W_IH = (matrix.copy() for matrix in engine.copy())
    for token, x in zip(sequence.context[0], X.T, strict=True):
        W_HK[token], W_VH[:, token], W_IH[:, token] = W_K @ x, W_V @ x, x  # a unit for each letter
    x_q, y = TASK.one_hot(sequence.query[0]), np.eye(TASK.n_outputs)[sequence.target[0]]
    return Case(W_Q, W_K, W_V, W_HK, W_VH, W_IH, X, x_q, y)


def distances(seed: np.random.SeedSequence) -> Arrays:
    """How far each printed equation is from finite differences, in units of the larger of the two, (equation,)."""
    case = draw_case(seed)
    return {"distance": np.array([distance(*pair) for pair in (*of_baseline(case), *of_slot_free(case))])}


def of_baseline(c: Case) -> list[tuple[Array, Array]]:
    """The baseline's equations, each with the slope of its loss."""
    s, y_hat = c.attention(c.W_Q, c.W_K), c.transformer(c.W_Q, c.W_K, c.W_V)
    x_tilde = c.X @ s
    items = range(len(s))
    w_v = 2 * sum(s[i] * np.outer(y_hat - c.y, c.X[:, i]) for i in items)
    w_v_batch = 2 * sum(np.outer(y_hat - c.y, x_tilde) for _ in range(BATCH))
    theta = [2 * c.beta * s[i] * (y_hat - c.y) @ (-y_hat + c.W_V @ c.X[:, i]) for i in items]
    w_k = sum(np.outer(theta[i] * c.W_Q @ c.x_q, c.X[:, i]) for i in items)
    w_q = sum(theta[i] * np.outer(c.W_K @ c.X[:, i], c.x_q) for i in items)
    by_v = slope(lambda W: squares(c.transformer(c.W_Q, c.W_K, W) - c.y), c.W_V)
    by_k = slope(lambda W: squares(c.transformer(c.W_Q, W, c.W_V) - c.y), c.W_K)
    by_q = slope(lambda W: squares(c.transformer(W, c.W_K, c.W_V) - c.y), c.W_Q)
    return [(np.asarray(w_v), by_v), (np.asarray(w_v_batch), by_v), (np.asarray(w_k), by_k), (np.asarray(w_q), by_q)]


def of_slot_free(c: Case) -> list[tuple[Array, Array]]:
    """The equations of slot-free models, each with the slope of its loss; fast weights, x̃ and q are held."""
    s, y_hat, x_tilde = c.recalled(c.W_Q), c.slot_free(c.W_Q, c.W_V), c.x_tilde
    w_v = 2 * np.outer(y_hat - c.y, x_tilde)
    w_q = np.outer(through_units(c.W_HK, s, c.W_V @ c.W_IH, y_hat, c.y), c.x_q)
    by_v = slope(lambda W: squares(c.slot_free(c.W_Q, W) - c.y), c.W_V)
    by_q = slope(lambda W: squares(c.slot_free(W, c.W_V) - c.y), c.W_Q)
    by_q_of_transformer = slope(lambda W: squares(c.transformer(W, c.W_K, c.W_V) - c.y), c.W_Q)
    s_k = softmax(c.W_HK @ c.W_K @ x_tilde)
    w_k = np.outer(through_units(c.W_HK, s_k, c.W_VH, c.by_keys(c.W_K), c.y), x_tilde)
    w_k_printed = np.outer(through_units(c.W_HK, s_k, c.W_VH, c.by_keys(c.W_Q), c.y), x_tilde)
    by_k = slope(lambda W: squares(c.by_keys(W) - c.y), c.W_K)
    by_k_printed = slope(lambda _: squares(c.by_keys(c.W_Q) - c.y), c.W_K)
    q = c.W_Q @ c.x_q
    aligned = slope(lambda W: squares(W @ x_tilde - q), c.W_K)
    pairs = [(w_v, by_v), (w_q, by_q), (w_q, by_q_of_transformer), (w_k, by_k), (w_k_printed, by_k_printed)]
    return [*pairs, (2 * np.outer(c.W_K @ x_tilde - q, x_tilde), aligned)]


def through_units(W_HK: Array, s: Array, outputs: Array, y_hat: Array, y: Array) -> Array:
    """δ = 2 (ŷ − y)ᵀ Σ_m s_m (o_m − ŷ) (W_HK)_m, with the output o_m that unit m would give alone."""
    return np.asarray(sum(2 * (y_hat - y) @ (s[m] * (-y_hat + outputs[:, m])) * W_HK[m] for m in range(len(s))))


def squares(error: Array) -> float:
    """|error|²."""
    return float(error @ error)


def distance(printed: Array, found: Array) -> float:
    """Distance of two matrices in units of the larger one."""
    return float(np.linalg.norm(printed - found) / max(np.linalg.norm(printed), np.linalg.norm(found)))
