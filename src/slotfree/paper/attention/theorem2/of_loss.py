"""What the proof of theorem 7 says of sequences, gradients and the effective loss: equations that need no training."""

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from slotfree.attention import theory
from slotfree.attention.baseline import BaselineTransformer
from slotfree.attention.gradients import gradients
from slotfree.attention.weights import Weights
from slotfree.paper.attention.theorem2 import printed
from slotfree.paper.attention.theorem2.experiments import TASK
from slotfree.paper.attention.theorem2.judged import FEWER, PAIRS, ROUNDING
from slotfree.paper.shared.numeric import exactly, slope
from slotfree.study.claim import Claim, above, at_most, within
from slotfree.tasks.case_sequence import CaseSequenceTask
from slotfree.tasks.sequences import Sequences

LISTED = ((2, 1), (3, 2), (4, 3), (5, 3), (6, 2))  # all their sequences can be listed

Matrix = NDArray[np.float64]


def claims_of_loss_and_gradient() -> Iterator[Claim]:
    """From sequences to the loss on which W_V descends."""
    yield from claims_of_sequences()
    yield from claims_of_gradient()
    yield from claims_of_loss()


def claims_of_sequences() -> Iterator[Claim]:
    """What sequences hold that hold a given letter, counted over all sequences."""
    shares, both, targets, others = [], [], [], []
    for L, C in LISTED:
        task = CaseSequenceTask(L, C)
        every = task.all_sequences()
        has = np.zeros((len(every), 2 * L))
        np.put_along_axis(has, every.context, 1.0, axis=1)
        y, counts = np.eye(2)[every.target], has.sum(axis=0)
        shares.append(np.abs(counts / len(every) - theory.appearance(L, C)).max())
        both.append((has[:, :L] * has[:, L:]).mean())
        expected = task.case_code / C + (1 - 1 / C) / 2
        targets.append(np.abs(y.T @ has / counts - expected).max())
        together = has.T @ has / counts  # share of the sequences with letter j that hold letter i
        other = 1 - np.tile(np.eye(L), (2, 2))
        others.append(np.abs(together - np.eye(2 * L) - other * (C - 1) / (2 * L - 2)).max())
    sizes = ", ".join(map(str, LISTED))
    yield exactly(
        "gamma",
        f"γ, the share of sequences in which a letter appears in a given case, is C/(2L): largest difference, (L, C) = "
        f"{sizes}.",
        max(shares),
        ROUNDING,
        "γ ∈ (0, 1)",
        "ours",
    )
    yield exactly(
        "other-case",
        "“None of these input sequences can contain x_J'”, the other case of the letter: share of sequences with both.",
        max(both),
        within(0, 0),
        0,
    )
    yield exactly(
        "expected-target",
        "“E[y] = y_J/C + (1 − 1/C)(½, ½)” over the sequences that contain x_J: largest difference.",
        max(targets),
        ROUNDING,
        "equal",
    )
    yield exactly(
        "other-letters",
        "The other items are “uniform over the remaining 2L−2 letters”: largest difference of the share of sequences "
        "with x_J that hold another letter from (C − 1)/(2L − 2).",
        max(others),
        ROUNDING,
        "equal",
    )


def claims_of_gradient() -> Iterator[Claim]:
    """The gradient of W_V, for one batch and for all sequences."""
    rng = np.random.default_rng(0)
    errors, wrong = [], []
    for L, C in LISTED:
        task = CaseSequenceTask(L, C)
        zero = np.zeros((1, 3 * L))
        weights = Weights(zero, zero, rng.normal(0, 1, (2, 3 * L)))
        every = task.all_sequences()
        found = value_gradient(weights, task, every)
        errors.append(np.abs(found[:, : 2 * L] - theory.effective_gradient(weights.W_V[:, : 2 * L], C)).max())
        one = task.batch(1, seed=rng)
        updated = np.flatnonzero(value_gradient(weights, task, one).any(axis=0))
        wrong.append(len(set(updated) ^ set(one.context[0])))
    yield exactly(
        "batch-gradient",
        "“∂L/∂W_V = (1/B) Σ (ŷ − y) x̃ᵀ” for L = (1/2B) Σ |ŷ − y|², with random keys and queries: largest difference "
        "from that of finite steps, as a share of its size; rounding leaves 1e-7.",
        batch_gradient_error(),
        at_most(1e-7),
        "equal",
    )
    yield exactly(
        "updated-columns",
        "A column of W_V has “a nonzero update if and only if x_J appears in the context window”: columns for which it "
        "is not so, one sequence for each of five (L, C).",
        sum(wrong),
        within(0, 0),
        0,
    )
    yield exactly(
        "effective-gradient",
        "The effective gradient is what the gradient “concentrates to” for uniform attention: largest difference from "
        "the mean over all sequences, five (L, C), random W_V.",
        max(errors),
        ROUNDING,
        "equal",
    )
    others = TASK.case_code.sum(axis=1)[0] - 1
    yield exactly(
        "sum-half",
        "The second term of the effective gradient “drives the sum of the elements corresponding to other letters in "
        f"the same row of W_V towards ½”: that sum where the gradient is 0, L = {TASK.n_letters}. (Their mean is ½.)",
        float(others),
        within(0.5, 0.5),
        0.5,
    )


def value_gradient(weights: Weights, task: CaseSequenceTask, sequences: Sequences) -> Matrix:
    """∂L/∂W_V of the transformer (β = 1) with the loss (1/2B) Σ |ŷ − y|²."""
    model = BaselineTransformer(key_dim=len(weights.W_K), beta=1.0)
    return gradients(model, weights, task, sequences)[0].W_V / (2 * len(sequences))


def batch_gradient_error() -> float:
    """Largest difference of the gradient of a batch from that of finite steps, by the largest entry."""
    rng = np.random.default_rng(0)
    N, tokens, step = 10, TASK.n_tokens, 1e-4
    W_Q, W_K = rng.normal(0, N**-0.5, (2, N, tokens))
    W_V = rng.normal(0, 1, (2, tokens))
    sequences = TASK.batch(20, seed=rng)
    scores = np.take_along_axis((W_Q.T @ W_K)[sequences.query], sequences.context, axis=1)
    s = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    x = np.zeros((len(sequences), tokens))
    np.put_along_axis(x, sequences.context, s, axis=1)
    y = np.eye(2)[sequences.target]
    numeric = slope(lambda V: float(((x @ V.T - y) ** 2).sum() / (2 * len(sequences))), W_V, step)
    return float(
        np.abs(value_gradient(Weights(W_Q, W_K, W_V), TASK, sequences) - numeric).max() / np.abs(numeric).max()
    )


def claims_of_loss() -> Iterator[Claim]:
    """The effective loss as printed, in both forms."""
    rng = np.random.default_rng(0)
    differences, gaps, misfits = [], [], []
    for L, C in FEWER:
        W = rng.normal(0, 1, (2, 2 * L))
        expected = theory.effective_gradient(W, C)
        differences.append(np.abs(slope(partial(printed.loss, C=C), W, 1.0) - expected).max())
        gap = printed.second_form(W, C) - printed.loss(W, C)
        gaps.append(abs(gap))
        misfits.append(abs(gap - theory.appearance(L, C) / C * 2 * L * (1 - 1 / (2 * C))))
    yield exactly(
        "loss-gradient",
        "“The above gradient precisely arises from the loss function L̃” in its first form: largest difference, "
        "2 ≤ L ≤ 10, C < L, random W_V.",
        max(differences),
        ROUNDING,
        "equal",
    )
    yield exactly(
        "loss-forms",
        "Both printed forms of L̃ are equal: least difference, 2 ≤ L ≤ 10, C < L, random W_V.",
        min(gaps),
        ROUNDING,
        "equal",
    )
    yield exactly(
        "loss-forms-constant",
        "The two printed forms of L̃ differ by a constant, as the second has (y_J)² for (y_J)²/(2C), and so have the "
        "same gradient: largest deviation of the difference from (γ/C)·2L·(1 − 1/(2C)).",
        max(misfits),
        ROUNDING,
        source="ours",
    )
    yield exactly(
        "convex-constant",
        "“1/(2C) − (1 − 1/C)/(2L − 2) > 0 since C < L”, by which L̃ is convex: least value, 2 ≤ L ≤ 30. It is "
        "(L − C)/(2C(L − 1)).",
        min(1 / (2 * C) - printed.weight_of_others(L, C) for L, C in PAIRS),
        above(0),
        "> 0",
    )
