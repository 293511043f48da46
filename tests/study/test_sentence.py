import pytest

from slotfree.study.judge import more
from slotfree.study.sentence import (
    Sentence,
    TextError,
    defines,
    follows,
    judges_of,
    says,
    section,
    slip,
    unjudged,
)

A, B = (more(f"fig4.{name}", lambda r: [1, 2], 0, name) for name in "ab")
HELD = "tests/study/test_sentence.py::test_what_is_true_by_construction_names_a_test"


def rows(**verdicts):
    return {
        f"fig4.{name}": {"id": f"fig4.{name}", "verdict": verdict, "measured": 0.5, "interval": [0.4, 0.6], "paper": ""}
        for name, verdict in verdicts.items()
    }


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ({"a": "confirmed", "b": "confirmed"}, "confirmed"),
        ({"a": "confirmed", "b": "inconclusive"}, "inconclusive"),
        ({"a": "contradicted", "b": "inconclusive"}, "contradicted"),
        ({"a": "confirmed"}, None),
        ({}, None),
    ],
)
def test_a_result_is_judged_by_the_worst_of_all_its_claims(verdicts, expected):
    assert says("It rains.", A, B).verdict(rows(**verdicts)) == expected


def test_only_results_have_verdicts_and_what_follows_is_not_counted_again():
    first = says("It rains.", A)
    found = rows(a="contradicted")
    others = (follows("It is wet.", first), defines("Rain is water.", HELD), slip("Rian.", "Rain", "A misprint.", A))
    assert [sentence.verdict(found) for sentence in (*others, unjudged("Rain is nice.", "an opinion"))] == [None] * 4
    assert others[0].explained(found) == "Follows from “It rains.”."


def test_a_section_has_sentences():
    """A sentence whose ``says`` is forgotten would be taken for the name of a section, and be gone."""
    nice = unjudged("Rain is nice.", "an opinion")
    assert [each.section for each in section("1", nice, "2", nice, nice)] == ["1", "2", "2"]
    assert section("1") == ()
    for parts in (["It rains."], ["It rains.", nice], [nice, "It rains."], [nice, "It rains.", "2", nice]):
        with pytest.raises(TextError, match=r"test_sentence.py, line \d+: '.*' is a section without sentences"):
            section("1", *parts)
    with pytest.raises(TextError, match=r"test_sentence.py, line \d+: a part of a section must be a sentence or"):
        section("1", nice, (nice,))


def test_a_row_of_statements_json():
    (sentence,) = section("2.1", says("It rains.", A, note="Measured is {measured}, from {low}."))
    assert sentence.row(rows(a="confirmed")) == {
        "section": "2.1",
        "quote": "It rains.",
        "kind": "result",
        "verdict": "confirmed",
        "claims": ["fig4.a"],
        "note": "Measured is 0.5, from 0.4.",
        "held_by": "",
    }
    assert slip("Rian.", "Rain", "It is a misprint.").row({})["note"] == "Meant is: Rain. It is a misprint."


def test_what_is_true_by_construction_names_a_test(request):
    root = request.config.rootpath
    defines("Rain is water.", HELD).check_held_by(root)
    for wrong in ("", "tests/study/test_sentence.py", HELD + "_not", "tests/none.py::test_x", "../x.py::test_y"):
        with pytest.raises(TextError, match=r"test_sentence\.py, line \d+: held_by must be a test"):
            defines("Rain is water.", wrong).check_held_by(root)


def test_two_judges_of_one_name_are_refused_and_one_may_stand_in_two_sentences():
    other = more("fig4.a", lambda r: [1, 2], 0, "other")
    twice = (says("It rains.", A), says("It pours.", A))
    assert judges_of(twice, ["fig4"]) == {"fig4.a": (A, "It rains.")}
    with pytest.raises(TextError, match=r"line \d+: 'fig4\.a' is also the name of another judge, at .*line \d+"):
        judges_of((*twice, says("It hails.", other)), ["fig4"])
    with pytest.raises(TextError, match=r"line \d+: 'fig4\.a' names no item of the study"):
        judges_of(twice, ["fig5"])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: says("It rains."), "a result must have a judge"),
        (lambda: says("", A), "a sentence must be quoted"),
        (lambda: says("It rains.", "fig4.a"), "must be judged by such as more"),
        (lambda: says("It rains.", A, note="{rain}"), "a number is quoted as"),
        (lambda: Sentence("It rains.", "unjudged", note="{measured}"), "a number is quoted as"),
    ],
)
def test_what_cannot_be_judged_is_refused_with_its_place(make, message):
    with pytest.raises(TextError, match=rf"test_sentence\.py, line \d+: .*{message}"):
        make()
