"""Models trained side by side."""

import numpy as np
import pytest

import slotfree as sf
from slotfree.attention.prediction import fast_key, reported
from slotfree.beyond.shared.train_side_by_side import Condition, Trainings, by_lag, ended, learnt_at, weights_of
from slotfree.runs.seeds import seed_for
from slotfree.study.scale import SCALES
from slotfree.tasks.lags import lags

SEED = np.random.SeedSequence(5)
TASK = sf.CaseSequenceTask(4, 4)
THIN = Condition("thin", sf.SlotFreeTransformer(n_hidden=40, storage=sf.Winners()), TASK)
SLOTS = Condition("slots", sf.BaselineTransformer(), TASK, iterations=50)
WILD = Condition("wild", sf.SlotFreeTransformer(), TASK, learning_rates={"W_V": 5.0})


def test_each_condition_is_trained_as_by_itself():
    run = Trainings((THIN, SLOTS), iterations=100, batch_size=8)
    found = run(SEED)["accuracy"]
    alone = run.plan(THIN)(SEED)["accuracy"].reshape(-1, 25).mean(axis=1)
    np.testing.assert_array_equal(found[0], alone)
    assert np.isnan(found[1, 2:]).all()
    assert np.isfinite(found[1, :2]).all()


def test_a_training_that_diverges_is_told_and_stops_nothing():
    run = Trainings((WILD, THIN), iterations=50, batch_size=8, tested=20)
    found = run(SEED)
    assert np.isnan(found["accuracy"][0]).all()
    assert not found["asked"][0].any()
    assert found["asked"][1].sum() == 20
    data = run.label([found])
    assert np.isnan(ended(data).sel(condition="wild")).all()
    assert np.isinf(learnt_at(data).sel(condition="wild")).all()


def test_right_answers_by_lag():
    run = Trainings((THIN,), iterations=100, batch_size=16, tested=300)
    found = run(SEED)
    weights = weights_of(run.plan(THIN)(SEED))
    test = seed_for(SEED, "test")
    sequences = TASK.batch(300, seed=np.random.default_rng(seed_for(test, "sequences")))
    key = fast_key(np.random.default_rng(seed_for(test, "fast weights")))
    answers = reported(THIN.model, weights, TASK, sequences, key, alike=False).argmax(axis=-1)
    lag = lags(TASK, sequences)[:, 0]
    for n in range(4):
        assert found["asked"][0, n] == (lag == n).sum()
        assert found["right"][0, n] == ((lag == n) & (answers == sequences.target)).sum()
    np.testing.assert_array_equal(by_lag(THIN, weights, 300, 4, test), [found["right"][0], found["asked"][0]])
    assert run.label([found, found])["right"].dims == ("run", "condition", "lag")


def test_sequences_of_a_test_have_fast_weights_of_their_own():
    """Without projections units are chosen by random initial keys: equal contexts need not have equal answers."""
    model = sf.SlotFreeTransformer(input_projections=False, n_hidden=12)
    weights = weights_of(Trainings((Condition("", model, TASK),), 1).plan(Condition("", model, TASK))(SEED))
    sequences = TASK.sequence("bADc", "d")
    many = type(sequences)(
        *(np.repeat(part, 50, axis=0) for part in (sequences.context, sequences.query, sequences.target))
    )
    alike, own = (reported(model, weights, TASK, many, 3, alike=choice) for choice in (True, False))
    assert len(np.unique(alike[:, 0])) == 1
    assert len(np.unique(own[:, 0])) == 50
    assert alike[0, 0] == own[0, 0]


def test_measures():
    data = Trainings((THIN, SLOTS), iterations=100).label(
        [{"accuracy": np.array([[0.5, 0.9, 0.99, 1.0], [0.5, 1, np.nan, np.nan]])}]
    )
    assert learnt_at(data).values.tolist() == [[50.0, 25.0]]
    assert ended(data, share=0.5).values.tolist() == [[pytest.approx(0.995), 1.0]]


def test_a_quick_look_trains_less():
    smaller = Trainings((THIN, SLOTS), iterations=5000).at(SCALES["quick"])
    assert smaller.iterations == 1200
    assert [condition.iterations for condition in smaller.conditions] == [None, 50]
