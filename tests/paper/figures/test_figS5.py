import numpy as np
import pytest
from paper.judged import verdicts_of
from study.madeup import PAPER, check_table, verdicts

from slotfree.paper.figures import figS5
from slotfree.paper.figures.figS5 import ITEM, RANDOM_SPREAD, SUFFICIENT, in_tree_order, of_one
from slotfree.paper.shared.memories import TREE_FLIPS
from slotfree.paper.shared.trees import grow
from slotfree.paper.text import s2_structured, si_a3_trees
from slotfree.patterns.tree import PatternTree
from slotfree.study.results import Results


def around(*values, spread=0.005):
    """Values of ten trees for each b."""
    return {b: value + np.linspace(-spread, spread, 10) for b, value in zip(TREE_FLIPS, values, strict=True)}


def judged(means, trained, neighbours, left=0.0, near=0.9):
    """The verdicts for made-up trees: similarities and neighbours for each b, and what is left of structure."""
    r = Results({}, PAPER, 0)
    noise = np.linspace(-1, 1, 10)
    known = {
        figS5.trees: {(b,): (means[b], neighbours[b], np.full(10, 0.05)) for b in TREE_FLIPS},
        figS5.similar_in_training: {(b,): values for b, values in trained.items()},
        figS5.nearest: {
            **{(b, "random"): 0.5 + 0.02 * noise for b in TREE_FLIPS},
            **{(b, "leaves"): near - 0.02 * noise for b in TREE_FLIPS},
        },
    }
    known[figS5.trees][SUFFICIENT,] = (noise, noise, RANDOM_SPREAD + left + 1e-4 * noise)
    for measure, values in known.items():
        r._found.update({(measure.__wrapped__, arguments): value for arguments, value in values.items()})
    return verdicts_of(ITEM, r, s2_structured, si_a3_trees) | verdicts(judge.claim(r) for judge in ITEM.claims)


def test_judges():
    printed = around(0.49, 0.28, 0.17, 0.13, 0.107)
    rising = around(0.2, 0.2, 0.25, 0.3, 0.3)
    nearly_a_line = around(0.449, 0.35, 0.25, 0.151, 0.15)
    line = around(0.5, 0.4, 0.3, 0.2, 0.0, spread=0.05)
    blocks = around(0.8, 0.7, 0.6, 0.5, 0.3)
    scenarios = [
        judged(printed, printed, blocks),
        judged(rising, rising, around(0.3, 0.5, 0.6, 0.7, 0.8), left=0.001, near=0.1),
        judged(nearly_a_line, printed, around(*[0.5] * 5), left=-0.001, near=0.5),
        judged(line, around(0.44, 0.23, 0.15, 0.12, 0.103), blocks),
    ]
    exact = ("mean-*", "trained-*", "structure")
    check_table(
        scenarios,
        {
            "mean-*": "cx..",
            "trained-*": "cxcx",
            "about-*": "cxi.",
            "nonlinear": "c..i",
            "falls": "cxi.",
            "blocks": "cxic",
            "structure": "cxxc",
            "similar-stored-*": "cxic",
        },
        only={**dict.fromkeys(exact, "cx"), "nonlinear": "ci"},
    )


@pytest.mark.parametrize(("spread", "verdict"), [(0.02, "c"), (0.002, "x")])
def test_a_printed_mean_is_that_of_one_tree(spread, verdict):
    """Ours may differ from it by what single trees differ, not only by what means of ten do."""
    means = around(0.52, 0.28, 0.17, 0.13, 0.107, spread=spread)
    assert judged(means, means, around(*[0.5] * 5))["mean-5"] == verdict


def test_the_trees_are_those_of_the_caption():
    tree = grow(0, 5, 0)
    assert tree.patterns.shape == (4000, 1000)
    assert (tree.patterns.sum(axis=1) == 100).all()
    assert grow(0, 5, 0, 14_000).patterns.shape == (14_000, 1000)


def test_enough_flips_leave_what_random_patterns_share():
    """A child keeps 10 of 100 ones and finds no other one of its parent's."""
    tree = PatternTree.grow(n_nodes=600, n_flips=SUFFICIENT, seed=0)
    shared = (tree.patterns[1:] & tree.patterns[tree.parent[1:]]).sum(axis=1)
    assert (shared == 10).all()
    _, neighbours, spread = of_one(tree)
    np.testing.assert_allclose(neighbours, 0.1, atol=0.01)
    np.testing.assert_allclose(spread, RANDOM_SPREAD, rtol=0.05)


def test_leaves_are_near_to_other_leaves_and_random_patterns_are_not():
    leaves, random = (figS5.nearest_in_one(0, 5, 0, kind) for kind in ("leaves", "random"))
    assert leaves > 2 * random > 0.2


def test_what_is_measured_of_a_tree(monkeypatch):
    """All pairs of three leaves by hand."""
    patterns = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1], [1, 0, 0, 1]], np.uint8)
    tree = PatternTree(patterns, np.array([-1, 0, 0, 1, 1]), 1)  # leaves 2, 3, 4; 3 and 4 below 1
    monkeypatch.setattr(figS5, "STEP", 1)
    mean, neighbours, spread = of_one(tree)
    overlaps = {(2, 3): 0.5, (2, 4): 0.0, (3, 4): 0.5}
    np.testing.assert_allclose(spread, np.std(list(overlaps.values())))
    np.testing.assert_allclose(mean, np.mean(list(overlaps.values())))
    np.testing.assert_allclose(neighbours, (overlaps[3, 4] + overlaps[2, 4]) / 2)  # in tree order 3, 4, 2


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
