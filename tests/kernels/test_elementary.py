"""Elementary functions against those of NumPy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slotfree.kernels.arithmetic.elementary import angle_of, cos_sin, exp_of, exponential, log_of
from slotfree.kernels.compile import kernel


@kernel
def of_all(x, y, logs, exps, angles, cosines, sines):
    for i in range(x.size):
        logs[i], exps[i], angles[i] = log_of(abs(x[i]) + 1e-300), exp_of(x[i]), angle_of(y[i], x[i])
        cosines[i], sines[i] = cos_sin(x[i])


def values(x, y):
    out = np.empty((5, len(x)))
    of_all(x, y, *out)
    return out


@pytest.mark.parametrize("scale", [1e-12, 1e-3, 1.0, 20.0, 600.0])
def test_they_are_those_of_numpy(scale):
    x, y = scale * np.random.default_rng(0).uniform(-1, 1, (2, 5000))
    logs, exps, angles, cosines, sines = values(x, y)
    np.testing.assert_allclose(logs, np.log(np.abs(x)), rtol=1e-15, atol=1e-15)
    np.testing.assert_allclose(exps, np.exp(x), rtol=1e-15)
    np.testing.assert_allclose(angles, np.arctan2(y, x), rtol=1e-15, atol=1e-15)
    np.testing.assert_allclose(cosines, np.cos(x), atol=3e-15)
    np.testing.assert_allclose(sines, np.sin(x), atol=3e-15)


def test_at_the_borders_of_their_ranges():
    x = np.array([0.0, 0.0, -1.0, 1.0, -1.0, np.pi / 4, np.pi / 2, -np.pi, 1e5, -800.0, 800.0])
    y = np.array([0.0, -2.0, 0.0, 1.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    _, exps, angles, cosines, sines = values(x, y)
    np.testing.assert_allclose(angles, np.arctan2(y, x), atol=1e-15)
    np.testing.assert_allclose(cosines, np.cos(x), atol=1e-13)
    np.testing.assert_allclose(sines, np.sin(x), atol=1e-13)
    np.testing.assert_allclose(exps[-2:], np.exp([-700.0, 700.0]))


@settings(max_examples=500)
@given(st.floats(-708, 709))
def test_the_exponential_is_within_two_units_of_the_last_place(x):
    """One more than it says: NumPy's own may be one off."""
    assert abs(exponential(x) - np.exp(x)) <= 3 * np.spacing(np.exp(x))


def test_known_exponentials():
    assert exponential(0.0) == exponential(-0.0) == 1
    assert exponential(-5e-324) == 1
    assert exponential(-708.0) > 0
    assert exponential(np.nextafter(-708.0, -1e3)) == exponential(-1e6) == exponential(-np.inf) == 0
    assert np.isnan(exponential(np.nan))


def test_the_exponential_grows():
    values = [exponential(x) for x in np.linspace(-40, 0, 20_001)]
    assert (np.diff(values) > 0).all()
