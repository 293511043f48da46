from slotfree.study.judge import more
from slotfree.study.record import tallies
from slotfree.study.sentence import defines, follows, says

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


def run(wet="confirmed", cold="confirmed"):
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
    assert tallies([{**row, "verdict": None} for row in run()], SAID) == []


def test_results_are_counted_once_for_each_sentence_and_our_own_claims_are_checks():
    (found,) = tallies(run(wet="contradicted", cold="inconclusive"), SAID)
    assert found.sentence == "Of 3 results, 1 is confirmed, 1 is contradicted, and 1 is inconclusive."
    assert tallies(run(), SAID)[0].counts == {"confirmed": 3, "contradicted": 0, "inconclusive": 0}


def test_a_run_of_some_items_counts_the_sentences_that_it_judges():
    (found,) = tallies([row for row in run() if row["id"] != "a.wet"], SAID)
    assert found.sentence == "Of 2 results, 2 are confirmed, 0 are contradicted, and 0 are inconclusive."
