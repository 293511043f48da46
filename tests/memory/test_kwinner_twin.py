"""The memory against its dense twin: the same winners, and the same weights, bit for bit."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from small import memories, streams
from twin import DenseTwin

import slotfree as sf


@settings(max_examples=1000)
@given(memories(), st.data())
def test_stores_and_retrieves_as_the_twin(memory, data):
    dense = DenseTwin(memory)
    patterns = data.draw(streams(memory.settings.n_visible))
    winners = memory.store(patterns, return_winners=True)
    for x, z in zip(patterns, winners, strict=True):
        np.testing.assert_array_equal(z, dense.store(x))
    np.testing.assert_array_equal(memory.weights, dense.W)
    np.testing.assert_array_equal(memory.return_weights, dense.W_return)

    cues = data.draw(streams(memory.settings.n_visible))
    codes = memory.hidden(cues)
    for x, code, recalled in zip(cues, codes, memory.retrieve(cues), strict=True):
        np.testing.assert_array_equal(np.flatnonzero(code), dense.winners(x))
        np.testing.assert_array_equal(recalled, dense.retrieve(x))


def test_agrees_with_the_twin_at_the_papers_size():
    memory = sf.KWinnerMHN(seed=0)
    dense = DenseTwin(memory)
    patterns = sf.random_patterns(300, seed=1)
    winners = memory.store(patterns, return_winners=True)
    np.testing.assert_array_equal(winners, [dense.store(x) for x in patterns])
    np.testing.assert_array_equal(memory.weights, dense.W)
    cues = sf.partial_cues(patterns[-20:], 0.5, seed=2)
    np.testing.assert_array_equal(memory.retrieve(cues), [dense.retrieve(x) for x in cues])


def test_winners_have_the_largest_drives_of_a_plain_matrix_product():
    """Independent of the order of additions and of the twin."""
    memory = sf.KWinnerMHN(seed=0)
    memory.store(sf.random_patterns(500, seed=1))
    cues = sf.random_patterns(200, seed=2)
    drives = cues @ memory.weights.T.astype(float)
    won = memory.hidden(cues).astype(bool)
    least_winner = np.where(won, drives, np.inf).min(axis=1)
    greatest_loser = np.where(won, -np.inf, drives).max(axis=1)
    assert (least_winner >= greatest_loser - 1e-12).all()
