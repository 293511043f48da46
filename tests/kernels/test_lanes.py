"""Sums in four lanes, against a twin that adds in the stated order."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from slotfree.kernels.arithmetic.lanes import dot, four_dots


def plain_dot(w, x):
    lanes, whole = [0.0] * 4, len(x) - len(x) % 4
    for j in range(whole):
        lanes[j % 4] += w[j] * x[j]
    total = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3])
    for j in range(whole, len(x)):
        total += w[j] * x[j]
    return total


@settings(max_examples=200)
@given(st.integers(0, 40), st.integers(0, 2**32))
def test_dots_are_those_of_the_twin_to_the_bit(size, seed):
    rng = np.random.default_rng(seed)
    W, x = rng.normal(size=(4, size)) * 10.0 ** rng.integers(-9, 9, (4, size)), rng.normal(size=size)
    expected = [plain_dot(w, x) for w in W]
    assert [dot(w, x) for w in W] == expected
    assert list(four_dots(*W, x)) == expected
