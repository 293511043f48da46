"""Deterministic property tests, and strategies that several test modules draw from."""

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

import slotfree as sf

settings.register_profile("slotfree", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("slotfree")


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
        seed=draw(st.integers(0, 2**32)),
    )


@st.composite
def streams(draw, n_visible, max_patterns=12):
    """Patterns with any number of ones; few different ones, so that some return."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n_patterns = draw(st.integers(0, max_patterns))
    pool = (rng.random((draw(st.integers(1, 8)), n_visible)) < rng.random()).astype(np.uint8)
    return pool[rng.integers(0, len(pool), n_patterns)]
