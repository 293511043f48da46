"""What notebooks show of claims and results."""

import numpy as np
import pytest
import xarray as xr
from notebook_html import parsed, table_of, text_of

from slotfree.study import Claim, Estimate, Printed, Results, above, below, within
from slotfree.study.claim import GROUNDS
from slotfree.study.record import VERDICTS
from slotfree.study.scale import SCALES


def claim(estimate=(0.8, 0.75, 0.85), limits=None, sentence="More than half is recalled.", source="ours", paper=""):
    limits = above(0.5) if limits is None else limits
    return Claim("newest", sentence, source=source, paper=paper, estimate=Estimate(*estimate), limits=limits)


@pytest.mark.parametrize(
    ("limits", "verdict"),
    [
        (above(0.5), "confirmed"),
        (below(0.5), "contradicted"),
        (above(0.8), "inconclusive"),
        (within(0.8, 0.8), "inconclusive"),
    ],
)
def test_a_claim_shows_its_verdict_in_a_word_and_a_colour(limits, verdict):
    shown = claim(limits=limits)
    html = shown._repr_html_()
    assert table_of(html)["verdict"] == shown.verdict
    assert shown.verdict == verdict
    badge = parsed(html).find(".//span")
    assert f"background: {GROUNDS[shown.verdict]}" in badge.get("style")
    assert text_of(html).startswith("More than half is recalled.")


def test_verdicts_can_be_told_apart_and_read():
    assert set(GROUNDS) == set(VERDICTS)
    for colour in GROUNDS.values():
        rgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
        linear = np.where(rgb <= 0.03928, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
        assert 1.05 / (linear @ [0.2126, 0.7152, 0.0722] + 0.05) > 4.5, "white letters on it are read"
    assert len(set(GROUNDS.values())) == 3


def test_numbers_are_shown_as_they_are():
    html = claim(source="paper", paper=0.336, estimate=(0.33, 0.32, 0.34), limits=Printed(0.336, 0.0005))._repr_html_()
    table = table_of(html)
    assert table["the paper says"] == "0.336"
    assert table["measured"] == "0.33"
    assert table["99 % interval"] == "0.32 to 0.34"
    limits = Printed(0.336, 0.0005).of(Estimate(0.33, 0.32, 0.34))
    assert table["limits"] == f"{limits.low:.4g} to {limits.high:.4g}"
    assert "a claim of the paper" in text_of(html)


@pytest.mark.parametrize(
    "estimate", [(np.nan, np.nan, np.nan), (0.0, 0.0, 0.0), (1e300, -np.inf, np.inf), (1.0, np.nan, np.nan)]
)
def test_any_estimate_is_shown(estimate):
    for limits in (above(0.5), within(0, 0), below(-1e9), Printed(1.0, 0.5)):
        table_of(claim(estimate, limits)._repr_html_())


def test_a_sentence_never_becomes_markup():
    hostile = "<img src=x onerror=alert(1)> & “quotes” " + "word " * 100
    html = claim(sentence=hostile, paper="<b>so</b>", source="paper")._repr_html_()
    assert "<img" not in html
    assert "<b>" not in html
    assert " ".join(hostile.split()) in text_of(html), "whole sentences are shown"


def test_results_show_what_was_run():
    data = xr.Dataset({"accuracy": (("run", "age"), np.zeros((3, 1000)))})
    html = Results({"K-winner": data, "<i>": data}, SCALES["quick"], 7)._repr_html_()
    rows = [["".join(cell.itertext()) for cell in row] for row in parsed(html).iter("tr")]
    assert rows == [
        ["experiment", "measured", "size"],
        ["K-winner", "accuracy", "run 3, age 1,000"],
        ["<i>", "accuracy", "run 3, age 1,000"],
    ]
    assert "scale quick, seed 7" in text_of(html)
