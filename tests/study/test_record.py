import pytest

from slotfree.study.record import Recorded, differing, recorded_verdict

VERDICTS = ("confirmed", "contradicted", "inconclusive")


def row(name, verdict, recorded):
    return {"id": name, "verdict": verdict, "recorded": recorded}


def test_what_is_not_recorded_is_recorded_as_confirmed():
    record = {"fig4.a": Recorded("contradicted", "The paper is wrong.")}
    assert recorded_verdict("fig4.a", record) == "contradicted"
    assert recorded_verdict("fig4.b", record) == "confirmed"
    assert recorded_verdict("fig4.a", None) is None


@pytest.mark.parametrize("recorded", VERDICTS)
@pytest.mark.parametrize("verdict", VERDICTS)
def test_only_confirmed_against_contradicted_is_different(verdict, recorded):
    different, moved = differing([row("a", verdict, recorded)])
    assert different == (["a"] if {verdict, recorded} == {"confirmed", "contradicted"} else [])
    assert moved == (["a"] if verdict != recorded and "inconclusive" in (verdict, recorded) else [])


def test_without_a_verdict_or_a_record_nothing_differs():
    assert differing([row("a", None, "confirmed"), row("b", "contradicted", None)]) == ([], [])
