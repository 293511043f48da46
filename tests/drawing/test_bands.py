import numpy as np
import xarray as xr

from slotfree.drawing.bands import band, spread
from slotfree.drawing.picture import Picture

RUNS = xr.DataArray([[0.0, 0.2, 0.4], [0.0, 0.4, 0.8]], {"stored": [1, 10, 100]}, ("run", "stored"))


def test_the_mean_is_drawn_and_recorded_with_its_error():
    picture = Picture()
    axis = picture.axes[0, 0]
    band(picture, axis, RUNS, "red", "seen", row={"memory": "mine"}, columns=("stored", "share", "error"))
    (line,) = axis.get_lines()
    np.testing.assert_allclose(line.get_ydata(), [0, 0.3, 0.6])
    assert line.get_label() == "seen"
    assert [list(row.values()) for row in picture.tables[""]] == [
        ["mine", 1, 0.0, 0.0],
        ["mine", 10, 0.3, 0.1],
        ["mine", 100, 0.6, 0.2],
    ]


def test_a_band_may_show_the_spread_of_runs_and_leave_the_table_alone():
    picture = Picture()
    band(picture, picture.axes[0, 0], RUNS, "red", "", deviation=True, row={}, table="-spread")
    band(picture, picture.axes[0, 0], RUNS, "red", "", row=None)
    np.testing.assert_allclose([row["standard_error"] for row in picture.tables["-spread"]], spread(RUNS), atol=1e-6)
    assert list(picture.tables) == ["-spread"]


def test_a_logarithmic_axis_leaves_zero_out():
    picture = Picture()
    axis = picture.axes[0, 0]
    axis.set_yscale("log")
    band(picture, axis, RUNS, "red", "", row=None)
    assert np.isnan(axis.get_lines()[0].get_ydata()).tolist() == [True, False, False]
    assert [len(path.vertices) > 0 for path in axis.collections[0].get_paths()] == [True]
    assert axis.collections[0].get_paths()[0].vertices[:, 0].min() == 10


def test_one_run_has_no_spread():
    picture = Picture()
    band(picture, picture.axes[0, 0], RUNS[:1], "red", "", row={})
    assert np.isnan([row["standard_error"] for row in picture.tables[""]]).all()
