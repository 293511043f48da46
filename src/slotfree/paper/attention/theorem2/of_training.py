"""What theorem 7 says of training W_V alone in the transformer."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from slotfree.attention import theory
from slotfree.paper.attention.theorem2.experiments import (
    BATCH,
    BATCHES,
    BELOW,
    BEYOND,
    GRID,
    LIMIT,
    MAIN,
    SIZES,
    SMALL,
    STEPS,
    TASK,
    TRANSFORMER,
    TRUE_LIMIT,
)
from slotfree.paper.attention.theorem2.judged import equal, exponent, falling, means_of_rows
from slotfree.paper.attention.theorem2.measures import (
    DRAWS,
    KEY_DIMS,
    LearnedValues,
    large_batch_distances,
    learned,
)
from slotfree.paper.shared.numeric import exactly
from slotfree.study import estimate
from slotfree.study.claim import Claim, above, at_most, below, of_paper, within
from slotfree.study.estimate import Estimate
from slotfree.study.results import Results


def claims_of_training(r: Results) -> Iterator[Claim]:
    """Where training ends, and how the columns of W_V lie then."""
    yield from claims_of_convergence(r)
    yield from claims_of_columns(r)
    yield from claims_of_steps(r)
    yield from claims_of_sizes(r)


def left_for_large(small: LearnedValues, large: LearnedValues, seed: int) -> Estimate:
    """Squared distance from the case code for N, B → ∞, from runs of which the large ones have four times N and B.

    What keys of finite size and finite batches add is in proportion to 1/N and to 1/B.
    """
    squares = (t.distance[:, -1] ** 2 for t in (small, large))
    return estimate.bootstrap(lambda a, b: (4 * b - a) / 3, *squares, of=means_of_rows, seed=seed)


def claims_of_convergence(r: Results) -> Iterator[Claim]:
    """The limits of large N and of large B."""
    size = f"L = {TASK.n_letters}, C = {TASK.context_length}"
    small, large = learned(r, SMALL, TRANSFORMER), learned(r, SIZES[100], TRANSFORMER)
    yield equal(
        "case-code-transformer",
        "“In the limit of large N and batch size B”, columns of W_V “converge to” [1, 0] and [0, 1], transformer: "
        "squared distance from the case code that is left, extrapolated from N = 25, B = 64 and N = 100, B = 256; "
        f"there it is {(small.distance[:, -1] ** 2).mean():.3f} and {(large.distance[:, -1] ** 2).mean():.3f}, {size}.",
        left_for_large(small, large, r.seed),
        0.0,
        "0 for N, B → ∞",
    )
    ends = [learned(r, e, TRANSFORMER).distance[:, -1] ** 2 for e in SIZES.values()]
    yield falling(
        "large-N",
        f"W_V ends nearer to the case code for larger N ({', '.join(map(str, SIZES))}): its distance divided by that "
        f"for the next smaller N, root mean square over runs, the largest; B = {BATCH}.",
        ends,
        "0 for N, B → ∞",
        r.seed,
    )
    by_batch = [learned(r, e, TRANSFORMER) for e in BATCHES.values()]
    yield falling(
        "large-B",
        f"“When the batch size B is sufficiently large, W_V is effectively being optimized via gradient descent on a "
        "fixed convex objective”: its distance from descent, divided by that for the next smaller B, root mean "
        f"square over runs, the largest; B = {', '.join(map(str, BATCHES))}, N → ∞.",
        [t.from_descent**2 for t in by_batch],
        "0 for B → ∞",
        r.seed,
    )
    yield equal(
        "root-N",
        "With all sequences in each batch W_V ends at a distance of about N^x from the case code, as W_QᵀW_K has "
        f"entries of about 1/√N: x, from {DRAWS} draws for each N from {KEY_DIMS[0]} to {KEY_DIMS[-1]:,}.",
        exponent(KEY_DIMS, large_batch_distances(r.seed) ** 2),
        -0.5,
        "0 for N → ∞",
        "ours",
    )
    yield equal(
        "root-B",
        "For N → ∞ W_V ends at a distance of about B^x from the case code: x.",
        exponent(list(BATCHES), np.array([t.distance[:, -1] ** 2 for t in by_batch])),
        -0.5,
        "0 for B → ∞",
        "ours",
    )
    yield as_expected("noise", f"Training with B = {', '.join(map(str, BATCHES))} leaves W_V", by_batch)


def as_expected(name: str, sentence: str, chosen: Sequence[LearnedValues]) -> Claim:
    """Distances from the limit are those of theory."""
    ratios = np.concatenate([t.from_limit**2 / t.expected**2 for t in chosen])
    return equal(
        name,
        f"{sentence} as far from the limit as the noise of batches explains: mean square distance at the end, divided "
        "by that of theory (descent and noise), all runs.",
        estimate.mean(ratios),
        1.0,
        source="ours",
    )


def claims_of_columns(r: Results) -> Iterator[Claim]:
    """How the columns of W_V lie to each other."""
    t = learned(r, MAIN, TRANSFORMER)
    W = t.letters[:, -1]
    like, opposite = cosines(W)
    yield exactly(
        "case-transformer",
        "“W_V can successfully learn to exhibit case structure, even in the absence of any learning for W_K and W_Q”: "
        f"right minus wrong output of a column, the least of all columns and runs, N = {t.training.key_dim}.",
        t.contrast.min(),
        above(0),
        "> 0",
    )
    yield exactly(
        "aligned",
        "“Columns corresponding to like … cases will be aligned”: cosine of two of them, the least in any run.",
        like.min(),
        above(0),
        "aligned",
    )
    yield exactly(
        "anti-aligned",
        "“Columns corresponding to … opposite cases will be … anti-aligned”: cosine of two of them, the largest in any "
        f"run. The mean is {opposite.mean():.3f}; in the limit, of [1, 0] and [0, 1], it is 0.",
        opposite.max(),
        below(0),
        "anti-aligned",
    )
    most = max(BATCHES)
    without_keys = cosines(learned(r, BATCHES[most], TRANSFORMER).letters[:, -1])[1]
    yield equal(
        "orthogonal",
        f"Columns of opposite cases are orthogonal: their mean cosine, N → ∞, B = {most}.",
        estimate.mean(without_keys.mean(axis=(1, 2))),
        0.0,
        "anti-aligned",
        "ours",
    )
    yield exactly(
        "anti-aligned-centred",
        "Columns of opposite cases are anti-aligned once ½ is taken from all entries: cosine of two of them, the "
        "largest in any run.",
        cosines(W - 1 / 2)[1].max(),
        below(0),
        "anti-aligned",
        "ours",
    )


def cosines(W: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The cosines of two columns of W_V, (run, 2, 2L), of like case, and of opposite case."""
    columns = W / np.linalg.norm(W, axis=1, keepdims=True)
    lower, upper = np.split(columns, 2, axis=-1)
    like = np.array([np.swapaxes(a, 1, 2) @ a for a in (lower, upper)])
    return like, np.swapaxes(lower, 1, 2) @ upper


def claims_of_steps(r: Results) -> Iterator[Claim]:
    """Step sizes at and beyond the limits, and the bound along training."""
    at = {eta: learned(r, e, TRANSFORMER) for eta, e in STEPS.items()}
    within_limit = [
        *(at[eta] for eta in BELOW if eta <= LIMIT),
        *(learned(r, e, TRANSFORMER) for e in BATCHES.values()),
    ]
    within_limit += [learned(r, e, TRANSFORMER) for (L, C), e in GRID.items() if C < L]
    runs = sum(len(t.letters) for t in within_limit)
    yield of_paper(
        "steps-transformer",
        "Training converges “with high probability” with η up to C²/(2γd): share of runs of the transformer that end "
        f"nearer to the case code than they began, {runs} runs with several η, B, L and C; above ½.",
        paper="high",
        estimate=estimate.share(runs - sum(t.diverged for t in within_limit), runs),
        limits=above(0.5),
    )
    t = learned(r, MAIN, TRANSFORMER)
    bounds = np.array(
        [theory.distance_bound(W, TASK.context_length, t.training.step, t.steps[1:]) for W in t.letters[:, 0]]
    )
    yield exactly(
        "bound-training",
        "Training keeps within the bound on the distance, ‖W_V(0) − W*‖/√(ηmT): largest ratio of both sides, all runs "
        f"and measured T, N = {t.training.key_dim}, B = {BATCH}. (In the end its noise exceeds any bound that goes to "
        "0.)",
        (t.distance[:, 1:] / bounds).max(),
        at_most(1),
        "≤ 1 for N, B → ∞",
    )
    between = [at[eta] for eta in BELOW if eta > LIMIT]
    yield as_expected(
        "training-between",
        f"Beyond the theorem's limit, at η up to {BELOW[-1]:g}, below 2/M = 4L = {TRUE_LIMIT:g}, training leaves W_V",
        between,
    )
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
        f"W_V learns the case of each letter for other L and C < L: right minus wrong output of a column, the least of "
        f"all columns and runs, {len(inside)} pairs (L, C), N → ∞, B = {BATCH}. The limit is 1.",
        min(t.contrast.min() for t in inside),
        above(0),
        "1 for N, B → ∞",
    )
    yield as_expected("grid-noise", "For other L and C < L, training leaves W_V", inside)
    start = learned(r, GRID[4, 4], TRANSFORMER).letters[0, 0]
    both = (start[:, :4] + start[:, 4:]) / 2
    kept = np.linalg.norm(both - both.mean(axis=1, keepdims=True)) * 2**0.5
    left = theory.distance(theory.descend(start, 4, theory.step_limit(4, 4), 2000)[-1])
    yield exactly(
        "C-equals-L",
        "For C = L = 4, which the theorem excludes and the paper trains, descent keeps the differences between letters "
        "that both cases have in W_V(0): distance left after 2000 steps, divided by the size of these.",
        float(left / kept),
        within(1 - 1e-9, 1 + 1e-9),
        source="ours",
    )
