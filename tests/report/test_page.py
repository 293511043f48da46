import html
import re

import pytest
from made_up_results import HOSTILE, NAMES, claim, made_item, some_manifest, some_study, unjudged

from slotfree.report import numbers, pictures
from slotfree.report.page import core_seconds_of, render, write_report
from slotfree.report.pictures import read_picture


def page_of(items, study=None, figures=(), **settings):
    return render(study or some_study(), some_manifest(**settings), items, dict(figures))


def plain(page):
    """The words of a page, without marks, styles and pictures."""
    body = re.sub(r"(?s)<style>.*?</style>", "", page)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", body)).split())


def rows_of(page, name):
    return re.findall(rf"(?s)<tr[^>]*>(?:(?!</tr>).)*<code>{re.escape(name)}</code>.*?</tr>", page)


def test_every_claim_is_in_the_table_and_in_its_item_with_its_verdict(items):
    page = page_of(items)
    for row in (row for item in items for row in item["claims"]):
        found = rows_of(page, row["id"])
        assert len(found) == 2
        for text in found:
            for verdict, mark in (("confirmed", "✓"), ("contradicted", "✗"), ("inconclusive", "?")):
                assert (f"{mark}</span> {verdict}" in text) is (row["verdict"] == verdict)


def test_the_head_counts_the_verdicts_of_the_paper_s_statements_and_then_of_ours(items):
    words = plain(page_of(items))
    paper = "Of 4 statements of the paper, ✓ 2 are confirmed, ✗ 1 is contradicted, and ? 1 is inconclusive."
    ours = "Of 1 claim of our own, ✓ 0 are confirmed, ✗ 1 is contradicted, and ? 0 are inconclusive."
    assert 0 < words.index(paper) < words.index(ours) < words.index("Items at a glance")
    assert "All verdicts are as recorded." in words


def test_what_is_not_confirmed_is_listed_with_the_finding_that_explains_it(items):
    page = page_of(items)
    part = page[page.index('id="unconfirmed"') : page.index('id="items-at-a-glance"')]
    listed = re.findall(r'href="#claim-([^"]*)"', part)
    assert listed == ["fig4.bad-100%25", "tableS1.own", "tableS1.open"]
    assert "Because <i>n</i><sub>h</sub> is small." in part
    assert 'id="claim-fig4.bad-100%"' in page


def test_verdicts_that_are_not_as_recorded_are_named(items):
    items[1]["claims"][0]["recorded"] = "contradicted"
    words = plain(page_of(items))
    assert "1 verdict is not as recorded: fig7.W_K" in words
    assert "as recorded." not in words
    assert "✓ confirmedrecorded: contradicted" in words


def test_a_borderline_verdict_may_move_with_another_seed(items):
    items[1]["claims"][0]["recorded"] = "inconclusive"
    words = plain(page_of(items, seed=5))
    assert "With seed 5, 1 borderline verdict moved to or from inconclusive, as happens by chance: fig7.W_K." in words
    assert "All other verdicts are as recorded with seed 0." in words
    assert "1 verdict is not as recorded" in plain(page_of(items, seed=0))


def test_a_study_without_a_record_says_nothing_of_one(items):
    for row in (row for item in items for row in item["claims"]):
        row["recorded"] = None
    assert "recorded" not in plain(page_of(items))


def test_a_page_on_which_all_is_confirmed(items):
    page = page_of([items[1]])
    assert "✓ confirmed" in plain(page)
    assert "What is not confirmed" not in page


def test_the_smaller_scale_shows_estimates_and_no_verdicts(items):
    page = page_of(unjudged(items), scale="quick")
    words = plain(page)
    assert "5 claims, with estimates and without verdicts." in words
    assert "Quick scale: nothing is judged." in words
    assert "at most 8 runs of each experiment, 900 patterns stored and 300 tested" in words
    assert "0.9812 to 0.9941" in words
    assert "2 claims, not judged" in words
    assert not re.search(r"[✓✗]|as recorded|inconclusive</", page)
    assert "nothing is judged" not in plain(page_of(items))


def test_interval_and_limits_are_two_columns(items):
    page = page_of(items)
    heads = re.findall(r'<th scope="col">([^<]*)</th>', page)
    assert heads[:7] == ["Claim", "Paper", "Measured", "99 % interval", "Limits", "Verdict", "Figure"]
    cells = re.findall(r'(?s)data-label="([^"]*)">(.*?)</td>', rows_of(page, "fig4.good-100%")[0])
    assert cells == [("paper", "1"), ("measured", "0.9877"), ("99 %", "0.9812 to 0.9941"), ("limits", "from 0.9")]
    cells = re.findall(r'(?s)data-label="([^"]*)">(.*?)</td>', rows_of(page, "tableS1.open")[0])
    expected = [("measured", "no finite number"), ("99 %", "not known"), ("limits", "0.1 to 0.3")]
    assert cells == [("paper", "none at all"), *expected]


def test_a_study_of_one_s_own_has_no_column_for_a_paper(items):
    page = page_of([items[2] | {"claims": items[2]["claims"][1:]}])
    assert '<th scope="col">Paper</th>' not in page
    assert 'data-label="paper"' not in page
    assert "the paper prints" not in page


def test_formulas_are_set(items):
    page = page_of(items)
    assert "<i>W</i><sub>Q</sub>ᵀ<i>W</i><sub>K</sub> &amp; <i>n</i><sub>h</sub> &lt; d_prime</td>" in page
    assert "What the paper says about <i>W</i><sub>V</sub>." in page


def test_texts_are_escaped(items):
    broken = made_item(
        HOSTILE, [claim(HOSTILE, "x", "contradicted", paper=HOSTILE)], explained={f"{HOSTILE}.x": HOSTILE}
    )
    page = page_of([*items, broken], some_study(about=HOSTILE))
    assert "<script" not in page
    assert "<b>" not in page
    assert HOSTILE in plain(page)


def test_where_when_and_with_what(items):
    words = plain(page_of([items[0] | {"experiments": {"a": 7300.0}}]))
    facts = ("2026-01-02 03:04 UTC", "slotfree 9.8.7", "Python 3.12", "numpy 2.0, scipy 1.13", "2.0 h on one core")
    assert all(fact in words for fact in facts)
    assert "Abacus" in words
    assert "Simulation" not in plain(page_of([items[0] | {"experiments": {}}])), "what costs nothing is left out"


def test_commands_repeat_the_settings(items):
    words = plain(page_of(unjudged(items), scale="quick", seed=5))
    assert "slotfree reproduce fig4 --scale quick --seed 5 --out fig4-again" in words
    assert "slotfree reproduce fig4 --out fig4-again" in plain(page_of(items))
    own = plain(render(some_study(), some_manifest(study="some_study.py"), items, {}))
    assert "slotfree run some_study.py fig4 --out fig4-again" in own
    assert "slotfree reproduce" not in own


def test_missing_items_are_named_with_the_command_that_adds_them(items):
    words = plain(page_of(items[:2], scale="quick", seed=5))
    assert "Not in this report: tableS1, stackS1. To add them" in words
    assert "slotfree reproduce tableS1 stackS1 --scale quick --seed 5" in words
    assert "Not in this report" not in plain(page_of([made_item(name) for name in NAMES]))


def test_items_without_claims_and_figures_do_not_break_the_page():
    words = plain(page_of([made_item("stackS1")]))
    assert "What stackS1 shows" in words
    assert "Its figure is not in the directory." in words
    assert "no claims" in words
    assert "There are no claims yet." in plain(page_of([]))


def test_findings_are_shown_with_the_items_that_are_there(items):
    page = page_of(items)
    part = page[page.index('id="findings"') : page.index('id="run"')]
    assert "<i>W</i><sub>K</sub> is not <i>W</i><sub>Q</sub>" in part
    assert re.findall(r'href="#item-([^"]*)"', part) == ["fig4"]
    assert "3.34" in part
    assert "Findings" not in page_of(items, some_study(findings={}))


def test_the_same_results_give_the_same_bytes(directory):
    write_report(directory, some_study())
    first = (directory.path / "report.html").read_bytes()
    write_report(directory, some_study())
    assert (directory.path / "report.html").read_bytes() == first
    assert str(directory.path).encode() not in first
    assert first.count(b"data:image/svg+xml;base64,") == 3


def test_large_drawings_are_shown_as_pixels(directory, monkeypatch):
    folder = directory.path / "figures"
    drawn = read_picture(folder, "fig4")
    monkeypatch.setattr(pictures, "LARGEST_SVG", 1000)
    pixels = read_picture(folder, "fig4")
    assert (drawn.kind, pixels.kind) == ("svg+xml", "png")
    assert (drawn.width, drawn.height) == (pixels.width, pixels.height)
    assert pixels.content.startswith(b"\x89PNG")
    assert read_picture(folder, "none") is None


def test_shared_experiments_cost_once():
    shared = [made_item("fig4", [], {"a": 1.5, "b": 2.0}), made_item("figS1", [], {"b": 2.0, "c": 4.0})]
    assert core_seconds_of(shared) == 7.5
    assert core_seconds_of([]) == 0


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (1.0, "1"),
        (0.987654, "0.9877"),
        (-774.92, "−774.9"),
        (9999.4, "9999"),
        (14_000, "14,000"),
        (2.5e-4, "0.00025"),
        (6.556e-16, "6.56×10⁻¹⁶"),
        (-3e7, "−3×10⁷"),
        (1e-9, "10⁻⁹"),
        (-1e9, "−10⁹"),
        (1.1e-9, "1.1×10⁻⁹"),
    ],
)
def test_numbers(value, text):
    assert numbers.number(value) == text


def test_intervals_limits_and_times():
    ends = [[0.5, None], [None, -0.5], [0.25, 1.0], [2.0, 2.0], [None, None]]
    assert [numbers.limits(e) for e in ends] == ["from 0.5", "up to −0.5", "0.25 to 1", "2", "any"]
    assert [numbers.interval(e) for e in ends] == ["from 0.5", "up to −0.5", "0.25 to 1", "2", "not known"]
    times = [0.04, 54.1, 99.4, 150.0, 8000.0]
    assert [numbers.duration(t) for t in times] == ["0.0 s", "54 s", "99 s", "2.5 min", "2.2 h"]
    assert [numbers.value(v) for v in (None, "as printed", 16, "")] == ["no finite number", "as printed", "16", ""]
