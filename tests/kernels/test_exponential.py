"""The exponential function of what is not positive, against that of NumPy."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from slotfree.kernels.exponential import exponential


@settings(max_examples=500)
@given(st.floats(-708, 0))
def test_within_two_units_of_the_last_place(x):
    """One more than it says: NumPy's own may be one off."""
    assert abs(exponential(x) - np.exp(x)) <= 3 * np.spacing(np.exp(x))


def test_known_values():
    assert exponential(0.0) == exponential(-0.0) == 1
    assert exponential(-5e-324) == 1
    assert exponential(-708.0) > 0
    assert exponential(np.nextafter(-708.0, -1e3)) == exponential(-1e6) == exponential(-np.inf) == 0
    assert np.isnan(exponential(np.nan))


def test_it_grows():
    values = [exponential(x) for x in np.linspace(-40, 0, 20_001)]
    assert (np.diff(values) > 0).all()
