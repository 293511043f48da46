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
def test_with_the_recorded_seed_every_other_verdict_is_different(verdict, recorded):
    expected = [] if verdict == recorded else ["a"]
    assert differing([row("a", verdict, recorded)], seed=0) == (expected, [])


@pytest.mark.parametrize("recorded", VERDICTS)
@pytest.mark.parametrize("verdict", VERDICTS)
def test_with_another_seed_only_confirmed_against_contradicted_is(verdict, recorded):
    different, moved = differing([row("a", verdict, recorded)], seed=1)
    assert different == (["a"] if {verdict, recorded} == {"confirmed", "contradicted"} else [])
    assert moved == (["a"] if verdict != recorded and "inconclusive" in (verdict, recorded) else [])


def test_without_a_verdict_or_a_record_nothing_differs():
    assert differing([row("a", None, "confirmed"), row("b", "contradicted", None)], seed=0) == ([], [])
