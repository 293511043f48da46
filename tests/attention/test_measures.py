"""Measures of training, by hand."""

import numpy as np
import xarray as xr

from slotfree.attention.measures import ending, half_times, learnt_at, smoothed


def test_endings_and_the_iteration_of_learning():
    runs = xr.DataArray(np.array([[0.5] * 50 + [1.0] * 50, [0.5] * 100]), dims=("run", "iteration"))
    np.testing.assert_allclose(ending(runs), [1.0, 0.5])
    np.testing.assert_allclose(smoothed(runs).values, [[0.5, 0.5, 1, 1], [0.5] * 4])
    assert smoothed(runs)["iteration"].values.tolist() == [0, 25, 50, 75]
    np.testing.assert_allclose(learnt_at(runs), [50, np.inf])


def test_half_times():
    contrast = xr.Dataset({"contrast": (("run", "structure", "measured"), [[[0, 1, 3, 4.0], [0, 0, 0, 8.0]]])})
    times = half_times(contrast.assign_coords(structure=["a", "b"], measured=[0, 10, 20, 30]))
    assert times["a"] == [20]
    assert times["b"] == [30]
