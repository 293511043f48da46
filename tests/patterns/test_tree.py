import collections

import numpy as np
import pytest

import slotfree as sf


def algorithm_box(n_nodes, rng):
    """The parents of a tree grown step by step as the SI prints it: walk down, weigh the subtrees, stop or go on."""
    children = collections.defaultdict(list)

    def size(node):
        return 1 + sum(size(child) for child in children[node])

    parents = [-1]
    for node in range(1, n_nodes):
        at = 0
        while True:
            sizes = [size(child) for child in children[at]]
            weights = np.array([*sizes, 1]) / (1 + sum(sizes))
            choice = rng.choice(len(weights), p=weights)
            if choice == len(sizes):
                children[at].append(node)
                parents.append(at)
                break
            at = children[at][choice]
    return tuple(parents)


def test_the_law_is_that_of_the_algorithm_box():
    """All 24 trees of five nodes, drawn both ways: two-sample chi-square with 23 degrees of freedom."""
    draws = 4000
    rng = np.random.default_rng(0)
    box = collections.Counter(algorithm_box(5, rng) for _ in range(draws))
    ours = collections.Counter(
        tuple(sf.PatternTree.grow(n_nodes=5, n_visible=4, k_visible=2, n_flips=1, seed=rng).parent.tolist())
        for _ in range(draws)
    )
    trees = set(box) | set(ours)
    assert len(trees) == 24
    chi_square = sum((box[t] - ours[t]) ** 2 / (box[t] + ours[t]) for t in trees)
    assert chi_square < 49.7, "exceeded by chance once in 1000 times"


@pytest.mark.parametrize(("k", "b"), [(100, 1), (100, 10), (100, 100), (900, 100), (500, 0)])
def test_each_child_flips_b_bits_each_way(k, b):
    tree = sf.PatternTree.grow(n_nodes=300, n_visible=1000, k_visible=k, n_flips=b, seed=0)
    child, parent = tree.patterns[1:], tree.patterns[tree.parent[1:]]
    assert ((child == 1) & (parent == 0)).sum(axis=1).tolist() == [b] * 299
    assert ((child == 0) & (parent == 1)).sum(axis=1).tolist() == [b] * 299
    assert (tree.patterns.sum(axis=1) == k).all()


def test_parents_come_first_and_leaves_have_no_children():
    tree = sf.PatternTree.grow(n_nodes=14_000, n_visible=20, k_visible=4, n_flips=1, seed=0)
    assert tree.parent[0] == -1
    assert (tree.parent[1:] >= 0).all()
    assert (tree.parent[1:] < np.arange(1, 14_000)).all()
    assert set(tree.leaves) == set(range(14_000)) - set(tree.parent.tolist())
    # The number of leaves has mean n/2 and variance n/12: four standard deviations are 137.
    assert abs(len(tree.leaves) - 7000) < 137
    np.testing.assert_array_equal(tree.leaf_patterns, tree.patterns[tree.leaves])


@pytest.mark.parametrize(("b", "mean"), [(5, 0.50), (10, 0.27), (15, 0.18), (20, 0.136), (30, 0.107)])
def test_mean_similarity_of_the_paper(b, mean):
    """The mean over ten 4,000-node trees; single trees spread by 0.03 at b = 5."""
    means = []
    for seed in range(10):
        similar = sf.PatternTree.grow(n_nodes=4000, n_flips=b, seed=seed).similarity()
        assert (np.diag(similar) == 1).all()
        assert (similar == similar.T).all()
        n = len(similar)
        means.append((similar.sum(dtype=float) - n) / (n * (n - 1)))
    assert abs(np.mean(means) - mean) < 0.015


def test_seeds_reproduce_and_one_node_is_a_tree():
    def grow(seed):
        return sf.PatternTree.grow(n_nodes=50, n_visible=20, k_visible=4, n_flips=1, seed=seed)

    np.testing.assert_array_equal(grow(1).patterns, grow(1).patterns)
    assert (grow(1).patterns != grow(2).patterns).any()
    root = sf.tree_patterns(1, n_nodes=1, seed=0)
    assert root.sum() == 100, "all leaves can be taken"
    small = sf.PatternTree.grow(
        n_nodes=np.uint8(9), n_visible=1000, k_visible=np.uint8(100), n_flips=np.int8(5), seed=0
    )
    assert small.patterns.sum() == 900
    root = sf.PatternTree.grow(n_nodes=1, n_visible=20, k_visible=4, n_flips=1, seed=0)
    assert root.leaves.tolist() == [0]
    assert repr(root) == "PatternTree(1 nodes, 1 leaves; n_visible=20, k_visible=4, n_flips=1)"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"n_nodes": 0}, "n_nodes must be an integer from 1 to 2147483647, not 0"),
        ({"n_visible": 0}, "n_visible must be an integer from 1 to 2147483647, not 0"),
        ({"k_visible": 21}, "k_visible must be an integer from 1 to n_visible = 20, not 21"),
        ({"k_visible": 0}, "k_visible must be an integer from 1 to n_visible = 20, not 0"),
        ({"n_flips": 5}, "n_flips must be an integer from 0 to the smaller of .* = 4, not 5"),
        ({"n_flips": 3, "k_visible": 18}, "n_flips must be an integer from 0 to the smaller of .* = 2, not 3"),
        ({"n_flips": -1}, "n_flips must be an integer from 0"),
        ({"seed": -5}, "seed must be an integer ≥ 0, not -5"),
    ],
)
def test_wrong_arguments(wrong, message):
    arguments = {"n_nodes": 5, "n_visible": 20, "k_visible": 4, "n_flips": 1, "seed": 0} | wrong
    with pytest.raises(ValueError, match=message):
        sf.PatternTree.grow(**arguments)
