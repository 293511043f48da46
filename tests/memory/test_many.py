"""Storing in many memories at a time is storing in one after the other, or in none."""

import numpy as np
import pytest

import slotfree as sf
from slotfree.memory import Willshaw

SMALL = {"n_visible": 40, "n_hidden": 60, "k_visible": 5, "k_hidden": 4, "fan_in": 0.3}


def some(n_memories=5):
    return [sf.KWinnerMHN(**SMALL, seed=seed) for seed in range(n_memories)]


def patterns(seed, count=30):
    return sf.random_patterns(count, n_visible=40, k_visible=5, seed=seed)


def assert_same(memories, others):
    for memory, other in zip(memories, others, strict=True):
        assert memory.n_stored == other.n_stored
        for name, array in memory.arrays().items():
            np.testing.assert_array_equal(array, other.arrays()[name])


@pytest.mark.parametrize("threads", [1, 2, 9])
@pytest.mark.parametrize("given", ["one array", "a list", "three axes"])
def test_same_as_one_after_the_other(threads, given):
    own = [patterns(seed) for seed in range(5)]
    passed = {"one array": own[0], "a list": own, "three axes": np.array(own)}[given]
    together, alone = some(), some()
    sf.memory.store_many(together, passed, threads=threads)
    for memory, each in zip(alone, [own[0]] * 5 if given == "one array" else own, strict=True):
        memory.store(each)
    assert_same(together, alone)


def test_memories_of_any_class_and_number_of_patterns():
    together, alone = ([*some(1), Willshaw(n_visible=30, k_visible=3, seed=0)] for _ in range(2))
    own = [patterns(1, 7)[0], sf.random_patterns(3, n_visible=30, k_visible=3, seed=2)]
    sf.memory.store_many(together, own, threads=2)
    for memory, each in zip(alone, own, strict=True):
        memory.store(each)
    assert_same(together, alone)
    assert [memory.n_stored for memory in together] == [1, 3]


def test_no_memories():
    sf.memory.store_many([], patterns(0))
    sf.memory.store_many([], [])


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        (lambda m, p: (m, p[:-1], 1), ValueError, "patterns must be one array, or a list of 3 arrays.*not of 2"),
        (lambda m, p: (m, [*p[:-1], p[0][:, :-1]], 1), ValueError, r"patterns\[2\] must have the shape .*40"),
        (lambda m, p: (m, [*p[:-1], p[0] * 2], 1), ValueError, r"patterns\[2\] must hold only 0 and 1"),
        (lambda m, p: ([m[0], m[1], m[0]], p, 1), ValueError, r"memories\[0\] and memories\[2\] are the same"),
        (lambda m, p: ([*m[:-1], "memory"], p, 1), TypeError, r"memories\[2\] = 'memory'"),
        (lambda m, p: (m, p, 0), ValueError, "threads must be an integer ≥ 1, not 0"),
    ],
)
def test_nothing_is_stored_if_anything_is_wrong(change, error, words):
    memories, own = some(3), [patterns(seed) for seed in range(3)]
    given, passed, threads = change(memories, own)
    with pytest.raises(error, match=words):
        sf.memory.store_many(given, passed, threads=threads)
    assert_same(memories, some(3))
