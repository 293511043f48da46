"""Kanerva's memory: against its twin, and what it retains."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_baselines import PlainSparseDistributed
from small import streams

import slotfree as sf
from slotfree.memory.sparse_distributed import SparseDistributedMemory, SparseDistributedMemorySettings


@st.composite
def networks(draw, decays=(0.0, 0.1, 0.9, 0.999999)):
    n_visible, n_locations = draw(st.integers(1, 20)), draw(st.integers(1, 20))
    return SparseDistributedMemory(
        n_visible,
        draw(st.integers(1, n_visible)),
        n_locations,
        draw(st.integers(1, n_locations)),
        draw(st.sampled_from(decays)),
        seed=draw(st.integers(0, 2**32)),
    )


@settings(max_examples=300)
@given(networks(), st.data())
def test_stores_and_retrieves_as_the_twin(memory, data):
    plain = PlainSparseDistributed(memory)
    assert (plain.addresses.sum(axis=1) == memory.settings.k_visible).all()
    patterns = data.draw(streams(memory.settings.n_visible, max_patterns=60))
    memory.store(patterns)
    for x in patterns:
        plain.store(x)
    np.testing.assert_allclose(memory.counters, plain.counters, rtol=1e-9, atol=1e-9)
    cues = data.draw(streams(memory.settings.n_visible))
    for x, recalled in zip(cues, memory.retrieve(cues), strict=True):
        assert recalled.sum() == memory.settings.k_visible
        if memory.settings.decay == 0:  # integers
            np.testing.assert_array_equal(recalled, plain.retrieve(x))
        else:
            sums = plain.sums(x)
            best_loser = sums[recalled == 0].max(initial=-np.inf)
            assert sums[recalled == 1].min() >= best_loser - 1e-9


def test_recalls_a_few_patterns():
    memory = SparseDistributedMemory(seed=0)
    patterns = sf.random_patterns(5, seed=1)
    memory.store(patterns)
    recalled = memory.retrieve(patterns)
    assert (recalled & patterns).sum(axis=1).min() >= 90


def test_decay_keeps_the_newest():
    patterns = sf.random_patterns(2000, seed=1)
    newest = {}
    for decay in (0.0, 0.02):
        memory = SparseDistributedMemory(decay=decay, seed=0)
        memory.store(patterns)
        accuracy = (memory.retrieve(patterns) & patterns).sum(axis=1) / 100
        newest[decay] = accuracy[-20:].mean() - accuracy[:1000].mean()
    assert newest[0.02] > 0.3
    assert newest[0.0] < 0.15


def test_wrong_arguments_and_description():
    for wrong, message in (
        ({"n_locations": 0}, "n_locations must be an integer from 1 to 2147483647, not 0"),
        ({"k_locations": 101}, "k_locations must be an integer from 1 to n_locations = 100, not 101"),
        ({"decay": 1.0}, r"decay must be a number in \[0, 1\), not 1.0"),
    ):
        with pytest.raises(ValueError, match=message):
            SparseDistributedMemory(20, 2, **wrong, seed=0)
    assert repr(SparseDistributedMemory(20, 2, 10, 3, seed=0)) == (
        "SparseDistributedMemory(n_visible=20, k_visible=2, n_locations=10, k_locations=3, decay=0): "
        "200 weights, 0 patterns stored"
    )
    assert SparseDistributedMemorySettings().n_weights == 100_000
