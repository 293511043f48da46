"""The modern Hopfield network: against its plain twin, against attention, and the laws it obeys."""

import copy
import math
from itertools import pairwise

import numpy as np
import plain_hopfield as plain
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import slotfree as sf

BETAS = st.sampled_from([1e-9, 0.1, 1.0, 7.0, 100.0, 1e6, 1e300, math.inf])


@st.composite
def cases(draw, binary=False):
    """A memory with some patterns, and cues; few different numbers, so that scores tie."""
    n_visible = draw(st.integers(1, 12))
    n_values = draw(st.none() | st.integers(1, 12))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    k_visible = draw(st.integers(1, n_values or n_visible)) if binary else None
    scale = 1.0 if binary else draw(st.sampled_from([1e-3, 1.0, 1.0, 30.0]))

    def rows(n, width):
        if binary:
            return rng.integers(0, 2, (n, width))
        return scale * (rng.normal(size=(n, width)) if rng.random() < 0.7 else rng.integers(-2, 3, (n, width)))

    memory = sf.ModernHopfield(n_visible, draw(BETAS), draw(st.none() | st.integers(1, 8)), n_values, k_visible)
    n = draw(st.integers(1, 12))
    memory.store(rows(n, n_visible), *([] if n_values is None else [rows(n, n_values)]))
    return memory, rows(draw(st.integers(0, 4)), n_visible)


@settings(max_examples=300)
@given(cases())
def test_recalls_as_the_twin(case):
    memory, cues = case
    for cue, recalled, weights in zip(cues, memory.retrieve(cues), memory.weights(cues), strict=True):
        scores = memory.patterns @ cue
        close = np.abs(scores - scores.max()) <= 1e-12 * max(1, np.abs(scores).max())
        if memory.settings.beta >= 1e6 and close.sum() > 1:
            continue  # rounding decides which of them wins
        tolerance = {"rtol": 1e-9, "atol": 1e-9 * np.abs(memory.values).max()}
        expected = plain.update(memory.patterns, memory.values, memory.settings.beta, cue)
        np.testing.assert_allclose(recalled, expected, **tolerance)
        np.testing.assert_allclose(weights, plain.softmax(scores, memory.settings.beta), rtol=1e-6, atol=1e-9)


@settings(max_examples=300)
@given(cases(binary=True))
def test_recalls_ones_as_the_twin(case):
    memory, cues = case
    for cue, recalled in zip(cues, memory.retrieve(cues), strict=True):
        drive = plain.update(memory.patterns, memory.values, memory.settings.beta, cue)
        np.testing.assert_array_equal(recalled, plain.winners(drive, memory.settings.k_visible, cue))
    again = memory.retrieve(cues, steps=None)
    assert again.dtype == np.uint8
    assert (again.sum(axis=1) == memory.settings.k_visible).all()


@settings(max_examples=300)
@given(cases())
def test_the_energy_is_the_printed_one_and_never_rises(case):
    memory, cues = case
    for cue in cues:
        states, energies = memory.trajectory(cue, steps=5)
        expected = [plain.energy(memory.patterns, memory.settings.beta, state) for state in states]
        size = 1e-13 * (np.abs(memory.patterns).max() + np.abs(cue).max()) ** 2 * memory.settings.n_visible
        np.testing.assert_allclose(energies, expected, rtol=1e-12, atol=size)
        rounding = size + 1e-13 * np.abs(energies).max()
        assert (np.diff(energies) <= rounding).all()


def test_a_step_that_is_not_the_update_would_raise_the_energy():
    """Else the law above would mean little."""
    memory = sf.ModernHopfield(2, beta=2.0)
    memory.store(np.eye(2))
    states, energies = memory.trajectory([0.9, 0.3])
    assert len(states) > 3
    assert (np.diff(energies)[:3] < 0).all()
    beyond = states[-1] + 2 * (states[-1] - states[0])
    assert memory.energy(beyond) > energies[-1]


def test_is_softmax_attention():
    """Queries, keys and values of a layer of attention, with β = 1/√d."""
    rng = np.random.default_rng(0)
    queries, keys, values = rng.normal(size=(50, 16)), rng.normal(size=(30, 16)), rng.normal(size=(30, 5))
    memory = sf.ModernHopfield(16, beta=1 / np.sqrt(16), n_values=5)
    memory.store(keys, values)
    scores = queries @ keys.T / np.sqrt(16)
    attention = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(memory.weights(queries), attention, rtol=1e-12)
    np.testing.assert_allclose(memory.retrieve(queries), attention @ values, rtol=1e-12)


@given(cases(), st.integers(0, 2**32))
def test_units_have_no_order(case, seed):
    memory, cues = case
    order = np.random.default_rng(seed).permutation(memory.settings.n_visible)
    other = sf.ModernHopfield(memory.settings.n_visible, min(memory.settings.beta, 10.0))
    same = copy.deepcopy(other)
    same.store(memory.patterns)
    other.store(memory.patterns[:, order])
    size = np.abs(memory.patterns).max()
    np.testing.assert_allclose(other.retrieve(cues[:, order]), same.retrieve(cues)[:, order], atol=1e-7 * size)


@given(st.none() | st.integers(1, 9), st.lists(st.integers(0, 7), max_size=5), st.integers(0, 2**32))
def test_slots(capacity, sizes, seed):
    """Any way of storing is the same, and the newest stay."""
    rng = np.random.default_rng(seed)
    together, parts, single = (sf.ModernHopfield(3, 1.0, capacity, n_values=2) for _ in range(3))
    keys, values = rng.normal(size=(sum(sizes), 3)), rng.normal(size=(sum(sizes), 2))
    together.store(keys, values)
    ends = np.cumsum([0, *sizes])
    for a, b in pairwise(ends):
        parts.store(keys[a:b], values[a:b])
    for key, value in zip(keys, values, strict=True):
        single.store(key, value)
    first = 0 if capacity is None else max(0, len(keys) - capacity)
    for memory in (together, parts, single):
        assert memory.n_stored == len(keys)
        np.testing.assert_array_equal(memory.patterns, keys[first:])
        np.testing.assert_array_equal(memory.values, values[first:])
        np.testing.assert_array_equal(memory._filled(memory._keys), together._filled(together._keys))


def test_weights_are_in_the_order_of_the_patterns():
    memory = sf.ModernHopfield(4, beta=100.0, capacity=3)
    memory.store(np.eye(4))
    np.testing.assert_array_equal(memory.patterns, np.eye(4)[1:])
    np.testing.assert_allclose(memory.weights(memory.patterns), np.eye(3), atol=1e-12)


def test_stable_for_any_temperature():
    rng = np.random.default_rng(0)
    patterns = rng.normal(size=(40, 30))
    for beta in (50.0, 1e5, 1e100, 1e307, math.inf):
        memory = sf.ModernHopfield(30, beta)
        memory.store(patterns)
        np.testing.assert_allclose(memory.retrieve(patterns), patterns, atol=1e-6)
    blend = sf.ModernHopfield(30, 1e-300)
    blend.store(patterns)
    np.testing.assert_allclose(blend.retrieve(1e100 * patterns[0] / 1e2), patterns.mean(axis=0), atol=1e-12)
    large = sf.ModernHopfield(30, 1e307)
    large.store(1e100 * patterns / 10)
    assert np.isfinite(large.retrieve(1e99 * patterns)).all()
    assert np.isfinite(large.energy(1e99 * patterns)).all()


def test_at_infinite_beta_those_that_share_the_maximum_are_averaged():
    memory = sf.ModernHopfield(3, math.inf)
    memory.store([[1, 1, 0], [1, 0, 1], [0, 1, 1]])
    np.testing.assert_allclose(memory.retrieve([1, 0, 0]), [1, 0.5, 0.5])


def test_rests_at_a_fixed_point():
    rng = np.random.default_rng(1)
    memory = sf.ModernHopfield(20, beta=1.5)
    memory.store(rng.normal(size=(10, 20)))
    cues = rng.normal(size=(60, 20))
    rest = memory.retrieve(cues, steps=None)
    np.testing.assert_allclose(memory.retrieve(rest), rest, atol=1e-8)
    assert np.abs(memory.retrieve(cues) - rest).max() > 1e-3
    by_hand = cues
    for _ in range(3):
        by_hand = memory.retrieve(by_hand)
    np.testing.assert_allclose(memory.retrieve(cues, steps=3), by_hand, atol=1e-12)
    states, energies = memory.trajectory(cues[0])
    np.testing.assert_allclose(states[-1], rest[0], atol=1e-8)
    np.testing.assert_allclose(energies, memory.energy(states))


def test_values_are_read_at_the_last_of_several_steps():
    rng = np.random.default_rng(2)
    keys, values = rng.normal(size=(6, 8)), rng.normal(size=(6, 3))
    pairs, alone = sf.ModernHopfield(8, 1.0, n_values=3), sf.ModernHopfield(8, 1.0)
    pairs.store(keys, values)
    alone.store(keys)
    cue = rng.normal(size=8)
    np.testing.assert_allclose(pairs.retrieve(cue, steps=4), pairs.retrieve(alone.retrieve(cue, steps=3)), atol=1e-12)


def test_many_cues_are_taken_in_parts(monkeypatch):
    rng = np.random.default_rng(3)
    memory = sf.ModernHopfield(10, beta=2.0)
    memory.store(rng.normal(size=(25, 10)))
    cues = rng.normal(size=(500, 10))
    whole = [memory.retrieve(cues), memory.retrieve(cues, steps=None), memory.weights(cues), memory.energy(cues)]
    monkeypatch.setattr("slotfree.memory.modern_hopfield.ROOM", 1)
    parts = [memory.retrieve(cues), memory.retrieve(cues, steps=None), memory.weights(cues), memory.energy(cues)]
    for a, b in zip(whole, parts, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-9)


def test_binary_use_recalls_stored_patterns_from_half_of_their_ones():
    memory = sf.ModernHopfield(capacity=100, k_visible=100)
    patterns = sf.random_patterns(150, seed=0)
    memory.store(patterns)
    recalled = memory.retrieve(sf.partial_cues(patterns, 0.5, seed=1))
    np.testing.assert_array_equal(recalled[50:], patterns[50:])
    assert (recalled[:50] != patterns[:50]).any(axis=1).all()


def test_shapes():
    memory = sf.ModernHopfield(4, n_values=2)
    memory.store(np.eye(4), np.ones((4, 2)))
    assert memory.retrieve(np.ones(4)).shape == (2,)
    assert memory.retrieve(np.ones((3, 4))).shape == (3, 2)
    assert memory.weights(np.ones(4)).shape == (4,)
    assert memory.energy(np.ones(4)).shape == ()
    assert memory.retrieve(np.ones((0, 4)), steps=None).shape == (0, 2)
    assert not memory.patterns.flags.writeable


def test_description():
    memory = sf.ModernHopfield(5, capacity=2)
    memory.store(np.ones((3, 5)))
    assert repr(memory) == "ModernHopfield(n_visible=5, beta=1, capacity=2): 2 of 3 patterns stored are kept"
    assert memory.settings.n_weights == 10
    assert memory.nbytes == 80
    assert sf.ModernHopfield(5, n_values=3).settings.n_weights is None
    assert sf.ModernHopfield(5, capacity=2, n_values=3).settings.n_weights == 16


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"n_visible": 0}, ValueError, "n_visible must be an integer from 1 to 2147483647, not 0"),
        ({"beta": 0}, ValueError, "beta must be a number > 0, not 0"),
        ({"beta": float("nan")}, ValueError, "beta must be a number > 0, not nan"),
        ({"beta": -math.inf}, ValueError, "beta must be a number > 0, not -inf"),
        ({"beta": "1"}, TypeError, "beta must be a number > 0, not '1'"),
        ({"capacity": 0}, ValueError, "capacity must be an integer from 1 to 2147483647, not 0"),
        ({"n_values": 1.5}, TypeError, "n_values must be an integer from 1 to 2147483647, not 1.5"),
        ({"k_visible": 5}, ValueError, "k_visible must be an integer from 1 to n_visible = 4, not 5"),
        ({"k_visible": 4, "n_values": 3}, ValueError, "k_visible must be an integer from 1 to n_values = 3, not 4"),
    ],
)
def test_wrong_construction(wrong, error, message):
    with pytest.raises(error, match=message):
        sf.ModernHopfield(**({"n_visible": 4} | wrong))


@pytest.mark.parametrize("method", ["store", "retrieve", "weights", "energy", "trajectory"])
@pytest.mark.parametrize(
    ("rows", "error", "message"),
    [
        (np.ones(3), ValueError, r"must have the shape \(4,\) or \(T, 4\), not \(3,\)"),
        ([[1.0] * 4, [2.0]], ValueError, r"must have the shape \(4,\) or \(T, 4\), not rows of different lengths"),
        (
            np.full(4, np.nan),
            ValueError,
            r"must hold finite numbers of at most 1e\+100 in magnitude, not \w+\[0\] = nan",
        ),
        ([1, 2, 3, -1e101], ValueError, r"must hold finite numbers .* not \w+\[3\] = -1e\+101"),
        (["1"] * 4, TypeError, "must hold real numbers, not <U1"),
        (np.ones(4, complex), TypeError, "must hold real numbers, not complex128"),
    ],
)
def test_wrong_rows(method, rows, error, message):
    memory = sf.ModernHopfield(4)
    memory.store(np.eye(4))
    with pytest.raises(error, match=message):
        getattr(memory, method)(rows)
    assert memory.n_stored == 4


def test_wrong_use():
    memory = sf.ModernHopfield(4)
    with pytest.raises(ValueError, match="memory is empty; call store"):
        memory.retrieve(np.ones(4))
    with pytest.raises(ValueError, match="values must not be given, as n_values is None"):
        memory.store(np.ones(4), np.ones(4))
    memory.store(np.ones(4))
    for steps, error in ((0, ValueError), (1.5, TypeError)):
        with pytest.raises(error, match=f"steps must be an integer ≥ 1, not {steps}"):
            memory.retrieve(np.ones(4), steps=steps)
    with pytest.raises(ValueError, match=r"cue must have the shape \(4,\), not \(1, 4\)"):
        memory.trajectory(np.ones((1, 4)))
    pairs = sf.ModernHopfield(4, n_values=2)
    with pytest.raises(ValueError, match="values must be given with n_values"):
        pairs.store(np.ones(4))
    with pytest.raises(ValueError, match=r"values must be one for each pattern, of the shape \(3, 2\), not \(2, 2\)"):
        pairs.store(np.ones((3, 4)), np.ones((2, 2)))
    with pytest.raises(TypeError, match="beta must be a number > 0, not array"):
        sf.ModernHopfield(4, beta=np.ones(2))
    binary_pairs = sf.ModernHopfield(4, beta=0.5, n_values=3, k_visible=2)
    binary_pairs.store([1, 1, 0, 0], [0, 1, 1])
    assert len(binary_pairs.trajectory([1, 0, 0, 0], steps=2).energies) >= 2
    binary = sf.ModernHopfield(4, k_visible=2)
    with pytest.raises(ValueError, match=r"patterns must hold only 0 and 1, not patterns\[0\] = 0.5"):
        binary.store(np.full(4, 0.5))
