from itertools import product

import numpy as np
import pytest
from of_items import letters
from study.madeup import PAPER, around, check_table

from slotfree.attention.rates import rates_for
from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.attention.storages.winners import Winners
from slotfree.attention.weights import Weights
from slotfree.beyond import contextC2
from slotfree.beyond.contextC2 import (
    CEILING,
    CLOSE,
    FORMULA,
    IDEAL,
    MEASURES,
    TRAINED,
    InSitu,
    Recency,
    condition,
    right,
    units,
)
from slotfree.beyond.shared.train_side_by_side import Condition
from slotfree.study.results import Results
from slotfree.tasks.case_sequence import CaseSequenceTask

SEED = np.random.SeedSequence(0)
FORMULAS = {"one winner": contextC2.newest(43, 64).mean(), "one winner, ε = 0.1": contextC2.voted(43, 64)}
AS_SAID = {
    **FORMULAS,
    "thin": 0.78,
    "shared mask": 0.77,
    "k = 2": 0.77,
    "k = 3": 0.76,
    "thin items only": 0.8,
    "thin, both": 0.81,
    "thin, γ = 3, both": 0.7,
    "shared mask, both": 0.8,
    "k = 2, both": 0.82,
    "k = 3, both": 0.83,
    "k = 3, γ = 3, both": 0.7,
    "too thin": 0.7,
    "too thin, k = 3": 0.8,
}
TRAINED_AS_SAID = {
    "one winner": 0.675,
    "one winner, ε = 0.3": 0.919,
    "thin": 0.8,
    "thin, ε = 0.3": 0.92,
    "k = 2, ε = 0.3": 0.933,
    "shared mask": 0.7,
    "k = 2": 0.85,
    "k = 3": 0.86,
    "too thin": 0.6,
    "one winner, ε = 0.3, by letter": 0.95,
    "one winner, ε = 0.3, redrawn": 0.75,
    "one winner, ε = 0.1, redrawn": 0.76,
    "one winner, redrawn": 0.7,
    "thin, redrawn": 0.75,
    "thin, ε = 0.3, redrawn": 0.8,
    "k = 2, ε = 0.3, redrawn": 0.81,
}


def made_up(ideal, trained, numbers, width):
    """Accuracies by condition, the same at all lags; ``numbers``: measures of all trainings, or those of projections
    that stay and of redrawn ones."""
    data = {}
    for experiment, means, seed in ((IDEAL, ideal, 0), (FORMULA, ideal, 3), (TRAINED, trained, 1)):
        names = [each.name for each in experiment.run.conditions]
        lags = experiment.run.conditions[0].task.context_length
        accuracy = around([means.get(name, 0.8) for name in names], width, runs=10, seed=seed)
        asked = np.full((len(names), lags), 1000.0)
        runs = [{"right": asked * a[:, None], "asked": asked} for a in accuracy]
        if experiment is TRAINED:
            stays = np.array([["redrawn" not in name for name in names]] * 5)
            found = around(np.where(stays, np.array(numbers)[:, :1], np.array(numbers)[:, 1:]), width, seed=2)
            for run, values, a in zip(runs, found, accuracy, strict=True):
                run.update(zip(MEASURES, values, strict=True))
                run["accuracy"] = np.repeat(a[:, None], experiment.run.steps // 25, axis=1)
        data[experiment.name] = experiment.run.label(runs)
    return Results(data, PAPER, 0)


def as_said(width=0.001):
    return made_up(AS_SAID, TRAINED_AS_SAID, [(0.7, 0.7), (0.7, 0.7), (-0.2, 0.0), (0.3, 0.0), (0.4, 0.0)], width)


def reversed_order():
    """All differences have the other sign, and all numbers are others."""
    ideal = {name: 1.5 - value for name, value in AS_SAID.items()} | {"thin": 0.6, "thin, both": 0.6}
    ideal |= {"k = 2": 0.61, "k = 3": 0.62, "k = 2, both": 0.59, "k = 3, both": 0.58, "too thin": 0.8}
    ideal |= {"too thin, k = 3": 0.7, "shared mask": 0.7, "shared mask, both": 0.7, "one winner, ε = 0.1": 0.6}
    ideal |= {"thin, γ = 3, both": 0.9, "k = 3, γ = 3, both": 0.9}
    trained = {name: 1.5 - value for name, value in TRAINED_AS_SAID.items()} | {"one winner, ε = 0.3": 0.6}
    trained |= {"too thin": 0.95, "one winner, redrawn": 0.9, "one winner, ε = 0.1, redrawn": 0.9}
    return made_up(ideal, trained, [(0.9, 0.7), (0.9, 0.7), (0.2, 0.0), (0.0, 0.3), (-0.1, 0.0)], 0.001)


def undecided():
    """Everything is at the edge of its limits, and runs differ much."""
    edge = dict.fromkeys(AS_SAID, CEILING) | FORMULAS
    edge |= {"one winner": FORMULAS["one winner"] + 0.01, "one winner, ε = 0.1": FORMULAS["one winner, ε = 0.1"] - 0.01}
    trained = dict.fromkeys(TRAINED_AS_SAID, CEILING)
    trained["one winner, ε = 0.3, redrawn"] = CEILING + CLOSE
    return made_up(edge, trained, [(CEILING,) * 2, (CEILING,) * 2, (0, 0), (0, 0), (0, 0)], 0.1)


def test_claims():
    scenarios = [letters(contextC2.ITEM, r) for r in (as_said(), reversed_order(), undecided())]
    check_table(scenarios, dict.fromkeys(scenarios[0], "cxi"))


def test_the_figure_and_its_tables():
    tables = contextC2.draw(as_said()).tables
    assert {name: list(rows[0]) for name, rows in tables.items()} == {
        "": ["panel", "condition", "lag", "accuracy", "standard_error"],
        "-trained": ["panel", "place", "series", "runs", "mean", "median", "least"],
    }
    curves = [(row["weights"], row["condition"]) for row in tables[""]]
    assert curves.count(("ideal", "one winner")) == 64 / contextC2.TOGETHER
    assert curves.count(("trained", "one winner")) == 16


@pytest.mark.parametrize(("n_units", "length"), [(1, 3), (2, 4), (3, 3)])
def test_formulas_by_counting(n_units, length):
    """All ways in which items meet in units, and all cases: who is right by the newest item, and by a vote."""
    newest, votes = [], []
    for place in product(range(n_units), repeat=length):
        for case in product((-1, 1), repeat=length):
            last = dict(zip(place, case, strict=True))
            total = {u: sum(c for v, c in zip(place, case, strict=True) if v == u) for u in place}
            newest.append([last[u] == c for u, c in zip(place, case, strict=True)])
            votes.append([(1 + np.sign(total[u] * c)) / 2 for u, c in zip(place, case, strict=True)])
    np.testing.assert_allclose(np.mean(newest, axis=0)[::-1], contextC2.newest(n_units, length))
    assert np.mean(votes) == pytest.approx(contextC2.voted(n_units, length))


def test_all_conditions_have_about_the_same_number_of_fast_weights():
    for experiment, weights in ((IDEAL, contextC2.MANY_WEIGHTS), (TRAINED, contextC2.FEW_WEIGHTS)):
        for each in experiment.run.conditions:
            storage, tokens = each.model.storage, 2 * each.task.n_letters
            found = storage.n_weights(units(each), each.model.key_dim, tokens, 2)
            assert 0.95 * weights <= found <= weights


def test_ideal_weights_hold_as_much_as_units_do():
    full = condition("full", 8, 400, 50, k=1, projection_gain=30.0)
    many = condition("many", 8, 40000, 50, k=1, projection_gain=30.0)
    run = Recency((full, many), 200)
    data = run.label([run(SEED)])
    assert data.sizes == {"run": 1, "condition": 2, "lag": 8}
    newest = (data["right"] / data["asked"]).isel(run=0).sel(condition="full").values[0]
    assert newest == 1
    found = Results({IDEAL.name: data}, PAPER, 0)
    assert right(IDEAL, full.name)(found) < 0.8 < 0.97 < right(IDEAL, many.name)(found)


def test_keys_and_sequences_are_the_same_for_all_conditions():
    each = condition("one", 8, 800, 50, k=1)
    found = Recency((each, each), 50)(SEED)
    for part in found.values():
        np.testing.assert_array_equal(part[0], part[1])


def test_measures_of_weights():
    ideal = contextC2.ideal(40, 500, 10.0, np.random.default_rng(0))
    np.testing.assert_allclose((ideal.W_K[:, :80] ** 2).sum(axis=0), 10)
    assert contextC2.other_case(ideal) == 0
    assert abs(contextC2.case_component(ideal)) < 1e-12
    same = contextC2.one_key_for_both(ideal)
    np.testing.assert_allclose(same.W_K, ideal.W_K)
    told = ideal.W_K.copy()
    direction = np.ones((500, 1)) * np.sqrt(10 / 500)
    told[:, :40] += direction
    told[:, 40:80] -= direction
    weights = Weights(ideal.W_Q, told, ideal.W_V[::-1], ideal.wiring)
    assert contextC2.case_component(weights) == pytest.approx(0.5, abs=0.02)
    assert contextC2.other_case(weights) == 1
    np.testing.assert_allclose(contextC2.one_key_for_both(weights).W_K, ideal.W_K, atol=1e-12)
    assert contextC2.rewired(weights).drawn_by != weights.drawn_by
    only = np.hstack([np.tile(direction, 40), np.tile(-direction, 40), np.zeros((500, 40))])
    assert contextC2.case_component(Weights(only, only, ideal.W_V)) == pytest.approx(1)


def test_agreement_of_the_values_of_a_unit():
    """Two letters drive each of two units; values say the case, or the unit."""
    letters = np.array([[0], [0], [1], [1]] * 2)
    cases, by_unit = (
        np.array([[*row, 0, 0, 0, 0], [*(-x for x in row), 0, 0, 0, 0]])
        for row in (
            (1, 1, 1, 1, -1, -1, -1, -1),
            (1, 1, -1, -1, 1, 1, -1, -1),
        )
    )
    keys = np.zeros((3, 12))
    assert contextC2.agreement(Weights(keys, keys, cases), letters) == 0
    assert contextC2.agreement(Weights(keys, keys, by_unit), letters) == 1
    assert contextC2.agreement(Weights(keys, keys, cases), np.array([[0], [0], [0], [0], [1], [1], [1], [1]])) == 0
    own = np.array([[0], [1], [2], [3]] * 2)
    assert np.isnan(contextC2.agreement(Weights(keys, keys, by_unit), own))


def test_training_in_situ():
    task = CaseSequenceTask(4, 4)
    model = SlotFreeTransformer(key_dim=20, n_hidden=40, storage=Winners(k=1, fan_in=1.0))
    fine = Condition("fine", model, task)
    rates = {name: 1e4 * rate for name, rate in rates_for(model, task).items()}
    run = InSitu((fine, Condition("diverges", model, task, rates)), 400, tested=200)
    data = run.label([run(SEED)])
    assert data["accuracy"].sizes == {"run": 1, "condition": 2, "iteration": 16}
    learnt, diverged = (data.sel(condition=name, run=0) for name in ("fine", "diverges"))
    assert right(TRAINED, fine.name)(Results({TRAINED.name: data}, PAPER, 0)) > 0.8
    assert 0.4 <= learnt["rewired"] <= 1
    assert 0.4 <= learnt["one_key"] <= 1
    assert all(np.isnan(diverged[name]).all() for name in ("accuracy", *MEASURES))
    assert (diverged["right"] == 0).all()
