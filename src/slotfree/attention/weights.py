"""The slow weights of a transformer, and the structure that the paper looks for in them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from slotfree import checks
from slotfree.kernels.attention.transformer import Sizes, SlowWeights
from slotfree.tasks.base import Task

if TYPE_CHECKING:
    from slotfree.attention.prediction import Transformer

NAMES = ("W_Q", "W_K", "W_V")


@dataclass(frozen=True, eq=False)
class Weights:
    """W_Q and W_K, (…, N, D), and W_V, (…, n_outputs, D); axes in front, if there are any, are runs or snapshots.

    ``wiring``, (…), are the numbers under which the connections of fast weights are drawn, where a storage draws them
    (``Winners``): they stay as they are, and belong to what was learnt. ``model.connections`` shows the connections.
    """

    W_Q: NDArray[np.float64]
    W_K: NDArray[np.float64]
    W_V: NDArray[np.float64]
    wiring: NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        shapes = []
        for name in NAMES:
            value = np.asarray(checks.unmasked(name, getattr(self, name)), np.float64)
            if not np.isfinite(value).all():
                raise ValueError(f"{name} must hold finite numbers")
            object.__setattr__(self, name, value)
            shapes.append(value.shape)
        q, k, v = shapes
        if len(q) < 2 or q != k or len(v) != len(q) or (v[:-2], v[-1]) != (q[:-2], q[-1]):
            raise ValueError(f"W_Q and W_K must have the shape (…, N, D) and W_V (…, n_outputs, D), not {q}, {k}, {v}")
        if self.wiring is not None:
            wiring = checks.unmasked("wiring", self.wiring)
            whole = wiring.dtype.kind in "iu" and wiring.shape == q[:-2]
            if not whole or (wiring.size and not 0 <= wiring.min() <= wiring.max() < 2**63):
                raise ValueError(
                    f"wiring must hold integers from 0 to 2**63 - 1, of the shape {q[:-2]}, "
                    f"not {checks.shown(self.wiring)}"
                )
            object.__setattr__(self, "wiring", wiring.astype(np.int64))

    @property
    def query_key(self) -> NDArray[np.float64]:
        """W_Qᵀ W_K, (…, D, D): how each query meets each key."""
        return np.swapaxes(self.W_Q, -1, -2) @ self.W_K

    @property
    def key_key(self) -> NDArray[np.float64]:
        """W_Kᵀ W_K, (…, D, D): how alike keys are."""
        return np.swapaxes(self.W_K, -1, -2) @ self.W_K

    def __getitem__(self, index: int | tuple[int | slice, ...] | slice) -> "Weights":
        wiring = None if self.wiring is None else self.wiring[index]
        return Weights(self.W_Q[index], self.W_K[index], self.W_V[index], wiring)

    @property
    def drawn_by(self) -> int:
        """The number under which the connections of one model are drawn; 0 if it has none."""
        return 0 if self.wiring is None else int(self.wiring)


def to_slow(weights: Weights) -> SlowWeights:
    """Return a copy of the weights of one model as kernels keep them."""
    return SlowWeights(weights.W_Q.T.copy(), weights.W_K.T.copy(), weights.W_V.copy())


def from_slow(slow: SlowWeights) -> Weights:
    """Return a copy of what kernels worked on."""
    return Weights(slow.Q.T.copy(), slow.K.T.copy(), slow.V.copy())


def sizes_of(n_units: int, key_dim: int, task: Task) -> Sizes:
    """The sizes of a model's layers for a task."""
    return Sizes(n_units, key_dim, task.n_tokens, task.n_outputs)


def one_model(
    weights: object, model: "Transformer", task: Task, name: str = "weights", *, wired: bool = True
) -> Weights:
    """Return weights if they are those of one model for a task; with its wiring, if it has one and that is needed."""
    if not isinstance(weights, Weights):
        raise TypeError(f"{name} must be Weights of one model, such as result.weights[0], not {checks.shown(weights)}")
    for part, shape in (("W_Q", (model.key_dim, task.n_tokens)), ("W_V", (task.n_outputs, task.n_tokens))):
        found = getattr(weights, part).shape
        if found != shape:
            whose = ": it must be of one model, such as result.weights[0]" if len(found) > 2 else ""
            raise ValueError(f"{name}.{part} must have the shape {shape}, not {found}{whose}")
    if wired and model.is_wired and weights.wiring is None:
        raise ValueError(
            f"{name} must have a wiring, the number under which connections were drawn, as result.weights[0] has; for "
            "weights of your own, give Weights(W_Q, W_K, W_V, wiring=0) or any other number"
        )
    return weights


def letter_blocks(weights: Weights) -> dict[str, NDArray[np.float64]]:
    """The L × L blocks of tables S1 to S3, for the Case Sequence Task; the diagonal belongs to equal letters.

    "key-key": uppercase against lowercase keys, of W_Kᵀ W_K. "query-lower", "query-upper": queries against the keys
    of one case, of W_Qᵀ W_K.
    """
    key_key, query_key = weights.key_key, weights.query_key
    L = key_key.shape[-1] // 3
    lower, upper, query = slice(0, L), slice(L, 2 * L), slice(2 * L, 3 * L)
    return {
        "key-key": key_key[..., upper, lower],
        "query-lower": query_key[..., query, lower],
        "query-upper": query_key[..., query, upper],
    }


def diagonal(block: NDArray[np.float64]) -> NDArray[np.float64]:
    """The entries of equal letters, (…, L)."""
    return np.diagonal(block, axis1=-2, axis2=-1)


def off_diagonal(block: NDArray[np.float64]) -> NDArray[np.float64]:
    """The entries of different letters, (…, L (L − 1))."""
    return block[..., ~np.eye(block.shape[-1], dtype=bool)]


def contrasts(weights: Weights) -> dict[str, NDArray[np.float64]]:
    """How far each structure of the Case Sequence Task has come, as one number.

    "values": mean of right minus wrong output of the letters' columns of W_V (1 where values encode case).
    "query-key": mean diagonal minus mean off-diagonal of both query blocks. "key-key": the same of the key block.
    """
    blocks = letter_blocks(weights)
    by_block = {name: diagonal(b).mean(axis=-1) - off_diagonal(b).mean(axis=-1) for name, b in blocks.items()}
    L = weights.W_V.shape[-1] // 3
    right_minus_wrong = weights.W_V[..., 0, :] - weights.W_V[..., 1, :]
    return {
        "values": (right_minus_wrong[..., :L].mean(axis=-1) - right_minus_wrong[..., L : 2 * L].mean(axis=-1)) / 2,
        "query-key": (by_block["query-lower"] + by_block["query-upper"]) / 2,
        "key-key": by_block["key-key"],
    }
