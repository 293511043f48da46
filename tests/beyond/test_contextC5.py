"""Recency in theory: the verdicts follow the data, and an experiment does what it says."""

import numpy as np
import pytest
import xarray as xr

import slotfree as sf
from slotfree.beyond import contextC5
from slotfree.beyond.contextC5 import GROUPS, ITEM, RECENCY, EveryLetterAsked, Recency, Setting
from slotfree.runs.seeds import seed_for
from slotfree.study.results import Results
from slotfree.study.scale import SCALES
from slotfree.tasks.lags import lags

ASKED = 1000.0
RUNS = 12


@pytest.fixture
def theories(monkeypatch):
    """Theories by which every item is recalled in 80 %, and in 70 % by that of part one."""
    monkeypatch.setattr(Setting, "predicted", lambda self: np.full(self.length, 0.8))
    monkeypatch.setattr(Setting, "retained", lambda self: np.full(self.length, 0.7))


def made_up(accuracy, noise=0.002):
    """Results with a given accuracy for each group, (lag,) or one number."""
    settings = RECENCY.run.settings
    right = np.zeros((RUNS, len(settings), RECENCY.run.lags))
    asked = np.zeros_like(right)
    rng = np.random.default_rng(0)
    for i, one in enumerate(settings):
        group = next(name for name, members in GROUPS.items() if one in members)
        asked[:, i, : one.length] = ASKED
        errors = noise * rng.standard_normal((RUNS, one.length))
        right[:, i, : one.length] = ASKED * (np.resize(accuracy.get(group, 0.8), one.length) + errors)
    dims = ("run", "setting", "lag")
    return Results({"recency": xr.Dataset({"right": (dims, right), "asked": (dims, asked)})}, SCALES["paper"], 0)


def verdicts(results):
    return {claim.name: claim.verdict for claim in (judge.claim(results) for judge in ITEM.claims)}


def test_verdicts_of_a_right_theory(theories):
    found = verdicts(made_up({}))
    wrong = dict.fromkeys(("part-one-plain", "keys-missed"), "contradicted")
    assert found == dict.fromkeys(found, "confirmed") | wrong


@pytest.mark.parametrize(
    ("name", "group"),
    [
        ("projections", "one winner"),
        ("projections", "thin units, several winners"),
        ("held-out", "held out"),
    ],
)
def test_verdicts_of_a_wrong_theory(theories, name, group):
    found = verdicts(made_up({group: 0.85}))
    assert found[f"{name}-error"] == found[f"{name}-lags"] == "contradicted"


def test_one_wrong_part_of_a_curve_is_found(theories):
    """Nine tenths of the lags are right, so the mean error is small."""
    curve = np.full(64, 0.8)
    curve[:8] = 0.9
    found = verdicts(made_up({"one winner": curve}))
    assert (found["projections-error"], found["projections-lags"]) == ("confirmed", "contradicted")


def test_verdicts_where_keys_choose_the_winners(theories):
    found = verdicts(made_up({"keys choose the winners": 0.85, "held out, keys choose": 0.85}))
    assert (found["keys-error"], found["keys-missed"]) == ("contradicted", "confirmed")


def test_verdicts_on_part_one(theories):
    found = verdicts(made_up({"one winner": 0.7, "thin units, several winners": 0.7}))
    assert found["part-one-plain"] == "confirmed"
    assert found["part-one-otherwise"] == "contradicted"


def test_noise_leaves_verdicts_open(theories):
    found = verdicts(made_up({}, noise=0.3))
    assert found["projections-lags"] == "inconclusive"


def test_the_table_has_every_setting_and_every_lag(theories):
    picture = ITEM.draw(made_up({}))
    settings = RECENCY.run.settings
    assert len(set(settings)) == len(picture.tables[""]) == len(settings) == sum(map(len, GROUPS.values()))
    assert len(picture.tables["-curves"]) == sum(one.length for one in settings)
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
