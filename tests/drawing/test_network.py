import doctest

import numpy as np
import pytest
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_rgb

from slotfree.drawing import network
from slotfree.drawing.picture import Picture
from slotfree.drawing.style import BLUE, ORANGE


@pytest.fixture
def axis():
    found = Picture(width=3, height=3).axes[0, 0]
    network.canvas(found, 30, 30)
    return found


def drawn(axis, kind):
    return [collection for collection in axis.collections if isinstance(collection, kind)]


def test_the_example_runs():
    assert doctest.testmod(network).failed == 0


def test_a_shade_is_white_at_0_and_full_at_the_limit():
    shade = network.SIGNED
    assert shade.colour(0, 2) == (1, 1, 1)
    assert shade.colour(2, 2) == pytest.approx(to_rgb(BLUE))
    assert shade.colour(-5, 2) == pytest.approx(to_rgb(ORANGE))
    assert shade.colour(1, 2) == pytest.approx((1 + np.array(to_rgb(BLUE))) / 2)


def test_units_stand_in_a_row_around_their_place(axis):
    down = network.layer(axis, [0, 1, 0.5], 10, 20, radius=1, gap=1)
    assert down.places == ((10, 23), (10, 20), (10, 17))
    assert (down.left, down.right, down.top, down.bottom) == ((9, 20), (11, 20), (10, 24), (10, 16))
    across = network.layer(axis, [0, 1, 0.5], 10, 20, radius=1, gap=1, across=True)
    assert across.places == ((7, 20), (10, 20), (13, 20))
    colours = [patch.get_facecolor()[:3] for patch in axis.patches[:3]]
    assert colours == [network.ACTIVITY.colour(value, 1) for value in (0, 1, 0.5)]


def test_words_in_units_are_read_on_dark_ones(axis):
    network.layer(axis, [0, 1], 10, 20, words="ab")
    assert [(text.get_text(), text.get_color()) for text in axis.texts] == [("a", "#333333"), ("b", "#FFFFFF")]


def test_a_matrix_has_a_cell_for_each_number(axis):
    part = network.cells(axis, [[1, -2, 0], [0, 2, np.nan]], 10, 10, size=2, missing="#123456", write="{:.0f}".format)
    assert (part.x0, part.y0, part.x1, part.y1) == (7, 8, 13, 12)
    (squares,) = drawn(axis, PolyCollection)
    expected = [network.SIGNED.colour(value, 2) for value in (1, -2, 0, 0, 2)] + [to_rgb("#123456")]
    np.testing.assert_allclose(squares.get_facecolor()[:, :3], expected)
    first = squares.get_paths()[0].get_extents()
    assert (first.x0, first.y0, first.x1, first.y1) == (7, 10, 9, 12), "the first number is at the upper left"
    assert [text.get_text() for text in axis.texts] == ["1", "-2", "0", "0", "2"]


def test_rows_and_columns_of_a_matrix(axis):
    part = network.cells(axis, np.ones((2, 3)), 10, 10, size=2)
    assert network.row(part, 2, 1) == network.Part(7, 8, 13, 10)
    assert network.column(part, 3, 2) == network.Part(11, 8, 13, 12)


def test_a_vector_is_a_column(axis):
    part = network.cells(axis, [1, 2, 3], 10, 10, size=2)
    assert (part.x1 - part.x0, part.y1 - part.y0) == (2, 6)


def test_connections_are_as_wide_as_their_weights_and_run_from_rim_to_rim(axis):
    source = network.layer(axis, [1, 1], 5, 15, radius=1, gap=2)
    target = network.layer(axis, [1], 15, 17, radius=1)
    network.connect(axis, source, target, [[0.5, 0.0]], limit=1, widest=2)
    (lines,) = drawn(axis, LineCollection)
    (segment,) = lines.get_segments()
    np.testing.assert_allclose(segment, [[6, 17], [14, 17]])
    assert lines.get_linewidths() == [1.0]
    np.testing.assert_allclose(lines.get_colors()[0, :3], network.SIGNED.colour(0.5, 1))


def test_weights_of_other_layers_are_refused(axis):
    layer = network.layer(axis, [1, 1], 5, 15)
    with pytest.raises(ValueError, match=r"weights must have the shape \(2, 2\)"):
        network.connect(axis, layer, layer, np.ones((2, 3)))


@pytest.mark.parametrize("bend", [0.0, 0.3, -0.3])
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_label_stands_beside_its_arrow(axis, bend, side):
    network.arrow(axis, (5, 10), (15, 10), "W", bend=bend, side=side)
    (label,) = axis.texts
    assert label.get_position() == pytest.approx((10, 10 + side - 5 * bend))


def test_numbers_for_small_places():
    shown = {0.5: ".50", -0.5: "−.50", 1.25: "1.25", -2.0: "−2.00", 0.001: "0", -0.001: "0", 10.5: "10.50"}
    assert {value: network.signed(value) for value in shown} == shown


def test_a_rectangle_around_parts():
    parts = (network.Part(0, 1, 2, 3), network.Part(-1, 2, 1, 5))
    assert network.around(*parts) == network.Part(-1, 1, 2, 5)
    assert network.around(*parts).centre == (0.5, 3)


def test_names_of_units_and_columns(axis):
    units = network.layer(axis, [0, 1], 10, 20, radius=1, gap=1)
    network.name_units(axis, units, "ab", dx=-2)
    part = network.cells(axis, np.ones((2, 2)), 10, 10, size=2)
    network.name_columns(axis, part, "cd")
    places = {text.get_text(): text.get_position() for text in axis.texts}
    assert places == {"a": (8, 21.5), "b": (8, 18.5), "c": (9, 7), "d": (11, 7)}


def test_what_cannot_be_drawn_is_refused(axis):
    with pytest.raises(ValueError, match=r"values must be the activity of each unit, \(n,\), not of shape \(0,\)"):
        network.layer(axis, [], 5, 5)
    with pytest.raises(ValueError, match="words must be one for each of 2 units, not 1"):
        network.layer(axis, [0, 1], 5, 5, words=["a"])
    units = network.layer(axis, [0, 1], 5, 5)
    with pytest.raises(ValueError, match="target must be a layer beside source"):
        network.connect(axis, units, units, np.ones((2, 2)))
