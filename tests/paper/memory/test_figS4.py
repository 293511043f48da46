from dataclasses import replace

import numpy as np
from study.madeup import check_table, verdicts

from slotfree.paper.memory.figS4 import claims_on_flips, claims_on_leaves, layout, small_tree
from slotfree.patterns.tree import PatternTree


def test_a_drawn_tree_has_no_two_nodes_at_one_place():
    tree = PatternTree.grow(n_nodes=60, n_visible=5, k_visible=3, n_flips=1, seed=2)
    x, depth = layout(tree.parent)
    assert len(set(zip(x, depth, strict=True))) == 60
    assert (depth[1:] == depth[tree.parent[1:]] + 1).all()


def test_a_child_with_another_flip_contradicts():
    tree = small_tree(0)
    patterns = tree.patterns.copy()
    patterns[-1, 0] ^= 1
    wrong = replace(tree, patterns=patterns)
    found = [verdicts(claims_on_flips(tree)) for tree in (tree, wrong)]
    check_table(found, {"flips": "cx"}, only={"flips": "cx"})


def test_share_of_leaves():
    spread = np.linspace(-0.004, 0.004, 20)
    found = [verdicts(claims_on_leaves(share + spread)) for share in (0.5, 0.56, 0.55)]
    check_table(found, {"leaves": "cxi"})
