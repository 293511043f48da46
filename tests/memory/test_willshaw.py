"""Willshaw's memory: against its twin, and how it fills up."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_baselines import PlainWillshaw
from small import streams

import slotfree as sf
from slotfree.memory.willshaw import Willshaw, WillshawSettings


@st.composite
def networks(draw):
    n_visible = draw(st.integers(2, 20))
    k_visible, fan_in = draw(st.integers(1, n_visible)), draw(st.integers(1, n_visible)) / n_visible
    return Willshaw(n_visible, k_visible, fan_in, seed=draw(st.integers(0, 2**32)))


@settings(max_examples=300)
@given(networks(), st.data())
def test_stores_and_retrieves_as_the_twin(memory, data):
    plain = PlainWillshaw(memory)
    filled = 0.0
    for x in data.draw(streams(memory.settings.n_visible)):
        memory.store(x)
        plain.store(x)
        assert memory.filled >= filled, "nothing is forgotten"
        filled = memory.filled
        assert filled == plain.W.sum() / plain.mask.sum()
    cues = data.draw(streams(memory.settings.n_visible))
    for x, recalled in zip(cues, memory.retrieve(cues), strict=True):
        np.testing.assert_array_equal(recalled, plain.retrieve(x))
        assert recalled.sum() == memory.settings.k_visible


@given(networks(), st.data())
def test_the_order_of_patterns_does_not_matter(memory, data):
    patterns = data.draw(streams(memory.settings.n_visible))
    other = memory.copy()
    memory.store(patterns)
    other.store(patterns[::-1])
    np.testing.assert_array_equal(memory._W, other._W)


def test_fills_up_as_theory_says():
    """A connection stays 0 if its two units were never active together: (1 − k (k − 1) / n (n − 1))^T."""
    memory = Willshaw(seed=0)
    patterns = sf.random_patterns(600, seed=1)
    stored = 0
    for n in (10, 100, 600):
        memory.store(patterns[stored:n])
        stored = n
        expected = 1 - (1 - 100 * 99 / (1000 * 999)) ** n
        assert abs(memory.filled - expected) < 0.01  # 100,000 connections: a standard error below 0.002
        if n == 10:
            np.testing.assert_array_equal(memory.retrieve(patterns[:n]), patterns[:n])
    recalled = memory.retrieve(patterns)
    assert (recalled & patterns).sum(axis=1).mean() < 50


def test_silent_connections_count_before_others():
    memory = Willshaw(4, 1, 1.0, seed=0)
    memory.store([[1, 1, 1, 0], [0, 0, 1, 1]])
    np.testing.assert_array_equal(memory.retrieve([1, 1, 0, 0]), [0, 0, 1, 0])
    np.testing.assert_array_equal(memory.retrieve([1, 0, 0, 1]), [0, 0, 1, 0])


def test_wrong_arguments_and_description():
    with pytest.raises(ValueError, match=r"fan_in=.* leaves units no connections from others"):
        Willshaw(20, 2, 0.01, seed=0)
    with pytest.raises(ValueError, match="k_visible must be an integer from 1 to n_visible = 20, not 0"):
        Willshaw(20, 0, seed=0)
    assert repr(Willshaw(20, 2, seed=0)) == (
        "Willshaw(n_visible=20, k_visible=2, fan_in=0.1): 40 synapses, 0 patterns stored"
    )
    assert (WillshawSettings().n_synapses, WillshawSettings().n_weights) == (100_000, 94_995)
