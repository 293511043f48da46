import html
import re

import pytest
from made_up_results import HOSTILE, NAMES, SHOWN, claim, judge, made_item, some_manifest, some_study, without_verdicts

from slotfree.report import pictures
from slotfree.report.page import core_seconds_of, render, write_report
from slotfree.report.pictures import read_picture
from slotfree.study.record import tallies
from slotfree.study.sentence import defines, says, section, slip, unjudged


def page_of(items, study=None, **settings):
    return render(study or some_study(), some_manifest(**settings), items, lambda name: None)


def plain(page):
    """The words of a page, without marks, styles and pictures."""
    body = re.sub(r"(?s)<style>.*?</style>", "", page)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", body)).split())


def rows_of(page, name):
    return re.findall(rf"(?s)<tr[^>]*>(?:(?!</tr>).)*<code>{re.escape(name)}</code>.*?</tr>", page)


def test_every_claim_is_in_its_item_once_with_its_verdict_and_its_anchor(items):
    page = page_of(items)
    for item in items:
        own = page[page.index(f'id="item-{item["item"]}"') :]
        own = own[: own.index("</article>")]
        for row in item["claims"]:
            (text,) = rows_of(page, row["id"])
            assert text in own
            assert text.startswith(f'<tr id="claim-{row["id"]}"')
            for verdict, mark in (("confirmed", "✓"), ("contradicted", "✗"), ("inconclusive", "?")):
                assert (f"{mark}</span> {verdict}" in text) is (row["verdict"] == verdict)


def test_the_head_counts_the_verdicts_of_the_paper_s_claims_and_then_of_ours(items):
    words = plain(page_of(items))
    paper = "Of 4 claims of the paper, ✓ 2 are confirmed, ✗ 1 is contradicted, and ? 1 is inconclusive."
    ours = "Of 1 claim of our own, ✓ 0 are confirmed, ✗ 1 is contradicted, and ? 0 are inconclusive."
    assert 0 < words.index(paper) < words.index(ours) < words.index("What was found")
    assert "All verdicts are as recorded." in words
    assert [tally.sentence for tally in tallies(row for item in items for row in item["claims"])] == [
        re.sub("[✓✗?] ", "", sentence) for sentence in (paper, ours)
    ], "the command line says the same"


GOOD, BAD, KEYS = SHOWN
SAID = (
    *section("1", says("A of n_h.", GOOD, BAD, note="Because n_h is small: {measured}."), says("B.", KEYS)),
    *section(
        "2", defines("C.", "tests/x.py::test_c"), says("D.", judge("tableS1.open")), slip("E", "F", "A misprint.")
    ),
    *section("3", says("Not run.", judge("stackS1.x")), unjudged("G.", "an opinion")),
)


def test_a_text_is_counted_by_sentences_and_listed_by_section_with_what_explains_it(items):
    page = page_of(items, some_study(text=SAID))
    words = plain(page)
    assert "Of 3 results, ✓ 1 is confirmed, ✗ 1 is contradicted, and ? 1 is inconclusive." in words
    assert "claim of our own" not in words[: words.index("What was found")], "they are checks"
    part = page[page.index('id="results"') : page.index('id="errata"')]
    assert re.findall(r"<h3>([^<]*)</h3>", part) == ["Section 1", "Section 2"]
    assert "contradicted, in part" in part
    assert "Because <i>n</i><sub>h</sub> is small: 0.988." in part
    assert page.count("is small: 0.988") == 1, "the reason stands in one place"
    assert "Not run." not in part
    assert "2 E F A misprint." in plain(page[page.index('id="errata"') :].replace("</td>", " "))
    assert "tests/x.py::test_c" in words
    assert "G. an opinion" in words


def test_our_own_claims_that_are_not_confirmed_are_listed_with_the_reason(items):
    items[2]["explained"] = {"tableS1.own": "Too few runs: {measured}."}
    page = page_of(items)
    part = page[page.index('id="unconfirmed"') : page.index('id="items"')]
    assert re.findall(r'href="#claim-([^"]*)"', part) == ["tableS1.own"]
    assert "Too few runs: 0.988." in part


def test_verdicts_that_are_not_as_recorded_are_named(items):
    items[1]["claims"][0]["recorded"] = "contradicted"
    words = plain(page_of(items))
    assert "1 verdict is not as recorded: fig7.W_K" in words
    assert "as recorded." not in words
    assert "✓ confirmedrecorded: contradicted" in words


@pytest.mark.parametrize(("seed", "with_seed"), [(0, ""), (5, " with seed 0")])
def test_a_borderline_verdict_may_move_with_any_seed(items, seed, with_seed):
    items[1]["claims"][0]["recorded"] = "inconclusive"
    words = plain(page_of(items, seed=seed))
    assert (
        "1 borderline verdict moved to or from inconclusive, which a seed, a machine or rounding can do: fig7.W_K."
        in words
    )
    assert f"All other verdicts are as recorded{with_seed}." in words
    assert "not as recorded" not in words


def test_a_study_without_a_record_says_nothing_of_one(items):
    for row in (row for item in items for row in item["claims"]):
        row["recorded"] = None
    assert "recorded" not in plain(page_of(items))


def test_a_page_on_which_all_is_confirmed(items):
    page = page_of([items[1]])
    assert "✓ confirmed" in plain(page)
    assert "not confirmed" not in plain(page)


def test_the_smaller_scale_shows_estimates_and_no_verdicts(items):
    page = page_of(without_verdicts(items), scale="quick")
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
    assert heads[2:8] == ["Claim", "Paper", "Measured", "99 % interval", "Limits", "Verdict"]
    cells = re.findall(r'(?s)data-label="([^"]*)">(.*?)</td>', rows_of(page, "fig4.good-100%")[0])
    assert cells == [("paper", "1"), ("measured", "0.9877"), ("99 %", "0.9812 to 0.9941"), ("limits", "from 0.9")]
    cells = re.findall(r'(?s)data-label="([^"]*)">(.*?)</td>', rows_of(page, "tableS1.open")[0])
    expected = [("measured", "no finite number"), ("99 %", "not known"), ("limits", "0.1 to 0.3")]
    assert cells == [("paper", ""), *expected]
    assert "<q>none at all</q>" in rows_of(page, "tableS1.open")[0], "words stand with the claim"


def test_a_study_of_one_s_own_has_no_column_for_a_paper(items):
    page = page_of([items[2] | {"claims": items[2]["claims"][1:]}])
    assert '<th scope="col">Paper</th>' not in page
    assert 'data-label="paper"' not in page
    assert "the paper prints" not in page


def test_formulas_are_set(items):
    page = page_of(items)
    assert "<i>W</i><sub>Q</sub>ᵀ<i>W</i><sub>K</sub> &amp; <i>n</i><sub>h</sub> &lt; d_prime<br>" in page
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
    words = plain(page_of(without_verdicts(items), scale="quick", seed=5))
    assert "slotfree reproduce fig4 --scale quick --seed 5 --out fig4-again" in words
    assert "slotfree reproduce fig4 --out fig4-again" in plain(page_of(items))
    own = plain(render(some_study(), some_manifest(study="some_study.py"), items, lambda name: None))
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


def test_what_was_found_is_told_with_the_numbers_and_the_claims_of_the_run(items):
    page = page_of(items)
    part = page[page.index('id="found"') : page.index('id="unconfirmed"')]
    assert "<summary><i>W</i><sub>K</sub> is not <i>W</i><sub>Q</sub> by 0.988</summary>" in part
    assert "At most 0.994." in part
    assert "<td>≥ 0.96</td>" in part
    shown_by = ["fig4.good-100%25", "fig4.bad-100%25", "fig7.W_K"]
    assert re.findall(r'href="#claim-([^"]*)"', part) == shown_by
    assert "It is not shown." not in page
    assert "1 finding is left out" in plain(page)


def test_what_this_run_does_not_show_is_not_told(items):
    assert 'id="found"' not in page_of(items, some_study(findings=()))
    assert 'id="found"' not in page_of(items[:1])
    assert 'id="found"' not in page_of(without_verdicts(items), scale="quick")
    items[0]["claims"][0]["verdict"] = "inconclusive"
    assert 'id="found"' not in page_of(items)


def test_the_same_results_give_the_same_bytes(directory):
    write_report(directory, some_study())
    first = (directory.path / "report.html").read_bytes()
    write_report(directory, some_study())
    assert (directory.path / "report.html").read_bytes() == first
    assert str(directory.path).encode() not in first
    assert first.count(b"data:image/svg+xml;base64,") == 4, "that of the first item stands at the top, too"


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
