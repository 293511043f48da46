"""Memories to compare with, each against a plain twin or an exact law."""

from functools import partial

import numpy as np
import pytest
from every_memory import NAMES
from hypothesis import given
from hypothesis import strategies as st

import slotfree as sf
from slotfree.memory import memories

SIZE = {"n_visible": 60, "k_visible": 8}
RIVALS = ("BTSP", "ComplexSynapses", "FirstInFirstOut", "Minerva", "Reservoir", "SQHN", "StochasticBinary")


def make(name, seed=0, **settings):
    return memories()[name](**SIZE | settings, seed=seed)


def some(n, seed=1, **size):
    return sf.random_patterns(n, **SIZE | size, seed=seed)


def test_certain_switches_are_as_the_rule_says():
    """With probabilities of 1 a stored pattern sets every synapse that it touches."""
    memory = make("StochasticBinary", fan_in=0.5, potentiation=1.0, depression=1.0)
    for x in some(5):
        before = memory.weights.copy()
        memory.store(x)
        active = x[memory.connections].astype(int) + x[:, None]
        np.testing.assert_array_equal(memory.weights[active == 2], 1)
        np.testing.assert_array_equal(memory.weights[active == 1], 0)
        np.testing.assert_array_equal(memory.weights[active == 0], before[active == 0])
    drive = np.array(
        [
            [
                sum(w * x[j] for w, j in zip(*row, strict=True))
                for row in zip(memory.weights, memory.connections, strict=True)
            ]
            for x in some(20)
        ]
    )
    for x, found, d in zip(some(20), memory.retrieve(some(20)), drive, strict=True):
        assert d[found == 1].min() >= d[found == 0].max()
        np.testing.assert_array_equal(memory.retrieve(x), found)


def test_the_trace_of_a_pattern_in_switching_synapses_decays_as_the_law_says():
    """Mean weight between the ones of a pattern by its age; 12 memories have 672 such synapses each: s.e. 0.006."""
    settings = {"fan_in": 1.0, "potentiation": 1.0, "depression": 0.1}
    patterns = some(120)
    found = np.zeros(120)
    for seed in range(12):
        memory = make("StochasticBinary", seed, **settings)
        on, off = memory.settings.rates
        steady = on / (on + off)
        assert abs(memory.weights.mean() - steady) < 0.03, "it begins in the steady state"
        memory.store(patterns)
        for age, x in enumerate(patterns[::-1]):
            both = (x[memory.connections] == 1) & (x[:, None] == 1)
            found[age] += memory.weights[both].mean() / 12
    expected = steady + (1 - steady) * (1 - on - off) ** np.arange(120)
    assert expected[0] == 1 == found[0]
    for ages in (slice(1, 10), slice(10, 40), slice(80, 120)):
        assert abs(found[ages].mean() - expected[ages].mean()) < 0.03


def test_gated_weights_flip_and_return_weights_are_set():
    """With probabilities of 1 a weight is the parity of how often its input was active."""
    memory = make("BTSP", n_hidden=7, k_hidden=2, fan_in=0.3, plateau=1.0, flip=1.0)
    patterns = some(9)
    memory.store(patterns)
    often = patterns.sum(axis=0)[memory.connections]
    np.testing.assert_array_equal(memory.weights, often % 2)
    np.testing.assert_array_equal(memory.return_weights, often > 0)


def test_what_flips_at_random_fills_the_memory_as_the_law_says():
    memory = make("BTSP", n_hidden=400, k_hidden=4, fan_in=1.0, plateau=0.1, flip=0.5)
    memory.store(some(100))
    reached = 0.5 * (1 - (1 - 0.1 * 8 / 60) ** 100)
    assert abs(memory.weights.mean() - reached) < 0.02  # 24,000 weights, alike for each of 60 inputs
    back = 1 - (1 - 0.1 * 8 / 60) ** 100
    assert abs(memory.return_weights.mean() - back) < 0.02


@given(st.integers(0, 10_000), st.sampled_from([0.0301, 0.1301, 0.2703, 0.3707, 0.5203, 0.7301, 0.9901]))
def test_sqhn_is_its_plain_twin(seed, novelty):
    patterns = some(30, seed)
    patterns[10:15] = patterns[:5]
    memory = make("SQHN", n_hidden=6, novelty=novelty)
    units = []  # the patterns that each unit has stored
    for x in patterns:
        memory.store(x)
        means = [np.mean(unit, axis=0) for unit in units]
        best = int(np.argmin([((x - M) ** 2).sum().round(4) for M in means])) if means else 0
        novel = not means or means[best] @ x / x.sum() < novelty
        if (novel and len(units) < 6) or not units:
            units.append([x])
        else:
            units[best].append(x)
    np.testing.assert_array_equal(memory.counts[: len(units)], [len(unit) for unit in units])
    for M, unit in zip(memory.weights, units, strict=False):
        np.testing.assert_allclose(M, np.mean(unit, axis=0), atol=1e-5)
    last = max((M @ x / 8 for M in (np.mean(unit, axis=0) for unit in units)), default=0)
    assert 0 < memory.familiarity(x[None])[0] <= last + 1e-5


def test_complex_synapses_follow_their_matrix():
    """A single unit wins every time: its variables are sums of powers of A over what was stored."""
    memory = make("ComplexSynapses", n_hidden=1, k_hidden=1, fan_in=0.5, n_variables=4, learning_rate=0.4, coupling=0.3)
    A, first, patterns = memory.settings.dynamics, memory.variables[0].astype(float), some(25)
    memory.store(patterns)
    u = np.linalg.matrix_power(A, 25) @ first
    for age, x in enumerate(patterns[::-1]):
        u += np.linalg.matrix_power(A, age)[:, :1] * 0.4 * x[memory.connections[0]]
    np.testing.assert_allclose(memory.variables[0], u, atol=1e-5)
    sizes = 2.0 ** np.arange(4)
    np.testing.assert_allclose(sizes @ A, sizes - [0.4, 0, 0, 0])  # only learning changes what all beakers hold
    np.testing.assert_allclose(A.sum(axis=1), [0.6, 1, 1, 1])


def test_a_simple_complex_synapse_is_that_of_the_k_winner_memory():
    memory = make("ComplexSynapses", n_hidden=9, k_hidden=3, fan_in=0.5, n_variables=1, learning_rate=0.3)
    for x in some(30):
        before, W = memory.variables[:, 0].copy(), memory.weights
        memory.store(x)
        changed = np.flatnonzero((memory.variables[:, 0] != before).any(axis=1))
        drive = W @ x
        assert len(changed) == 3
        assert drive[changed].min() >= np.delete(drive, changed).max() - 1e-6
        new = before[changed] + 0.3 * (x[memory.connections[changed]] - before[changed])
        np.testing.assert_allclose(memory.variables[changed, 0], new, atol=1e-6)


def test_minerva_is_its_plain_twin():
    memory, patterns = make("Minerva", n_slots=6, encoding=1.0), some(9)
    memory.store(patterns)
    cues = sf.partial_cues(patterns, 0.5, seed=0)
    for cue, recalled, intensity in zip(cues, memory.retrieve(cues), memory.familiarity(cues), strict=True):
        echo, total = np.zeros(60), 0.0
        for trace in patterns[3:]:
            similarity = (cue & trace).sum() / (cue | trace).sum()
            total += similarity**3
            echo += similarity**3 * trace
        assert intensity == pytest.approx(total)
        assert echo[recalled == 1].min() >= echo[recalled == 0].max() - 1e-6


def test_the_intensity_of_an_echo_follows_from_chance_encoding():
    """The cube of the share of 8 ones that are encoded, over 600 traces."""
    memory = make("Minerva", n_slots=1, encoding=0.6)
    found = []
    for x in some(600):
        memory.store(x)
        found.append(memory.familiarity(x[None])[0])
    kept = np.arange(9)
    chances = np.array([1, 8, 28, 56, 70, 56, 28, 8, 1]) * 0.6**kept * 0.4 ** (8 - kept)
    mean, square = (chances @ (kept / 8.0) ** power for power in (3, 6))
    assert abs(np.mean(found) - mean) < 4 * np.sqrt((square - mean**2) / 600)


def test_the_first_in_is_the_first_out():
    source = partial(sf.random_patterns, **SIZE)
    kind = memories()["FirstInFirstOut"].settings_class(**SIZE, n_slots=20)
    curves = sf.retention(kind, source, runs=3, n_stored=70, n_tested=50, seed=0)["accuracy"].sel(kind="real", cue=1.0)
    assert (curves.sel(age=slice(1, 20)) == 1).all()
    assert curves.sel(age=slice(21, 50)).mean() < 0.6
    memory = make("FirstInFirstOut", n_slots=3)
    older, newer = np.zeros((2, 60), np.uint8)
    older[:8], newer[4:12] = 1, 1
    memory.store([older, newer])
    np.testing.assert_array_equal(memory.retrieve(older & newer), newer)


def test_a_reservoir_keeps_all_patterns_alike():
    """Each of 30 patterns is among 10 slots with probability 1/3, of 600 memories: s.e. 11.5."""
    patterns, counts = some(30), np.zeros(30)
    for seed in range(600):
        memory = make("Reservoir", seed, n_slots=10)
        memory.store(patterns)
        kept = (memory.slots[:, None] == patterns).all(axis=2).any(axis=0)
        assert kept.sum() == 10
        counts += kept
    assert abs(counts - 200).max() < 4 * 11.5


@pytest.mark.parametrize("name", RIVALS)
def test_what_is_touched_and_what_it_takes(name):
    """At the default size; numbers that are expected are within a fifth of the mean over 40 patterns."""
    memory = memories()[name](seed=0)
    s, patterns = memory.settings, sf.random_patterns(340, seed=1)
    assert s.n_weights == 100_000
    assert s.n_bits >= s.n_weights
    memory.store(patterns[:300])
    state = [each.name for each in memory.saved(s, 300) if each.name not in ("connections", "key", "counts")]
    changed = 0
    for x in patterns[300:]:
        before = [getattr(memory, each).copy() for each in state]
        memory.store(x)
        changed += sum((getattr(memory, each) != was).sum() for each, was in zip(state, before, strict=True))
    assert changed / 40 <= 1.2 * s.n_touched


@pytest.mark.parametrize("name", RIVALS)
def test_newest_patterns_are_recalled_from_parts(name):
    settings = {"BTSP": {"plateau": 0.02}, "Reservoir": {"n_slots": 10}}.get(name, {})
    memory = memories()[name](**settings, seed=0)
    patterns = sf.random_patterns(30, seed=1)
    memory.store(patterns[:10])
    cues = sf.partial_cues(patterns, 0.5, seed=2)
    shares = (memory.retrieve(cues) & patterns).sum(axis=1) / 100
    assert shares[:10].mean() > shares[10:].mean() + 0.15
    np.testing.assert_array_equal(memory.retrieve(cues, threads=2), memory.retrieve(cues))


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("StochasticBinary", {"potentiation": 0}, r"potentiation must be a number in \(0, 1\], not 0"),
        ("StochasticBinary", {"depression": 1.1}, r"depression must be a number in \(0, 1\], not 1.1"),
        ("BTSP", {"plateau": 0}, r"plateau must be a number in \(0, 1\], not 0"),
        ("BTSP", {"fan_in": 0.001}, r"fan_in=0.001 leaves hidden units no connections \(n_visible=60\); use ≥ 0.0083"),
        ("SQHN", {"novelty": 2}, r"novelty must be a number in \[0, 1\], not 2"),
        ("ComplexSynapses", {"coupling": 0.8}, "coupling must be at most 1 - learning_rate = 0.5, not 0.8"),
        ("ComplexSynapses", {"n_variables": 0}, "n_variables must be an integer from 1 to 30, not 0"),
        ("ComplexSynapses", {"fan_in": 0.001}, "fan_in=0.001 leaves hidden units no connections"),
        ("Minerva", {"encoding": 0}, r"encoding must be a number in \(0, 1\], not 0"),
        ("Minerva", {"power": 0}, "power must be an integer from 1 to 99, not 0"),
        ("FirstInFirstOut", {"n_slots": 0}, "n_slots must be an integer from 1 to 2147483647, not 0"),
    ],
)
def test_wrong_settings(name, settings, message):
    with pytest.raises(ValueError, match=message):
        make(name, **settings)


def test_all_rivals_are_known():
    assert set(RIVALS) < set(NAMES)
