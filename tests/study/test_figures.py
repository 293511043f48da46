"""Figures for a talk and for a paper: the files, their captions, and type that is larger or smaller and still fits."""

import pytest
from legibility import touching_words
from matplotlib.backends.backend_agg import FigureCanvasAgg
from small_studies import HIGH, LOW, drawn, item, run, study

from slotfree.drawing.picture import Picture
from slotfree.study.figures import set_type, write_figures


def a_picture():
    """Two panels with titles, words within, and a legend with a note below."""
    picture = Picture(1, 2, width=8.5, height=3)
    for letter, axis in zip("AB", picture.axes[0], strict=True):
        for name in (
            "K-winner MHN, stored",
            "K-winner MHN, never stored",
            "1-winner MHN, stored",
            "1-winner, never stored",
        ):
            axis.plot([0, 1], [0, 1], label=name)
        axis.set(xlabel="memory age", ylabel="accuracy")
        axis.text(0.2, 0.5, "within")
        picture.panel(axis, letter, "A title of a usual length")
    picture.legend_below(picture.axes[0, 0], 4, "lines and bands: neighbouring ages averaged, mean ± 1 s.e.; " * 2)
    return picture


def sizes(picture):
    axis = picture.axes[0, 0]
    (legend,) = picture.figure.legends
    words = (axis.title, axis.xaxis.label, axis.get_xticklabels()[0], legend.get_texts()[0], legend.get_title())
    return [word.get_fontsize() for word in words], axis.texts[0].get_fontsize()


@pytest.mark.parametrize("factor", [0.85, 1.3])
def test_type_grows_or_shrinks_and_still_fits(factor):
    usual, (picture) = sizes(a_picture()), a_picture()
    set_type(picture.figure, factor)
    canvas = FigureCanvasAgg(picture.figure)
    canvas.draw()
    found = sizes(picture)
    assert found[0] == pytest.approx([factor * size for size in usual[0]])
    assert found[1] == usual[1], "words within panels stand where there is room for them as they are"
    (legend,) = picture.figure.legends
    box = legend.get_window_extent(canvas.get_renderer())
    assert box.x0 >= 0
    assert box.x1 <= picture.figure.bbox.width
    assert touching_words(picture.figure) == []


def test_a_title_grows_only_as_far_as_there_is_room():
    picture = Picture(1, 3, width=8.5, height=3)
    axis = picture.axes[0, 0]
    picture.panel(axis, "A", "b = 5, mean similarity 0.44 (inset)")
    before = axis.title.get_fontsize()
    set_type(picture.figure, 1.3)
    assert axis.title.get_fontsize() == before


def test_each_figure_has_its_caption_and_runs_are_kept(tmp_path):
    chosen = study(item("first", HIGH, alt="A line."), item("second", LOW), item("third", LOW, draw=None, alt=""))
    run(chosen, tmp_path / "results", "first")
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "results" / "units").rglob("*.safetensors")}
    assert kept
    written = list(write_figures(chosen, (), "talk", tmp_path / "out", results=tmp_path / "results", jobs=1))
    assert [path.name for path in written] == [f"{n}.{s}" for n in ("first", "second") for s in ("pdf", "png", "txt")]
    assert sorted(written) == sorted((tmp_path / "out").iterdir())
    assert (tmp_path / "out" / "first.pdf").read_bytes().startswith(b"%PDF")
    assert (tmp_path / "out" / "first.txt").read_text() == "first: Noise\n\nNumbers. They vary.\n\nIn words: A line.\n"
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    again = list(write_figures(chosen, ("first",), "paper", tmp_path / "paper", results=tmp_path / "results"))
    assert again[1].read_bytes() != written[1].read_bytes()


def test_a_kind_that_is_unknown_and_a_run_that_fails_are_errors(tmp_path):
    with pytest.raises(ValueError, match="kind must be 'talk' or 'paper', not 'poster'"):
        next(write_figures(study(), (), "poster", tmp_path / "out", results=tmp_path / "results"))
    broken = study(item("first", HIGH, draw=lambda r: drawn(LOW)(r)))
    with pytest.raises(KeyError, match="must name the experiment"):
        list(write_figures(broken, (), "talk", tmp_path / "out", results=tmp_path / "results"))
