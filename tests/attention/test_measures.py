"""Measures of training, by hand."""

import numpy as np
import pytest
import xarray as xr

from slotfree.attention.measures import ending, half_times, learnt_at, smoothed


def test_endings_and_the_iteration_of_learning():
    runs = xr.DataArray(np.array([[0.5] * 50 + [1.0] * 50, [0.5] * 100]), dims=("run", "iteration"))
    np.testing.assert_allclose(ending(runs), [1.0, 0.5])
    np.testing.assert_allclose(smoothed(runs).values, [[0.5, 0.5, 1, 1], [0.5] * 4])
    assert smoothed(runs)["iteration"].values.tolist() == [0, 25, 50, 75]
    np.testing.assert_allclose(learnt_at(runs), [50, np.inf])


def test_the_order_of_dimensions_does_not_matter():
    accuracy = np.full((3, 2, 200), 0.5)
    accuracy[0, 0, 50:] = accuracy[1, 0, 75:] = accuracy[2, 1, 100:] = 1
    runs = xr.DataArray(accuracy, dims=("run", "model", "iteration"))
    for given in (runs, runs.transpose("iteration", "run", "model"), runs.transpose("run", "iteration", "model")):
        assert learnt_at(given).tolist() == [[50, np.inf], [75, np.inf], [np.inf, 100]]
    assert learnt_at(runs[0].T).tolist() == [50, np.inf]
    assert learnt_at(runs[1, 0]) == 75


def test_what_has_no_blocks_of_iterations_is_an_error():
    with pytest.raises(TypeError, match="accuracy must be a DataArray with the dimension iteration, not a ndarray"):
        learnt_at(np.ones((2, 100)))
    for sizes in ({"run": 2, "iteration": 24}, {"run": 2, "step": 100}):
        with pytest.raises(ValueError, match=f"accuracy must have at least 25 along iteration, not the sizes {sizes}"):
            learnt_at(xr.DataArray(np.ones(tuple(sizes.values())), dims=tuple(sizes)))
    with pytest.raises(ValueError, match=r"level must be a number in \(0, 1\], not 2"):
        learnt_at(xr.DataArray(np.ones((2, 100)), dims=("run", "iteration")), 2)


def test_half_times():
    contrast = xr.Dataset({"contrast": (("run", "structure", "measured"), [[[0, 1, 3, 4.0], [0, 0, 0, 8.0]]])})
    times = half_times(contrast.assign_coords(structure=["a", "b"], measured=[0, 10, 20, 30]))
    assert times["a"] == [20]
    assert times["b"] == [30]
