import json
import math

import pytest

from slotfree.files.json_text import json_text
from slotfree.study.claim import Claim, Expected, Limits, Printed, above, at_least, at_most, below, within
from slotfree.study.estimate import Estimate, exact

INF, NAN = math.inf, math.nan


def claim(estimate, limits, **others):
    return Claim(
        "x", "A sentence.", **{"source": "paper", "paper": 1.0, "estimate": estimate, "limits": limits, **others}
    )


@pytest.mark.parametrize(
    ("limits", "low", "high", "verdict"),
    [
        (above(0), 0.1, 2, "confirmed"),
        (above(0), 0, 2, "inconclusive"),
        (above(0), -1, 2, "inconclusive"),
        (above(0), -1, 0, "contradicted"),
        (above(0), 0, 0, "contradicted"),
        (above(0), 1, INF, "confirmed"),
        (above(0), INF, INF, "confirmed"),
        (above(0), -INF, INF, "inconclusive"),
        (below(0), -INF, -1, "confirmed"),
        (below(0), -1, 0, "inconclusive"),
        (below(0), 0, 1, "contradicted"),
        (at_least(0), 0, 2, "confirmed"),
        (at_least(0), -1, 0, "inconclusive"),
        (at_least(0), -2, -1, "contradicted"),
        (at_least(0), INF, INF, "confirmed"),
        (at_most(0), -1, 0, "confirmed"),
        (at_most(0), 0, 1, "inconclusive"),
        (at_most(0), 1, INF, "contradicted"),
        (within(1, 2), 1, 2, "confirmed"),
        (within(1, 2), 0, 3, "inconclusive"),
        (within(1, 2), 0, 1, "inconclusive"),
        (within(1, 2), 0, 0.9, "contradicted"),
        (within(1, 2), 2.1, 3, "contradicted"),
        (within(1, 1), 1, 1, "confirmed"),
        (Limits(1, 2, is_open=True), 1.1, 1.9, "confirmed"),
        (Limits(1, 2, is_open=True), 1, 2, "inconclusive"),
        (Limits(1, 2, is_open=True), 0, 1, "contradicted"),
        (Limits(1, 2, is_open=True), 2, 3, "contradicted"),
        (above(0), NAN, NAN, "inconclusive"),
        (within(1, 2), NAN, 1.5, "inconclusive"),
    ],
)
def test_verdicts_follow_from_the_interval_and_the_limits(limits, low, high, verdict):
    assert claim(Estimate((low + high) / 2, low, high), limits).verdict == verdict


@pytest.mark.parametrize(
    ("printed", "verdict"),
    [
        # Ours is 0.5 ± 0.03. A printed number with the same sampling error differs by at most 0.03 √2 = 0.0424 …
        (Printed(0.542, 0), "confirmed"),
        (Printed(0.543, 0), "contradicted"),
        # … and rounding adds to it;
        (Printed(0.543, 0.001), "confirmed"),
        # an exact one by at most 0.03,
        (Printed(0.53, 0, spread=0), "confirmed"),
        (Printed(0.531, 0, spread=0), "contradicted"),
        # one from a quarter of our runs by at most 0.03 √5 = 0.0671.
        (Printed(0.567, 0, spread=2), "confirmed"),
        (Printed(0.568, 0, spread=2), "contradicted"),
    ],
)
def test_a_printed_number_is_compared_by_the_error_of_both_sides_and_its_rounding(printed, verdict):
    made = claim(Estimate(0.5, 0.47, 0.53), printed)
    assert made.verdict == verdict
    below = Printed(1 - printed.number, printed.rounding, printed.spread)
    assert claim(Estimate(0.5, 0.47, 0.53), below).verdict == verdict


def test_an_interval_without_end_does_not_confirm_a_printed_number():
    assert claim(Estimate(1000, 900, INF), Printed(400, 50)).verdict == "inconclusive"


def test_without_an_interval_a_printed_number_is_not_judged():
    assert claim(Estimate(0.5, NAN, NAN), Printed(0.5, 0.1)).verdict == "inconclusive"
    assert claim(Estimate(NAN, NAN, NAN), Printed(0.5, 0.1)).verdict == "inconclusive"


@pytest.mark.parametrize(
    ("limits", "verdict"),
    [
        (Expected(0.45, 0.55), "confirmed"),
        (Expected(0.5, 0.55), "confirmed"),
        (Expected(0.51, 0.9), "contradicted"),
        (Expected(0.1, 0.49), "contradicted"),
        (Expected(NAN, 0.55), "inconclusive"),
        (Expected(0.45, NAN), "inconclusive"),
    ],
)
def test_where_our_value_is_expected_its_interval_does_not_matter(limits, verdict):
    assert claim(Estimate(0.5, 0.1, 0.9), limits).verdict == verdict
    assert claim(Estimate(0.5, NAN, NAN), limits).verdict == verdict
    assert claim(Estimate(NAN, NAN, NAN), limits).verdict == "inconclusive"


def test_the_row_of_an_expected_value_has_its_limits():
    row = claim(Estimate(0.5, 0.4, 0.7), Expected(0.45, 0.55)).row("fig4", judged=True, recorded=None)
    assert row["limits"] == [0.45, 0.55]


def test_a_row_is_written_as_the_design_says():
    row = claim(Estimate(0.5, 0.4, 0.7), above(0.1)).row("fig4", judged=True, recorded="inconclusive")
    assert json.loads(json_text(row)) == {
        "id": "fig4.x",
        "item": "fig4",
        "claim": "A sentence.",
        "source": "paper",
        "paper": 1.0,
        "measured": 0.5,
        "interval": [0.4, 0.7],
        "limits": [0.1, None],
        "verdict": "confirmed",
        "recorded": "inconclusive",
        "holds": True,
    }
    keys = "id item claim source paper measured interval limits verdict recorded holds"
    assert list(row) == keys.split()


def test_the_row_of_a_printed_number_has_the_limits_of_our_value():
    row = claim(Estimate(0.5, 0.47, 0.53), Printed(0.52, 0.005, spread=0)).row("x", judged=True, recorded=None)
    assert row["limits"] == pytest.approx([0.485, 0.555])


def test_a_smaller_scale_has_no_verdict():
    row = claim(exact(1), above(0)).row("fig4", judged=False, recorded="confirmed")
    assert (row["verdict"], row["holds"], row["measured"]) == (None, False, 1.0)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"source": "Smith"}, r"source must be 'paper' or 'ours', not 'Smith'"),
        ({"estimate": 0.5}, r"estimate must be an Estimate, not 0.5"),
        ({"limits": (0, 1)}, r"limits must be such as above\(0\) or within\(0, 1\), not \(0, 1\)"),
    ],
)
def test_what_is_not_a_claim_is_refused(wrong, message):
    with pytest.raises((TypeError, ValueError), match=message):
        claim(**{"estimate": exact(1), "limits": above(0), **wrong})


def test_names_of_claims_can_be_part_of_a_link():
    with pytest.raises(ValueError, match=r"name must be a string .* not 'two words'"):
        Claim("two words", "", estimate=exact(1), limits=above(0))
