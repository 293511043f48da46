"""Theorem 7 in numbers: A, its eigenvalues, the effective gradient, descent, bounds and limits, against plain sums."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
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
    np.testing.assert_allclose(theory.hessian_extremes(L, C), np.linalg.eigvalsh(hessian)[[0, -1]], atol=1e-15)


@pytest.mark.parametrize("L", range(2, 25))
def test_eigenvalues_in_closed_form(L):
    for C in range(1, L + 1):
        A = theory.matrix_A(L, C)
        np.testing.assert_array_equal(A, A.T)
        np.testing.assert_allclose(theory.eigenvalues(L, C), np.linalg.eigvalsh(A), atol=1e-13)
        assert sum(mode.size for mode in theory.modes(L, C).values()) == 2 * L
        least = theory.eigenvalues(L, C)[0]
        assert least > 1e-3 if C < L else least == 0


@each_listed
def test_modes_are_eigenvectors_of_A_and_of_the_noise(L, C):
    x, y = uniform(L, C)
    code = sf.CaseSequenceTask(L, C).case_code
    error = x @ code.T - y
    noise = (x * error[:, :1] ** 2).T @ x / len(x)
    letters = np.eye(L)[0] - np.eye(L)[1]
    vectors = {
        "all": np.ones(2 * L),
        "letters": np.tile(letters, 2),
        "case": np.repeat([1.0, -1.0], L),
        "letters by case": np.concatenate([letters, -letters]),
    }
    modes = theory.modes(L, C)
    assert modes.keys() == vectors.keys()
    for name, v in vectors.items():
        np.testing.assert_allclose(theory.matrix_A(L, C) @ v, modes[name].eigenvalue * v, atol=1e-14)
        np.testing.assert_allclose(noise @ v, modes[name].noise * v, atol=1e-15)


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
    expected = theory.effective_gradient(W_V[:, : 2 * L], C)
    np.testing.assert_allclose(summed.W_V[:, : 2 * L] / (2 * len(every)), expected, atol=1e-13)
    assert not summed.W_V[:, 2 * L :].any(), "queries are never reinstated"


@given(SIZES, st.integers(0, 1000))
def test_gradient_loss_and_A_belong_together(size, seed):
    L, C = size
    W = np.random.default_rng(seed).normal(size=(2, 2 * L))
    code = sf.CaseSequenceTask(L, C).case_code
    gradient = theory.effective_gradient(W, C)
    np.testing.assert_allclose(gradient, theory.appearance(L, C) / C * (W - code) @ theory.matrix_A(L, C), atol=1e-13)
    np.testing.assert_allclose(theory.excess_loss(W, C), ((W - code) * gradient).sum() / 2, rtol=1e-10)
    np.testing.assert_allclose(theory.effective_gradient(code, C), 0, atol=1e-15)


@each_listed
def test_the_excess_loss_is_the_mean_loss_above_its_minimum(L, C):
    x, y = uniform(L, C)
    W, code = start_of(L), sf.CaseSequenceTask(L, C).case_code
    loss, least = (((x @ V.T - y) ** 2).sum(axis=1).mean() / 2 for V in (W, code))
    np.testing.assert_allclose(theory.excess_loss(W, C), loss - least, rtol=1e-10)


@given(INSIDE, st.floats(0.05, 1.0))
def test_descent_follows_the_gradient_and_keeps_the_bounds(size, share):
    """For all steps up to the lemma's, 2L; the theorem's limit, C/3, is smaller."""
    L, C = size
    eta, T, W = share * 2 * L, np.arange(1, 41), start_of(L)
    path = theory.descend(W, C, eta, 40)
    np.testing.assert_allclose(path[0], W, atol=1e-15)
    for before, after in pairwise(path[:6]):
        np.testing.assert_allclose(after, before - eta * theory.effective_gradient(before, C), atol=1e-12)
    assert (theory.distance(path[1:]) <= theory.distance_bound(W, C, eta, T)).all()
    assert all(
        theory.excess_loss(V, C) <= bound for V, bound in zip(path[1:], theory.loss_bound(W, C, eta, T), strict=True)
    )


@given(INSIDE)
def test_bounds_by_hand(size):
    L, C = size
    W, m = start_of(L), (L - C) / (2 * L * C * (L - 1))
    away = theory.distance(W)
    np.testing.assert_allclose(away, np.linalg.norm(W - sf.CaseSequenceTask(L, C).case_code))
    np.testing.assert_allclose(theory.distance_bound(W, C, 0.5, [1, 4]), [away / (m / 2) ** 0.5, away / (2 * m) ** 0.5])
    np.testing.assert_allclose(theory.loss_bound(W, C, 0.5, [1, 4]), [away**2, away**2 / 4])


@given(INSIDE)
def test_limits_of_the_step_size(size):
    L, C = size
    np.testing.assert_allclose(theory.step_limit(L, C), C / 3)
    np.testing.assert_allclose(theory.true_step_limit(L, C), 4 * L)
    W = start_of(L)
    for eta, ends in ((C / 3, "near"), (3.8 * L, "near"), (4.2 * L, "far")):
        slowest = eta * theory.hessian_extremes(L, C)[0]
        end = theory.distance(theory.descend(W, C, eta, int(20 / min(slowest, 0.1)))[-1])
        assert (end < 1e-3) if ends == "near" else (end > 10 * theory.distance(W))


def test_where_descent_diverges_there_are_no_warnings():
    path = theory.descend(start_of(3), 2, 1e6, 200)
    assert not np.isfinite(theory.distance(path)[-1])
    assert theory.noise_floor(3, 2, 1e6, 10, 200) == np.inf


def test_for_as_many_items_as_letters_the_mean_of_a_letters_columns_stays():
    W = start_of(4)
    both = W[:, :4] + W[:, 4:]
    end = theory.descend(W, 4, 1.0, 3000)[-1]
    left = (both - both.mean(axis=1, keepdims=True)) / 2
    np.testing.assert_allclose(end - sf.CaseSequenceTask(4, 4).case_code, np.tile(left, 2), atol=1e-12)


@pytest.mark.parametrize("eta", [1.0, 12.0])
def test_batches_add_the_noise_that_theory_says(eta):
    """Training with uniform attention, from the case code on: the spread of 200 runs of 8 numbers is known to 2%."""
    L, C, B, T = 4, 3, 32, 60
    task, model = sf.CaseSequenceTask(L, C), sf.BaselineTransformer(1, beta=1.0)
    start = Weights(np.zeros((1, 12)), np.zeros((1, 12)), np.hstack([task.case_code, np.zeros((2, 4))]))
    how = {"runs": 200, "iterations": T, "batch_size": B, "learn": "W_V", "learning_rates": {"W_V": eta / (2 * B)}}
    training = sf.train(model, task, start=start, snapshots=[5], seed=0, **how)
    for steps, W_V in ((5, training.snapshots[5].W_V), (T, training.W_V)):
        measured = np.sqrt((theory.distance(W_V[..., : 2 * L]) ** 2).mean())
        np.testing.assert_allclose(measured, theory.noise_floor(L, C, eta, B, steps), rtol=0.1)


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


W = start_of(3)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: theory.appearance(1, 1), ValueError, "n_letters must be an integer from 2 to .*, not 1"),
        (lambda: theory.matrix_A(4, 5), ValueError, "context_length must be .* from 1 to n_letters = 4, not 5"),
        (lambda: theory.modes(4, 2.5), TypeError, "context_length must be an integer .*, not 2.5"),
        (lambda: theory.effective_gradient(W.T, 2), ValueError, r"W_V must have the shape \(2, 2L\), .* not \(6, 2\)"),
        (lambda: theory.effective_gradient(W[:, :5], 2), ValueError, r"W_V must have the shape .* not \(2, 5\)"),
        (lambda: theory.distance(W[0]), ValueError, r"W_V must have the shape \(…, 2, 2L\), .* not \(6,\)"),
        (lambda: theory.descend(W, 2, 0, 5), ValueError, "step must be a number > 0, not 0"),
        (lambda: theory.descend(W, 2, 1.0, -1), ValueError, "steps must be an integer from 0 to .*, not -1"),
        (lambda: theory.distance_bound(W, 3, 1.0, 5), ValueError, "from 1 to n_letters - 1 = 2, not 3"),
        (lambda: theory.distance_bound(W, 2, 7.0, 5), ValueError, "step must be at most 1/M = 2L = 6 .*, not 7.0"),
        (lambda: theory.loss_bound(W, 2, 7.0, 5), ValueError, "step must be at most 1/M = 2L = 6 .*, not 7.0"),
        (lambda: theory.noise_floor(3, 2, 1.0, 0, 5), ValueError, "batch_size must be an integer ≥ 1, not 0"),
        (lambda: theory.slot_free_limit(3, 2, 1), ValueError, "n_hidden must be an integer ≥ 2, not 1"),
        (
            lambda: theory.large_batch_limit(np.zeros((6, 6)), sf.CaseSequenceTask(3, 2)),
            ValueError,
            r"query_key must have the shape \(9, 9\), not \(6, 6\)",
        ),
    ],
)
def test_wrong_arguments_are_named(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize(("L", "C"), [(3, 2), (3, 3), (4, 2)])
def test_the_least_collisions_of_all_projections(L, C):
    """Every way to give C units to 2L letters, tried out."""
    every = sf.CaseSequenceTask(L, C).all_sequences().context
    shares = []
    for units in product(range(C), repeat=2 * L):
        stored = np.sort(np.array(units)[every], axis=1)
        shares.append((np.diff(stored, axis=1) == 0).any(axis=1).mean())
    np.testing.assert_allclose(theory.least_collisions(L, C), min(shares), atol=1e-12)


@pytest.mark.parametrize(("L", "C"), [(3, 2), (4, 2), (3, 3)])
def test_the_limit_with_units_that_letters_share(L, C):
    """Items one after the other, in units of which the empty ones hold random numbers: no gradient on average."""
    task, rng = sf.CaseSequenceTask(L, C), np.random.default_rng(0)
    limit = theory.shared_units_limit(task)
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
