import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from slotfree.kernels.arithmetic.bits import packed, unpacked
from slotfree.kernels.arithmetic.flips import flipped_copies, grow_tree, room_for


def plain_flip(rng, x, b):
    """Draw b ones and b zeros by a partial shuffle of their places, ascending; switch them over."""
    flipped = x.copy()
    for bit in (1, 0):
        places = np.flatnonzero(x == bit)
        for q in range(b):
            r = q + rng.integers(0, len(places) - q)
            places[[q, r]] = places[[r, q]]
        flipped[places[:b]] = 1 - bit
    return flipped


@st.composite
def sizes(draw):
    n = draw(st.integers(1, 200))
    k = draw(st.integers(1, n))
    return n, k, draw(st.integers(0, min(k, n - k)))


@given(sizes(), st.integers(0, 2**32))
def test_a_tree_is_that_of_the_plain_version(size, seed):
    n, k, b = size
    rng = np.random.default_rng(seed)
    nodes = [rng.permutation(np.arange(n) < k).astype(np.uint8)]
    words = np.zeros((6, packed(nodes[0][None]).shape[1]), np.uint64)
    words[0] = packed(nodes[0][None])[0]
    parent = np.full(6, -1)
    grow_tree(np.random.default_rng(seed), room_for(n, k, b), words, parent)
    rng, parents = np.random.default_rng(seed), [-1]
    for i in range(1, 6):
        parents.append(int(rng.integers(0, i)))
        nodes.append(plain_flip(rng, nodes[parents[i]], b))
    assert parent.tolist() == parents
    np.testing.assert_array_equal(unpacked(words, n), nodes)


@pytest.mark.parametrize(("n", "k", "b"), [(1000, 100, 10), (1000, 900, 100), (130, 65, 65)])
def test_copies_are_those_of_the_plain_version(n, k, b):
    rng = np.random.default_rng(1)
    originals = rng.permuted(np.tile((np.arange(n) < k).astype(np.uint8), (3, 1)), axis=1)
    source = np.array([2, 0, 2, 1])
    copies = np.empty((4, packed(originals).shape[1]), np.uint64)
    flipped_copies(np.random.default_rng(5), packed(originals), source, room_for(n, k, b), copies)
    rng = np.random.default_rng(5)
    np.testing.assert_array_equal(unpacked(copies, n), [plain_flip(rng, originals[s], b) for s in source])
