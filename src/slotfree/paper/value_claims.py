"""What theorem 2 and its proof claim, judged."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from slotfree.attention import theory
from slotfree.attention.gradients import gradients
from slotfree.attention.weights import Weights
from slotfree.paper.claims import Claims, Value
from slotfree.paper.value_measures import DRAWS, KEY_DIMS, Every, Exact, Trained, rms
from slotfree.paper.value_runs import (
    BATCH,
    BELOW,
    BEYOND,
    BUILT,
    GRID,
    LIMIT,
    MAIN,
    PERFECT,
    SIZES,
    STEPS,
    TASK,
    THEOREM,
    TRANSFORMER,
    TRUE_LIMIT,
    UNUSED,
    UNUSED_AT_LIMIT,
    ValueRuns,
)
from slotfree.tasks.case_sequence import CaseSequenceTask


def judge(claims: Claims, every: Every, exact: Exact) -> None:
    """Judge all that the theorem and its proof say."""
    judge_matrix(claims)
    judge_gradient(claims)
    judge_convergence(claims, every, exact)
    judge_bounds(claims, every[MAIN.name, TRANSFORMER])
    judge_steps(claims, every)
    judge_grid(claims, every)
    judge_built(claims, every[UNUSED.name, BUILT], every[UNUSED_AT_LIMIT.name, BUILT])


def at_most(claims: Claims, high: float, name: str, claim: str, paper: Value, measured: float) -> None:
    """Claim that a size is at most so much."""
    claims.within(name, claim, paper=paper, measured=float(measured), low=0.0, high=high)


def as_expected(claims: Claims, name: str, words: str, chosen: Sequence[Trained]) -> None:
    """Claim that distances from the limit are those of theory, within a factor of 2, by which few runs may vary."""
    ratios = [t.from_limit / t.expected for t in chosen]
    words += (
        ": root mean square over runs at the end, by that of theory (descent and noise); the ratio farthest from 1, "
        "within a factor of 2."
    )
    measured = max(ratios, key=lambda ratio: abs(np.log(ratio)))
    claims.within(name, words, paper="not printed", measured=measured, low=0.5, high=2.0)


def judge_matrix(claims: Claims) -> None:
    """Judge what the proof says of A, by numbers."""
    pairs = [(L, C) for L in range(2, 31) for C in range(1, L)]
    computed = {(L, C): np.linalg.eigvalsh(theory.matrix_A(L, C)) for L, C in pairs}
    claims.within(
        "positive-definite",
        "A is positive definite for C < L: its least computed eigenvalue, 2 ≤ L ≤ 30; above 1e-9 (rounding: 1e-15).",
        paper="> 0",
        measured=min(values[0] for values in computed.values()),
        low=1e-9,
        high=1.0,
    )
    singular = max(abs(np.linalg.eigvalsh(theory.matrix_A(L, L))[0]) for L in range(2, 31))
    words = (
        "C < L is needed: for C = L the least eigenvalue of A is 0: the largest size it has, 2 ≤ L ≤ 30; at most 1e-12."
    )
    at_most(claims, 1e-12, "singular", words, "C < L is assumed", singular)
    error = max(np.abs(values - theory.eigenvalues(*pair)).max() for pair, values in computed.items())
    words = (
        "A has the eigenvalues 1, 1/C (L times), (L − C)/(C(L − 1)) (L − 1 times): largest difference of computed ones."
    )
    at_most(claims, 1e-12, "eigenvalues", words, "not printed", error)
    words = (
        "The proof's eigenvalues of the Schur complement B − DB⁻¹D, 2 ≤ L ≤ 30: largest difference of computed ones."
    )
    at_most(claims, 1e-12, "schur", words, "equal", max(schur_error(L, C) for L, C in pairs))
    looser = [theory.hessian_extremes(L, C)[1] * theory.step_limit(L, C) for L, C in pairs]
    words = "The gradient's Lipschitz constant is at most 2γd/C²: largest ratio of the true one, M = 1/(2L), to it."
    at_most(claims, 1.0, "lipschitz", words, "≤ 1", max(looser))


def schur_error(L: int, C: int) -> float:
    """Largest difference of the printed eigenvalues of the Schur complement from computed ones."""
    A = theory.matrix_A(L, C)
    B, D = A[:L, :L], A[:L, L:]
    first = (C + 1) / (2 * C) - (C - 1) ** 2 / (2 * C * (C + 1))
    rest = ((2 * L - C - 1) ** 2 - (C - 1) ** 2) / (C * (2 * L - 2) * (2 * L - C - 1))
    printed = np.sort([first, *[rest] * (L - 1)])
    return float(np.abs(np.linalg.eigvalsh(B - D @ np.linalg.solve(B, D)) - printed).max())


def judge_gradient(claims: Claims) -> None:
    """Judge the effective gradient against all sequences."""
    rng = np.random.default_rng(0)
    errors = []
    for L, C in ((2, 1), (3, 2), (4, 3), (4, 4), (5, 3), (6, 2)):
        task = CaseSequenceTask(L, C)
        sequences = task.all_sequences()
        weights = Weights(np.zeros((1, 3 * L)), np.zeros((1, 3 * L)), rng.normal(0, 1, (2, 3 * L)))
        expected = theory.effective_gradient(weights.W_V[:, : 2 * L], C)
        for name in THEOREM:
            model = ValueRuns("", (), 1.0, task=task).model(name)
            found = gradients(model, weights, task, sequences)[0].W_V / (2 * len(sequences))
            errors.append(np.abs(found[:, : 2 * L] - expected).max())
    words = (
        "The effective gradient is the mean over all sequences with uniform attention, in both models: largest "
        "difference, six pairs (L, C), random W_V."
    )
    at_most(claims, 1e-12, "effective-gradient", words, "equal", max(errors))


def judge_convergence(claims: Claims, every: Every, exact: Exact) -> None:
    """Judge where training ends."""
    pairs = [(every[e.name, TRANSFORMER], every[e.name, PERFECT]) for e in SIZES.values()]
    size = f"L = {TASK.n_letters}, C = {TASK.context_length}, N = {MAIN.key_dim}, batches of {BATCH}"
    for model, called in ((TRANSFORMER, "transformer"), (PERFECT, "slot-free model with n_h = C")):
        words = (
            f"W_V converges to the case code in the {called}: largest deviation of any entry in any run, {size}; at "
            "most 0.1."
        )
        at_most(claims, 0.1, f"case-code-{model}", words, "0 for N, B → ∞", every[MAIN.name, model].deviation)
    words = (
        "Lemma 1: with perfect storage in n_h = C units the slot-free model is the transformer: largest difference of "
        "W_V, all runs, iterations and N, same sequences and start."
    )
    at_most(claims, 1e-9, "same", words, "equal", max(np.abs(a.letters - b.letters).max() for a, b in pairs))
    ends = [rms(a.distance[:, -1]) for a, _ in pairs]
    words = (
        f"W_V ends nearer to the case code for larger N ({', '.join(map(str, SIZES))}): largest ratio of its distance "
        "to that for the next smaller N, root mean square over runs; at most 0.9."
    )
    at_most(claims, 0.9, "large-N", words, "0 for N → ∞", max(b / a for a, b in pairwise(ends)))
    claims.within(
        "root-N",
        "With all sequences in each batch W_V ends at a distance of about N^x from the case code, as W_QᵀW_K has "
        f"entries of about 1/√N: x, from {DRAWS} draws for each N from 10 to 10,000; within 0.05 of -0.5.",
        paper="0 for N → ∞",
        measured=float(np.polyfit(np.log(KEY_DIMS), [np.log(exact[N]).mean() for N in KEY_DIMS], 1)[0]),
        low=-0.55,
        high=-0.45,
    )
    words = f"Batches of {BATCH} leave W_V as far from where large ones lead as their noise explains, for all N"
    as_expected(claims, "noise", words, [a for a, _ in pairs])
    W = every[MAIN.name, TRANSFORMER].letters[:, -1]
    (like, _), between = cosines(W)
    words = "Columns of like case are aligned: least cosine of any two in any run; at least 0.95."
    claims.within("aligned", words, paper="aligned", measured=like, low=0.95, high=1 + 1e-9)
    words = (
        "Columns of opposite case are anti-aligned, once 1/2 is taken from all entries: largest cosine of any two in "
        f"any run. As they stand they are orthogonal: cosines from {between[0]:.2f} to {between[1]:.2f}."
    )
    measured = cosines(W - 1 / 2)[1][1]
    claims.within("anti-aligned", words, paper="anti-aligned", measured=measured, low=-1 - 1e-9, high=-0.95)


def cosines(W: NDArray[np.float64]) -> tuple[tuple[float, float], tuple[float, float]]:
    """The least and the largest cosine of two columns of W_V, (run, 2, 2L), of like case, and of opposite case."""
    columns = W / np.linalg.norm(W, axis=1, keepdims=True)
    lower, upper = np.split(columns, 2, axis=-1)
    pairs = ([lower, lower], [upper, upper]), ([lower, upper],)
    like, opposite = (np.array([np.swapaxes(a, 1, 2) @ b for a, b in kind]) for kind in pairs)
    return (float(like.min()), float(like.max())), (float(opposite.min()), float(opposite.max()))


def judge_bounds(claims: Claims, t: Trained) -> None:
    """Judge the bounds of the proof, on descent and on training."""
    rng = np.random.default_rng(0)
    T = np.arange(1, 301)
    distances, losses = [], []
    for L, C in ((n, m) for n in range(2, 11) for m in range(1, n)):
        start = rng.uniform(0, 0.1, (2, 2 * L))
        for eta in (theory.step_limit(L, C), 2.0 * L):
            path = theory.descend(start, C, eta, len(T))
            distances.append((theory.distance(path)[1:] / theory.distance_bound(start, C, eta, T)).max())
            excess = [theory.excess_loss(W, C) for W in path[1::20]]
            losses.append((excess / theory.loss_bound(start, C, eta, T[::20])).max())
    words = (
        "‖W_V(T) − W*‖ ≤ ‖W_V(0) − W*‖/√(ηmT): largest ratio of both sides for descent on the effective loss, T ≤ 300, "
        "L ≤ 10, C < L, η at the theorem's limit and at the lemma's, 1/M."
    )
    at_most(claims, 1.0, "bound-descent", words, "≤ 1", max(distances))
    words = "The excess loss of descent is at most ‖W_V(0) − W*‖²/(2ηT): largest ratio of both sides, same T, L, C, η."
    at_most(claims, 1.0, "bound-loss", words, "≤ 1", max(losses))
    C, eta = TASK.context_length, t.experiment.step
    bounds = np.array([theory.distance_bound(W, C, eta, t.steps[1:]) for W in t.letters[:, 0]])
    words = (
        "Training keeps within the bound of the distance: largest ratio of both sides, all runs and measured T, "
        f"N = {MAIN.key_dim}, batches of {BATCH}. (In the end its noise exceeds any bound that goes to 0.)"
    )
    at_most(claims, 1.0, "bound-training", words, "≤ 1 for N, B → ∞", (t.distance[:, 1:] / bounds).max())


def judge_steps(claims: Claims, every: Every) -> None:
    """Judge step sizes at and beyond the limits."""
    at = {eta: every[e.name, TRANSFORMER] for eta, e in STEPS.items()}
    between = [at[eta] for eta in BELOW if eta > LIMIT]
    below = f"beyond the theorem's limit, at η up to {BELOW[-1]:g}, below 2/M = 4L = {TRUE_LIMIT:g}"
    cases = (("at-limit", f"at the theorem's limit, η = {LIMIT:g}", [at[LIMIT]]), ("between", below, between))
    for name, where, chosen in cases:
        left = max((t.descent[:, -1] / t.descent[:, 0]).max() for t in chosen)
        words = (
            f"Descent on the effective loss converges {where}: share of the distance from the case code that is left "
            f"after {chosen[0].steps[-1]} steps; at most 0.01."
        )
        at_most(claims, 1e-2, f"descent-{name}", words, "η < C²/(2γd) suffices", left)
        as_expected(claims, f"training-{name}", f"Training stays about the case code {where}", chosen)
    beyond = [at[eta] for eta in BEYOND]
    words = (
        f"Beyond 2/M, at η = {' and '.join(f'{eta:g}' for eta in BEYOND)}, training diverges: share of runs that end "
        "farther from the case code than they began, or with numbers that are not finite; all."
    )
    share = float(np.mean([t.diverged / len(t.letters) for t in beyond]))
    claims.add("beyond", words, paper="not printed", measured=share, holds=share == 1)


def judge_grid(claims: Claims, every: Every) -> None:
    """Judge other alphabets and contexts."""
    inside = [every[e.name, TRANSFORMER] for (L, C), e in GRID.items() if C < L]
    words = (
        f"W_V converges to the case code for {len(inside)} pairs (L, C), N → ∞, η at 0.9 of the theorem's limit: "
        f"largest deviation of any entry in any run, batches of {BATCH}; at most 0.15."
    )
    at_most(claims, 0.15, "grid", words, "0 for N, B → ∞", max(t.deviation for t in inside))
    words = "Batches leave W_V as far from the case code as their noise explains, for all these pairs"
    as_expected(claims, "grid-noise", words, inside)
    start = every[GRID[4, 4].name, TRANSFORMER].letters[0, 0]
    both = (start[:, :4] + start[:, 4:]) / 2
    kept = np.linalg.norm(both - both.mean(axis=1, keepdims=True)) * 2**0.5
    left = theory.distance(theory.descend(start, 4, theory.step_limit(4, 4), 2000)[-1])
    words = (
        "For C = L = 4, which the theorem excludes and the paper trains, descent keeps the differences between letters "
        "that both cases have in W_V(0): distance left after 2000 steps, by the size of these."
    )
    measured = float(left / kept)
    claims.within("C-equals-L", words, paper="not printed", measured=measured, low=0.999, high=1.001)


def judge_built(claims: Claims, t: Trained, at_limit: Trained) -> None:
    """Judge the slot-free model that can be built, of which the theorem does not speak."""
    L, C = TASK.n_letters, TASK.context_length
    contrast = (t.letters[:, -1] * (2 * TASK.case_code - 1)).sum(axis=1)
    words = (
        "No n_h = C units can hold all contexts for C < L. With n_h = 2L, all attended to, each column of W_V still "
        f"has the right case: least of right less wrong output, any column and run, N = {UNUSED.key_dim}; above 0."
    )
    least = float(contrast.min())
    claims.add("built-case", words, paper="1 with n_h = C", measured=least, holds=least > 0)
    expected = 2 * L / (C + (2 * L - C) * L / 6)
    words = (
        "With n_h = 2L units W_V is not the case code, as units without an item reinstate noise: mean of right less "
        f"wrong output, in theory n_h/(C + (n_h − C)L/6) = {expected:.3f}; within 10%."
    )
    low, high, mean = 0.9 * expected, 1.1 * expected, float(contrast.mean())
    claims.within("built-contrast", words, paper="1 with n_h = C", measured=mean, low=low, high=high)
    most = 2 / np.linalg.eigvalsh(theory.slot_free_limit(L, C, 2 * L)[1])[-1]
    words = (
        f"The theorem's step size does not suffice with n_h = 2L: the limit is {most:.3f} there, not C/3 = {LIMIT:g}, "
        "where training diverges: share of runs that do; all."
    )
    share = at_limit.diverged / len(at_limit.letters)
    holds = most < LIMIT and share == 1
    claims.add("built-step", words, paper="η < C/3 with n_h = C", measured=share, holds=holds)
