import base64
import re
from html import unescape

import pytest
from matplotlib import rc_context
from matplotlib.figure import Figure

from slotfree.drawing import Picture


def small():
    picture = Picture(width=2, height=1)
    picture.axes[0, 0].plot([0, 1])
    return picture


def test_everything_is_placed_once_and_drawn_once_for_each_file(monkeypatch):
    picture = Picture(width=2, height=1)
    picture.axes[0, 0].set_ylabel("accuracy")
    drawn = []
    draw = Figure.draw
    monkeypatch.setattr(Figure, "draw", lambda figure, renderer: drawn.append(renderer) or draw(figure, renderer))
    left = picture.axes[0, 0].get_position().x0
    assert [suffix for suffix, _ in picture.files()] == ["svg", "png"]
    assert picture.axes[0, 0].get_position().x0 > left, "the label has its place"
    assert len(drawn) == 2


def test_a_notebook_shows_the_picture_with_its_words():
    picture = small()
    picture.alt = 'A line from 0 to 1, "<script>" & nothing else.'
    html = picture._repr_html_()
    found = re.fullmatch(r'<img src="data:image/png;base64,([^"]+)" alt="([^"]+)" style="([^"]+)">', html)
    assert base64.b64decode(found[1]).startswith(b"\x89PNG")
    assert unescape(found[2]) == picture.alt
    assert "<script" not in html
    assert "width: 192px; max-width: 100%" in found[3], "as wide as on paper, or as the page is"
    assert 'alt=""' not in small()._repr_html_()


def test_a_picture_is_its_words_on_a_terminal():
    picture = small()
    assert repr(picture) == "Picture of 1 by 1 panels"
    picture.alt = "A line."
    assert repr(picture) == "Picture: A line."


@pytest.mark.parametrize(
    ("name", "start"), [("a.png", b"\x89PNG"), ("a.SVG", b"<?xml"), ("a.pdf", b"%PDF"), ("b.c.png", b"\x89PNG")]
)
def test_the_suffix_says_how_a_picture_is_saved(tmp_path, name, start):
    small().save(tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(start)
    assert [file.name for file in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_the_same_picture_is_the_same_bytes(tmp_path, suffix):
    for name in "ab":
        small().save(f"{tmp_path}/{name}.{suffix}")
    first, second = (path.read_bytes() for path in sorted(tmp_path.iterdir()))
    assert first == second


def test_other_suffixes_are_refused_and_an_old_file_stays(tmp_path):
    path = tmp_path / "a.png"
    path.write_text("old")
    for name in ("a.jpg", "a", "a.png.bak"):
        with pytest.raises(ValueError, match=r"path must end in one of \.svg, \.png, \.pdf, not be '.*a"):
            small().save(tmp_path / name)
    broken = small()
    broken.axes[0, 0].set_xlabel("$\\frac{1}$")  # an error while it is drawn
    with pytest.raises(ValueError, match="frac"):
        broken.save(path)
    assert path.read_text() == "old"


def test_the_style_of_a_notebook_does_not_change_a_picture(tmp_path):
    small().save(tmp_path / "a.png")
    with rc_context({"axes.facecolor": "black", "savefig.dpi": 30, "font.size": 30}):
        picture = small()
        picture.save(tmp_path / "b.png")
    assert picture.figure.get_size_inches().tolist() == [2, 1]
    assert (tmp_path / "b.png").read_bytes()[16:24] == (tmp_path / "a.png").read_bytes()[16:24], "as many pixels"


def test_a_legend_has_as_many_columns_as_there_is_room_for():
    picture = Picture(width=4, height=1)
    lines = [picture.axes[0, 0].plot([0, 1], label=f"a curve with a rather long name {i}")[0] for i in range(6)]
    picture.explain(lines, "how it is drawn")
    legend = picture.figure.legends[0]
    assert legend._ncols == 1
    assert picture.figure.get_figheight() > 2
    picture._repr_html_()  # everything is placed
    box = legend.get_window_extent()
    assert box.width <= picture.figure.bbox.width
    assert box.y1 <= picture.axes[0, 0].get_window_extent().y0
