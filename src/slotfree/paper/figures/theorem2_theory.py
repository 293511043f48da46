"""Learning W_V alone, in theory: gradient descent on a quadratic, whose minimum is the case code (SI, theorem 7).

W_Q and W_K keep their random initial values. For large N attention is then uniform, x̃ = Σ_t x_t / C, and with the loss
|ŷ − y|²/2, averaged over all sequences, ∂L/∂W_V = (γ/C) (W_V − W*) A. γ is the share of sequences with a given token, A
the matrix of the proof, and W* the case code. W_V means the columns of the 2L letters here, (2, 2L): queries are never
reinstated, and their columns keep their initial values.

The MHN-based model is to have C hidden units, of which W_HI gives each item of a context its own. No W_HI can, for all
contexts, with fewer units than letters, and C < L: equality with the transformer is an assumption,
``storage="perfect"``. With finite batches and a constant step size W_V does not converge, but keeps moving about the
minimum.

Symbols: L letters, C items in a context, γ = C/(2L), d = 3L, η step size, T steps, B sequences in a batch.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slotfree.tasks.case_sequence import CaseSequenceTask

Values = NDArray[np.float64]


def appearance(L: int, C: int) -> float:
    """γ = C/(2L), the share of sequences in which a given letter appears in a given case."""
    return C / (2 * L)


def matrix_A(L: int, C: int) -> Values:
    """A = [[B, D], [D, B]], (2L, 2L): 1/C on its diagonal, 0 between the cases of a letter, (1 − 1/C)/(2L − 2) else.

    | eigenvectors              | dimension | eigenvalue         |
    |---------------------------|-----------|--------------------|
    | constant                  | 1         | 1                  |
    | equal in both cases       | L − 1     | (L − C)/(C(L − 1)) |
    | opposite in the cases     | L         | 1/C                |

    So A is positive definite if and only if C < L. For C = L the mean of a letter's two columns is free.
    """
    different = 1 - np.tile(np.eye(L), (2, 2))
    return np.eye(2 * L) / C + different * (1 - 1 / C) / (2 * L - 2)


def step_limit(L: int, C: int) -> float:
    """C²/(2γd), the theorem's limit for η, from a Lipschitz constant of at most 2γd/C². It is C/3."""
    return C**2 / (2 * (C / (2 * L)) * 3 * L)


def true_step_limit(L: int) -> float:
    """2/M = 4L, beyond which descent diverges; M = 1/(2L) is the largest eigenvalue of the Hessian (γ/C) A."""
    return 4.0 * L


def descend(W_V: ArrayLike, C: int, step: float, steps: int) -> Values:
    """Gradient descent on the effective loss: W_V at the start and after each step, (T + 1, 2, 2L).

    α ← α − η (γ/C) α A, with α = W_V − W*. Where it diverges, numbers end as infinite or NaN.
    """
    W = np.asarray(W_V, float)
    L = W.shape[1] // 2
    code = CaseSequenceTask(L, C).case_code
    once = np.eye(2 * L) - step * appearance(L, C) / C * matrix_A(L, C)
    path = np.empty((steps + 1, *W.shape))
    path[0] = W - code
    with np.errstate(over="ignore", invalid="ignore"):
        for T in range(1, len(path)):
            path[T] = path[T - 1] @ once
    return path + code


def distance(W_V: ArrayLike) -> Values:
    """‖W_V − W*‖_F over the letters' columns, of each W_V, (…, 2, 2L)."""
    W = np.asarray(W_V, float)
    with np.errstate(over="ignore"):
        return np.asarray(np.linalg.norm(W - np.repeat(np.eye(2), W.shape[-1] // 2, axis=1), axis=(-2, -1)))


def large_batch_limit(query_key: Values, task: CaseSequenceTask) -> Values:
    """The W_V of least loss over all sequences, (2, 2L), for attention softmax(W_Qᵀ W_K) as it is (β = 1).

    It is the case code for uniform attention, and about 1/√N from it for random keys and queries. Among several, the
    one nearest to 0.
    """
    every = task.all_sequences()
    attention = np.exp(query_key[every.query[:, None], every.context])
    reinstated = np.zeros((len(every), 2 * task.n_letters))
    np.put_along_axis(reinstated, every.context, attention / attention.sum(axis=1, keepdims=True), axis=1)
    return np.asarray(np.linalg.lstsq(reinstated, np.eye(2)[every.target])[0].T, np.float64)


def slot_free_limit(L: int, C: int, n_h: int) -> tuple[Values, Values]:
    """The same for the slot-free model that can be built: W_V of least loss, (2, 3L), and the Hessian, (3L, 3L).

    Attention is uniform over all n_h units. The u = n_h − C that hold no item of the context reinstate their initial
    weights, U[0, 1) for each token: x̃ = (Σ_t x_t + Σ_units U)/n_h. With p = E Σ_t x_t, which is γ for letters and 0
    for queries, and S = γCA,

        H = E x̃x̃ᵀ = (S + (u/2)(p1ᵀ + 1pᵀ) + (u²/4) 11ᵀ + (u/12) I)/n_h²,    E y x̃ᵀ = (γ E[y|j] + u/4)/n_h

    where E[y|j] = W*_j/C + (1 − 1/C)/2 for letters, and 0 for queries. With u = 0 the limit is the case code. Else a
    letter's right output exceeds the wrong one by n_h/(C + uL/6), and not 1. H is large along 1, whatever the task, so
    that descent needs η < 2/λ_max(H), which may be less than the theorem's C/3.
    """
    u, gamma, D = n_h - C, appearance(L, C), 3 * L
    p = np.where(np.arange(D) < 2 * L, gamma, 0.0)
    H = np.add.outer(p, p) * u / 2 + u**2 / 4 + np.eye(D) * u / 12
    H[: 2 * L, : 2 * L] += gamma * C * matrix_A(L, C)
    target = np.full((2, D), u / 4)
    target[:, : 2 * L] += gamma * (CaseSequenceTask(L, C).case_code / C + (1 - 1 / C) / 2)
    return target / n_h @ np.linalg.pinv(H / n_h**2, hermitian=True), H / n_h**2
