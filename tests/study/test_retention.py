"""The retention protocol and training, as what one run of an experiment does."""

import numpy as np

import slotfree as sf
from slotfree.forgetting.protocol import plan_run
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.patterns.tree import TreePatterns
from slotfree.study import Retention, Scale
from slotfree.study.train_runs import Training, weights_at

SMALL = KWinnerSettings(n_visible=40, n_hidden=30, k_visible=8, k_hidden=3, fan_in=0.5)
SIZES = {"n_stored": 60, "n_tested": 20}
SCALE = Scale("small", n_stored=30, n_tested=10, iterations=7)


def test_a_run_is_one_of_the_protocol():
    seed = np.random.SeedSequence(3)
    found = Retention(SMALL, **SIZES)(seed)["accuracy"]
    plan = plan_run(SMALL, None, (1.0, 0.5), ("real", "pseudo"), 60, 20)
    np.testing.assert_array_equal(found, plan(seed)["accuracy"])
    labelled = Retention(SMALL, **SIZES).label([{"accuracy": found}] * 3)["accuracy"]
    assert dict(labelled.sizes) == {"run": 3, "cue": 2, "kind": 2, "age": 20}


def test_a_smaller_scale_stores_and_tests_less():
    smaller = Retention(SMALL, **SIZES).at(SCALE)
    assert (smaller.n_stored, smaller.n_tested) == (30, 10)


def test_where_every_age_is_tested_it_is_so_at_a_smaller_scale():
    smaller = Retention(SMALL, n_stored=60, n_tested=60).at(SCALE)
    assert (smaller.n_stored, smaller.n_tested) == (30, 30)


def test_trees_are_no_larger_than_they_must_be_at_a_smaller_scale():
    trees = Retention(SMALL, TreePatterns(2, n_visible=40, k_visible=8), **SIZES)
    assert trees.source.n_nodes == 14_000
    assert trees.at(SCALE).source.n_nodes is None
    assert trees.at(SCALE)(np.random.SeedSequence(0))["accuracy"].shape == (2, 2, 10)


def test_training_keeps_the_weights_that_are_asked_for():
    task = sf.CaseSequenceTask(n_letters=2, context_length=2)
    training = Training(sf.BaselineTransformer(key_dim=3), task, iterations=9, batch_size=4, snapshots=(2, 8, 50))
    seed = np.random.SeedSequence(1)
    data = training.label([training(seed)])
    assert data["snapshot"].values.tolist() == [2, 8, 9]
    assert "contrast" not in data
    np.testing.assert_array_equal(weights_at(data).W_V, data["W_V"].sel(snapshot=9).values)
    measured = Training(sf.BaselineTransformer(key_dim=3), task, iterations=9, batch_size=4, contrast_every=4)
    assert measured.label([measured(seed)])["measured"].values.tolist() == [0, 4, 8, 9]
    assert training.at(SCALE).kept == (2, 7)
