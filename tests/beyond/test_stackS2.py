import numpy as np

from slotfree.memory.code_layer import CodeLayerSettings
from slotfree.paper.shared.codes import Coding, Separation, layer_name, trees, with_overlap
from slotfree.patterns.random import random_patterns
from slotfree.patterns.similarity import mean_similarity

SEED = np.random.SeedSequence(0)
SMALL = CodeLayerSettings(200, 20)


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
