import numpy as np
from study.madeup import PAPER

from slotfree.paper.figures.figS4 import layout, share_of_leaves, small_tree
from slotfree.patterns.tree import PatternTree
from slotfree.study.results import Results


def test_a_drawn_tree_has_no_two_nodes_at_one_place():
    tree = PatternTree.grow(n_nodes=60, n_visible=5, k_visible=3, n_flips=1, seed=2)
    x, depth = layout(tree.parent)
    assert len(set(zip(x, depth, strict=True))) == 60
    assert (depth[1:] == depth[tree.parent[1:]] + 1).all()


def test_the_drawn_tree_is_that_of_the_caption():
    tree = small_tree(0)
    assert tree.patterns.shape == (10, 5)
    assert (tree.patterns.sum(axis=1) == 3).all()
    child, parent = tree.patterns[1:], tree.patterns[tree.parent[1:]]
    assert ((child > parent).sum(axis=1) == 1).all()


def test_share_of_leaves():
    """The number of leaves has mean n/2 and variance n/12."""
    shares = share_of_leaves()(Results({}, PAPER, 0))
    assert len(shares) == 20
    assert abs(shares.mean() - 0.5) < 4 * np.sqrt(1 / 12 / 14_000 / 20)
