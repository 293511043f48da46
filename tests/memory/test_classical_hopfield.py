"""The classical Hopfield network: against its twin and the rule as printed, and how it forgets."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_baselines import PlainClassical
from small import streams

import slotfree as sf
from slotfree.memory.classical_hopfield import ClassicalHopfield, ClassicalHopfieldSettings


@st.composite
def networks(draw):
    n_visible = draw(st.integers(2, 20))
    return ClassicalHopfield(
        n_visible,
        draw(st.integers(1, n_visible)),
        draw(st.integers(1, n_visible)) / n_visible,
        draw(st.sampled_from([0.0, 0.1, 0.9, 0.999999])),
        draw(st.integers(1, 3)),
        seed=draw(st.integers(0, 2**32)),
    )


@settings(max_examples=200)
@given(networks(), st.data())
def test_stores_and_retrieves_as_the_twin(memory, data):
    plain = PlainClassical(memory)
    patterns = data.draw(streams(memory.settings.n_visible, max_patterns=80))
    cues = data.draw(streams(memory.settings.n_visible, max_patterns=6))
    memory.store(patterns)
    for x in patterns:
        plain.store(x)
    for x, recalled in zip(cues, memory.retrieve(cues), strict=True):
        np.testing.assert_array_equal(recalled, plain.retrieve(x))
        assert recalled.sum() == memory.settings.k_visible


@given(networks(), st.data())
def test_weights_are_those_of_the_printed_rule(memory, data):
    patterns = data.draw(streams(memory.settings.n_visible, max_patterns=80))
    memory.store(patterns)
    mask = memory.mask
    assert (mask.sum(axis=1) == mask.sum(axis=1)[0]).all()
    assert not mask.diagonal().any()
    s = memory.settings.k_visible / memory.settings.n_visible
    W = np.zeros(mask.shape)
    for x in patterns:
        W = (1 - memory.settings.decay) * W + np.outer(x - s, x - s) * mask
    np.testing.assert_allclose(memory.weights, W, rtol=1e-9, atol=1e-9)


def test_agrees_with_the_twin_and_the_printed_rule_at_full_size():
    memory = ClassicalHopfield(decay=0.01, seed=0)
    plain = PlainClassical(memory)
    patterns = sf.random_patterns(60, seed=1)
    memory.store(patterns)
    for x in patterns:
        plain.store(x)
    cues = sf.partial_cues(patterns[-10:], 0.5, seed=2)
    recalled = memory.retrieve(cues)
    np.testing.assert_array_equal(recalled, [plain.retrieve(x) for x in cues])
    drives = cues @ memory.weights.T
    won = recalled.astype(bool)
    worst, best = np.where(won, drives, np.inf).min(axis=1), np.where(won, -np.inf, drives).max(axis=1)
    assert (worst >= best - 1e-9).all()


def test_recalls_a_few_patterns_from_half_of_their_ones():
    memory = ClassicalHopfield(fan_in=0.3, decay=0.0, steps=5, seed=0)
    patterns = sf.random_patterns(10, seed=1)
    memory.store(patterns)
    np.testing.assert_array_equal(memory.retrieve(sf.partial_cues(patterns, 0.5, seed=2)), patterns)


def test_decay_keeps_the_newest():
    patterns = sf.random_patterns(2000, seed=1)
    accuracy = {}
    for decay in (0.0, 0.01):
        memory = ClassicalHopfield(decay=decay, seed=0)
        memory.store(patterns)
        accuracy[decay] = (memory.retrieve(patterns) & patterns).sum(axis=1) / 100
    assert accuracy[0.01][-50:].mean() > 0.8
    assert accuracy[0.01][:1000].mean() < 0.2
    assert abs(accuracy[0.0][-50:].mean() - accuracy[0.0][:50].mean()) < 0.05


def test_a_long_life_stays_in_range():
    """Increments grow a thousandfold with each pattern, and are brought back every ten patterns."""
    memory = ClassicalHopfield(50, 5, 0.5, decay=0.999, seed=0)
    patterns = sf.random_patterns(3000, n_visible=50, k_visible=5, seed=1)
    memory.store(patterns)
    assert np.isfinite(memory.weights).all()
    np.testing.assert_array_equal(memory.retrieve(patterns[-1]), patterns[-1])


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"n_visible": 0}, ValueError, "n_visible must be an integer from 1 to 2147483647, not 0"),
        ({"n_visible": 1, "k_visible": 1}, ValueError, r"\(n_visible=1\); use ≥ 0.5, and n_visible ≥ 2"),
        ({"k_visible": 21}, ValueError, "k_visible must be an integer from 1 to n_visible = 20, not 21"),
        ({"fan_in": 0.01}, ValueError, "fan_in=0.01 leaves units no connections from others"),
        ({"fan_in": 1.5}, ValueError, r"fan_in must be a number in \(0, 1\], not 1.5"),
        ({"decay": 1}, ValueError, r"decay must be a number in \[0, 1\), not 1"),
        ({"decay": -0.1}, ValueError, r"decay must be a number in \[0, 1\), not -0.1"),
        ({"decay": "slow"}, TypeError, r"decay must be a number in \[0, 1\), not 'slow'"),
        ({"steps": 0}, ValueError, "steps must be an integer from 1 to 1000000, not 0"),
        ({"seed": None}, TypeError, "seed must be an integer, a numpy.random.SeedSequence or a numpy.random"),
    ],
)
def test_wrong_construction(wrong, error, message):
    with pytest.raises(error, match=message):
        ClassicalHopfield(**({"n_visible": 20, "k_visible": 2, "seed": 0} | wrong))


def test_weights_that_learn_the_same_count_as_one():
    """As in the K-winner MHN; their number is a matter of chance, 0 to 30 here, with an expectation and a spread."""
    settings, found = ClassicalHopfieldSettings(40, 4, 0.2), []
    for seed in range(200):
        memory = ClassicalHopfield.from_settings(settings, seed)
        memory.store(np.random.default_rng(seed).integers(0, 2, (3, 40)))
        both = memory.mask & memory.mask.T
        np.testing.assert_allclose(memory.weights[both], memory.weights.T[both], rtol=1e-12, atol=1e-12)
        found.append((memory.mask | memory.mask.T).sum() / 2)
    assert settings.n_synapses == memory.mask.sum() == 320
    assert abs(np.mean(found) - settings.n_weights) < 4 * np.std(found) / 200**0.5


def test_description():
    memory = ClassicalHopfield(20, 2, 0.5, 0.01, 1, seed=0)
    memory.store(np.zeros((3, 20)))
    assert repr(memory) == (
        "ClassicalHopfield(n_visible=20, k_visible=2, fan_in=0.5, decay=0.01, steps=1): 200 synapses, 3 patterns stored"
    )
    assert (ClassicalHopfieldSettings().n_synapses, ClassicalHopfieldSettings().n_weights) == (100_000, 94_995)
    assert ClassicalHopfieldSettings(20, 2, 1.0).n_weights == 20 * 19 / 2
