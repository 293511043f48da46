"""Small memories and streams of patterns for tests, and when two memories are the same."""

import numpy as np
from hypothesis import strategies as st

import slotfree as sf


@st.composite
def memories(draw, max_units=30):
    """Small memories of every kind, freshly built."""
    n_visible = draw(st.integers(1, max_units))
    n_hidden = draw(st.integers(1, max_units))
    return sf.KWinnerMHN(
        n_visible=n_visible,
        n_hidden=n_hidden,
        k_visible=draw(st.integers(1, n_visible)),
        k_hidden=draw(st.integers(1, n_hidden)),
        fan_in=draw(st.integers(1, n_visible)) / n_visible,
        learning_rate=draw(st.sampled_from([1.0, 0.9, 0.5, 0.3, 0.2, 0.01])),
        tied=draw(st.booleans()),
        storing=draw(st.sampled_from(["best", "best", "random"])),
        seed=draw(st.integers(0, 2**32)),
    )


@st.composite
def streams(draw, n_visible, max_patterns=12):
    """Patterns with any number of ones; few different ones, so that some return."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n_patterns = draw(st.integers(0, max_patterns))
    pool = (rng.random((draw(st.integers(1, 8)), n_visible)) < rng.random()).astype(np.uint8)
    return pool[rng.integers(0, len(pool), n_patterns)]


def same(a, b):
    """Whether two memories are the same, bit for bit."""
    one, other = a.arrays(), b.arrays()
    return (
        a.settings == b.settings
        and a.n_stored == b.n_stored
        and one.keys() == other.keys()
        and all(np.array_equal(one[name], other[name]) for name in one)
    )


class Echo:
    """A memory of any class: it stores nothing, and recalls what it is asked with."""

    def __init__(self, seed):
        pass

    def store(self, patterns):
        pass

    def retrieve(self, cues):
        return cues
