from slotfree.beyond import STUDY


def test_what_is_recorded_are_the_claims():
    claims = [judge.name for name in STUDY.names for judge in STUDY.item(name).claims]
    assert list(STUDY.recorded) == claims
    own = {verdict for name, verdict in STUDY.recorded.items() if not name.startswith("recall.")}
    assert own == {"confirmed"}, "a hypothesis that failed is a finding, or nothing; a bench reports all it asked"


def test_findings_rest_on_claims():
    for finding in STUDY.found():
        assert set(finding.claims) <= set(STUDY.recorded)
