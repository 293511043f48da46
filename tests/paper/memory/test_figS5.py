import numpy as np
from study.madeup import check_table, verdicts

from slotfree.paper.memory import figS5
from slotfree.paper.memory.figS5 import (
    HIGH,
    Nearest,
    Trees,
    claims_on_means,
    claims_on_nearest,
    claims_on_size,
    claims_on_structure,
    in_tree_order,
    measure_one,
    nearest_in_one,
)
from slotfree.patterns.tree import PatternTree


def means(*values, spread=0.005):
    """Means of ten trees for each b."""
    return {b: value + np.linspace(-spread, spread, 10) for b, value in zip((5, 10, 15, 20, 30), values, strict=True)}


def test_claims_on_means():
    scenarios = [
        means(0.49, 0.28, 0.17, 0.13, 0.107),
        means(0.2, 0.2, 0.25, 0.3, 0.3),  # rising
        means(0.449, 0.35, 0.25, 0.151, 0.15),  # nearly a line, and uncertain
        means(0.5, 0.4, 0.3, 0.2, 0.0, spread=0.05),  # a line
    ]
    check_table(
        [verdicts(claims_on_means(found)) for found in scenarios],
        {
            "mean-5": "cx..",
            "mean-10": "cx..",
            "mean-15": "cx..",
            "about-5": "cxi.",
            "about-30": "cxi.",
            "nonlinear": "c..i",
            "falls": "cxi.",
        },
        only={**dict.fromkeys(("mean-5", "mean-10", "mean-15"), "cx"), "nonlinear": "ci"},
    )


def test_a_printed_mean_is_that_of_one_tree():
    """Ours may differ from it by what single trees differ, not only by what means of ten do."""
    assert verdicts(claims_on_means(means(0.52, 0.28, 0.17, 0.13, 0.107, spread=0.02)))["mean-5"] == "c"
    assert verdicts(claims_on_means(means(0.52, 0.28, 0.17, 0.13, 0.107, spread=0.002)))["mean-5"] == "x"


def structured(neighbours, spreads, siblings):
    """Trees with these neighbours, standard deviations and siblings for each b."""
    similar = means(0.49, 0.28, 0.17, 0.13, 0.107)
    others = [means(*values, spread=0.001) for values in (neighbours, spreads, [siblings] * 5)]
    return {b: Trees(similar[b], *(found[b] for found in others)) for b in similar}


def test_claims_on_structure():
    scenarios = [
        structured((0.8, 0.7, 0.6, 0.5, 0.3), (0.09, 0.09, 0.07, 0.05, 0.03), 0.5),
        structured((0.3, 0.5, 0.6, 0.7, 0.8), (0.03, 0.03, 0.03, 0.03, 0.05), 0.05),
        structured((0.5, 0.5, 0.5, 0.5, 0.5), (0.03, 0.03, 0.03, 0.03, 0.03), 0.1),
    ]
    check_table(
        [verdicts(claims_on_structure(found)) for found in scenarios],
        {"blocks": "cxi", "structure": "cxi", "siblings": "cxi"},
    )


def test_larger_trees_are_less_similar():
    small, large = means(0.49, 0.28, 0.17, 0.13, 0.107), means(0.44, 0.23, 0.15, 0.12, 0.103)
    scenarios = [(small, large), (large, small), (small, small)]
    check_table([verdicts(claims_on_size(*pair)) for pair in scenarios], {"trained-*": "cxi"})


def test_what_is_stored_is_similar_to_what_is_not():
    def nearest(share):
        return {b: Nearest(*(np.full(10, x) for x in (0.9, 0.4)), share + np.linspace(-0.02, 0.02, 10)) for b in HIGH}

    scenarios = [verdicts(claims_on_nearest(nearest(share))) for share in (0.9, 0.1, 0.5)]
    check_table(scenarios, {"similar-stored-*": "cxi"})


def test_leaves_are_near_to_other_leaves_and_random_patterns_are_not():
    leaves, random, share = nearest_in_one(0, 5, 0)
    assert leaves > 2 * random > 0.2
    assert share == 1


def test_what_is_measured_of_a_tree(monkeypatch):
    """Of five leaves, two are siblings; all pairs by hand."""
    patterns = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1], [1, 0, 0, 1]], np.uint8)
    tree = PatternTree(patterns, np.array([-1, 0, 0, 1, 1]), 1)  # leaves 2, 3, 4; 3 and 4 below 1
    monkeypatch.setattr(figS5, "STEP", 1)
    mean, neighbours, spread, of_siblings = measure_one(tree)
    overlaps = {(2, 3): 0.5, (2, 4): 0.0, (3, 4): 0.5}
    np.testing.assert_allclose(spread, np.std(list(overlaps.values())))
    np.testing.assert_allclose(mean, np.mean(list(overlaps.values())))
    np.testing.assert_allclose(neighbours, (overlaps[3, 4] + overlaps[2, 4]) / 2)  # in tree order 3, 4, 2
    np.testing.assert_allclose(of_siblings, overlaps[3, 4])


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
