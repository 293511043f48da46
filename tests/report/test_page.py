import html
import re

import pytest
from madeup import HOSTILE, claim, made_item

from slotfree.paper.names import NAMES
from slotfree.report import numbers, pictures
from slotfree.report.findings import FINDINGS
from slotfree.report.page import core_seconds_of, render, write_report
from slotfree.report.pictures import read_picture
from slotfree.report.words import WORDS, words_for


def plain(page):
    """The words of a page, without marks, styles and pictures."""
    body = re.sub(r"(?s)<style>.*?</style>", "", page)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", body)).split())


def rows_of(page, name):
    return re.findall(rf"(?s)<tr[^>]*>(?:(?!</tr>).)*<code>{re.escape(name)}</code>.*?</tr>", page)


def test_every_claim_is_in_the_table_and_in_its_item_with_its_verdict(manifest, items):
    page = render(manifest, items, {})
    for item in items:
        for row in item["claims"]:
            found = rows_of(page, row["id"])
            assert len(found) == 2
            for text in found:
                assert ("✗</span> does not hold" in text) is not row["holds"]
                assert ("✓</span> holds" in text) is row["holds"]


def test_the_top_counts_what_holds_and_names_what_does_not(manifest, items):
    page = render(manifest, items, {})
    assert "2 of 4 claims hold at the quick scale; 2 do not." in plain(page)
    for name in ("fig4.bad-100%25", "tableS1.none"):
        assert f'href="#claim-{name}"' in page
    assert 'href="#claim-fig4.good-100%25"' not in page
    assert 'id="claim-fig4.good-100%"' in page


def test_a_page_on_which_all_holds_says_so(manifest, items):
    page = render(manifest, [items[1]], {})
    assert "1 of 1 claims hold" in plain(page)
    assert "Every claim holds." in page
    assert "What does not hold" not in page


def test_values_intervals_and_formulas_are_set(manifest, items):
    page = render(manifest, items, {})
    words = plain(page)
    assert "0.9877" in words
    assert "≥ 0.9" in words
    assert "no finite number" in words
    assert "no finite ends" in words
    assert "not said" in words
    formula = "<i>W</i><sub>Q</sub>ᵀ<i>W</i><sub>K</sub> &amp; <i>n</i><sub>h</sub> &lt; d_prime</td>"
    assert formula in page, "without the note on the scale"


def test_texts_are_escaped(manifest, items):
    page = render(manifest, [*items, made_item(HOSTILE, [claim(HOSTILE, "x", paper=HOSTILE, measured=HOSTILE)])], {})
    assert "<script" not in page
    assert "<b>" not in page
    assert HOSTILE in plain(page)


def test_the_quick_scale_is_flagged_and_the_paper_s_is_not(manifest, items):
    quick = plain(render(manifest, items, {}))
    assert "Quick scale: not the paper's." in quick
    manifest["settings"]["scale"]["name"] = "paper"
    assert "not the paper's" not in plain(render(manifest, items, {}))


def test_where_when_and_with_what(manifest, items):
    page = plain(render(manifest, items, {}, 7300.0))
    for words in (
        "2026-01-02 03:04 UTC",
        "slotfree 9.8.7",
        "Python 3.12",
        "numpy 2.0, scipy 1.13",
        "2.0 h on one core",
    ):
        assert words in page
    assert "Abacus" in page
    assert "Simulation" not in plain(render(manifest, items, {})), "a cost that is not known is left out"


def test_commands_repeat_the_settings(manifest, items):
    page = plain(render(manifest, items, {}))
    assert "slotfree reproduce fig4 --scale quick --seed 5 --out fig4-again" in page
    manifest["settings"]["scale"]["name"] = "paper"
    manifest["settings"]["seed"] = 0
    assert "slotfree reproduce fig4 --out fig4-again" in plain(render(manifest, items, {}))


def test_missing_items_are_named_with_the_command_that_adds_them(manifest, items):
    page = plain(render(manifest, items, {}))
    missing = [name for name in NAMES if name not in ("fig4", "fig7", "tableS1")]
    assert f"Not in this report: {', '.join(WORDS[name].name for name in missing)}." in page
    assert f"slotfree reproduce {' '.join(missing)} --scale quick --seed 5" in page
    assert "Not in this report" not in plain(render(manifest, [made_item(name, []) for name in NAMES], {}))


def test_items_without_words_and_figures_do_not_break_the_page(manifest):
    page = plain(render(manifest, [made_item("figS99", [claim("figS99", "new")])], {}))
    assert "What figS99 shows" in page
    assert "Its figure is not in the directory." in page
    assert "0 of 0 claims hold" in plain(render(manifest, [], {}))


def test_the_same_results_give_the_same_bytes(directory):
    write_report(directory)
    first = (directory.path / "report.html").read_bytes()
    write_report(directory)
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
    assert core_seconds_of([*shared, made_item("figS2", [])]) is None
    assert core_seconds_of([]) is None


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


def test_intervals_and_times():
    ends = [None, [0.5, None], [None, -0.5], [0.25, 1.0], [None, None]]
    assert [numbers.interval(e) for e in ends] == ["", "≥ 0.5", "≤ −0.5", "0.25 to 1", "no finite ends"]
    times = [0.04, 54.1, 99.4, 150.0, 8000.0]
    assert [numbers.duration(t) for t in times] == ["0.0 s", "54 s", "99 s", "2.5 min", "2.2 h"]
    assert [numbers.shown(v, "none") for v in (None, True, "as printed", 16)] == ["none", "yes", "as printed", "16"]


def test_every_item_has_two_sentences_and_its_figure_in_words():
    assert set(NAMES) <= set(WORDS)
    for name, words in WORDS.items():
        assert len(re.findall(r"[.!?](?=\s|$)", words.text)) == 2, name
        assert words.text.endswith("."), name
        assert len(words.alt) > 80, name
    assert words_for("figS99", "What it shows").text == "What it shows."


def test_findings_point_to_items_and_have_one_to_four_sentences():
    for finding in (finding for group in FINDINGS.values() for finding in group):
        assert set(finding.items) <= set(WORDS), finding.title
        assert 1 <= len(re.findall(r"[.!?](?=\s|$)", finding.text)) <= 3, finding.title
        assert len({len(row) for row in finding.table}) <= 1, finding.title
