import pytest

from slotfree.study.quote import check_quotes, quote, quoted

ROWS = {
    "fig4.lead-100%": {"measured": -0.123456, "interval": [-0.2, None], "paper": "slightly"},
    "fig4.age": {"measured": 1237.5, "interval": [1200.0, 1300.0], "paper": 16},
    "fig4.none": {"measured": None, "interval": [None, None], "paper": ""},
}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Nothing is quoted.", "Nothing is quoted."),
        ("By {fig4.lead-100%}, not more.", "By −0.123, not more."),
        ("{fig4.lead-100%:low} is “{fig4.lead-100%:paper}”", "−0.2 is “slightly”"),
        ("from {fig4.age:low} to {fig4.age:high}: {fig4.age}, not {fig4.age:paper}", "from 1200 to 1300: 1238, not 16"),
        ("gone: {fig5.none}, not finite: {fig4.none}, open: {fig4.lead-100%:high}", "gone: –, not finite: –, open: –"),
        ("the set {{0, 1}}", "the set {0, 1}"),
    ],
)
def test_numbers_are_quoted_with_three_digits(text, shown):
    assert quote(text, ROWS) == shown


def test_words_about_one_claim_quote_its_own_numbers():
    text = "It is {measured}, {low} to {high}, the paper says {paper}; see {fig4.lead-100%}."
    assert quote(text, ROWS, [ROWS["fig4.age"]]) == "It is 1238, 1200 to 1300, the paper says 16; see −0.123."
    assert quoted(text) == ["fig4.lead-100%"]


def test_words_about_several_claims_show_where_their_numbers_lie():
    text = "{measured}; {low} to {high}; {paper}"
    assert quote(text, ROWS, list(ROWS.values())) == "−0.123 to 1238; −0.2 to 1300; 16"
    assert quote(text, ROWS, [ROWS["fig4.lead-100%"], ROWS["fig4.none"]]) == "−0.123; −0.2 to –; slightly"
    assert quote("{measured}", ROWS, [ROWS["fig4.age"]] * 2) == "1238"


@pytest.mark.parametrize("text", ["{mesured}", "{measured:low}", "{fig4.age:middle}", "{}", "{0}", "{measured!r}"])
def test_what_is_no_number_of_a_claim_is_refused(text):
    with pytest.raises(ValueError, match="a number is quoted"):
        check_quotes(text, about_claims=True)


def test_words_about_no_claim_have_no_number_of_their_own():
    check_quotes("{measured}", about_claims=True)
    with pytest.raises(ValueError, match="a number is quoted"):
        check_quotes("{measured}")
