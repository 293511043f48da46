import pytest

from slotfree.study.finding import Finding

LINE = Finding("It is {fig4.size}.", "More in {fig5.more}.", ("fig4.lead-*",), (("what", "{fig6.cell}"),))
IDS = ("fig4.size", "fig5.more", "fig4.lead-50%", "fig4.lead-100%", "fig6.cell", "fig7.other")


def run(**others):
    """Claims of a run, confirmed as recorded but for some."""
    rows = {claim: {"verdict": "confirmed", "recorded": "confirmed"} for claim in IDS}
    return {**rows, **others}


def test_it_rests_on_all_that_it_names_and_quotes():
    assert LINE.behind(IDS) == {
        "fig4.lead-*": ["fig4.lead-50%", "fig4.lead-100%"],
        "fig4.size": ["fig4.size"],
        "fig5.more": ["fig5.more"],
        "fig6.cell": ["fig6.cell"],
    }


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
    assert LINE.is_shown_by(gone) is claim.startswith("fig4.lead-"), "of a pattern one suffices"


def test_it_must_name_claims_and_quote_only_theirs():
    with pytest.raises(ValueError, match="must name the claims"):
        Finding("It rains.", "It does.", ())
    with pytest.raises(ValueError, match="a number is quoted as"):
        Finding("It rains {measured}.", "It does.", ("fig4.a",))
