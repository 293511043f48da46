import html
import re

import pytest
from made_up_results import HOSTILE, NAMES, claim, made_item, some_manifest, some_study, unjudged

from slotfree.report import pictures
from slotfree.report.page import core_seconds_of, render, write_report
from slotfree.report.pictures import read_picture
from slotfree.study.statement import Statement
from slotfree.study.tally import tallies


def page_of(items, study=None, figures=(), **settings):
    return render(study or some_study(), some_manifest(**settings), items, dict(figures))


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


def test_the_head_counts_statements_if_the_study_has_some_and_the_run_all_of_their_claims(items):
    said = (
        Statement("1", "A.", claims=("fig4.*", "fig7.W_K")),
        Statement("2", "B.", claims=("fig7.*",)),
        Statement("3", "C.", reason="a choice"),
        Statement("4", "D.", claims=("tableS1.open",)),
    )
    page = page_of(items, some_study(statements=said))
    verdicts = "✓ 1 is confirmed, ✗ 1 is contradicted, and ? 1 is inconclusive (4 claims: 2, 1, 1)."
    assert f"Of 3 statements of the paper that are judged, {verdicts} Of 1 claim of our own" in plain(page)
    assert "A statement is contradicted if one of the claims that judge it is" in plain(page)
    bar = re.search(r'(?s)<span class="bar"[^>]*>(.*?)</span>\n', page)[1]
    assert re.findall(r'class="(\w+)" style="flex-grow:(\d+)"', bar) == [
        ("confirmed", "1"),
        ("contradicted", "1"),
        ("inconclusive", "1"),
    ]
    some = plain(page_of(items[:2], some_study(statements=said)))
    assert "Of 3 claims of the paper, ✓ 2 are confirmed" in some
    assert "A statement is contradicted" not in some


def lists_of(page):
    """What is not confirmed, as (title, ids of the claims) of each list, and the part of the page."""
    part = page[page.index('id="unconfirmed"') : page.index('id="items"')]
    lists = re.findall(r"(?s)<h3>([^<]*)</h3>(.*?)</ul>", part)
    return [(title, re.findall(r'href="#claim-([^"]*)"', found)) for title, found in lists], part


def test_what_is_not_confirmed_is_listed_by_source_and_verdict_with_the_reason(items):
    page = page_of(items)
    lists, part = lists_of(page)
    assert lists == [
        ("Claims of the paper that are contradicted: 1", ["fig4.bad-100%25"]),
        ("Claims of the paper on which the data cannot tell: 1", ["tableS1.open"]),
        ("Claims of our own that are not confirmed: 1", ["tableS1.own"]),
    ]
    assert "Because <i>n</i><sub>h</sub> is small: 0.988, not 1." in part
    assert page.count("is small: 0.988") == 1, "the reason stands in one place"
    (row,) = rows_of(page, "fig4.bad-100%")
    assert 'href="#why-fig4.bad-100%25"' in row
    assert 'id="why-fig4.bad-100%"' in part


def test_claims_with_the_same_reason_are_listed_together(items):
    names = [f"bad-{n}" for n in range(40)]
    claims = [claim("fig7", name, "contradicted") for name in names]
    same = made_item("fig7", claims, explained={f"fig7.{name}": "Too few runs: {measured}." for name in names})
    lists, part = lists_of(page_of([same]))
    assert [len(ids) for _, ids in lists] == [40]
    assert part.count("Too few runs: 0.988.") == 1
    assert "and 39 more for the same reason" in part


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("The newest is “perfect” (100% cues): lowest accuracy of any run.", "The newest is “perfect” (100% cues)"),
        ("Theorem 4: “it converges: slowly” as printed: the distance.", "Theorem 4: “it converges: slowly” as printed"),
        ("It is higher: by how much, at 1: 2.", "It is higher"),
        ("It is the same.", "It is the same."),
    ],
)
def test_a_list_shows_what_is_said_and_leaves_what_is_measured_to_the_item(sentence, shown):
    row = claim("fig7", "x", "contradicted", claim=sentence)
    _, part = lists_of(page_of([made_item("fig7", [row])]))
    assert f"</span> {shown} <span" in part


def test_after_a_long_list_what_the_data_leave_open_is_folded(items):
    def folds(n_contradicted):
        claims = [claim("fig7", f"bad-{n}", "contradicted") for n in range(n_contradicted)]
        open_ones = [claim("fig7", "open", "inconclusive"), claim("fig7", "own", "inconclusive", source="ours")]
        _, part = lists_of(page_of([made_item("fig7", [*claims, *open_ones])]))
        return re.findall(r'<details class="list"( open)?>', part)

    assert folds(2) == [" open", " open", ""]
    assert folds(40) == [" open", "", ""]


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
    assert heads[2:8] == ["Claim", "Paper", "Measured", "99 % interval", "Limits", "Verdict"]
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
    assert 'id="found"' not in page_of(unjudged(items), scale="quick")
    items[0]["claims"][0]["verdict"] = "inconclusive"
    assert 'id="found"' not in page_of(items)


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
