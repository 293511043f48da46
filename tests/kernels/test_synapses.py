import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from slotfree.kernels.memory.synapses import first_bad_row, lay_out


@given(st.integers(1, 20), st.integers(1, 20), st.data())
def test_both_orders_describe_the_same_connections(n_v, n_h, data):
    m = data.draw(st.integers(1, n_v))
    rng = np.random.default_rng(data.draw(st.integers(0, 999)))
    inputs = np.array([rng.permutation(n_v)[:m] for _ in range(n_h)], np.uint32)
    mask = np.zeros((n_h, n_v), bool)
    np.put_along_axis(mask, inputs.astype(int), True, axis=1)

    start, units, place = np.zeros(n_v + 1, np.int64), np.empty(n_h * m, np.uint32), np.empty_like(inputs)
    lay_out(inputs, start, units, place, np.zeros(n_h, np.uint32))

    for i in range(n_h):
        np.testing.assert_array_equal(inputs[i], np.flatnonzero(mask[i]))
        np.testing.assert_array_equal(units[place[i]], i)
    for j in range(n_v):
        np.testing.assert_array_equal(units[start[j] : start[j + 1]], np.flatnonzero(mask[:, j]))
        assert set(np.arange(start[j], start[j + 1])) == set(place[inputs == j])
    assert first_bad_row(inputs, n_v) == -1


def test_bad_rows_are_found():
    rows = np.array([[0, 1], [2, 4], [1, 1], [2, 1]], np.uint32)
    assert first_bad_row(rows, 5) == 2
    assert first_bad_row(rows, 4) == 1
    assert first_bad_row(rows[3:], 9) == 0
