from matplotlib.figure import Figure

from slotfree.drawing.picture import Picture


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
