from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest
import xarray as xr

from slotfree.drawing import ages
from slotfree.drawing.picture import Picture


@dataclass
class Model:
    name: str
    label: str
    colour: str


A, B = Model("a", "memory A", "#FF0000"), Model("b", "memory B", "#0000FF")


def samples(values):
    return xr.DataArray(np.asarray(values, float), {"age": np.arange(1, np.shape(values)[1] + 1)}, ("sample", "age"))


def test_curves_are_drawn_and_recorded_at_their_means():
    picture = Picture()
    axis = picture.axes[0, 0]
    values = samples(np.vstack([np.full(1000, 0.4), np.full(1000, 0.6)]))
    ages.by_age(picture, axis, values, "#000000", "label", row={"model": "m"})
    faint, solid = axis.lines
    assert len(faint.get_xdata()) == 1000
    np.testing.assert_allclose(solid.get_ydata(), 0.5)
    band = axis.collections[0].get_paths()[0].vertices[:, 1]
    np.testing.assert_allclose([band.min(), band.max()], [0.4, 0.6])
    assert len(picture.tables[""]) == 1000
    assert picture.tables[""][6] == {"model": "m", "age": 7, "mean": 0.5, "standard_error": 0.1}


def line_of(values):
    picture = Picture()
    ages.by_age(picture, picture.axes[0, 0], values, "#000000", "", every_age=False, row={})
    (line,) = picture.axes[0, 0].lines
    return line.get_xdata(), line.get_ydata()


def by_position(values):
    """Centres and means of ages 1 to n, as the figures of the paper were drawn first: by place."""
    n = values.shape[1]
    edges = np.unique(np.geomspace(1, n + 1, max(int(16 * np.log10(n)) + 1, 2)).round().astype(int))
    binned = np.array([np.nansum(values[:, a - 1 : b - 1].T, axis=0) / (b - a) for a, b in pairwise(edges)]).T
    return np.sqrt(edges[:-1] * (edges[1:] - 1.0)), np.nansum(binned, axis=0) / len(values)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 10, 40, 99, 100, 1000, 1001, 5000])
def test_all_ages_from_1_on_are_drawn_as_ever(n):
    values = np.random.default_rng(n).random((7, n))
    for found, expected in zip(line_of(samples(values)), by_position(values), strict=True):
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    "chosen",
    [np.arange(11, 31), np.arange(2.5, 100, 4), np.array([1, 10, 100, 1000]), np.array([500]), np.arange(30, 10, -1)],
    ids=["a part", "coarse", "few", "one", "backwards"],
)
def test_curves_stand_at_their_ages(chosen):
    values = xr.DataArray(np.tile(chosen, (3, 1)).astype(float), {"age": chosen}, ("run", "age"))
    x, y = line_of(values)
    assert chosen.min() <= x.min() <= x.max() <= chosen.max()
    assert (np.diff(x) > 0).all()
    np.testing.assert_allclose(x, y, rtol=0.02, err_msg="what is drawn is the age itself")


def test_accuracies_of_each_memory_and_kind():
    picture = Picture()
    kinds = {"real": ("-", "stored"), "uniform": (":", "random")}
    runs = xr.DataArray(
        np.broadcast_to(np.array([[[1.0], [2.0], [3.0]]]), (2, 3, 10)),
        {"kind": ["real", "pseudo", "uniform"], "age": np.arange(1, 11)},
        ("run", "kind", "age"),
    )
    row = {"model": "", "cue": "1", "kind": ""}
    pair = [(A, runs), (B, runs / 10)]
    ages.accuracies(picture, picture.axes[0, 0], pair, kinds=kinds, every_age=False, row=row)
    drawn = [(line.get_label(), line.get_linestyle(), line.get_ydata()[0]) for line in picture.axes[0, 0].lines]
    assert drawn == [
        ("memory A, stored", "-", 1),
        ("memory A, random", ":", 3),
        ("memory B, stored", "-", 0.1),
        ("memory B, random", ":", 0.3),
    ]
    first = [row for row in picture.tables[""] if row["age"] == 1]
    assert [(row["model"], row["cue"], row["kind"], row["mean"]) for row in first] == [
        ("a", "1", "real", 1),
        ("a", "1", "uniform", 3),
        ("b", "1", "real", 0.1),
        ("b", "1", "uniform", 0.3),
    ]


def test_compared_curves_are_marked_where_one_leads():
    """A leads at ages 1 to 4, B from 7 on."""
    picture = Picture()
    spread = np.linspace(-0.1, 0.1, 5)[:, None]
    levels = np.array([5, 5, 5, 5, 0, 0, -5, -5, -5, -5])
    ages.compared(
        picture,
        picture.axes[0, 0],
        [(A, samples(levels + spread)), (B, samples(spread + 0 * levels))],
        row={"model": ""},
    )
    *_, of_a, of_b = picture.axes[0, 0].collections
    for marks, expected in ((of_a, [1, 2, 3, 4]), (of_b, [7, 8, 9, 10])):
        assert [segment[:, 0].mean() for segment in marks.get_segments()] == expected


def test_rows_have_letters_and_columns_cue_levels():
    picture = Picture(2, 2)
    ages.columns_by_cue(picture, (1.0, 0.5), 100)
    assert [axis.get_title(loc="left") for axis in picture.axes.flat] == ["A", "", "B", ""]
    assert [axis.get_title() for axis in picture.axes.flat] == ["100% cues", "50% cues", "", ""]
    assert [axis.get_xlabel() != "" for axis in picture.axes.flat] == [False, False, True, True]
