import json

import pytest
from small_studies import HIGH, LOW, ZERO, Noise, item, run, study

from slotfree.runs.errors import DirectoryError, UserError
from slotfree.study.experiment import Experiment
from slotfree.study.plan import distinct, plan_of, status_of


def test_an_experiment_that_several_items_need_is_there_once():
    same = Experiment(HIGH.name, Noise(9.0), runs=6, few=3)
    assert distinct([HIGH, ZERO, same, HIGH], 0) == [HIGH, ZERO]


@pytest.mark.parametrize("other", [Experiment(ZERO.name, Noise(0.1), 6), Experiment(ZERO.name, Noise(), 7)])
def test_two_different_experiments_of_one_name_are_refused(other):
    with pytest.raises(UserError, match="two different experiments are called 'noise0'; give one of them another name"):
        distinct([ZERO, other], 0)


def test_a_plan_and_a_status_count_what_is_missing(tmp_path):
    assert status_of(tmp_path) == []
    rows = plan_of([HIGH, ZERO], 0, tmp_path)
    assert rows == [{"experiment": e.name, "units": 6, "missing": 6} for e in (HIGH, ZERO)]
    run(study(), tmp_path, "first")
    assert {row["missing"] for row in status_of(tmp_path)} == {0}
    next((tmp_path / "units" / "noise0").iterdir()).unlink()
    assert status_of(tmp_path) == [
        {"experiment": "noise+9", "units": 6, "missing": 0},
        {"experiment": "noise0", "units": 6, "missing": 1},
    ]
    assert plan_of([ZERO], 0, tmp_path)[0]["missing"] == 1
    assert plan_of([ZERO], 1, tmp_path)[0]["missing"] == 6, "another seed is another unit"


def test_what_is_run_later_joins_the_plan(tmp_path):
    run(study(), tmp_path, "first")
    run(study(), tmp_path, "second")
    assert [row["experiment"] for row in status_of(tmp_path)] == [HIGH.name, ZERO.name, LOW.name]


@pytest.mark.parametrize("text", ["{", "[]", '{"a": 1}', '{"a": {"runs": 2}}', json.dumps({"a": None})])
def test_a_damaged_plan_is_told(tmp_path, text):
    (tmp_path / "plan.json").write_text(text)
    with pytest.raises(DirectoryError, match=r"plan.json is damaged: .* makes it again"):
        status_of(tmp_path)


def test_items_need_not_share_experiments(tmp_path):
    outcome, _ = run(study(item("alone", LOW)), tmp_path)
    assert [row["id"] for row in outcome.claims] == ["alone.noise-9"]
