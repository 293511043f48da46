from slotfree.study.tally import tallies


def claim(source, verdict):
    return {"source": source, "verdict": verdict}


def test_the_paper_s_statements_come_first_and_then_ours():
    rows = [claim("ours", "confirmed"), claim("paper", "contradicted"), claim("paper", "confirmed")]
    assert [tally.sentence for tally in tallies(rows)] == [
        "Of 2 statements of the paper, 1 is confirmed, 1 is contradicted, and 0 are inconclusive.",
        "Of 1 claim of our own, 1 is confirmed, 0 are contradicted, and 0 are inconclusive.",
    ]


def test_what_is_not_judged_is_not_counted():
    assert tallies([claim("paper", None)]) == []
    assert [tally.claims for tally in tallies([claim("ours", None), claim("ours", "inconclusive")])] == [1]
