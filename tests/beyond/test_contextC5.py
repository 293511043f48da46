"""Recency in theory: an experiment does what it says."""

import numpy as np
import pytest

import slotfree as sf
from slotfree.beyond import contextC5
from slotfree.beyond.contextC5 import GROUPS, RECENCY, EveryLetterAsked, Recency, Setting
from slotfree.runs.seeds import seed_for
from slotfree.study.scale import SCALES
from slotfree.tasks.lags import lags


def test_settings_differ_and_those_held_out_had_no_part_in_the_theory():
    settings = RECENCY.run.settings
    assert len(set(settings)) == len(settings) == sum(map(len, GROUPS.values()))
    assert not {*contextC5.HELD_OUT, *contextC5.HELD_OUT_BY_KEYS} & {*contextC5.DISTRIBUTED, *contextC5.BY_KEYS}
    for group, members in GROUPS.items():
        assert all((one.gain == contextC5.CHOSEN) != ("keys" in group) for one in members)


def test_every_letter_is_asked_for_once():
    task = EveryLetterAsked(6, 6)
    sequences = task.batch(5, seed=0)
    assert (np.sort(lags(task, sequences), axis=1) == np.arange(6)).all()
    assert (sequences.targets == sequences.context // 6).all()


def test_a_run_recalls_all_where_there_is_room_and_the_newest_where_there_is_not():
    settings = (Setting(600, 1, 50, length=8), Setting(4, 1, 50, length=6))
    run = Recency(settings, tested=40)
    found = run(seed_for(0, "a run"))
    assert found["asked"].shape == (2, 8)
    assert (found["asked"][0] == 40).all()
    assert (found["asked"][1] == [40] * 6 + [0] * 2).all()
    accuracy = found["right"][0] / 40
    assert accuracy.mean() > 0.9
    assert found["right"][1, 0] == 40
    assert found["right"][1, 5] < 36
    again = run(seed_for(0, "a run"))
    assert (again["right"] == found["right"]).all()
    assert run.at(SCALES["quick"]).tested == 30
    assert run.at(SCALES["paper"]) is run
    assert run.label([found, again])["right"].dims == ("run", "setting", "lag")


def test_ideal_weights_have_one_key_for_both_cases():
    one = Setting(43, 1, 50, length=5)
    weights = one.ideal(seed_for(0, "keys"))
    lower, upper, query = (weights.W_K[:, :5], weights.W_K[:, 5:10], weights.W_Q[:, 10:])
    assert (lower == upper).all()
    assert (lower == query).all()
    assert np.linalg.norm(lower, axis=0) == pytest.approx(np.full(5, one.key_length))
    assert (weights.W_V[:, :10] == sf.CaseSequenceTask(5, 5).case_code).all()


def test_both_theories_give_accuracies():
    one = Setting(10, 1, 50, length=8)
    for curve in (one.predicted(), one.retained()):
        assert curve.shape == (8,)
        assert ((curve > 0.45) & (curve <= 1.0)).all()
        assert curve[0] > curve[-1]
