"""Theorem 7 in numbers: A, its eigenvalues, the effective gradient, descent, bounds and limits, against plain sums."""

from itertools import pairwise, product
from math import comb, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from paper.figures.effective_loss import curvature, effective_gradient, eigenvalues, excess_loss
from plain import examples

import slotfree as sf
from slotfree.attention.gradients import gradients
from slotfree.attention.weights import Weights
from slotfree.paper.figures import theorem2_theory as theory

LISTED = [(2, 1), (2, 2), (3, 2), (4, 3), (4, 4), (5, 3), (6, 2)]
SIZES = st.integers(2, 12).flatmap(lambda L: st.tuples(st.just(L), st.integers(1, L)))
INSIDE = st.integers(2, 12).flatmap(lambda L: st.tuples(st.just(L), st.integers(1, L - 1)))
each_listed = pytest.mark.parametrize(("L", "C"), LISTED)


def uniform(L, C):
    """Every sequence with uniform attention: x̃ (n, 2L), and the targets (n, 2)."""
    task = sf.CaseSequenceTask(L, C)
    every = examples(task, task.all_sequences())
    return np.array([e.X.mean(axis=1)[: 2 * L] for e in every]), np.array([e.y for e in every])


def start_of(L, seed=0):
    return np.random.default_rng(seed).uniform(0, 0.1, (2, 2 * L))


@each_listed
def test_share_of_sequences_with_a_token(L, C):
    x, _ = uniform(L, C)
    np.testing.assert_allclose((x > 0).mean(axis=0), theory.appearance(L, C), rtol=1e-12)


@each_listed
def test_the_hessian_is_the_second_moment_of_what_is_reinstated(L, C):
    x, _ = uniform(L, C)
    hessian = theory.appearance(L, C) / C * theory.matrix_A(L, C)
    np.testing.assert_allclose(hessian, x.T @ x / len(x), atol=1e-15)
    np.testing.assert_allclose(curvature(L, C), np.linalg.eigvalsh(hessian)[[0, -1]], atol=1e-15)


@pytest.mark.parametrize("L", range(2, 25))
def test_eigenvalues_in_closed_form(L):
    for C in range(1, L + 1):
        A = theory.matrix_A(L, C)
        np.testing.assert_array_equal(A, A.T)
        np.testing.assert_allclose(eigenvalues(L, C), np.linalg.eigvalsh(A), atol=1e-13)
        least = eigenvalues(L, C)[0]
        assert least > 1e-3 if C < L else least == 0


@each_listed
@pytest.mark.parametrize("model", [sf.BaselineTransformer(1, beta=1.0), "perfect"], ids=["baseline", "perfect"])
def test_the_effective_gradient_is_the_mean_over_all_sequences(L, C, model):
    task = sf.CaseSequenceTask(L, C)
    if model == "perfect":
        model = sf.SlotFreeTransformer("fixed", key_dim=1, n_hidden=C, storage="perfect")
    W_V = np.random.default_rng(L).normal(size=(2, 3 * L))
    weights = Weights(np.zeros((1, 3 * L)), np.zeros((1, 3 * L)), W_V)
    every = task.all_sequences()
    summed, _, _ = gradients(model, weights, task, every)
    expected = effective_gradient(W_V[:, : 2 * L], C)
    np.testing.assert_allclose(summed.W_V[:, : 2 * L] / (2 * len(every)), expected, atol=1e-13)
    assert not summed.W_V[:, 2 * L :].any(), "queries are never reinstated"


@given(SIZES, st.integers(0, 1000))
def test_gradient_loss_and_A_belong_together(size, seed):
    L, C = size
    W = np.random.default_rng(seed).normal(size=(2, 2 * L))
    code = sf.CaseSequenceTask(L, C).case_code
    gradient = effective_gradient(W, C)
    np.testing.assert_allclose(gradient, theory.appearance(L, C) / C * (W - code) @ theory.matrix_A(L, C), atol=1e-13)
    np.testing.assert_allclose(excess_loss(W, C), ((W - code) * gradient).sum() / 2, rtol=1e-10)
    np.testing.assert_allclose(effective_gradient(code, C), 0, atol=1e-15)


@each_listed
def test_the_excess_loss_is_the_mean_loss_above_its_minimum(L, C):
    x, y = uniform(L, C)
    W, code = start_of(L), sf.CaseSequenceTask(L, C).case_code
    loss, least = (((x @ V.T - y) ** 2).sum(axis=1).mean() / 2 for V in (W, code))
    np.testing.assert_allclose(excess_loss(W, C), loss - least, rtol=1e-10)


@given(INSIDE, st.floats(0.05, 1.0))
def test_descent_follows_the_gradient_and_keeps_the_bounds(size, share):
    """For all steps up to the lemma's, 2L; the theorem's limit, C/3, is smaller."""
    L, C = size
    eta, T, W = share * 2 * L, np.arange(1, 41), start_of(L)
    path = theory.descend(W, C, eta, 40)
    np.testing.assert_allclose(path[0], W, atol=1e-15)
    for before, after in pairwise(path[:6]):
        np.testing.assert_allclose(after, before - eta * effective_gradient(before, C), atol=1e-12)
    away, m = theory.distance(W), curvature(L, C)[0]
    assert (theory.distance(path[1:]) <= away / np.sqrt(eta * m * T)).all()
    assert ([excess_loss(V, C) for V in path[1:]] <= away**2 / (2 * eta * T)).all()


@given(INSIDE)
def test_limits_of_the_step_size(size):
    L, C = size
    np.testing.assert_allclose(theory.step_limit(L, C), C / 3)
    np.testing.assert_allclose(theory.true_step_limit(L) * curvature(L, C)[1], 2)
    W = start_of(L)
    for eta, ends in ((C / 3, "near"), (3.8 * L, "near"), (4.2 * L, "far")):
        slowest = eta * curvature(L, C)[0]
        end = theory.distance(theory.descend(W, C, eta, int(20 / min(slowest, 0.1)))[-1])
        assert (end < 1e-3) if ends == "near" else (end > 10 * theory.distance(W))


def test_where_descent_diverges_there_are_no_warnings():
    path = theory.descend(start_of(3), 2, 1e6, 200)
    assert not np.isfinite(theory.distance(path)[-1])


def test_for_as_many_items_as_letters_the_mean_of_a_letters_columns_stays():
    W = start_of(4)
    both = W[:, :4] + W[:, 4:]
    end = theory.descend(W, 4, 1.0, 3000)[-1]
    left = (both - both.mean(axis=1, keepdims=True)) / 2
    np.testing.assert_allclose(end - sf.CaseSequenceTask(4, 4).case_code, np.tile(left, 2), atol=1e-12)


def test_the_limit_of_large_batches():
    task = sf.CaseSequenceTask(4, 2)
    np.testing.assert_allclose(theory.large_batch_limit(np.zeros((12, 12)), task), task.case_code, atol=1e-12)
    rng = np.random.default_rng(0)
    W_Q, W_K = rng.normal(0, 0.4, (2, 6, 12))
    limit = theory.large_batch_limit(W_Q.T @ W_K, task)
    weights = Weights(W_Q, W_K, np.hstack([limit, rng.normal(size=(2, 4))]))
    summed, _, _ = gradients(sf.BaselineTransformer(6, beta=1.0), weights, task, task.all_sequences())
    np.testing.assert_allclose(summed.W_V, 0, atol=1e-10)
    assert np.abs(limit - task.case_code).max() > 0.05


@pytest.mark.parametrize(("L", "C", "n_hidden"), [(3, 2, 6), (4, 2, 9)])
def test_the_limit_of_the_slot_free_model_with_unused_units(L, C, n_hidden):
    """All sequences, 500 times with other fast weights: gradients vanish on average where theory says."""
    task = sf.CaseSequenceTask(L, C)
    model = sf.SlotFreeTransformer("fixed", key_dim=1, n_hidden=n_hidden)
    limit, hessian = theory.slot_free_limit(L, C, n_hidden)
    every = task.all_sequences()

    def mean_gradients(W_V):
        weights = Weights(np.zeros((1, 3 * L)), np.zeros((1, 3 * L)), W_V)
        return np.array([gradients(model, weights, task, every, seed=s)[0].W_V / (2 * len(every)) for s in range(500)])

    at_limit, at_zero = mean_gradients(limit), mean_gradients(np.zeros_like(limit))
    error = at_limit.std(axis=0) / 500**0.5
    assert (np.abs(at_limit.mean(axis=0)) < 5 * error).all()
    np.testing.assert_allclose(at_zero.mean(axis=0), -limit @ hessian, rtol=0.02)
    right_minus_wrong = (limit[:, : 2 * L] * (2 * task.case_code - 1)).sum(axis=0)
    np.testing.assert_allclose(right_minus_wrong, n_hidden / (C + (n_hidden - C) * L / 6))


@given(INSIDE)
def test_without_unused_units_the_limit_is_the_case_code(size):
    L, C = size
    limit, hessian = theory.slot_free_limit(L, C, C)
    np.testing.assert_allclose(limit[:, : 2 * L], sf.CaseSequenceTask(L, C).case_code, atol=1e-9)
    np.testing.assert_allclose(
        hessian[: 2 * L, : 2 * L], theory.appearance(L, C) / C * theory.matrix_A(L, C), atol=1e-15
    )
    assert not hessian[2 * L :].any()


def least_collisions(L, C):
    """The least share of sequences in which two items have the same unit, of all ways to give C units to 2L letters.

    Π_u n_u of the (L over C) sets of letters have none, with n_u letters in unit u: most if they are spread evenly.
    """
    return 1 - prod(np.bincount(np.arange(L) % C).tolist()) / comb(L, C)


def shared_units_limit(task):
    """The W_V of least loss, (2, 3L), where C units store letters l mod C; units without an item hold U[0, 1)."""
    every, C, D = task.all_sequences(), task.context_length, task.n_tokens
    units = every.context % task.n_letters % C
    later = np.triu(np.ones((C, C), bool), 1)
    replaced = ((units[:, :, None] == units[:, None, :]) & later).any(axis=2)
    stored = np.zeros((len(every), D))
    np.put_along_axis(stored, every.context, (~replaced).astype(float), axis=1)
    unused = replaced.sum(axis=1)[:, None]
    mean = stored + unused / 2  # of Σ_units of what they hold
    H = (mean.T @ mean + np.eye(D) * unused.sum() / 12) / C**2
    return np.eye(2)[every.target].T @ mean / C @ np.linalg.pinv(H, hermitian=True)


def test_numbers_of_the_notes_on_too_few_units():
    """For L = 7, C = 3."""
    np.testing.assert_allclose(least_collisions(7, 3), 0.657, atol=5e-4)
    limit = shared_units_limit(sf.CaseSequenceTask(7, 3))
    np.testing.assert_allclose(theory.distance(limit[:, :14]), 1.368, atol=5e-4)


@pytest.mark.parametrize(("L", "C"), [(3, 2), (3, 3), (4, 2)])
def test_the_least_collisions_of_all_projections(L, C):
    """Every way to give C units to 2L letters, tried out."""
    every = sf.CaseSequenceTask(L, C).all_sequences().context
    shares = []
    for units in product(range(C), repeat=2 * L):
        stored = np.sort(np.array(units)[every], axis=1)
        shares.append((np.diff(stored, axis=1) == 0).any(axis=1).mean())
    np.testing.assert_allclose(least_collisions(L, C), min(shares), atol=1e-12)


@pytest.mark.parametrize(("L", "C"), [(3, 2), (4, 2), (3, 3)])
def test_the_limit_with_units_that_letters_share(L, C):
    """Items one after the other, in units of which the empty ones hold random numbers: no gradient on average."""
    task, rng = sf.CaseSequenceTask(L, C), np.random.default_rng(0)
    limit = shared_units_limit(task)
    assert (theory.distance(limit[:, : 2 * L]) < 1e-12) == (L == C)
    found = []
    for _ in range(200):
        total = np.zeros((2, 3 * L))
        for X, _, y in examples(task, task.all_sequences()):
            units = rng.random((3 * L, C))
            for x in X.T:
                units[:, np.argmax(x) % L % C] = x
            reinstated = units.mean(axis=1)
            total += np.outer(limit @ reinstated - y, reinstated)
        found.append(total / len(task.all_sequences()))
        if L == C:
            break
    error = np.std(found, axis=0) / len(found) ** 0.5
    assert (np.abs(np.mean(found, axis=0)) <= 4.5 * error + 1e-12).all()
