import numpy as np
from study.madeup import check_table, verdicts

from slotfree.paper.memory.figS5 import claims_on, in_tree_order
from slotfree.patterns.tree import PatternTree


def trees(*means, spread=0.005):
    """Mean similarities of ten trees for each b."""
    return {b: mean + np.linspace(-spread, spread, 10) for b, mean in zip((5, 10, 15, 20, 30), means, strict=True)}


def test_claims():
    scenarios = [
        trees(0.49, 0.28, 0.17, 0.13, 0.107),
        trees(0.2, 0.2, 0.25, 0.3, 0.3),  # rising
        trees(0.49, 0.28, 0.17, 0.121, 0.12),
    ]
    check_table(
        [verdicts(claims_on(found)) for found in scenarios],
        {"mean-5": "cxc", "mean-10": "cxc", "mean-15": "cxc", "mean-30": "cxi", "falls": "cxi"},
        only=dict.fromkeys(("mean-5", "mean-10", "mean-15"), "cx"),
    )


def test_a_printed_mean_is_that_of_one_tree():
    """Ours may differ from it by what single trees differ, not only by what means of ten do."""
    assert verdicts(claims_on(trees(0.52, 0.28, 0.17, 0.13, 0.107, spread=0.02)))["mean-5"] == "c"
    assert verdicts(claims_on(trees(0.52, 0.28, 0.17, 0.13, 0.107, spread=0.002)))["mean-5"] == "x"


def test_leaves_in_tree_order_keep_families_together():
    tree = PatternTree.grow(n_nodes=200, n_visible=20, k_visible=5, n_flips=1, seed=0)
    order = in_tree_order(tree)
    assert sorted(order) == tree.leaves.tolist()
    for node in range(200):
        family = [node in ancestors(tree, leaf) for leaf in order]
        assert np.abs(np.diff([False, *family, False])).sum() in (0, 2), "the leaves below a node stand together"


def ancestors(tree, node):
    line = {node}
    while tree.parent[node] >= 0:
        node = tree.parent[node]
        line.add(node)
    return line
