from dataclasses import replace

import numpy as np
from study.madeup import PAPER

from slotfree.attention.baseline import BaselineTransformer
from slotfree.attention.training import plan_training
from slotfree.attention.weights import Weights
from slotfree.beyond.contextC4 import (
    FEWER,
    SHOWN,
    Recall,
    at_rates,
    by_times_shown,
    end,
    slot_free,
    steps,
    value_part,
)
from slotfree.beyond.shared.train_side_by_side import Condition, Trainings
from slotfree.runs.seeds import seed_for
from slotfree.study.results import Results
from slotfree.study.scale import SCALES
from slotfree.tasks.associative_recall import AssociativeRecall

SEED = np.random.SeedSequence(0)
TINY = AssociativeRecall(4, 4, 2)


def test_what_diverged_ends_with_nothing_right_and_never_learns():
    run = FEWER.run
    accuracy = np.ones((len(run.conditions), 16))
    accuracy[0] = np.nan
    found = Results({FEWER.name: run.label([{"accuracy": accuracy}])}, PAPER, 0)
    name = run.conditions[0].name
    assert end(FEWER, name)(found).tolist() == [0.0]
    assert steps(FEWER, name)(found).tolist() == [np.inf]


def test_the_value_part_of_keys():
    W_K = np.zeros((3, TINY.n_tokens))
    W_K[0, :4], W_K[1, 4:8], W_K[:, 8:] = 2.0, 1.0, 77.0
    assert value_part(W_K, TINY) == 0.5


def test_answers_are_counted_by_how_often_the_key_was_shown():
    """A model that attends to the key and reads the value, with slots: it knows all keys but those shown twice."""
    task = AssociativeRecall(4, 8, 3, repeats=True, absent=0.25)
    W_Q, W_K = np.zeros((2, 4, task.n_tokens))
    W_Q[:, 12:] = 50 * np.eye(4)
    W_K[:, :4] = np.eye(4)
    W_V = np.zeros((9, task.n_tokens))
    W_V[:8, 4:12] = np.eye(8)
    W_V[8, :4] = 0.7  # "none", unless attention is on one item
    condition = Condition("slots", BaselineTransformer(4, 1.0), task)
    right, asked = by_times_shown(condition, Weights(W_Q, W_K, W_V), 2000, SEED)
    absent, once, again = right / asked
    assert asked.sum() == 2000
    assert abs(asked[0] - 500) < 100
    assert once == 1
    assert absent > 0.9  # else all three values are the same
    assert 0 < again < 0.7


def test_runs_are_those_of_trainings():
    conditions = (
        Condition("slots", BaselineTransformer(8, 1.0), TINY, iterations=60),
        Condition("three", slot_free(TINY), TINY, iterations=50),
        at_rates("too fast", slot_free(TINY), TINY, 1e6),
    )
    run = Recall(conditions, iterations=100, tested=40, measured_at=(0, 50, 60))
    data = run.label([run(SEED), run(SEED)])
    np.testing.assert_array_equal(data["accuracy"][0], Trainings(conditions, iterations=100)(SEED)["accuracy"])
    assert np.isnan(data["accuracy"].sel(condition="too fast")).all()
    assert np.isfinite(data["value_part"].sel(condition="slots")).all()
    assert np.isnan(data["value_part"].sel(condition="three", measured=60)).all()
    found = plan_training(conditions[0].model, TINY, 60, snapshots=(0,))(SEED)
    assert data["value_part"].values[0, 0, 0] == value_part(found["W_K"][0], TINY)
    assert data["value_part"].values[0, 0, 2] == value_part(found["W_K"][-1], TINY)
    counted = data["asked"].sum("shown")
    assert counted.sel(condition=["slots", "three"]).values.tolist() == [[40, 40], [40, 40]]
    assert not counted.sel(condition="too fast").any()
    assert data["shown"].values.tolist() == list(SHOWN)
    assert run.at(replace(SCALES["quick"], iterations=25)).steps == 25


def test_the_test_is_on_other_sequences_than_training():
    task = replace(TINY, absent=0.5)
    condition = Condition("slots", BaselineTransformer(8, 1.0), task)
    found = Recall((condition,), iterations=25, tested=100)(SEED)
    right, asked = by_times_shown(condition, _weights(condition), 100, seed_for(SEED, "test"))
    np.testing.assert_array_equal(found["right"][0], right)
    np.testing.assert_array_equal(found["asked"][0], asked)


def _weights(condition):
    found = plan_training(condition.model, condition.task, 25)(SEED)
    return Weights(*(found[name][-1] for name in ("W_Q", "W_K", "W_V")))
