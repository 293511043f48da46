"""The readings: settings and equations as printed, and every judge of a slip with runs that show it or do not."""

import numpy as np
import pytest
import xarray as xr
from trained import DESCRIBED, END, results

from slotfree.attention.baseline import BaselineTransformer
from slotfree.attention.gradients import gradients
from slotfree.attention.result import labelled
from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.attention.training import DivergedError, initial_weights
from slotfree.attention.weights import Weights, letter_blocks
from slotfree.paper.figures.readings import (
    AVERAGED,
    ITEM,
    SWAPPED,
    VALUES,
    VARIANCE_KEYS,
    Reading,
    keys_by_variance,
    noise,
)
from slotfree.paper.shared.similarity import KEYS, statistics
from slotfree.paper.shared.transformers import (
    BASELINE,
    FIXED,
    FIXED_IP,
    MHN,
    MHN_IP,
    PUBLISHED,
    QK,
    QK_IP,
    SEVEN,
    TASK,
    training,
)
from slotfree.paper.text import si_b_models, si_b_training
from slotfree.study import Results, Training
from slotfree.study.scale import SCALES

SEED = np.random.SeedSequence(0)


def test_settings_are_the_printed_ones():
    assert (TASK.n_letters, TASK.context_length, TASK.n_outputs) == (4, 4, 2)
    for transformer in SEVEN:
        run = training(transformer).run
        assert (run.iterations, run.batch_size, run.reduction, run.learning_rates) == (5000, 64, "sum", None)
    assert (PUBLISHED.model.key_dim, set(PUBLISHED.model.rates.values())) == (10, {1e-3})
    for models, n_hidden, rates in (
        ((FIXED, FIXED_IP), 10, {"W_Q": 1e-3, "W_V": 1e-3}),
        ((MHN, MHN_IP), 16, {"W_Q": 5e-3, "W_K": 5e-3, "W_V": 5e-3}),
        ((QK, QK_IP), 16, {"W_Q": 5e-3, "W_K": 1e-4, "W_V": 5e-3}),
    ):
        for transformer in models:
            assert (transformer.model.key_dim, transformer.model.units) == (50, n_hidden)
            assert {name: transformer.model.rates[name] for name in transformer.model.learned} == rates


def test_the_printed_update_of_values_is_not_replacing():
    """Those of keys and items are."""
    rng = np.random.default_rng(0)
    model = SlotFreeTransformer("fixed", True)
    W_Q, W_K = rng.normal(0, model.initial_spread, (2, model.key_dim, TASK.n_tokens))
    W_V = np.hstack([TASK.case_code, np.zeros((2, TASK.n_letters))])
    context = TASK.batch(1, seed=rng).context[0]
    trace = model.inspect(Weights(W_Q, W_K, W_V), TASK, context, 2 * TASK.n_letters, seed=1)
    x, a = TASK.one_hot(context[0]), np.eye(model.units)[trace.winners[0]]
    k, v = W_K @ x, W_V @ x
    W_HK, W_VH, W_IH = trace.W_HK[0], trace.W_VH[0], trace.W_IH[0]
    np.testing.assert_array_equal(W_HK + (k - W_HK) * a[:, None], trace.W_HK[1])
    np.testing.assert_array_equal(W_IH + (x[:, None] - W_IH) * a, trace.W_IH[1])
    np.testing.assert_allclose(W_VH + (v[:, None] - W_VH) * a, trace.W_VH[1], rtol=0, atol=1e-15)
    assert np.abs(W_VH + (a - W_VH) * v[:, None] - trace.W_VH[1]).max() > 0.1


def test_the_published_gradient_is_that_of_its_formula():
    """As the note in SI B.4 writes it: s and ỹ at β = 1, the error from the output at 1/√N."""
    rng = np.random.default_rng(0)
    W_Q, W_K = rng.normal(0, 0.7, (2, 10, TASK.n_tokens))
    W_V = rng.normal(0, 0.7, (2, TASK.n_tokens))
    sequence = TASK.batch(1, seed=1)
    X, x_q = TASK.one_hot(sequence.context[0]).T, TASK.one_hot(sequence.query[0])
    drives = x_q @ W_Q.T @ W_K @ X
    s, at_root = (np.exp(beta * drives) / np.exp(beta * drives).sum() for beta in (1, 10**-0.5))
    e, y = W_V @ X @ at_root - np.eye(2)[sequence.target[0]], W_V @ X @ s
    theta = 2 * s * (e @ (W_V @ X - y[:, None]))
    expected = (
        sum(t * np.outer(W_K @ x, x_q) for t, x in zip(theta, X.T, strict=True)),
        sum(t * np.outer(W_Q @ x_q, x) for t, x in zip(theta, X.T, strict=True)),
        2 * np.outer(e, X @ s),
    )
    model = BaselineTransformer(10, gradients="published")
    found, _, _ = gradients(model, Weights(W_Q, W_K, W_V), TASK, sequence)
    for computed, formula in zip((found.W_Q, found.W_K, found.W_V), expected, strict=True):
        np.testing.assert_allclose(computed, formula, rtol=1e-10, atol=1e-14)


def trained(end, runs=20):
    """A training that ends at an accuracy."""
    accuracy = np.full((runs, 100), end) + np.random.default_rng(0).normal(0, 1e-3, (runs, 1))
    every = [initial_weights(PUBLISHED.model, TASK, seed=run) for run in range(runs)]
    arrays = {name: np.array([getattr(w, name) for w in every])[:, None] for name in ("W_Q", "W_K", "W_V")}
    return labelled({"accuracy": accuracy, "loss": 1 - accuracy, **arrays}, [100], TASK)


def verdicts(end, factor):
    """The verdicts of the judges of slips, if models taken at the word end at an accuracy, with ranges so wide."""
    data = dict(results([*SEVEN, BASELINE], DESCRIBED, iterations=END).data)
    for experiment in (*AVERAGED.values(), *VALUES.values(), SWAPPED):
        data[experiment.name] = trained(end)
    keys = factor * np.array(KEYS.rows[FIXED]) + np.random.default_rng(0).normal(0, 0.05, (20, 4))
    data[VARIANCE_KEYS.name] = xr.Dataset({"statistics": (("run", "column"), keys)})
    r = Results(data, SCALES["paper"], 0)
    sentences = (*si_b_models.SENTENCES, *si_b_training.SENTENCES)
    slips = [judge for s in sentences if s.kind == "slip" for judge in s.judges]
    said = [judge for s in sentences if s.kind == "result" for judge in s.judges if judge.item == ITEM.name]
    return tuple({judge.name: judge.claim(r).verdict for judge in judges} for judges in (slips, said))


def test_slips_and_what_would_be_none():
    slips, said = verdicts(0.6, 6)
    assert len(slips) == 6
    assert set(slips.values()) == {"confirmed"}
    assert said.pop("readings.gradients-used") == "contradicted"
    assert set(said.values()) == {"confirmed"}
    slips, _ = verdicts(1.01, 0.5)
    assert set(slips.values()) == {"contradicted"}


def test_noise_is_absent_if_every_unit_holds_an_item():
    model = FIXED.model
    weights = initial_weights(model, TASK, seed=0)
    same, others, share = noise(model, weights, 0)
    assert others < same < 1
    assert 0.3 < share < 1
    full = type(model)("fixed", False, n_hidden=4, storage="perfect")
    assert noise(full, weights, 0)[::2] == pytest.approx((1, 0))


def test_keys_by_variance_have_wider_ranges_by_the_ratio_of_variances():
    """Dot products have the factor 1/s = √50 of those with the standard deviation s."""
    seed = np.random.SeedSequence(3)
    keys = letter_blocks(initial_weights(FIXED.model, TASK, seed=seed))["key-key"]
    np.testing.assert_allclose(keys_by_variance(seed)["statistics"], np.sqrt(50) * statistics(keys[None])[0])


def test_a_training_that_diverges_ends_before():
    """Losses up to there are those of the training, the last of them stays, and weights are finite."""
    rates = dict.fromkeys(("W_Q", "W_K", "W_V"), 3.0)
    training = Training(MHN_IP.model, TASK, iterations=60, learning_rates=rates)
    with pytest.raises(DivergedError) as raised:
        training(np.random.SeedSequence(0))
    n = raised.value.iteration
    assert 1 < n < 60
    found = Reading(training)(np.random.SeedSequence(0))
    shorter = found["loss"][found["loss"] != found["loss"][-1]]
    assert n - 3 <= len(shorter) < n
    assert len(found["accuracy"]) == len(found["loss"]) == 60
    assert all(np.isfinite(array).all() for array in found.values())
