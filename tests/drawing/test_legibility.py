"""The checks of figures find what they look for."""

import matplotlib as mpl
import numpy as np
import pytest
from legibility import touching_words, words_on_curves

from slotfree.drawing.picture import Picture
from slotfree.drawing.style import STYLE


@pytest.fixture(autouse=True)
def in_our_style():
    with mpl.rc_context(STYLE):
        yield


def test_words_that_touch_are_found():
    picture = Picture()
    axis = picture.axes[0, 0]
    axis.text(0.5, 0.5, "one")
    axis.text(0.51, 0.51, "two")
    axis.text(0.1, 0.1, "three")
    assert touching_words(picture.figure) == [("one", "two")]


def test_names_on_an_axis_that_touch_are_found():
    picture = Picture(width=3)
    axis = picture.axes[0, 0]
    axis.set_xticks(range(4), ["Baseline, published"] * 4)
    assert touching_words(picture.figure)
    axis.set_xticks(range(4), ["QK"] * 4)
    assert touching_words(picture.figure) == []


def test_numbers_of_neighbouring_panels_are_apart_only_with_the_room_of_our_style():
    def panels():
        picture = Picture(1, 2, width=5, sharey=True)
        for axis in picture.axes[0]:
            axis.set(xlim=(0, 1000), xticks=(0, 1000))
        return touching_words(picture.figure)

    assert panels() == []
    with mpl.rc_context({"figure.constrained_layout.w_pad": mpl.rcParamsDefault["figure.constrained_layout.w_pad"]}):
        assert panels() == [("1000", "0")]


@pytest.mark.parametrize("style", ["o", "-"])
def test_points_and_curves_behind_words_are_found(style):
    picture = Picture()
    axis = picture.axes[0, 0]
    axis.plot(np.linspace(0, 2, 200), np.ones(200), style, label="level")
    axis.set_ylim(0, 2)
    axis.legend(loc="upper left")
    assert words_on_curves(picture.figure) == []
    axis.text(1, 1, "on it", ha="center", va="center")
    assert words_on_curves(picture.figure) == ["on it"]
    axis.set_ylim(0, 1.05)
    assert "level" in words_on_curves(picture.figure)
