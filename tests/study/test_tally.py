from slotfree.study.statement import Statement
from slotfree.study.tally import tallies

SAID = (
    Statement("1", "It rains.", claims=("a.wet", "b.drops-*")),
    Statement("1", "It is called rain.", reason="a definition"),
    Statement("2", "It snows.", claims=("b.drops-1",)),
    Statement("3", "It is cold.", claims=("b.cold", "b.drops-1")),
)


def claim(source, verdict, name="a.x"):
    return {"id": name, "source": source, "verdict": verdict}


def run(wet="confirmed", cold="confirmed"):
    drops = [claim("paper", "confirmed", f"b.drops-{n}") for n in (1, 2)]
    ours = claim("ours", "contradicted", "b.drops-3")
    return [claim("paper", wet, "a.wet"), claim("paper", cold, "b.cold"), *drops, ours]


def test_the_paper_s_claims_come_first_and_then_ours():
    rows = [claim("ours", "confirmed"), claim("paper", "contradicted"), claim("paper", "confirmed")]
    assert [tally.sentence for tally in tallies(rows)] == [
        "Of 2 claims of the paper, 1 is confirmed, 1 is contradicted, and 0 are inconclusive.",
        "Of 1 claim of our own, 1 is confirmed, 0 are contradicted, and 0 are inconclusive.",
    ]


def test_what_is_not_judged_is_not_counted():
    assert tallies([claim("paper", None)]) == []
    assert tallies([{**row, "verdict": None} for row in run()], SAID) == []
    assert [tally.total for tally in tallies([claim("ours", None), claim("ours", "inconclusive")])] == [1]


def test_statements_are_counted_by_their_worst_claim_and_each_claim_once():
    assert [tally.sentence for tally in tallies(run(wet="contradicted", cold="inconclusive"), SAID)] == [
        "Of 3 statements of the paper that are judged, 1 is confirmed, 1 is contradicted, and 1 is inconclusive "
        "(4 claims: 2, 1, 1).",
        "Of 1 claim of our own, 0 are confirmed, 1 is contradicted, and 0 are inconclusive.",
    ]
    assert tallies(run(), SAID)[0].counts == {"confirmed": 3, "contradicted": 0, "inconclusive": 0}
    assert tallies([claim("paper", "confirmed", "b.drops-1")], SAID[2:3])[0].sentence == (
        "Of 1 statement of the paper that is judged, 1 is confirmed, 0 are contradicted, and 0 are inconclusive "
        "(1 claim: 1, 0, 0)."
    )


def test_a_run_of_some_items_counts_claims():
    some = [row for row in run() if row["id"] != "a.wet"]
    assert tallies(some, SAID)[0].sentence.startswith("Of 3 claims of the paper, 3 are confirmed")


def test_a_claim_of_our_own_does_not_judge_what_the_paper_says():
    ours = [{**row, "source": "ours"} for row in run() if row["id"] == "a.wet"]
    rows = [*ours, *(row for row in run() if row["id"] != "a.wet")]
    assert tallies(rows, SAID)[0].words == "claims of the paper"
