import json

import pytest
from small_studies import HIGH, QUICK, ZERO, item, run

from slotfree.study import Study, defines, follows, more, record, says
from slotfree.study.record import VERDICTS, differing, recorded_in, rows_in, tallies, write_record


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


WET, DROPS, COLD = (more(f"a.{name}", lambda r: [1, 2], 0, name) for name in ("wet", "drops", "cold"))
RAINS = says("It rains.", WET, DROPS)
SAID = (
    RAINS,
    defines("It is called rain.", "tests/x.py::test_x"),
    says("It drips.", DROPS),
    follows("It is wet.", RAINS),
    says("It is cold.", COLD, DROPS),
)


def claim(source, verdict, name="a.x"):
    return {"id": name, "source": source, "verdict": verdict}


def claims(wet="confirmed", cold="confirmed"):
    ours = claim("ours", "contradicted", "a.own")
    return [*(claim("paper", v, f"a.{n}") for n, v in (("wet", wet), ("cold", cold), ("drops", "confirmed"))), ours]


def test_without_a_text_the_paper_s_claims_come_first_and_then_ours():
    rows = [
        claim("ours", "confirmed", "a.1"),
        claim("paper", "contradicted", "a.2"),
        claim("paper", "confirmed", "a.3"),
    ]
    assert [tally.sentence for tally in tallies(rows)] == [
        "Of 2 claims of the paper, 1 is confirmed, 1 is contradicted, and 0 are inconclusive.",
        "Of 1 claim of our own, 1 is confirmed, 0 are contradicted, and 0 are inconclusive.",
    ]


def test_what_is_not_judged_is_not_counted():
    assert tallies([claim("paper", None)]) == []
    assert tallies([{**row, "verdict": None} for row in claims()], SAID) == []


def test_results_are_counted_once_for_each_sentence_and_our_own_claims_are_checks():
    (found,) = tallies(claims(wet="contradicted", cold="inconclusive"), SAID)
    assert found.sentence == "Of 3 results, 1 is confirmed, 1 is contradicted, and 1 is inconclusive."
    assert tallies(claims(), SAID)[0].counts == {"confirmed": 3, "contradicted": 0, "inconclusive": 0}


def test_a_run_of_some_items_counts_the_sentences_that_it_judges():
    (found,) = tallies([row for row in claims() if row["id"] != "a.wet"], SAID)
    assert found.sentence == "Of 2 results, 2 are confirmed, 0 are contradicted, and 0 are inconclusive."
