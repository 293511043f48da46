"""Learning W_V alone, in theory: gradient descent on a quadratic, whose minimum is the case code (SI, theorem 7).

W_Q and W_K keep their random initial values. For large N attention is then uniform, x̃ = Σ_t x_t / C, and with the loss
|ŷ − y|²/2, averaged over all sequences, ∂L/∂W_V = (γ/C) (W_V − W*) A. γ is the share of sequences with a given token, A
the matrix of the proof, and W* the case code. W_V means the columns of the 2L letters here, (2, 2L): queries are never
reinstated, and their columns keep their initial values.

Slips of the printed proof, none of which touches what it says of the transformer: E l² of l ~ U[0, a] is a²/3, not
a²/12; the constant of the second form of the loss is y²/(2C), not y²; the sum in the condition for a minimum is over
l ≠ j, j', with 1/(2L − 2); the lemma on block matrices lacks an inverse. T_ε, rounded down, does not follow from the
bound that is given, but from a sharper one. Two things do limit what can be seen. The MHN-based model is to have C
hidden units, of which W_HI gives each item of a context its own. No W_HI can, for all contexts, with fewer units than
letters, and C < L (``least_collisions``): equality with the transformer is an assumption, ``storage="perfect"``. And
with finite batches and a constant step size W_V does not converge, but keeps moving about the minimum: ``noise_floor``.

Symbols: L letters, C items in a context, γ = C/(2L), d = 3L, η step size, T steps, B sequences in a batch.
"""

from math import comb, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slotfree import checks
from slotfree.tasks.case_sequence import CaseSequenceTask


class Mode(NamedTuple):
    """An eigenspace of A.

    Attributes
    ----------
    size : its dimension.
    eigenvalue : of A.
    noise : variance along each of its directions of an output's gradient for one sequence, where W_V is the case code.
    """

    size: int
    eigenvalue: float
    noise: float


def appearance(n_letters: int, context_length: int) -> float:
    """γ = C/(2L), the share of sequences in which a given letter appears in a given case."""
    L, C = _checked(n_letters, context_length)
    return C / (2 * L)


def matrix_A(n_letters: int, context_length: int) -> NDArray[np.float64]:
    """A = [[B, D], [D, B]], (2L, 2L): 1/C on its diagonal, 0 between the cases of a letter, (1 − 1/C)/(2L − 2) else."""
    L, C = _checked(n_letters, context_length)
    different = 1 - np.tile(np.eye(L), (2, 2))
    return np.eye(2 * L) / C + different * (1 - 1 / C) / (2 * L - 2)


def modes(n_letters: int, context_length: int) -> dict[str, Mode]:
    """The eigenspaces of A, in closed form.

    | vectors                          | dimension | eigenvalue        |
    |----------------------------------|-----------|-------------------|
    | "all": constant                  | 1         | 1                 |
    | "letters": equal in both cases   | L − 1     | (L − C)/(C(L − 1))|
    | "case": opposite in the cases    | 1         | 1/C               |
    | "letters by case": the rest      | L − 1     | 1/C               |

    So A is positive definite if and only if C < L. For C = L the mean of a letter's two columns is free.

    The noise is E (r vᵀx̃)², with r = ŷ_o − y_o, which has the variance (1 − s²/C²)/4 in a context with s more items of
    one case than of the other; r is 0 on average in every context.
    """
    L, C = _checked(n_letters, context_length)
    gamma = C / (2 * L)
    letters = (L - C) / (C * (L - 1))
    spread = (1 - 1 / C) / 4  # E r²
    by_case = gamma / (4 * C**2) * (1 - 1 / C + 2 / C**2 - 2 * (L - C) / (C**2 * (L - 1)))
    return {
        "all": Mode(1, 1.0, spread / (2 * L)),
        "letters": Mode(L - 1, letters, spread * gamma / C * letters),
        "case": Mode(1, 1 / C, (C - 1) * (C - 2) / (4 * C**3) / (2 * L)),
        "letters by case": Mode(L - 1, 1 / C, by_case),
    }


def eigenvalues(n_letters: int, context_length: int) -> NDArray[np.float64]:
    """The 2L eigenvalues of A in closed form, in rising order."""
    every = modes(n_letters, context_length).values()
    return np.sort(np.repeat([mode.eigenvalue for mode in every], [mode.size for mode in every]))


def hessian_extremes(n_letters: int, context_length: int) -> tuple[float, float]:
    """m and M, the least and the largest eigenvalue of the Hessian (γ/C) A; M = 1/(2L)."""
    values = eigenvalues(n_letters, context_length) * appearance(n_letters, context_length) / context_length
    return float(values[0]), float(values[-1])


def step_limit(n_letters: int, context_length: int) -> float:
    """C²/(2γd), the theorem's limit for η, from a Lipschitz constant of at most 2γd/C². It is C/3."""
    L, C = _checked(n_letters, context_length)
    return C**2 / (2 * (C / (2 * L)) * 3 * L)


def true_step_limit(n_letters: int, context_length: int) -> float:
    """2/M = 4L, beyond which descent diverges. The proof's lemma, η ≤ 1/M, holds up to half of it, 2L."""
    return 2 / hessian_extremes(n_letters, context_length)[1]


def effective_gradient(W_V: ArrayLike, context_length: int) -> NDArray[np.float64]:
    """∂L/∂W_V for large N and B (SI, equation of the effective gradient), (2, 2L).

    (γ/C) ((W_oj − y_oj)/C + (1 − 1/C) (Σ_{l ≠ j, j'} W_ol / (2L − 2) − 1/2)), with j' the other case of letter j.
    """
    W, L, C = _values(W_V, context_length)
    code = CaseSequenceTask(L, C).case_code
    both_cases = np.tile(W[:, :L] + W[:, L:], 2)
    others = (W.sum(axis=1, keepdims=True) - both_cases) / (2 * L - 2)
    gradient: NDArray[np.float64] = appearance(L, C) / C * ((W - code) / C + (1 - 1 / C) * (others - 1 / 2))
    return gradient


def excess_loss(W_V: ArrayLike, context_length: int) -> float:
    """The effective loss above its minimum, (γ/2C) Σ_o α_oᵀ A α_o with α = W_V − W*."""
    W, L, C = _values(W_V, context_length)
    alpha = W - CaseSequenceTask(L, C).case_code
    return float(appearance(L, C) / (2 * C) * np.einsum("oi,ij,oj", alpha, matrix_A(L, C), alpha))


def descend(W_V: ArrayLike, context_length: int, step: float, steps: int) -> NDArray[np.float64]:
    """Gradient descent on the effective loss: W_V at the start and after each step, (T + 1, 2, 2L).

    α ← α − η (γ/C) α A, with α = W_V − W*. Where it diverges, numbers end as infinite or NaN.
    """
    W, L, C = _values(W_V, context_length)
    code = CaseSequenceTask(L, C).case_code
    once = np.eye(2 * L) - checks.positive("step", step) * appearance(L, C) / C * matrix_A(L, C)
    path = np.empty((checks.integer("steps", steps, 0, checks.MANY) + 1, *W.shape))
    path[0] = W - code
    with np.errstate(over="ignore", invalid="ignore"):
        for T in range(1, len(path)):
            path[T] = path[T - 1] @ once
    return path + code


def distance(W_V: ArrayLike) -> NDArray[np.float64]:
    """‖W_V − W*‖_F over the letters' columns, of each W_V, (…, 2, 2L)."""
    W = np.asarray(W_V, float)
    if W.ndim < 2 or W.shape[-2] != 2 or W.shape[-1] % 2 or not W.shape[-1]:
        raise ValueError(f"W_V must have the shape (…, 2, 2L), one column for each letter and case, not {W.shape}")
    with np.errstate(over="ignore"):
        return np.asarray(np.linalg.norm(W - np.repeat(np.eye(2), W.shape[-1] // 2, axis=1), axis=(-2, -1)))


def distance_bound(W_V: ArrayLike, context_length: int, step: float, steps: ArrayLike) -> NDArray[np.float64]:
    """‖W_V(T) − W*‖_F ≤ ‖W_V(0) − W*‖_F / √(η m T), the end of the proof, for C < L and η ≤ 1/M = 2L.

    Descent is faster than that: it loses a factor of at least 1 − ηm with each step.
    """
    eta_T = _at_most_lemma(W_V, context_length, step) * np.asarray(steps, float)
    W, L, C = _values(W_V, context_length)
    checks.integer("context_length", C, 1, L - 1, "n_letters - 1")
    return np.asarray(distance(W) / np.sqrt(eta_T * hessian_extremes(L, C)[0]))


def loss_bound(W_V: ArrayLike, context_length: int, step: float, steps: ArrayLike) -> NDArray[np.float64]:
    """Excess loss after T steps ≤ ‖W_V(0) − W*‖²_F / (2ηT), the proof's lemma on descent, for η ≤ 1/M = 2L."""
    eta_T = _at_most_lemma(W_V, context_length, step) * np.asarray(steps, float)
    return np.asarray(distance(W_V) ** 2 / (2 * eta_T))


def noise_floor(
    n_letters: int, context_length: int, step: float, batch_size: int, steps: ArrayLike
) -> NDArray[np.float64]:
    """Root mean square distance that batches of B add to that of descent after T steps, for uniform attention.

    (2 Σ_modes n (η²/B) σ² (1 − f^{2T})/(1 − f²))^{1/2}, with f = 1 − ηλγ/C, and with the noise σ² at the case code.
    It vanishes for large B only, whatever T is; for small η it is √(η/B) times a constant.
    """
    L, C = _checked(n_letters, context_length)
    eta, B = checks.positive("step", step), checks.integer("batch_size", batch_size, 1)
    T = np.asarray(steps, float)
    total = np.zeros(T.shape)
    for n, eigenvalue, variance in modes(L, C).values():
        f2 = (1 - eta * eigenvalue * appearance(L, C) / C) ** 2
        with np.errstate(over="ignore"):
            grown = T if f2 == 1 else (1 - f2**T) / (1 - f2)
            total += 2 * n * eta**2 / B * variance * grown if variance else 0.0
    return np.asarray(np.sqrt(total))


def large_batch_limit(query_key: ArrayLike, task: CaseSequenceTask) -> NDArray[np.float64]:
    """The W_V of least loss over all sequences, (2, 2L), for attention softmax(W_Qᵀ W_K) as it is (β = 1).

    It is the case code for uniform attention, and about 1/√N from it for random keys and queries. Among several, the
    one nearest to 0.
    """
    scores = np.asarray(query_key, float)
    if scores.shape != (task.n_tokens, task.n_tokens):
        raise ValueError(f"query_key must have the shape {(task.n_tokens, task.n_tokens)}, not {scores.shape}")
    every = task.all_sequences()
    attention = np.exp(scores[every.query[:, None], every.context])
    reinstated = np.zeros((len(every), 2 * task.n_letters))
    np.put_along_axis(reinstated, every.context, attention / attention.sum(axis=1, keepdims=True), axis=1)
    return np.asarray(np.linalg.lstsq(reinstated, np.eye(2)[every.target])[0].T, np.float64)


def slot_free_limit(
    n_letters: int, context_length: int, n_hidden: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The same for the slot-free model that can be built: W_V of least loss, (2, 3L), and the Hessian, (3L, 3L).

    Attention is uniform over all n_h units. The u = n_h − C that hold no item of the context reinstate their initial
    weights, U[0, 1) for each token: x̃ = (Σ_t x_t + Σ_units U)/n_h. With p = E Σ_t x_t, which is γ for letters and 0
    for queries, and S = γCA,

        H = E x̃x̃ᵀ = (S + (u/2)(p1ᵀ + 1pᵀ) + (u²/4) 11ᵀ + (u/12) I)/n_h²,    E y x̃ᵀ = (γ E[y|j] + u/4)/n_h

    where E[y|j] = W*_j/C + (1 − 1/C)/2 for letters, and 0 for queries. With u = 0 the limit is the case code. Else a
    letter's right output exceeds the wrong one by n_h/(C + uL/6), and not 1. H is large along 1, whatever the task, so
    that descent needs η < 2/λ_max(H), which may be less than the theorem's C/3.
    """
    L, C = _checked(n_letters, context_length)
    n_h = checks.integer("n_hidden", n_hidden, C)
    u, gamma, D = n_h - C, appearance(L, C), 3 * L
    p = np.where(np.arange(D) < 2 * L, gamma, 0.0)
    H = np.add.outer(p, p) * u / 2 + u**2 / 4 + np.eye(D) * u / 12
    H[: 2 * L, : 2 * L] += gamma * C * matrix_A(L, C)
    target = np.full((2, D), u / 4)
    target[:, : 2 * L] += gamma * (CaseSequenceTask(L, C).case_code / C + (1 - 1 / C) / 2)
    return target / n_h @ np.linalg.pinv(H / n_h**2, hermitian=True), H / n_h**2


def least_collisions(n_letters: int, context_length: int) -> float:
    """The least share of sequences in which two items have the same unit, of all ways to give C units to 2L letters.

    The share without is linear in how one letter is placed, so both its cases may have the same unit. A context then
    has no collision if it has one letter of each unit: Π_u n_u of the (L over C) sets of letters, with n_u letters in
    unit u, which is most if letters are spread evenly.
    """
    L, C = _checked(n_letters, context_length)
    return 1 - float(prod(np.bincount(np.arange(L) % C).tolist())) / comb(L, C)


def shared_units_limit(task: CaseSequenceTask) -> NDArray[np.float64]:
    """The W_V of least loss, (2, 3L), with n_h = C units that the letters share evenly, and uniform attention.

    Letter l is stored by unit l mod C, where a later item replaces an earlier one. Units without an item reinstate
    their initial weights, U[0, 1) for each token, as in ``slot_free_limit``.
    """
    every, C, D = task.all_sequences(), task.context_length, task.n_tokens
    units = every.context % task.n_letters % C
    later = np.triu(np.ones((C, C), bool), 1)
    replaced = ((units[:, :, None] == units[:, None, :]) & later).any(axis=2)
    stored = np.zeros((len(every), D))
    np.put_along_axis(stored, every.context, (~replaced).astype(float), axis=1)
    unused = replaced.sum(axis=1)[:, None]
    mean = stored + unused / 2  # of Σ_units of what they hold
    H = (mean.T @ mean + np.eye(D) * unused.sum() / 12) / C**2
    target = np.eye(2)[every.target].T @ mean / C
    return np.asarray(target @ np.linalg.pinv(H, hermitian=True), np.float64)


def _checked(n_letters: int, context_length: int) -> tuple[int, int]:
    L = checks.integer("n_letters", n_letters, 2, checks.MANY // 3)
    return L, checks.integer("context_length", context_length, 1, L, "n_letters")


def _values(W_V: ArrayLike, context_length: int) -> tuple[NDArray[np.float64], int, int]:
    W = np.asarray(W_V, float)
    if W.ndim != 2 or W.shape[0] != 2 or W.shape[1] < 4 or W.shape[1] % 2:
        raise ValueError(f"W_V must have the shape (2, 2L), one column for each letter and case, not {W.shape}")
    return W, *_checked(W.shape[1] // 2, context_length)


def _at_most_lemma(W_V: ArrayLike, context_length: int, step: float) -> float:
    """The step size, if the lemma holds for it."""
    _, L, C = _values(W_V, context_length)
    eta, most = checks.positive("step", step), 1 / hessian_extremes(L, C)[1]
    if eta > most * (1 + 1e-12):
        raise ValueError(f"step must be at most 1/M = 2L = {most:g} for this bound, not {step}")
    return eta
