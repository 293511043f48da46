import numpy as np
import pytest
from of_items import letters
from study.madeup import PAPER, around, check_table

from slotfree.beyond import stackS2
from slotfree.beyond.stackS2 import TREES
from slotfree.memory.code_layer import CodeLayerSettings
from slotfree.paper.shared.codes import CODES, PAIRWISE, Coding, Separation, layer_name, trees, with_overlap
from slotfree.patterns.random import random_patterns
from slotfree.patterns.similarity import mean_similarity
from slotfree.study.results import Results

SEED = np.random.SeedSequence(0)
SMALL = CodeLayerSettings(200, 20)
SPARSE = {"1% winners": 0.3, "3% winners": 0.4, "10% winners": 0.7, "4.3% winners": 0.6, "codons, 5 of 20": 0.6}
REVERSED = {"1% winners": 1.2, "3% winners": 0.9, "10% winners": 0.7, "4.3% winners": 0.4, "codons, 5 of 20": 0.6}


def made_up(sparse, dense, half_cue, leaves, width):
    """Codes whose similarity is proportional to that of patterns; the similarity of codes of all leaves."""
    factors = np.array([(sparse | {"codons, 3 of 20": dense})[name] for name in CODES])
    run, like_trees = PAIRWISE.run, TREES.run
    of_pairs = around(np.outer(factors, np.array(run.shared) / 100), width, seed=1)
    of_cues = around(np.full((len(CODES), len(run.cues)), half_cue), width, seed=2)
    after = around(np.full((len(like_trees.sources), 1), leaves), width, seed=3)
    before = np.full((10, len(like_trees.sources)), 0.5)
    pairs = [{"of_pairs": p, "of_cues": c} for p, c in zip(of_pairs, of_cues, strict=True)]
    coded = [{"before": x, "after": y, "recovered": y} for x, y in zip(before, after, strict=True)]
    return Results({PAIRWISE.name: run.label(pairs), TREES.name: like_trees.label(coded)}, PAPER, 0)


def test_claims():
    scenarios = (
        made_up(SPARSE, 1.1, 0.4, 0.1, 0.005),
        made_up(REVERSED, 0.8, 0.6, 0.5, 0.005),
        made_up(dict.fromkeys(SPARSE, 0.97), 1.0, 0.5, 0.2, 0.1),
        made_up(SPARSE, 1.0, 0.5, 0.35, 0.1),
    )
    check_table(
        [letters(stackS2.ITEM, r) for r in scenarios],
        {
            "sparser": "cxi.",
            "tree-5": "cx.i",
            "tree-10": "cxi.",
            "half-cue": "cxii",
        },
    )


def test_the_figure_and_its_table():
    picture = stackS2.draw(made_up(SPARSE, 1.1, 0.4, 0.1, 0.005))
    table = picture.tables[""]
    assert list(table[0]) == ["what", "code", "similarity_in", "similarity_out", "standard_error"]
    pairs = [row for row in table if row["what"] == "pair" and row["code"] == "3% winners"]
    np.testing.assert_allclose([row["similarity_out"] for row in pairs], [0.04 * i for i in range(11)], atol=1e-6)
    leaves = [row for row in table if row["what"] == "tree"]
    assert [row["standard_error"] for row in leaves] == [pytest.approx(0.005 / 10**0.5, abs=1e-6)] * 5


def test_partners_share_what_they_should():
    x = random_patterns(20, seed=0)
    for shared in (0, 37, 100):
        y = with_overlap(x, shared, SEED)
        assert ((x & y).sum(axis=1) == shared).all()
        assert (y.sum(axis=1) == 100).all()


def test_codes_of_equal_patterns_are_equal_and_others_are_not():
    run = Separation((("small", SMALL),), shared=(0, 60, 100), cues=(0.3, 1.0), pairs=10)
    data = run.label([run(SEED), run(SEED)])
    assert data.sizes == {"run": 2, "code": 1, "shared": 3, "cue": 2}
    none, some, all_ones = data["of_pairs"].values[0, 0]
    assert none < some < all_ones == 1
    part, whole = data["of_cues"].values[0, 0]
    assert part < whole == 1


def test_more_active_units_recover_more_and_separate_less():
    run = Coding((("random", random_patterns), *trees(5, n_nodes=200)), (SMALL, CodeLayerSettings(200, 60)), 30)
    data = run.label([run(SEED)])
    assert data["layer"].values.tolist() == ["20 of 200", "60 of 200"] == [layer_name(layer) for layer in run.layers]
    for variable in ("recovered", "after"):
        few, many = data[variable].sel(source="tree-5").values[0]
        assert few < many
    unrelated, related = data["before"].sel(source=["random", "tree-5"]).values[0]
    assert unrelated < 0.12 < 0.3 < related


def test_similarity_before_is_that_of_the_patterns():
    fixed = random_patterns(7, seed=3)

    def source(n_patterns, /, *, seed):
        return fixed[:n_patterns]

    assert Coding((("fixed", source),), (SMALL,), 7)(SEED)["before"] == [mean_similarity(fixed)]
