import pytest

from slotfree.study import Finding, more

LEAD = more("fig4.lead", lambda r: [1, 2], 0, "lead")
LINE = Finding("rain", "It is {fig4.size}.", "More in {fig5.more}.", (LEAD,), table=(("what", "{fig6.cell}"),))
IDS = ("fig4.lead", "fig4.size", "fig5.more", "fig6.cell", "fig7.other")


def run(**others):
    """Claims of a run, confirmed as recorded but for some."""
    rows = {claim: {"verdict": "confirmed", "recorded": "confirmed"} for claim in IDS}
    return {**rows, **others}


def test_it_rests_on_all_that_it_names_and_quotes():
    assert LINE.claims == list(IDS[:-1])
    assert (LINE.item, LINE.picture) == ("fig4", "finding-rain")
    assert Finding("rain", "It is {fig5.more}.", "It rains.").item == "fig5", "what is quoted is enough"


def test_a_run_shows_it_if_all_of_that_is_judged_as_recorded():
    assert LINE.is_shown_by(run())
    assert LINE.is_shown_by(run(**{"fig4.size": {"verdict": "contradicted", "recorded": "contradicted"}}))
    assert LINE.is_shown_by(run(**{"fig4.size": {"verdict": "inconclusive", "recorded": None}})), "nothing is recorded"
    assert LINE.is_shown_by(run(**{"fig7.other": {"verdict": None, "recorded": None}}))


@pytest.mark.parametrize("claim", IDS[:-1])
def test_it_is_not_shown_without_a_claim_or_with_another_verdict(claim):
    assert not LINE.is_shown_by(run(**{claim: {"verdict": "inconclusive", "recorded": "confirmed"}}))
    assert not LINE.is_shown_by(run(**{claim: {"verdict": None, "recorded": "confirmed"}}))
    gone = run()
    del gone[claim]
    assert not LINE.is_shown_by(gone)


def test_it_must_name_judges_quote_only_claims_and_describe_its_picture():
    with pytest.raises(ValueError, match=r"test_finding\.py, line \d+: a finding must name the judges"):
        Finding("rain", "It rains.", "It does.", ())
    with pytest.raises(ValueError, match="a number is quoted as"):
        Finding("rain", "It rains {measured}.", "It does.", (LEAD,))
    with pytest.raises(ValueError, match="the picture of the finding 'rain' needs words"):
        Finding("rain", "It rains.", "It does.", (LEAD,), draw=print)
