"""What the proof of theorem 7 says of curvature and descent: A, the Hessian, and lemma 9."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from slotfree.attention import theory
from slotfree.paper.attention.theorem2 import printed
from slotfree.paper.attention.theorem2.experiments import TASK
from slotfree.paper.attention.theorem2.judged import FEWER, PAIRS, ROUNDING
from slotfree.paper.shared.numeric import exactly
from slotfree.study.claim import Claim, above, at_least, at_most, within
from slotfree.tasks.case_sequence import CaseSequenceTask

Matrix = NDArray[np.float64]


def claims_of_curvature_and_descent() -> Iterator[Claim]:
    """From the matrix of the condition for a minimum to convergence."""
    yield from claims_of_matrix()
    yield from claims_of_hessian()
    yield from claims_of_descent()


def claims_of_matrix() -> Iterator[Claim]:
    """A, its blocks, and the condition for a minimum."""
    A = {(L, C): theory.matrix_A(L, C) for L, C in PAIRS}
    computed = {pair: np.linalg.eigvalsh(matrix) for pair, matrix in A.items()}
    yield exactly(
        "minimum-condition",
        "Where the condition for a minimum is written with α, the sum is over l ≠ j and by 2L − 1: least difference of "
        "that matrix from A, largest entry, 2 ≤ C < L ≤ 30.",
        min(np.abs(printed.condition_for_a_minimum(L, C) - A[L, C]).max() for L, C in PAIRS if C > 1),
        ROUNDING,
        "equal",
    )
    yield exactly(
        "half-of-others",
        "“Exactly half of the 2L−2 letters aside from x_J and x_J' are uppercase and half are lowercase”: largest "
        "difference of Σ (y_L)_o over them from L − 1, 2 ≤ L ≤ 30.",
        max(abs(CaseSequenceTask(L, 1).case_code.sum(axis=1) - 1 - (L - 1)).max() for L in range(2, 31)),
        within(0, 0),
        "L − 1",
    )
    for name, what, rows, eigenvalues in (
        ("B", "½(1 + 1/C) and 1/C − (1 − 1/C)/(2L − 2)", 0, printed.eigenvalues_of_B),
        ("D", "½(1 − 1/C) and −(1 − 1/C)/(2L − 2)", 1, printed.eigenvalues_of_D),
    ):
        blocks = {(L, C): matrix[:L, rows * L : (rows + 1) * L] for (L, C), matrix in A.items()}
        yield exactly(
            f"eigenvalues-{name}",
            f"{name} has the eigenvalues {what}, L − 1 times: largest difference of computed ones, 2 ≤ L ≤ 30.",
            max(np.abs(np.linalg.eigvalsh(block) - eigenvalues(*pair)).max() for pair, block in blocks.items()),
            ROUNDING,
            "equal",
        )
    yield exactly(
        "B-positive",
        "“B is positive definite”: its least computed eigenvalue, C < L ≤ 30.",
        min(np.linalg.eigvalsh(matrix[:L, :L])[0] for (L, _), matrix in A.items()),
        above(0),
        "> 0",
    )
    yield exactly(
        "schur",
        "The proof's eigenvalues of the Schur complement B − DB⁻¹D, 2 ≤ L ≤ 30: largest difference of computed ones.",
        max(
            np.abs(schur_eigenvalues(matrix) - printed.eigenvalues_of_schur(*pair)).max() for pair, matrix in A.items()
        ),
        ROUNDING,
        "equal",
    )
    yield exactly(
        "schur-positive",
        "The proof's eigenvalues of the Schur complement B − DB⁻¹D “all” are positive for C < L: the least, 2 ≤ L ≤ "
        "30.",
        min(printed.eigenvalues_of_schur(*pair)[0] for pair in PAIRS),
        above(0),
        "> 0",
    )
    yield exactly(
        "positive-definite",
        "“A is positive definite” for C < L: its least computed eigenvalue, 2 ≤ L ≤ 30. (Rounding: 1e-15.)",
        min(values[0] for values in computed.values()),
        above(1e-12),
        "> 0",
    )
    yield exactly(
        "singular",
        "C < L is needed: for C = L the least eigenvalue of A is 0: the largest that it has, 2 ≤ L ≤ 30; at most "
        "1e-12.",
        max(abs(np.linalg.eigvalsh(theory.matrix_A(L, L))[0]) for L in range(2, 31)),
        ROUNDING,
        "C < L is assumed",
        "ours",
    )
    yield exactly(
        "eigenvalues",
        "A has the eigenvalues 1, 1/C (L times), (L − C)/(C(L − 1)) (L − 1 times): largest difference of computed "
        "ones.",
        max(np.abs(values - theory.eigenvalues(*pair)).max() for pair, values in computed.items()),
        ROUNDING,
        source="ours",
    )


def schur_eigenvalues(A: Matrix) -> Matrix:
    """Of B − DB⁻¹D, computed, in rising order."""
    L = len(A) // 2
    B, D = A[:L, :L], A[:L, L:]
    return np.asarray(np.linalg.eigvalsh(B - D @ np.linalg.solve(B, D)), np.float64)


def claims_of_hessian() -> Iterator[Claim]:
    """Curvature: the Hessian, its size, and what follows from it."""
    yield exactly(
        "minimiser",
        "“The unique minimizer of L̃” is the case code: largest difference of the W_V at which the gradient is 0, "
        "2 ≤ L ≤ 10, C < L.",
        max(np.abs(minimiser(L, C) - CaseSequenceTask(L, C).case_code).max() for L, C in FEWER),
        at_most(1e-10),
        "equal",
    )
    yield exactly(
        "hessian",
        "∇²L̃ is (γ/C) times A for each output, and 0 between outputs: largest difference of slopes of the gradient, "
        "2 ≤ L ≤ 10, C < L.",
        max(np.abs(hessian(L, C) - block_form(L, C)).max() for L, C in FEWER),
        ROUNDING,
        "equal",
    )
    yield exactly(
        "hessian-size",
        "W_V ∈ R^{2×d}, flattened, has 4L entries: how many it has, divided by L. (The queries' columns are counted, "
        "but have no gradient: with them the Hessian is singular. The proof holds for the letters'.)",
        2 * TASK.n_tokens / TASK.n_letters,
        within(4, 4),
        "4L",
    )
    yield exactly(
        "block-lemma",
        "A block matrix (W, X; Xᵀ, Z) “is positive definite if Z is positive definite and the Schur complement "
        "W − XZXᵀ is”: least eigenvalue for W = 1, X = 0.9, Z = 0.5, where both are. The inverse of Z is missing; for "
        "X = 0, where it is used, it does not matter.",
        float(np.linalg.eigvalsh([[1, 0.9], [0.9, 0.5]])[0]),
        above(0),
        "> 0",
    )
    yield exactly(
        "lipschitz",
        "The gradient is Lipschitz-continuous “with Lipschitz constant at most 2γd/C²”: largest ratio of the true one, "
        "M = 1/(2L), to it, 2 ≤ L ≤ 30.",
        max(theory.hessian_extremes(L, C)[1] * theory.step_limit(L, C) for L, C in PAIRS),
        at_most(1),
        "≤ 1",
    )
    yield exactly(
        "strong-convexity",
        "L̃(W₂) ≥ L̃(W₁) + Tr(∇L̃(W₁)ᵀ(W₂ − W₁)) + (m/2)‖W₂ − W₁‖² (ᵀ is not printed): largest ratio of the last term "
        "to the rest of the difference, random W, 2 ≤ L ≤ 10, C < L. (Rounding: 1e-9.)",
        max(convexity_ratio(L, C) for L, C in FEWER),
        at_most(1 + 1e-9),
        "≤ 1",
    )


def hessian(L: int, C: int) -> Matrix:
    """The slopes of the effective gradient, (4L, 4L); it is linear, so that whole steps are exact."""
    zero = theory.effective_gradient(np.zeros((2, 2 * L)), C).ravel()
    units = np.eye(4 * L).reshape(4 * L, 2, 2 * L)
    return np.array([theory.effective_gradient(unit, C).ravel() - zero for unit in units])


def block_form(L: int, C: int) -> Matrix:
    """The Hessian as printed, (γ/C) (A, 0; 0, A)."""
    return np.asarray(theory.appearance(L, C) / C * np.kron(np.eye(2), theory.matrix_A(L, C)), np.float64)


def minimiser(L: int, C: int) -> Matrix:
    """The W_V at which the effective gradient is 0."""
    zero = theory.effective_gradient(np.zeros((2, 2 * L)), C).ravel()
    return np.asarray(np.linalg.solve(hessian(L, C), -zero), np.float64).reshape(2, 2 * L)


def convexity_ratio(L: int, C: int) -> float:
    """(m/2)‖W₂ − W₁‖² by L̃(W₂) − L̃(W₁) − Tr(∇L̃(W₁)ᵀ(W₂ − W₁)), for random W."""
    W1, W2 = np.random.default_rng([L, C]).normal(0, 1, (2, 2, 2 * L))
    linear = (theory.effective_gradient(W1, C) * (W2 - W1)).sum()
    rest = printed.loss(W2, C) - printed.loss(W1, C) - linear
    return float(theory.hessian_extremes(L, C)[0] / 2 * ((W2 - W1) ** 2).sum() / rest)


def claims_of_descent() -> Iterator[Claim]:
    """Lemma 9 and what the proof makes of it, for descent on the effective loss."""
    distances, losses, between, floors = [], [], [], []
    rng = np.random.default_rng(0)
    T = np.arange(1, 301)
    for L, C in FEWER:
        start = rng.uniform(0, 0.1, (2, 2 * L))
        m = theory.hessian_extremes(L, C)[0]
        for eta in (theory.step_limit(L, C), 2.0 * L):
            path = theory.descend(start, C, eta, len(T))
            away = theory.distance(path)
            excess = np.array([theory.excess_loss(W, C) for W in path[::20]])
            distances.append((away[1:] / theory.distance_bound(start, C, eta, T)).max())
            losses.append((excess[1:] / theory.loss_bound(start, C, eta, T[19::20])).max())
            apart = excess > 0
            between.append((m / 2 * away[::20][apart] ** 2 / excess[apart]).max())
            epsilon = away[0] ** 2 / (
                2 * eta * (20 * np.arange(len(excess)) + 0.999)
            )  # T_ε is rounded down to 0, 20, …
            floors.append((excess / epsilon).max())
    steps = "2 ≤ L ≤ 10, C < L, T ≤ 300, η at the theorem's limit and at the lemma's, 1/M"
    yield exactly(
        "bound-loss",
        f"Lemma 9, f(x(T)) − f(x*) ≤ ‖x(0) − x*‖²/(2ηT): largest ratio of both sides for descent on L̃, {steps}, and "
        "on the functions for which descent is slowest, x² up to a threshold and linear from there.",
        max(*losses, *(2 * T * hardest(T))),
        at_most(1),
        "≤ 1",
    )
    yield exactly(
        "floor",
        "“It suffices to perform at most ⌊‖x(0) − x*‖²/(2ηε)⌋” steps, and T_ε for L̃: largest ratio of the excess loss "
        "to ε after so many, same functions, ε just below where one step more is needed. (It does not follow from the "
        "lemma's bound, which would need rounding up, but from the sharp one, ‖x(0) − x*‖²/(η(4T + 2)).)",
        max(*floors, *(2 * (T + 0.999) * hardest(T))),
        at_most(1),
        "≤ 1",
    )
    yield exactly(
        "bound-curvature",
        f"(m/2)‖W_V(T) − W*‖² ≤ L̃(W_V(T)) − L̃(W*): largest ratio of both sides for descent, {steps}. (Rounding: 1e-9.)",
        max(between),
        at_most(1 + 1e-9),
        "≤ 1",
    )
    yield exactly(
        "bound-descent",
        f"‖W_V(T) − W*‖ ≤ ‖W_V(0) − W*‖/√(ηmT): largest ratio of both sides for descent on L̃, {steps}.",
        max(distances),
        at_most(1),
        "≤ 1",
    )
    factors = [step_factor(theory.step_limit(L, C), *theory.hessian_extremes(L, C)) for L, C in PAIRS]
    yield exactly(
        "descent-at-limit",
        "W_V “→ W*” under descent with η up to C²/(2γd): largest factor by which a step leaves any part of the "
        "distance, 2 ≤ L ≤ 30.",
        max(factors),
        at_most(np.nextafter(1, 0)),
        "< 1",
    )
    beyond = [step_factor(0.99 * theory.true_step_limit(L, C), *theory.hessian_extremes(L, C)) for L, C in PAIRS]
    yield exactly(
        "descent-beyond",
        "Descent converges with far larger η than the theorem's limit C²/(2γd) = C/3: largest factor by which a step "
        "leaves any part of the distance for η = 0.99 · 4L, 2 ≤ L ≤ 30.",
        max(beyond),
        at_most(np.nextafter(1, 0)),
        "η < C²/(2γd)",
        "ours",
    )
    yield exactly(
        "descent-diverges",
        "Descent diverges for η > 2/M = 4L: least factor of the fastest growing part at η = 1.01 · 4L.",
        min(step_factor(1.01 * theory.true_step_limit(L, C), *theory.hessian_extremes(L, C)) for L, C in PAIRS),
        at_least(np.nextafter(1, 2)),
        source="ours",
    )


def step_factor(eta: float, m: float, M: float) -> float:
    """The largest |1 − ηλ| of eigenvalues λ of the Hessian from m to M."""
    return max(abs(1 - eta * m), abs(1 - eta * M))


def hardest(T: NDArray[np.int64]) -> Matrix:
    """Excess loss after T steps by ‖x(0) − x*‖²/η, for x²/2 up to a threshold and linear from there, η = 1/M = 1.

    With x(0) = 1 and a threshold τ = 1/(2T + 1), each step moves by τ: f = τ(1 − Tτ) − τ²/2 = 1/(4T + 2).
    """
    tau = 1 / (2 * T + 1)
    x = np.ones(len(T))
    for step in range(int(T[-1])):
        x = np.where(step < T, x - np.minimum(x, tau), x)
    return np.where(x > tau, tau * x - tau**2 / 2, x**2 / 2)
