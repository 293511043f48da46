"""What theorem 2 and its proof claim, and what we found about them."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from slotfree.attention import theory
from slotfree.attention.gradients import gradients
from slotfree.attention.weights import Weights
from slotfree.paper.attention.theorem2.experiments import (
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
    model_of,
)
from slotfree.paper.attention.theorem2.measures import (
    DRAWS,
    KEY_DIMS,
    LearnedValues,
    large_batch_distances,
    learned,
    rms,
)
from slotfree.study import estimate
from slotfree.study.claim import Claim, Limits, Source, above, at_least, at_most, below, within
from slotfree.study.estimate import Estimate
from slotfree.study.results import Results
from slotfree.tasks.case_sequence import CaseSequenceTask

PAIRS = [(L, C) for L in range(2, 31) for C in range(1, L)]
ROUNDING = at_most(1e-12)


def claims(r: Results) -> Iterator[Claim]:
    """All that the theorem and its proof say."""
    yield from claims_of_matrix()
    yield from claims_of_gradient()
    yield from claims_of_convergence(r)
    yield from claims_of_columns(r)
    yield from claims_of_bounds(r)
    yield from claims_of_steps(r)
    yield from claims_of_sizes(r)
    yield from claims_of_built(r)


def exactly(
    name: str, claim: str, value: float, limits: Limits, paper: float | str = "", source: Source = "paper"
) -> Claim:
    """A claim about a number without sampling error: a formula, or an extreme of the runs that it speaks of."""
    return Claim(name, claim, source, paper, estimate.exact(value), limits)


def claims_of_matrix() -> Iterator[Claim]:
    """What the proof says of A, by numbers."""
    computed = {(L, C): np.linalg.eigvalsh(theory.matrix_A(L, C)) for L, C in PAIRS}
    yield exactly(
        "positive-definite",
        "A is positive definite for C < L: its least computed eigenvalue, 2 ≤ L ≤ 30; above 1e-9 (rounding: 1e-15).",
        min(values[0] for values in computed.values()),
        at_least(1e-9),
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
    yield exactly(
        "schur",
        "The proof's eigenvalues of the Schur complement B − DB⁻¹D, 2 ≤ L ≤ 30: largest difference of computed ones.",
        max(schur_error(L, C) for L, C in PAIRS),
        ROUNDING,
        "equal",
    )
    yield exactly(
        "lipschitz",
        "The gradient's Lipschitz constant is at most 2γd/C²: largest ratio of the true one, M = 1/(2L), to it.",
        max(theory.hessian_extremes(L, C)[1] * theory.step_limit(L, C) for L, C in PAIRS),
        at_most(1),
        "≤ 1",
    )


def schur_error(L: int, C: int) -> float:
    """Largest difference of the printed eigenvalues of the Schur complement from computed ones."""
    A = theory.matrix_A(L, C)
    B, D = A[:L, :L], A[:L, L:]
    first = (C + 1) / (2 * C) - (C - 1) ** 2 / (2 * C * (C + 1))
    rest = ((2 * L - C - 1) ** 2 - (C - 1) ** 2) / (C * (2 * L - 2) * (2 * L - C - 1))
    printed = np.sort([first, *[rest] * (L - 1)])
    return float(np.abs(np.linalg.eigvalsh(B - D @ np.linalg.solve(B, D)) - printed).max())


def claims_of_gradient() -> Iterator[Claim]:
    """The effective gradient against all sequences."""
    rng = np.random.default_rng(0)
    errors = []
    for L, C in ((2, 1), (3, 2), (4, 3), (4, 4), (5, 3), (6, 2)):
        task = CaseSequenceTask(L, C)
        sequences = task.all_sequences()
        weights = Weights(np.zeros((1, 3 * L)), np.zeros((1, 3 * L)), rng.normal(0, 1, (2, 3 * L)))
        expected = theory.effective_gradient(weights.W_V[:, : 2 * L], C)
        for name in THEOREM:
            found = gradients(model_of(name, task, None), weights, task, sequences)[0].W_V / (2 * len(sequences))
            errors.append(np.abs(found[:, : 2 * L] - expected).max())
    yield exactly(
        "effective-gradient",
        "The effective gradient is the mean over all sequences with uniform attention, in both models: largest "
        "difference, six pairs (L, C), random W_V.",
        max(errors),
        ROUNDING,
        "equal",
    )


def claims_of_convergence(r: Results) -> Iterator[Claim]:
    """Where training ends."""
    pairs = [(learned(r, e, TRANSFORMER), learned(r, e, PERFECT)) for e in SIZES.values()]
    size = f"L = {TASK.n_letters}, C = {TASK.context_length}, N = {max(SIZES)}, batches of {BATCH}"
    for model, called in ((TRANSFORMER, "transformer"), (PERFECT, "slot-free model with n_h = C")):
        yield exactly(
            f"case-code-{model}",
            f"W_V converges to the case code in the {called}: largest deviation of any entry in any run, {size}; at "
            "most 0.1.",
            learned(r, MAIN, model).deviation,
            at_most(0.1),
            "0 for N, B → ∞",
        )
    yield exactly(
        "same",
        "Lemma 1: with perfect storage in n_h = C units the slot-free model is the transformer: largest difference of "
        "W_V, all runs, iterations and N, same sequences and start.",
        max(np.abs(a.letters - b.letters).max() for a, b in pairs),
        at_most(1e-9),
        "equal",
    )
    yield Claim(
        "large-N",
        f"W_V ends nearer to the case code for larger N ({', '.join(map(str, SIZES))}): largest ratio of its distance "
        "to that for the next smaller N, root mean square over runs; at most 0.9.",
        "paper",
        "0 for N → ∞",
        estimate.bootstrap(_largest_ratio, *(a.distance[:, -1] for a, _ in pairs), of=_rms_of_rows, seed=r.seed),
        at_most(0.9),
    )
    yield Claim(
        "root-N",
        "With all sequences in each batch W_V ends at a distance of about N^x from the case code, as W_QᵀW_K has "
        f"entries of about 1/√N: x, from {DRAWS} draws for each N from 10 to 10,000; within 0.05 of -0.5.",
        "ours",
        "0 for N → ∞",
        exponent(large_batch_distances(r.seed)),
        within(-0.55, -0.45),
    )
    yield as_expected(
        "noise",
        f"Batches of {BATCH} leave W_V as far from where large ones lead as their noise explains, for all N",
        [a for a, _ in pairs],
        r.seed,
    )


def _largest_ratio(*distances: NDArray[np.float64]) -> NDArray[np.float64]:
    largest: NDArray[np.float64] = np.max([b / a for a, b in pairwise(distances)], axis=0)
    return largest


def _rms_of_rows(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.sqrt((rows**2).mean(axis=1))
    return found


def exponent(distances: NDArray[np.float64]) -> Estimate:
    """The power of N by which distances (N, draw) grow, leaving out one draw after the other."""

    def slope(chosen: NDArray[np.float64]) -> float:
        return float(np.polyfit(np.log(KEY_DIMS), np.log(chosen).mean(axis=1), 1)[0])

    without = [slope(np.delete(distances, i, axis=1)) for i in range(distances.shape[1])]
    return estimate.jackknife(slope(distances), without)


def as_expected(name: str, sentence: str, chosen: Sequence[LearnedValues], seed: int) -> Claim:
    """Distances from the limit are those of theory, within a factor of 2, by which few runs may vary."""
    farthest = max(chosen, key=lambda t: abs(np.log(rms(t.from_limit) / t.expected)))
    expected = farthest.expected
    return Claim(
        name,
        f"{sentence}: root mean square over runs at the end, by that of theory (descent and noise); the ratio farthest "
        "from 1, within a factor of 2.",
        "ours",
        "",
        estimate.bootstrap(lambda found: found / expected, farthest.from_limit, of=_rms_of_rows, seed=seed),
        within(0.5, 2.0),
    )


def claims_of_columns(r: Results) -> Iterator[Claim]:
    """How the columns of W_V lie to each other."""
    W = learned(r, MAIN, TRANSFORMER).letters[:, -1]
    yield exactly(
        "aligned",
        "Columns of like case are aligned: least cosine of any two in any run; at least 0.95.",
        cosines(W)[0].min(),
        at_least(0.95),
        "aligned",
    )
    between = cosines(W)[1]
    yield exactly(
        "anti-aligned",
        "Columns of opposite case are anti-aligned, once 1/2 is taken from all entries: largest cosine of any two in "
        f"any run. As they stand they are orthogonal: cosines from {between.min():.2f} to {between.max():.2f}.",
        cosines(W - 1 / 2)[1].max(),
        at_most(-0.95),
        "anti-aligned",
    )


def cosines(W: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The cosines of two columns of W_V, (run, 2, 2L), of like case, and of opposite case."""
    columns = W / np.linalg.norm(W, axis=1, keepdims=True)
    lower, upper = np.split(columns, 2, axis=-1)
    like = np.array([np.swapaxes(a, 1, 2) @ a for a in (lower, upper)])
    return like, np.swapaxes(lower, 1, 2) @ upper


def claims_of_bounds(r: Results) -> Iterator[Claim]:
    """The bounds of the proof, on descent and on training."""
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
    yield exactly(
        "bound-descent",
        "‖W_V(T) − W*‖ ≤ ‖W_V(0) − W*‖/√(ηmT): largest ratio of both sides for descent on the effective loss, T ≤ 300, "
        "L ≤ 10, C < L, η at the theorem's limit and at the lemma's, 1/M.",
        max(distances),
        at_most(1),
        "≤ 1",
    )
    yield exactly(
        "bound-loss",
        "The excess loss of descent is at most ‖W_V(0) − W*‖²/(2ηT): largest ratio of both sides, same T, L, C, η.",
        max(losses),
        at_most(1),
        "≤ 1",
    )
    t = learned(r, MAIN, TRANSFORMER)
    C, eta = TASK.context_length, t.training.step
    bounds = np.array([theory.distance_bound(W, C, eta, t.steps[1:]) for W in t.letters[:, 0]])
    yield exactly(
        "bound-training",
        "Training keeps within the bound of the distance: largest ratio of both sides, all runs and measured T, "
        f"N = {t.training.key_dim}, batches of {BATCH}. (In the end its noise exceeds any bound that goes to 0.)",
        (t.distance[:, 1:] / bounds).max(),
        at_most(1),
        "≤ 1 for N, B → ∞",
    )


def claims_of_steps(r: Results) -> Iterator[Claim]:
    """Step sizes at and beyond the limits."""
    at = {eta: learned(r, e, TRANSFORMER) for eta, e in STEPS.items()}
    between = [at[eta] for eta in BELOW if eta > LIMIT]
    beyond_limit = f"beyond the theorem's limit, at η up to {BELOW[-1]:g}, below 2/M = 4L = {TRUE_LIMIT:g}"
    cases: tuple[tuple[str, str, list[LearnedValues], Source], ...] = (
        ("at-limit", f"at the theorem's limit, η = {LIMIT:g}", [at[LIMIT]], "paper"),
        ("between", beyond_limit, between, "ours"),
    )
    for name, where, chosen, source in cases:
        yield exactly(
            f"descent-{name}",
            f"Descent on the effective loss converges {where}: share of the distance from the case code that is left "
            f"after {chosen[0].steps[-1]} steps; at most 0.01.",
            max((t.descent[:, -1] / t.descent[:, 0]).max() for t in chosen),
            at_most(0.01),
            "η < C²/(2γd) suffices",
            source,
        )
        yield as_expected(f"training-{name}", f"Training stays about the case code {where}", chosen, r.seed)
    beyond = [at[eta] for eta in BEYOND]
    yield exactly(
        "beyond",
        f"Beyond 2/M, at η = {' and '.join(f'{eta:g}' for eta in BEYOND)}, training diverges: share of runs that end "
        "farther from the case code than they began, or with numbers that are not finite; all.",
        float(np.mean([t.diverged / len(t.letters) for t in beyond])),
        within(1, 1),
        source="ours",
    )


def claims_of_sizes(r: Results) -> Iterator[Claim]:
    """Other alphabets and contexts."""
    inside = [learned(r, e, TRANSFORMER) for (L, C), e in GRID.items() if C < L]
    yield exactly(
        "grid",
        f"W_V converges to the case code for {len(inside)} pairs (L, C), N → ∞, η at 0.9 of the theorem's limit: "
        f"largest deviation of any entry in any run, batches of {BATCH}; at most 0.15.",
        max(t.deviation for t in inside),
        at_most(0.15),
        "0 for N, B → ∞",
    )
    noise = "Batches leave W_V as far from the case code as their noise explains, for all these pairs"
    yield as_expected("grid-noise", noise, inside, r.seed)
    start = learned(r, GRID[4, 4], TRANSFORMER).letters[0, 0]
    both = (start[:, :4] + start[:, 4:]) / 2
    kept = np.linalg.norm(both - both.mean(axis=1, keepdims=True)) * 2**0.5
    left = theory.distance(theory.descend(start, 4, theory.step_limit(4, 4), 2000)[-1])
    yield exactly(
        "C-equals-L",
        "For C = L = 4, which the theorem excludes and the paper trains, descent keeps the differences between letters "
        "that both cases have in W_V(0): distance left after 2000 steps, by the size of these.",
        float(left / kept),
        within(0.999, 1.001),
        source="ours",
    )


def claims_of_built(r: Results) -> Iterator[Claim]:
    """The slot-free model that can be built, of which the theorem does not speak."""
    t, at_limit = learned(r, UNUSED, BUILT), learned(r, UNUSED_AT_LIMIT, BUILT)
    L, C = TASK.n_letters, TASK.context_length
    contrast = (t.letters[:, -1] * (2 * TASK.case_code - 1)).sum(axis=1)
    yield exactly(
        "built-case",
        "No n_h = C units can hold all contexts for C < L. With n_h = 2L, all attended to, each column of W_V still "
        "has the right case: least of right less wrong output, any column and run, "
        f"N = {t.training.key_dim}; above 0.",
        contrast.min(),
        above(0),
        "1 with n_h = C",
        "ours",
    )
    expected = 2 * L / (C + (2 * L - C) * L / 6)
    yield Claim(
        "built-contrast",
        "With n_h = 2L units W_V is not the case code, as units without an item reinstate noise: mean of right less "
        f"wrong output, in theory n_h/(C + (n_h − C)L/6) = {expected:.3f}; within 10%.",
        "ours",
        "1 with n_h = C",
        estimate.mean(contrast.mean(axis=1)),
        within(0.9 * expected, 1.1 * expected),
    )
    most = 2 / np.linalg.eigvalsh(theory.slot_free_limit(L, C, 2 * L)[1])[-1]
    yield exactly(
        "built-step-limit",
        f"The theorem's step size, C/3 = {LIMIT:g}, does not suffice with n_h = 2L: the largest for which descent "
        "converges there, as a share of it; below 1.",
        most / LIMIT,
        below(1),
        "η < C/3 with n_h = C",
        "ours",
    )
    yield exactly(
        "built-step",
        f"With n_h = 2L training diverges at the theorem's limit, η = {LIMIT:g}: share of runs that do; all.",
        at_limit.diverged / len(at_limit.letters),
        within(1, 1),
        "η < C/3 with n_h = C",
        "ours",
    )
