import numpy as np
import pytest
from study.madeup import around, check_table, verdicts

from slotfree.memory.modern_hopfield import ModernHopfield
from slotfree.paper.memory import siA1
from slotfree.paper.memory.siA1 import FEATURES, Capacity, Descent

SEED = np.random.SeedSequence(0)


def test_claims_of_the_energy():
    check_table(
        [verdicts(siA1.claims_of_energy(np.array([[-1.0, rise]]))) for rise in (1e-15, 1e-6)],
        {"energy": "cx"},
        only={"energy": "cx"},
    )


def test_claims_of_the_capacity():
    n = np.array(FEATURES, float)
    exponential, power = 0.6 * n, 4 * np.log(n)
    scenarios = [around(exponential, 0.05), around(power, 0.05), around(exponential + 0.01 * power, 30)]
    assert [verdicts(siA1.claims_of_capacity(logs))["capacity"] for logs in scenarios] == ["c", "x", "i"]


def test_claims_of_retrieval_can_fail(monkeypatch):
    assert set(verdicts(siA1.claims_of_retrieval(np.random.default_rng(0))).values()) == {"c"}
    monkeypatch.setattr(ModernHopfield, "retrieve", lambda self, cues, steps=1: -np.asarray(cues))
    found = verdicts(siA1.claims_of_retrieval(np.random.default_rng(0)))
    assert {name for name, verdict in found.items() if verdict == "x"} == {"retrieves", "autoencoder", "update"}


def test_the_gradient_of_a_single_pattern():
    """E = −xᵀξ + ½ξᵀξ has the gradient ξ − x."""
    memory = ModernHopfield(3, 2.0)
    memory.store([[1.0, 2.0, -1.0]])
    np.testing.assert_allclose(siA1.gradient(memory, np.array([0.5, 0.0, 1.0])), [-0.5, -2.0, 2.0], atol=1e-8)


def test_the_autoencoder_is_a_softmax_of_overlaps():
    x = np.array([[1.0, 0.0], [0.0, 1.0]])
    (found,) = siA1.autoencoder(x, np.array([[np.log(3), 0.0]]), 1.0)
    np.testing.assert_allclose(found, [0.75, 0.25])


def test_energies_fall_and_rest():
    run = Descent(betas=(0.1, 10.0))
    data = run.label([run(SEED), run(SEED)])
    assert data["rise"].shape == (2, 2, 2, 3)
    assert data["rise"].max() < 1e-12
    assert (data["fall"].values[:, :, 0] > data["fall"].values[:, :, -1]).all()
    np.testing.assert_allclose(data["fall"].values[:, :, -1], 0)


def test_capacity_grows_with_features_and_beta():
    few, many = Capacity(features=(6, 10))(SEED)["capacity"]
    assert 2 < few < many < 1000
    assert Capacity(features=(6,), beta=3.0)(SEED)["capacity"] > few


@pytest.mark.parametrize("start", siA1.STARTS)
def test_queries(start):
    rng = np.random.default_rng(0)
    patterns = siA1.collection("alike", rng)
    distance = np.linalg.norm(siA1.queries(start, patterns, rng) - patterns[:5], axis=1)
    low, high = {"near": (0.5, 4), "random": (3, 15), "far": (200, 1000)}[start]
    assert ((distance > low) & (distance < high)).all()
