"""Codes of stacks, and what is learnt and measured of them."""

from dataclasses import replace

import numpy as np
from study.madeup import Fading, faded

from slotfree.beyond.stackS4 import CASES, LEARNING
from slotfree.beyond.stackS5 import CELLS, older_d_prime
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


def test_layers_learn_to_restore_patterns_they_have_not_seen():
    small = CodeLayerSettings(300, 15, 0.04)
    cases = tuple((case.rule, case.source) for case in CASES)
    run = replace(LEARNING.run, cases=cases, layer=small, learned=(0, 200), n_unseen=50)
    data = run.label([run(SEED)])
    assert data["case"].values.tolist() == [case.key for case in CASES]
    before, after = data["recovered"].isel(run=0).transpose("learned", "case").values
    assert (after > before).all()
    assert before[0] == before[1]  # the same layer and the same patterns, before either rule is used


def test_mean_sensitivity_and_its_error_by_hand():
    experiment = CELLS[0.1, 5, 10]
    data = faded(experiment, lambda *_: Fading(0.1, 0, 0.4, 0.05), runs=6, n_ages=300)
    delta = (data["accuracy"].sel(kind="real") - data["accuracy"].sel(kind="pseudo")).values[:, 0, 29:]

    def mean_d(rows):
        return (rows.mean(axis=0) / rows.std(axis=0)).mean()

    without = np.array([mean_d(np.delete(delta, i, axis=0)) for i in range(6)])
    expected = (mean_d(delta), np.sqrt(5 / 6 * ((without - without.mean()) ** 2).sum()))
    np.testing.assert_allclose(older_d_prime(data), expected)
