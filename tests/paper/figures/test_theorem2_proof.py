"""The proof of theorem 7, equation by equation, as it is printed: what holds, and the slips that can be mended."""

from functools import partial

import numpy as np
import pytest
from paper.figures.effective_loss import curvature, effective_gradient, excess_loss
from paper.numeric import slope

import slotfree as sf
from slotfree.attention.gradients import gradients
from slotfree.attention.weights import Weights
from slotfree.paper.figures import theorem2_theory as theory
from slotfree.paper.figures.theorem2_experiments import StoredContexts

PAIRS = [(L, C) for L in range(2, 31) for C in range(1, L)]
FEWER = [(L, C) for L, C in PAIRS if L <= 10]
LISTED = [(2, 1), (3, 2), (4, 3), (5, 3), (6, 2)]  # all their sequences can be listed
T = np.arange(1, 301)


def case_code(L):
    return sf.CaseSequenceTask(L, 1).case_code


def weight_of_others(L, C):
    return (1 - 1 / C) / (2 * L - 2)


def other_case(W):
    return np.roll(W, W.shape[1] // 2, axis=1)


def loss(W, C):
    """L̃ in its first form."""
    L = W.shape[1] // 2
    others = W.sum(axis=1, keepdims=True) - W - other_case(W)
    each = (W - case_code(L)) ** 2 / (2 * C) + weight_of_others(L, C) / 2 * others * W - (1 - 1 / C) / 2 * W
    return float(theory.appearance(L, C) / C * each.sum())


def second_form(W, C, share_of_y=1.0):
    """L̃ in its second form; a share of (y_J)² is 1 as printed."""
    L = W.shape[1] // 2
    y, weight = case_code(L), weight_of_others(L, C)
    each = -W * y / C + share_of_y * y**2 + (1 / (2 * C) - weight) * W**2 - (1 - 1 / C) / 2 * W
    each += weight / 4 * (W - other_case(W)) ** 2
    return float(theory.appearance(L, C) / C * (weight / 2 * (W.sum(axis=1) ** 2).sum() + each.sum()))


def test_products_of_keys_queries_and_unused_rows():
    """Means are 0; variances 1/N, and a²/3 for an unused row, whatever N is; an item's own unit has 1 more."""
    run = StoredContexts(widths=(("wide", 0.5),), key_dims=(30, 100), sequences=5)
    found = [run(seed) for seed in np.random.SeedSequence(0).spawn(60)]
    for name, expected in (("keys", 1), ("queries", 1), ("fresh", 1 / 3)):
        means, squares = (np.array([each[f"{name}_{of}"][0] for each in found]) for of in ("mean", "square"))
        for values, target in ((means, 0), (squares, expected)):
            error = values.std(axis=0) / len(found) ** 0.5
            assert (np.abs(values.mean(axis=0) - target) < 4 * error).all(), name
            assert (error < 0.06).all()
    own = np.array([each["own"][0] for each in found])  # square of the drive less 1
    np.testing.assert_allclose(own.mean(axis=0), 0.5**2 / 3, rtol=0.15)


@pytest.mark.parametrize(("L", "C"), LISTED)
def test_what_sequences_with_a_letter_hold(L, C):
    """Never its other case; any other letter alike; and its own case in 1/C of the targets, else either case."""
    every = sf.CaseSequenceTask(L, C).all_sequences()
    has = np.zeros((len(every), 2 * L))
    np.put_along_axis(has, every.context, 1.0, axis=1)
    counts = has.sum(axis=0)
    assert not (has[:, :L] * has[:, L:]).any()
    targets = np.eye(2)[every.target].T @ has / counts
    np.testing.assert_allclose(targets, case_code(L) / C + (1 - 1 / C) / 2, atol=1e-14)
    together = has.T @ has / counts
    others = 1 - np.tile(np.eye(L), (2, 2))
    np.testing.assert_allclose(together, np.eye(2 * L) + others * (C - 1) / (2 * L - 2), atol=1e-14)


@pytest.mark.parametrize(("L", "C"), LISTED)
def test_columns_of_the_context_and_no_others_are_updated(L, C):
    task, rng = sf.CaseSequenceTask(L, C), np.random.default_rng(0)
    weights = Weights(np.zeros((1, 3 * L)), np.zeros((1, 3 * L)), rng.normal(size=(2, 3 * L)))
    one = task.batch(1, seed=rng)
    updates = gradients(sf.BaselineTransformer(1, beta=1.0), weights, task, one)[0].W_V
    assert set(np.flatnonzero(updates.any(axis=0))) == set(one.context[0])


@pytest.mark.parametrize("L", [2, 7, 30])
def test_half_of_the_other_letters_have_each_case(L):
    """So at the minimum their sum is L − 1, and their mean ½."""
    y = case_code(L)
    others = y.sum(axis=1, keepdims=True) - y - other_case(y)
    np.testing.assert_array_equal(others, L - 1)
    np.testing.assert_allclose(others / (2 * L - 2), 1 / 2)


@pytest.mark.parametrize(("L", "C"), [(2, 1), (5, 3), (10, 9)])
def test_both_forms_of_the_loss_have_the_effective_gradient(L, C):
    """As printed they differ by a constant; with (y_J)²/(2C) they are equal."""
    W = np.random.default_rng(L).normal(size=(2, 2 * L))
    for form in (loss, second_form):
        np.testing.assert_allclose(slope(partial(form, C=C), W, 1.0), effective_gradient(W, C), atol=1e-12)
    np.testing.assert_allclose(second_form(W, C, 1 / (2 * C)), loss(W, C), atol=1e-12)
    constant = theory.appearance(L, C) / C * 2 * L * (1 - 1 / (2 * C))
    np.testing.assert_allclose(second_form(W, C) - loss(W, C), constant, atol=1e-12)


def test_the_constant_by_which_the_loss_is_convex():
    for L, C in PAIRS:
        constant = 1 / (2 * C) - weight_of_others(L, C)
        np.testing.assert_allclose(constant, (L - C) / (2 * C * (L - 1)), atol=1e-15)
        assert constant > 0


def test_the_lipschitz_constant_is_at_most_the_printed_one():
    """2γd/C² = 3/C; the true one is 1/(2L)."""
    for L, C in PAIRS:
        printed = 2 * theory.appearance(L, C) * 3 * L / C**2
        np.testing.assert_allclose(printed * theory.step_limit(L, C), 1)
        assert curvature(L, C)[1] <= printed / 6


def test_the_condition_for_a_minimum_is_A():
    """With a sum over l ≠ j, j' by 2L − 2, not, as printed once, over l ≠ j by 2L − 1."""
    for L, C in FEWER:
        n, slopes = 2 * L, []
        at_zero = effective_gradient(np.zeros((2, n)), C)[0]
        for unit in np.eye(n):
            slopes.append(effective_gradient(np.array([unit, unit]), C)[0] - at_zero)
        A = np.array(slopes) / (theory.appearance(L, C) / C)
        np.testing.assert_allclose(A, theory.matrix_A(L, C), atol=1e-12)
        printed = np.eye(n) / C + (1 - np.eye(n)) * (1 - 1 / C) / (n - 1)
        assert C == 1 or np.abs(A - printed).max() > 0.01


def test_blocks_of_A_and_their_schur_complement():
    for L, C in PAIRS:
        A, weight = theory.matrix_A(L, C), weight_of_others(L, C)
        B, D = A[:L, :L], A[:L, L:]
        np.testing.assert_array_equal(A, np.block([[B, D], [D, B]]))
        first = (C + 1) / (2 * C) - (C - 1) ** 2 / (2 * C * (C + 1))
        rest = ((2 * L - C - 1) ** 2 - (C - 1) ** 2) / (C * (2 * L - 2) * (2 * L - C - 1))
        for block, once, repeated in (
            (B, (1 + 1 / C) / 2, 1 / C - weight),
            (D, (1 - 1 / C) / 2, -weight),
            (B - D @ np.linalg.solve(B, D), first, rest),
        ):
            found = np.linalg.eigvalsh(block)
            np.testing.assert_allclose(found, np.sort([once, *[repeated] * (L - 1)]), atol=1e-12)
            assert found[0] > 0 or block is D


def test_strong_convexity():
    """L̃(W₂) ≥ L̃(W₁) + Tr(∇L̃(W₁)ᵀ(W₂ − W₁)) + (m/2)‖W₂ − W₁‖², and so for W₁ = W*, where the gradient is 0."""
    for L, C in FEWER:
        W1, W2 = np.random.default_rng([L, C]).normal(size=(2, 2, 2 * L))
        half_m = curvature(L, C)[0] / 2
        linear = (effective_gradient(W1, C) * (W2 - W1)).sum()
        assert loss(W2, C) - loss(W1, C) - linear >= half_m * ((W2 - W1) ** 2).sum() * (1 - 1e-9)
        assert excess_loss(W2, C) >= half_m * theory.distance(W2) ** 2 * (1 - 1e-9)


def test_the_schur_complement_has_an_inverse():
    """W = 1, X = 0.9, Z = 0.5: W − XZX is positive, W − X²/Z is not, and neither is the matrix positive definite."""
    W, X, Z = 1, 0.9, 0.5
    assert W - X * Z * X > 0 > W - X**2 / Z
    assert np.linalg.eigvalsh([[W, X], [X, Z]])[0] < 0


def hardest(T):
    """Excess loss after T steps by ‖x(0) − x*‖²/η, for x²/2 up to a threshold and linear from there, η = 1/M = 1."""
    tau, x = 1 / (2 * T + 1), np.ones(len(T))
    for step in range(int(T[-1])):
        x = np.where(step < T, x - np.minimum(x, tau), x)
    return np.where(x > tau, tau * x - tau**2 / 2, x**2 / 2)


def test_steps_rounded_down_are_enough():
    """ε is just above where T_ε becomes T + 1: for L̃, and for the functions on which descent is slowest."""
    np.testing.assert_allclose(hardest(T), 1 / (4 * T + 2), rtol=1e-12)
    assert (2 * (T + 0.999) * hardest(T) <= 1).all()
    for L, C in FEWER:
        start = np.random.default_rng(L).uniform(0, 0.1, (2, 2 * L))
        for eta in (theory.step_limit(L, C), 2.0 * L):
            for steps, W in list(enumerate(theory.descend(start, C, eta, 60)))[::20]:
                epsilon = theory.distance(start) ** 2 / (2 * eta * (steps + 0.999))
                assert excess_loss(W, C) <= epsilon
