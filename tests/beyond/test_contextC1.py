import numpy as np
import pytest

import slotfree as sf
from slotfree.attention.training import initial_weights
from slotfree.beyond import contextC1
from slotfree.beyond.contextC1 import MEASURES, Case, Storing, centred
from slotfree.beyond.shared.train_side_by_side import Trainings

SEED = np.random.SeedSequence(0)
TASK = sf.CaseSequenceTask()


def test_all_conditions_can_be_trained():
    for experiment in (contextC1.CONTROLS, contextC1.GRID, contextC1.VARIED):
        for condition in experiment.run.conditions:
            condition.model.check(condition.task)
    names = [
        condition.name for x in (contextC1.CONTROLS, contextC1.GRID, contextC1.VARIED) for condition in x.run.conditions
    ]
    assert len(set(names)) == len(names)


def test_one_unit_is_always_taken_and_many_thin_ones_are_not():
    one = sf.SlotFreeTransformer("query-key", False, key_dim=6, n_hidden=1, storage=sf.Winners(k=1, fan_in=1.0))
    many = sf.SlotFreeTransformer("query-key", False, key_dim=20, n_hidden=300, storage=sf.Winners(k=1, fan_in=0.2))
    run = Storing((Case("one", one), Case("many", many)), TASK, moments=(0, 3), sequences=40)
    data = run.label([run(SEED)])
    measured = data["storage"].isel(run=0, moment=0)
    assert measured.sel(case="one").values.tolist() == [1.0, pytest.approx(0.75, abs=0.2), 1.0]
    assert measured.sel(case="many", measure="taken") < 0.1
    assert data["in_bin"].sum("sum").values.tolist() == [[120.0, 120.0]]
    assert data["taken_in_bin"].sel(case="one").sum() == 120
    assert data["measure"].values.tolist() == list(MEASURES)


def test_keys_that_add_up_to_0_stay_so():
    model = sf.SlotFreeTransformer("query-key", False, key_dim=6, n_hidden=9, storage=sf.Winners(k=2, fan_in=1.0))
    start = centred(initial_weights(model, TASK, seed=0))
    result = sf.train(model, TASK, runs=1, iterations=30, start=start, seed=0, jobs=1)
    for before, after in ((start.W_Q, result.W_Q[0]), (start.W_K, result.W_K[0])):
        assert np.abs(after - before).max() > 1e-3
        np.testing.assert_allclose(after.sum(axis=0), 0, atol=1e-12)


def test_a_smaller_scale_has_fewer_moments():
    run = contextC1.STORED.run
    assert run.at(sf.study.Scale("short", iterations=100)).moments == (0, 25, 50, 100)
    assert isinstance(contextC1.GRID.run, Trainings)
