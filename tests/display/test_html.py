from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from notebook_html import parsed, table_of, text_of
from recorded import check

from slotfree.display import svg
from slotfree.display.html import Html, badge, card, changed, html, listing, words

HOSTILE = '<script>alert("1")</script>&\'<b'
ANY_TEXT = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")).filter(lambda c: c not in "\ufffe\uffff")
)


@dataclass
class Thing:
    size: int
    share: float = 0.5
    name: str = "x"
    parts: tuple = ()
    more: list = field(default_factory=list)


@given(ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_whatever_a_text_holds_it_is_shown_as_it_is(title, name, value):
    tree = parsed(card(title, {name: value or "-"}, note=value))
    assert "".join(tree[0].itertext()) == title
    assert "".join(tree.find("table/tr/th").itertext()) == name
    assert "".join(tree.find("table/tr/td").itertext()) == (value or "-")


def test_nothing_that_is_passed_in_becomes_markup():
    made = [
        card(HOSTILE, {HOSTILE: HOSTILE, "thing": Thing(1, name=HOSTILE)}, note=HOSTILE),
        listing(HOSTILE, [HOSTILE], [[HOSTILE]], note=HOSTILE),
        badge(HOSTILE, "#000"),
        svg.share(0.5, alt=HOSTILE, below=HOSTILE),
        svg.curves([[0, 1]], high=1, alt=HOSTILE, below=HOSTILE),
        svg.histogram([0, 1], low=0, high=1, alt=HOSTILE, below=HOSTILE),
        svg.interval(1.0, (0, 2), (0, 1), alt=HOSTILE),
    ]
    for each in made:
        assert "<script" not in each
        assert "<b" not in each.replace("<b>", "")
        parsed(each)


def test_html_that_was_made_here_is_left_alone():
    word = badge("confirmed", "#0a57a3")
    assert isinstance(word, Html)
    assert html(word) is word
    assert parsed(card("x", {"verdict": word})).find("table/tr/td/span").text == "confirmed"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (12345, "12,345"),
        (True, "True"),
        (None, "None"),
        (0.1 + 0.2, "0.3"),
        ((1, 2), "1, 2"),
        ([], "none"),
        (list(range(15)), "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, and 3 more"),
        (Thing(5000), "Thing(size=5,000, share=0.5, name=x)"),
        (Thing(5000, parts=(1,)), "Thing(size=5,000, share=0.5, name=x, parts=1)"),
    ],
)
def test_values_are_shown_as_people_read_them(value, shown):
    assert words(value) == shown


def test_what_is_long_or_cannot_be_shown_does_no_harm():
    class Broken:
        def __str__(self):
            raise RuntimeError

    assert words(Broken()) == "a Broken"
    assert len(words("x" * 10_000)) == 300
    assert changed(Thing(np.arange(3), parts=np.arange(3))).keys() == {"size", "parts"}


def test_what_is_empty_is_left_out():
    assert table_of(card("x", {"a": "", "b": 0, "c": "-"})) == {"b": "0", "c": "-"}
    assert parsed(card("x", {})).find("table") is None


def test_a_listing_has_a_header_and_rows():
    tree = parsed(listing("Two", ("a", "b"), [(1, "x"), (2, "y")], note="done"))
    assert [[cell.text for cell in row] for row in tree.iter("tr")] == [["a", "b"], ["1", "x"], ["2", "y"]]
    assert text_of(listing("Two", ("a",), [])) == "Two a"


def places(element):
    return np.array([[float(x) for x in point.split(",")] for point in element.get("points").split()])


def test_a_curve_is_drawn_from_0_to_the_highest():
    picture = parsed(svg.curves([0, 0.5, 1, 1], high=1, alt="", below="4"))
    (line,) = picture.iter("polyline")
    (last,) = (text for text in picture.iter("text") if text.text == "4")
    assert (last.get("x"), last.get("text-anchor")) == (f"{svg.EDGE + svg.WIDTH:.1f}", "end")
    x, y = places(line).T
    np.testing.assert_allclose(y, svg.HEIGHT + 5 - np.array([0, 0.5, 1, 1]) * svg.HEIGHT)
    assert (np.diff(x) > 0).all()


def test_long_curves_are_thinned_to_means_and_many_to_a_few():
    rows = np.tile([0.0, 1.0], (30, 5000))
    lines = list(parsed(svg.curves(rows, high=1, alt="", below="")).iter("polyline"))
    assert len(lines) == 20
    y = places(lines[0])[:, 1]
    assert len(y) == 100
    np.testing.assert_allclose(y, 5 + svg.HEIGHT / 2)
    svg.curves(np.full((1, 3), np.nan), high=1, alt="", below="")


def test_bars_are_as_high_as_numbers_are_frequent():
    values = [0.01] * 10 + [0.99] * 5
    bars = list(parsed(svg.histogram(values, low=0, high=1, alt="", below="")).iter("rect"))
    assert [float(bar.get("height")) for bar in bars] == [svg.HEIGHT, svg.HEIGHT / 2]


def test_an_interval_is_drawn_beside_its_limits():
    tree = parsed(svg.interval(0.8, (0.7, 0.9), (0.5, np.inf), alt=""))
    band = tree.find("rect")
    left, right = float(band.get("x")), float(band.get("x")) + float(band.get("width"))
    dot = float(tree.find("circle").get("cx"))
    assert left < dot < right
    assert right == svg.EDGE + svg.WIDTH
    below = parsed(svg.interval(0.2, (0.1, 0.3), (0.5, np.inf), alt=""))
    assert float(below.find("circle").get("cx")) < float(below.find("rect").get("x"))
    assert svg.interval(np.nan, (np.nan, np.nan), (0, 1), alt="") is None
    parsed(svg.interval(0.0, (0.0, 0.0), (0.0, 0.0), alt=""))


def test_pictures_are_as_recorded():
    """Two curves, bars, a share and an interval, each mark in its place."""
    found = {
        "curves": svg.curves([[0, 0.5, 1, 0.25], [1, np.nan, 0, np.inf]], high=2, alt="two curves", below="4"),
        "histogram": svg.histogram([0.0, 0.3, 0.31, 2.0], low=0, high=1, alt="bars", below="share"),
        "share": svg.share(0.3, alt="a part", below="30 %"),
        "interval": svg.interval(0.8, (0.7, 0.9), (0.5, np.inf), alt="an interval"),
        "point": svg.interval(2.0, (np.nan, np.nan), (2.0, 2.0), alt="a number"),
    }
    check(Path(__file__).with_name("pictures.json"), {name: str(picture) for name, picture in found.items()})
