from dataclasses import replace

import numpy as np
import pytest
from of_items import letters
from study.madeup import PAPER, around, check_table

from slotfree.attention.baseline import BaselineTransformer
from slotfree.attention.training import plan_training
from slotfree.attention.weights import Weights
from slotfree.beyond import contextC4
from slotfree.beyond.contextC4 import (
    EXPERIMENTS,
    FEW,
    FEWER,
    HARDER,
    RULES,
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
LOW = ("rates × 0.1", "rates × 4", "rates × 10", "the paper's rates", "the paper's storage", "query-key, none")
WORSE = (
    "mhn, letter",
    "mhn, token",
    "fixed, letter",
    "fixed, token",
    *(f"fixed, {p}, rates × 5" for p in ("letter", "token")),
)
ONE = ("one winner, own", "one winner, letter", "one winner, token")
GOOD = {
    **dict.fromkeys(LOW, 0.5),
    **dict.fromkeys((*WORSE, *ONE), 0.9),
    "query-key, letter": 0.994,
    "query-key, token": 0.991,
    "query-key, redrawn": 0.992,
    **{f"exact, rates × {factor}": 1.0 for factor in (1, 4, 10)},
    "query-key, slots": 1.0,
    **{f"β × {factor:g}": 0.9 for factor in (0.25, 0.5, 2, 4)},
    "β × 1": 0.99,
    "rates × 1": 0.995,
    "4 queries, query-key, letter": 0.995,
}
BAD = {
    **dict.fromkeys(GOOD, 1.0),
    **dict.fromkeys(("query-key, letter", "4 queries, query-key, letter", "β × 1", "rates × 1"), 0.8),
    "query-key, token": 0.83,
    "exact, rates × 4": 0.7,
    "query-key, slots": 0.9,
}
UNSURE = {
    **dict.fromkeys(GOOD, 0.9),
    **dict.fromkeys(
        ("exact, rates × 4", "mhn, letter", "fixed, letter", "query-key, token", "query-key, redrawn"), 0.97
    ),
    **dict.fromkeys(("mhn, token", "fixed, token"), 0.97),
    **dict.fromkeys(("query-key, letter", "4 queries, query-key, letter", "query-key, none", "rates × 1"), 0.99),
    "query-key, slots": 0.999,
    "fixed, letter, rates × 5": 0.99,
}
ANSWERS = {
    "repeats, query-key, letter": (np.nan, 1.0, 0.99),
    "repeats, query-key, token": (np.nan, 1.0, 0.98),
    "repeats, mhn, token": (np.nan, 1.0, 0.95),
    "repeats, fixed, token": (np.nan, 1.0, 0.9),
    "repeats, exact, rates × 4": (np.nan, 1.0, 0.45),
    "absent, query-key, letter": (0.5, 0.995, np.nan),
    "absent, exact, rates × 4": (0.8, 1.0, np.nan),
}
WRONG_ANSWERS = dict.fromkeys(ANSWERS, (0.95, 0.5, 0.6)) | {"repeats, query-key, token": (np.nan, 1.0, 0.5)}
OPEN_ANSWERS = dict.fromkeys(ANSWERS, (0.9, 0.99, 0.98)) | {"repeats, exact, rates × 4": (np.nan, 1.0, 0.5)}
PURE = {"query-key, letter": 0.1, "mhn, letter": 0.9, "exact, rates × 4": 0.1}


def made_up(ends, answers, parts, learnt, width):
    """Accuracies that are the same from the step at which 0.99 is reached on, and those at the end; answers; keys."""
    data = {}
    for n, experiment in enumerate(EXPERIMENTS):
        run = experiment.run
        names = [condition.name for condition in run.conditions]
        blocks = run.steps // 25
        accuracy = np.zeros((10, len(names), blocks))
        for i, name in enumerate(names):
            accuracy[:, i] = around(ends.get(name, 0.5), width, seed=10 * n + i)[:, None]
            first = around(learnt.get(name, 100), 2000 * width if width > 0.01 else 0, seed=i)
            for j, step in enumerate(first):
                accuracy[j, i, : int(max(step, 0) // 25)] = 0.1
                accuracy[j, i, min(int(max(step, 0) // 25), blocks - blocks // 5 - 2)] = 1.0
        part = around([np.full(len(run.measured_at), parts.get(name, 0.3)) for name in names], width, seed=n)
        share = around([answers.get(name, (0.5, 0.5, 0.5)) for name in names], width, seed=n)
        results = []
        for j in range(10):
            found = {"accuracy": accuracy[j]}
            if run.measured_at:
                found["value_part"] = part[j]
            if run.tested:
                found |= {"right": 100 * share[j], "asked": np.full(share[j].shape, 100.0)}
            results.append(found)
        data[experiment.name] = run.label(results)
    return Results(data, PAPER, 0)


IMPURE = dict.fromkeys(PURE, 0.9) | {"mhn, letter": 0.1}
SCENARIOS = (
    (GOOD, ANSWERS, PURE, {"exact, rates × 1": 200, "exact, rates × 10": 75}, 0.0005),
    (
        BAD,
        WRONG_ANSWERS,
        dict.fromkeys(PURE, 0.9) | {"mhn, letter": 0.1},
        {"exact, rates × 1": 50, "exact, rates × 10": 200},
        0.0005,
    ),
    (UNSURE, OPEN_ANSWERS, dict.fromkeys(PURE, 0.5), {"exact, rates × 10": 125}, 0.05),
)


def test_claims():
    check_table(
        [letters(contextC4.ITEM, made_up(*scenario)) for scenario in SCENARIOS],
        {
            **dict.fromkeys(("learnt", "values-256", "exact-slower", "exact-as-fast", "storage-costs"), "cxi"),
            **dict.fromkeys(("mhn-letter", "mhn-token", "same-rates-*", "pure-*", "rule-alone"), "cxi"),
            **dict.fromkeys(("letter", "redrawn", "none", "rates-*", "beta", "paper", "repeats*"), "cxi"),
            **dict.fromkeys(("mhn-keeps-values", "absent-*"), "cxi"),
        },
    )


def test_the_figure_and_its_tables():
    picture = contextC4.draw(made_up(*SCENARIOS[0]))
    assert set(picture.tables) == {"", "-runs", "-conditions"}
    rows = {(row["experiment"], row["condition"]): row for row in picture.tables["-conditions"]}
    assert len(rows) == sum(len(experiment.run.conditions) for experiment in EXPERIMENTS)
    assert rows["recall-rules", "query-key, letter"]["accuracy_at_end"] == pytest.approx(0.994, abs=1e-6)
    assert rows["recall-rules", "exact, rates × 1"]["median_steps"] == 200
    answers = {(row["place"], row["series"]): row["mean"] for row in picture.tables["-runs"]}
    assert answers["mhn, token", "shown again: the latest value"] == pytest.approx(0.95, abs=1e-6)


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


def test_conditions_are_what_they_are_called():
    names = [[condition.name for condition in e.run.conditions] for e in EXPERIMENTS]
    assert all(len(set(each)) == len(each) for each in names)
    many = {condition.name: condition for condition in RULES.run.conditions}
    assert many["query-key, none"].model.input_projections is False
    assert many["mhn, token"].model.storage.projections == "token"
    assert many["exact, rates × 4"].learning_rates["W_Q"] == 4 * many["exact, rates × 1"].learning_rates["W_Q"]
    few = {condition.name: condition.model for condition in FEWER.run.conditions}
    assert few["β × 1"] == slot_free(FEW)
    assert few["β × 1"].storage.beta == pytest.approx(1 / few["β × 1"].storage.fan_in)
    harder = {condition.name: condition.task for condition in HARDER.run.conditions}
    assert harder["4 queries, query-key, letter"].n_queries == 4
    assert harder["repeats, mhn, token"].repeats
    assert harder["absent, exact, rates × 4"].absent == 0.25
