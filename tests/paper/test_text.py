"""What the paper says, as a whole: every sentence once, with names that exist, and as it is recorded."""

import re
from pathlib import Path

import pytest

from slotfree.paper import STUDY
from slotfree.study.quote import quoted
from slotfree.study.record import rows_in
from slotfree.study.sentence import judges_of

ROOT = Path(__file__).parents[2]
SENTENCES = STUDY.sentences()
CLAIMS = {
    *judges_of(SENTENCES, STUDY.names),  # two judges of one name are refused
    *(judge.name for item in STUDY.chosen() for judge in item.claims),
}


def test_no_sentence_stands_twice():
    texts = [re.sub(r"\W+", " ", f"{sentence.section} {sentence.quote}") for sentence in SENTENCES]
    assert sorted(set(texts)) == sorted(texts)


def test_what_is_true_by_construction_is_held_by_a_test():
    held = [sentence for sentence in SENTENCES if sentence.held_by]
    assert len(held) >= len([sentence for sentence in SENTENCES if sentence.kind == "construction"]) > 0
    for sentence in held:
        sentence.check_held_by(ROOT)


def test_the_record_has_the_claims_that_the_study_judges():
    recorded = [row["id"] for row in rows_in("slotfree.paper")]
    assert sorted(recorded) == sorted(CLAIMS), "run make paper and make verdicts"


def test_numbers_that_notes_and_findings_quote_are_of_claims():
    for sentence in SENTENCES:
        assert set(quoted(sentence.note)) <= CLAIMS, sentence.quote
    for finding in STUDY.found():
        assert set(finding.claims) <= CLAIMS, finding.line


def test_a_sentence_follows_from_one_of_the_paper():
    known = {sentence.quote for sentence in SENTENCES}
    assert [one.quote for one in SENTENCES if one.other is not None and one.other.quote not in known] == []


@pytest.mark.parametrize("name", [name for name in STUDY.names if re.fullmatch(r"[a-z]+S?\d+", name)])
def test_an_item_is_called_by_the_number_in_its_name(name):
    number = re.search(r"S?\d+$", name)[0]
    assert re.match(rf"\w+ {number}\b", STUDY.item(name).number)
