from types import SimpleNamespace

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from legibility import touching_words
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_rgba
from small import Echo

import slotfree as sf
from slotfree import drawing
from slotfree.drawing import grids
from slotfree.drawing.grids import grid_shape
from slotfree.memory import Willshaw


class Fixed:
    """A memory that recalls one pattern, whatever the cue is; it remembers the cue."""

    def __init__(self, recalled):
        self.recalled = np.asarray(recalled, np.uint8)

    def store(self, patterns):
        pass

    def retrieve(self, cues):
        self.cue = cues[0].copy()
        return np.tile(self.recalled, (len(cues), 1))


def drawn(axis, colour):
    """The units that are drawn in a colour, as (column, row), by what they are drawn as."""
    found = {"filled": set(), "outlined": set(), "crossed": set()}
    for collection in axis.collections:
        is_square = isinstance(collection, PolyCollection)
        colours = collection.get_edgecolor() if len(collection.get_edgecolor()) else collection.get_facecolor()
        if not len(colours) or tuple(colours[0]) != to_rgba(colour):
            continue
        kind = "crossed" if isinstance(collection, LineCollection) else "outlined"
        if is_square and len(collection.get_facecolor()):
            kind = "filled"
        for path in collection.get_paths():
            low, high = path.vertices.min(axis=0), path.vertices.max(axis=0)
            found[kind].add(tuple(np.round((low + high) / 2).astype(int).tolist()))
    return found


def places(units, columns):
    return {(int(unit % columns), int(unit // columns)) for unit in units}


@given(st.data())
def test_hits_missed_and_false_ones_are_the_sets_that_they_should_be(data):
    n = data.draw(st.sampled_from([1, 9, 20, 60]))
    bits = st.lists(st.integers(0, 1), min_size=n, max_size=n)
    x, cue, recalled = (np.array(data.draw(bits), np.uint8) for _ in range(3))
    picture = drawing.show_recall(Fixed(recalled), x, cue=cue)
    stored, found = set(np.flatnonzero(x).tolist()), set(np.flatnonzero(recalled).tolist())
    (row,) = picture.tables[""]
    assert (row["hits"], row["missed"], row["false"]) == (len(stored & found), len(stored - found), len(found - stored))
    assert row["ones"] == len(stored)
    assert row["cue_ones"] == cue.sum()
    if stored:
        assert row["accuracy"] == round(len(stored & found) / len(stored), 6)
    else:
        assert np.isnan(row["accuracy"])
    _, columns = grid_shape(n)
    axis = picture.axes[0, 2]
    assert drawn(axis, grids.HIT)["filled"] == places(np.array(sorted(stored & found)), columns)
    assert drawn(axis, grids.MISSED)["outlined"] == places(np.array(sorted(stored - found)), columns)
    assert drawn(axis, grids.FALSE)["crossed"] == places(np.array(sorted(found - stored)), columns)
    units = {row["unit"]: (row["pattern"], row["cue"], row["recalled"]) for row in picture.tables.get("-units", [])}
    assert units == {i: (x[i], cue[i], recalled[i]) for i in range(n) if x[i] or cue[i] or recalled[i]}


def test_a_fraction_is_drawn_by_partial_cues():
    x = sf.random_patterns(1, n_visible=100, k_visible=20, seed=1)[0]
    memory = Fixed(x)
    drawing.show_recall(memory, x, cue=0.3, seed=7)
    np.testing.assert_array_equal(memory.cue, sf.partial_cues(x, 0.3, seed=7))
    picture = drawing.show_recall(memory, x, cue=1)
    np.testing.assert_array_equal(memory.cue, x)
    assert picture.axes[0, 2].get_title() == "recalled: accuracy 1.00"
    assert "20 hits, 0 missed and 0 false ones, an accuracy of 1.00" in picture.alt


@pytest.mark.parametrize(
    "memory",
    [
        sf.KWinnerMHN(n_visible=60, n_hidden=40, k_visible=6, k_hidden=3, fan_in=0.3, seed=0),
        sf.StackedKWinner(60, 6, [{"n_units": 200, "k_units": 20, "fan_in": 0.2}], 40, 3, 0.3, seed=0),
        sf.ModernHopfield(n_visible=60, k_visible=6),
        Willshaw(n_visible=60, k_visible=6, fan_in=0.5, seed=0),
        Echo(0),
    ],
    ids=lambda memory: type(memory).__name__,
)
def test_every_memory_of_zeros_and_ones_is_shown_as_it_recalls(memory):
    patterns = sf.random_patterns(5, n_visible=60, k_visible=6, seed=1)
    memory.store(patterns)
    picture = drawing.show_recall(memory, patterns[-1], cue=0.5, seed=2)
    recalled = memory.retrieve(sf.partial_cues(patterns[-1:], 0.5, seed=2))[0]
    (row,) = picture.tables[""]
    assert row["hits"] == (recalled & patterns[-1]).sum()
    assert row["memory"] == type(memory).__name__
    assert type(memory).__name__ in picture.alt


def test_real_numbers_are_shown_with_their_cosine():
    x = np.sign(np.random.default_rng(0).normal(size=(3, 64)))
    memory = sf.ModernHopfield(n_visible=64, beta=4.0)
    memory.store(x)
    picture = drawing.show_recall(memory, x[0], cue=0.5, seed=1)
    units = picture.tables["-units"]
    cue = np.array([row["cue"] for row in units])
    assert (cue != 0).sum() == 32
    assert (cue[cue != 0] == x[0][cue != 0]).all()
    np.testing.assert_allclose([row["recalled"] for row in units], memory.retrieve(cue), atol=1e-6)
    assert picture.tables[""][0]["cosine"] == 1
    assert "32 of 64 numbers" in picture.alt
    whole = drawing.show_recall(memory, x[0], cue=x[1])
    assert whole.tables[""][0]["cosine"] == pytest.approx(x[0] @ x[1] / 64, abs=1e-3)


@pytest.mark.parametrize(
    ("n", "shape"), [(1, (1, 1)), (9, (3, 3)), (1000, (25, 40)), (100_000, (250, 400)), (7, (2, 4)), (997, (31, 33))]
)
def test_grids_are_as_square_as_can_be(n, shape):
    assert grid_shape(n) == shape
    rows, columns = shape
    assert (rows - 1) * columns < n <= rows * columns


def test_a_shape_may_be_given():
    picture = drawing.show_recall(Fixed([1, 0, 0, 1, 1, 0]), [1, 0, 0, 0, 0, 1], cue=1.0, shape=(2, 3))
    assert drawn(picture.axes[0, 0], grids.ONE)["filled"] == {(0, 0), (2, 1)}
    with pytest.raises(ValueError, match=r"shape must have rows × columns = 6, the units of a pattern, not \(2, 2\)"):
        drawing.show_recall(Fixed([1, 0, 0, 1, 1, 0]), [1, 0, 0, 0, 0, 1], shape=(2, 2))


@pytest.mark.parametrize(
    "shape", [(6,), (1, 2, 3), 5, "97", "6", (2.0, 3.0), (0, 6), (True, 6), [[2, 3]], [[1], [2, 3]], {2: 3}]
)
def test_a_shape_that_is_none_is_refused(shape):
    says = f"shape must be rows and columns, two integers ≥ 1 such as (25, 40), not {shape!r}"
    with pytest.raises((TypeError, ValueError)) as error:
        drawing.show_recall(Fixed([1, 0, 0, 1, 1, 0]), [1, 0, 0, 0, 0, 1], shape=shape)
    assert str(error.value) == says


def test_units_too_small_for_shapes_are_told_so():
    rng = np.random.default_rng(0)
    x, recalled = (rng.random((2, 50_000)) < 0.05).astype(np.uint8)
    picture = drawing.show_recall(Fixed(recalled), x)
    assert "too small" in picture.figure.legends[0].get_title().get_text()
    assert picture.tables[""][0]["hits"] == (x & recalled).sum()
    picture._repr_html_()


@pytest.mark.parametrize("n", [1, 9, 400, 1000])
def test_words_do_not_touch(n):
    with mpl.rc_context():
        picture = drawing.show_recall(Fixed(np.ones(n)), np.ones(n, np.uint8))
        assert touching_words(picture.figure) == []


def test_what_cannot_be_shown_is_refused():
    memory = sf.KWinnerMHN(n_visible=20, n_hidden=10, k_visible=2, k_hidden=1, fan_in=0.5, seed=0)
    x = np.zeros(20, np.uint8)
    x[:2] = 1
    cases = [
        (memory, np.zeros((2, 20)), 0.5, r"pattern must be one pattern, \(n_visible,\), not of the shape \(2, 20\)"),
        (memory, x + 1, 0.5, "pattern must hold only 0 and 1"),
        (memory, x, 1.5, r"cue must be a number in \[0, 1\], not 1.5"),
        (memory, x, x[:5], r"cue must have the shape \(20,\)"),
        (memory, x, x[None], "cue must be one pattern"),
        (sf.ModernHopfield(n_visible=20, n_values=3), x, 0.5, "memory must recall patterns of its own kind"),
        (sf.KeyValueMemory(20, 2, seed=0), x, 0.5, "memory must have the method retrieve"),
        (memory, x[:10], 0.5, r"pattern must have the shape \(20,\)"),
        (sf.ModernHopfield(n_visible=20), x[:10], 0.5, r"pattern must have the shape \(20,\)"),
        (memory, [[1, 0], [1]], 0.5, r"pattern must be one pattern, \(n_visible,\), not \[\[1, 0\], \[1\]\]"),
        (memory, x, [[1, 0], [1]], r"cue must be one pattern, \(n_visible,\), not \[\[1, 0\], \[1\]\]"),
        (sf.KWinnerMHN, [[1, 0], [1]], 7, r"memory must be a memory, such as KWinnerMHN\(...\) makes, not the class"),
        (None, [[1, 0], [1]], 7, "memory must have the method retrieve, not be None"),
        (SimpleNamespace(retrieve=abs), x, 0.5, "memory must have the method store, not be namespace"),
    ]
    for wrong, pattern, cue, message in cases:
        with pytest.raises((TypeError, ValueError), match=message):
            drawing.show_recall(wrong, pattern, cue=cue)
