from itertools import product

import numpy as np
import pytest
from study.madeup import PAPER

from slotfree.attention.rates import rates_for
from slotfree.attention.slot_free import SlotFreeTransformer
from slotfree.attention.storages.winners import Winners
from slotfree.attention.weights import Weights
from slotfree.beyond import contextC2
from slotfree.beyond.contextC2 import (
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
