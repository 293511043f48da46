from slotfree.beyond import STUDY


def test_what_is_recorded_are_the_claims():
    claims = [judge.name for name in STUDY.names for judge in STUDY.item(name).claims]
    assert list(STUDY.recorded) == claims
    assert set(STUDY.recorded.values()) == {"confirmed"}, "a hypothesis that failed is a finding, or nothing"


def test_findings_rest_on_claims():
    for finding in STUDY.found():
        assert set(finding.claims) <= set(STUDY.recorded)
