"""The readings: equations against each other, and every claim in a world where the sentence is right and where not."""

import numpy as np
import pytest
import xarray as xr
from paper.written_pages import check_claims
from trained import DESCRIBED, END, results

from slotfree.attention.baseline import BaselineTransformer
from slotfree.attention.gradients import gradients
from slotfree.attention.result import labelled
from slotfree.attention.training import DivergedError, initial_weights
from slotfree.attention.weights import Weights
from slotfree.paper.attention import tableS1
from slotfree.paper.attention.readings import ITEM
from slotfree.paper.attention.readings.claims import TABLES, claim_ranges
from slotfree.paper.attention.readings.equations import EQUATIONS, distances, draw_case, of_baseline
from slotfree.paper.attention.readings.experiments import (
    AVERAGED,
    COINCIDENCE,
    GRADIENTS,
    SWAPPED,
    UPDATES,
    VALUES,
    VARIANCE,
    VARIANCE_KEYS,
    Reading,
    start_by_variance,
)
from slotfree.paper.attention.readings.storage import coincidence, noise, updates
from slotfree.paper.shared.similarity import Table
from slotfree.paper.shared.transformers import BASELINE, FIXED, FIXED_IP, MHN_IP, PUBLISHED, QK_IP, SEVEN, TASK
from slotfree.study.experiment import stacked
from slotfree.study.results import Results
from slotfree.study.scale import SCALES
from slotfree.study.training import Training
from slotfree.tasks.sequences import Sequences

SEED = np.random.SeedSequence(0)
SLIPS = ("baseline-v-batch", "slot-free-q-eq", "mhn-k-printed")
SOLVED = (PUBLISHED, FIXED_IP, QK_IP)


def trained(end, scale, runs=20):
    """A training that ends at an accuracy, with weights before it scaled."""
    rng = np.random.default_rng(0)
    accuracy = np.full((runs, 100), end) + rng.normal(0, 1e-4, (runs, 1)) * (end < 1)
    every = [initial_weights(PUBLISHED.model, TASK, seed=run) for run in range(runs)]
    arrays = {name: np.array([getattr(w, name) for w in every])[:, None] * scale for name in ("W_Q", "W_K", "W_V")}
    return labelled({"accuracy": accuracy, "loss": 1 - accuracy, **arrays}, [100], TASK)


def world(is_right):
    """Results in which every sentence is right if it is taken at its word; or in which none is."""
    r = results([*SEVEN, BASELINE], DESCRIBED, iterations=END)
    data = dict(r.data)
    for transformer, experiment in (*AVERAGED.items(), *VALUES.items(), (MHN_IP, SWAPPED)):
        right = 1.0 if transformer in SOLVED else 0.92
        data[experiment.name] = trained(right if is_right else 0.6, 1)
    data[VARIANCE.name] = trained(1.0, 1)
    printed = np.array(tableS1.TABLE.rows[FIXED.row])
    noise = np.random.default_rng(0).normal(0, 0.05, (20, 4))
    data[VARIANCE_KEYS.name] = xr.Dataset({"statistics": (("run", "column"), printed * (1 if is_right else 6) + noise)})
    size = 1e-14 if is_right else 0.5
    for experiment, n in ((GRADIENTS, len(EQUATIONS)), (UPDATES, 3), (COINCIDENCE, 2)):
        data[experiment.name] = stacked([{"distance": np.full(n, size)}] * 3)
    return Results(data, SCALES["paper"], 0)


def verdicts(monkeypatch, is_right):
    rows = np.array(tableS1.TABLE.rows["transformer"])
    spread = np.random.default_rng(0).normal(0, 0.01, (20, 4))
    monkeypatch.setattr(Table, "measured", lambda *_: rows + spread + (0 if is_right else 1))
    claims = list(ITEM.claims(world(is_right)))
    check_claims("readings", claims)
    return {claim.name: (claim.source, claim.verdict) for claim in claims}


def test_sentences_that_are_right(monkeypatch):
    found = verdicts(monkeypatch, is_right=True)
    wrong = {name for name, (source, verdict) in found.items() if source == "paper" and verdict != "confirmed"}
    assert wrong == set()
    assert found["averaged-do-not-learn"] == found["coincide-baseline"] == ("ours", "contradicted")
    for name in ("swapped-worse", "variance-fixed", "variance-fixed-ip"):
        assert found[name][0] == "ours"
        assert found[name][1] != "confirmed"


def test_sentences_that_are_wrong(monkeypatch):
    found = verdicts(monkeypatch, is_right=False)
    still = {name for name, (source, verdict) in found.items() if source == "paper" and verdict != "contradicted"}
    about_training = {
        f"{name}-{t.name}" for name in ("noisy-version", "noise", "values-learn") for t in (FIXED, FIXED_IP)
    }
    assert still == about_training, "these are of the trained models, which are the same"
    for name in ("averaged-do-not-learn", "swapped-worse", "variance-fixed", "variance-fixed-ip", "coincide-baseline"):
        assert found[name] == ("ours", "confirmed")


@pytest.mark.parametrize(("factor", "is_same"), [(1, True), (1.02, True), (4, False)])
def test_ranges_of_the_transformer(factor, is_same):
    """All six of them are compared, with the spread that runs have."""
    printed = np.concatenate([table.rows["transformer"][1::2] for table in TABLES])
    found = factor * printed * np.exp(np.random.default_rng(0).normal(0, 0.3, (20, 6)))
    for says_same in (True, False):
        claim = claim_ranges("ranges", "", found, is_same=says_same)
        assert claim.verdict == ("confirmed" if says_same == is_same else "contradicted")


def test_gradient_equations_are_right_but_for_the_slips():
    found = dict(zip(EQUATIONS, distances(SEED)["distance"], strict=True))
    assert {name for name, distance in found.items() if distance > 1e-6} == set(SLIPS)
    assert all(found[name] > 0.1 for name in SLIPS)


def test_the_equations_are_those_that_models_are_trained_with():
    case = draw_case(SEED)
    model = BaselineTransformer(len(case.W_Q))
    tokens = case.X.T.argmax(axis=1)
    sequence = Sequences(tokens[None], case.x_q.argmax()[None], case.y.argmax()[None])
    computed, _, _ = gradients(model, Weights(case.W_Q, case.W_K, case.W_V), TASK, sequence)
    printed = [pair[0] for pair in of_baseline(case)]
    for ours, equation in zip((computed.W_V, computed.W_K, computed.W_Q), (printed[0], *printed[2:]), strict=True):
        np.testing.assert_allclose(ours, equation, rtol=1e-10, atol=1e-14)


def test_the_printed_update_of_values_is_not_replacing():
    keys, values, items = updates(SEED)["distance"]
    assert keys == items == 0
    assert values > 0.1


def test_perfect_storage_is_a_transformer_with_beta_one():
    one, root = coincidence(SEED)["distance"]
    assert one < 1e-14
    assert root > 1e-3


def test_noise_is_absent_if_every_unit_holds_an_item():
    model = FIXED.model
    weights = initial_weights(model, TASK, seed=0)
    same, others, share = noise(model, weights, 0)
    assert others < same < 1
    assert 0.3 < share < 1
    full = type(model)("fixed", False, n_hidden=4, storage="perfect")
    assert noise(full, weights, 0)[::2] == pytest.approx((1, 0))


def test_a_start_by_variance_has_that_variance():
    """10 · 12 entries twice, in 50 starts: the variance is known to 1 %."""
    starts = [start_by_variance(PUBLISHED.model, np.random.SeedSequence(i)) for i in range(50)]
    entries = np.array([(w.W_Q, w.W_K) for w in starts])
    assert entries.var() == pytest.approx(1 / (4 * np.sqrt(10)), rel=0.06)


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
