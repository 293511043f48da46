"""Random integers against NumPy's own."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slotfree.kernels.arithmetic.random_integers import below, by_numpy
from slotfree.kernels.compile import kernel


@given(st.integers(0, 2**32 - 1), st.lists(st.integers(1, 2**32 - 1), min_size=1, max_size=20))
def test_whole_numbers_are_those_of_numpy(seed, limits):
    ours, theirs = np.random.default_rng(seed), np.random.default_rng(seed)
    assert [below(ours, n) for n in limits] == [int(theirs.integers(0, n)) for n in limits]
    assert ours.bit_generator.state == theirs.bit_generator.state


@pytest.mark.parametrize("n", [3 << 30, 2**32 - 1, (1 << 31) + 1])
def test_whole_numbers_that_are_drawn_again_are_those_of_numpy(n):
    """A quarter of the draws below 3 · 2**30 is drawn again, half of those above 2**31."""
    ours, theirs = np.random.default_rng(0), np.random.default_rng(0)
    assert [below(ours, n) for _ in range(1000)] == [int(theirs.integers(0, n)) for _ in range(1000)]


def test_a_numba_without_the_quick_way_draws_the_same():
    compiled = kernel(by_numpy)
    ours, theirs = np.random.default_rng(1), np.random.default_rng(1)
    assert [below(ours, n) for n in range(1, 50)] == [compiled(theirs, n) for n in range(1, 50)]
