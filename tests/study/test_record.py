import json

import pytest
from small_studies import HIGH, QUICK, ZERO, item, run

from slotfree.study import record
from slotfree.study.record import differing, recorded_in, rows_in, write_record
from slotfree.study.study import Study

VERDICTS = ("confirmed", "contradicted", "inconclusive")


def row(name, verdict, recorded):
    return {"id": name, "verdict": verdict, "recorded": recorded}


@pytest.mark.parametrize("recorded", VERDICTS)
@pytest.mark.parametrize("verdict", VERDICTS)
def test_only_confirmed_against_contradicted_is_different(verdict, recorded):
    different, moved = differing([row("a", verdict, recorded)])
    assert different == (["a"] if {verdict, recorded} == {"confirmed", "contradicted"} else [])
    assert moved == (["a"] if verdict != recorded and "inconclusive" in (verdict, recorded) else [])


def test_without_a_verdict_or_a_record_nothing_differs():
    assert differing([row("a", None, "confirmed"), row("b", "contradicted", None)]) == ([], [])


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package with a study of two items, in a folder of its own."""
    folder = tmp_path / "own_package"
    folder.mkdir()
    (folder / "__init__.py").write_text(
        "from small_studies import HIGH, ZERO, item\nfrom slotfree.study import Study\n"
        "STUDY = Study('Own', (item('first', HIGH), item('second', ZERO)))\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    return folder


def test_a_command_writes_verdicts_of_a_finished_run_and_nothing_of_another(package, tmp_path):
    both = Study("Own", (item("first", HIGH), item("second", ZERO)))
    outcome, _ = run(both, tmp_path / "out")
    assert write_record(tmp_path / "out", "own_package") == len(outcome.claims)
    assert recorded_in("own_package") == {row["id"]: row["verdict"] for row in outcome.claims}
    assert list(rows_in("own_package")[0]) == list(record.KEPT)
    before = (package / "verdicts.json").read_text()
    for part, scale in ((Study("Own", (item("first", HIGH),)), None), (both, QUICK)):
        where = tmp_path / f"other-{scale is None}"
        run(part, where, **({} if scale is None else {"scale": scale}))
        with pytest.raises(SystemExit, match="must hold all items of own_package at full scale"):
            write_record(where, "own_package")
    assert (package / "verdicts.json").read_text() == before
    assert json.loads(before)
