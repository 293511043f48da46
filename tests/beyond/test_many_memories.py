"""Runs of many memories, in simulation and in theory."""

from dataclasses import astuple, replace

import numpy as np

from slotfree.beyond.shared.memories import DIMS, BinnedRetention, PredictedMerits
from slotfree.forgetting.binned import settling
from slotfree.forgetting.family import rows_of
from slotfree.forgetting.merit import bin_means
from slotfree.forgetting.protocol import CUES, plan_run
from slotfree.forgetting.search import predicted_merits
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.runs.seeds import seed_for
from slotfree.study.scale import SCALES

SMALL = KWinnerSettings(100, 40, 10, 4, 0.3, 0.5)
ONE = replace(SMALL, k_hidden=1)


def test_a_run_of_many_memories_is_the_protocol_for_each():
    run = BinnedRetention((SMALL, ONE), n_tested=50)
    data = run.label([run(np.random.SeedSequence(i)) for i in range(2)])
    assert set(data) == set(DIMS)
    assert rows_of(data) == {SMALL: 0, ONE: 1}
    plan = plan_run(ONE, None, CUES, ("real", "pseudo"), settling(ONE) + 50, 50)
    found = plan(seed_for(np.random.SeedSequence(1), astuple(ONE)))["accuracy"]
    one = data.isel(run=1, setting=1)
    np.testing.assert_array_equal(one["accuracy"], bin_means(found[:, 0], 50))
    np.testing.assert_array_equal(one["baseline"], found[:, 1].mean(axis=1))


def test_a_smaller_scale_has_some_memories_evenly_spread_and_no_large_one():
    members = [replace(SMALL, n_hidden=10 * i) for i in range(1, 10)]
    run = BinnedRetention((*members, KWinnerSettings(2000, 2000)), n_tested=1000, some=3).at(SCALES["quick"])
    assert run.members == (members[0], members[4], members[8])
    assert run.n_tested == SCALES["quick"].n_tested


def test_predictions_are_kept_as_they_are():
    run = PredictedMerits((SMALL, ONE), every=2)
    table = run.label([run(np.random.SeedSequence(0))])
    expected = predicted_merits(ONE, anywhere=True)
    for name in expected:
        np.testing.assert_array_equal(table[name][rows_of(table)[ONE]], expected[name])
    assert run.at(SCALES["quick"]).members == (SMALL,)
