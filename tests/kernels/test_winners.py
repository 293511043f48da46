import numpy as np
import pytest
import twin
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats

from slotfree.kernels.arithmetic.winners import MAX_BUCKETS, break_ties, hash_inputs, k_winners, kth_largest, turn


def winners(drive, k, inputs):
    drive = np.asarray(drive, np.float64)
    inputs = np.asarray(inputs, np.uint32)
    out = np.full(len(drive) + 1, 2**32 - 1, np.uint32)
    values = np.full(len(drive), np.nan)
    k_winners(drive, k, inputs, out, values, np.full(MAX_BUCKETS, 99, np.int32))
    return out[:k]


FEW_LEVELS = st.lists(st.integers(0, 3).map(float), min_size=1, max_size=60)
ANY_DRIVES = st.lists(st.floats(0, 1e6, width=32), min_size=1, max_size=60)


@settings(max_examples=2000)
@given(st.one_of(FEW_LEVELS, ANY_DRIVES), st.data())
def test_same_as_sorting(drive, data):
    k = data.draw(st.integers(1, len(drive)))
    inputs = sorted(data.draw(st.sets(st.integers(0, 99), max_size=9)))
    np.testing.assert_array_equal(winners(drive, k, inputs), twin.k_winners(np.array(drive), k, inputs))


@pytest.mark.parametrize("n", [999, 1000, 2000, 20_001])
@pytest.mark.parametrize("shape", ["normal", "integers", "halving", "one giant", "many zeros", "all equal"])
def test_large_layers_of_any_shape(n, shape):
    rng = np.random.default_rng(n)
    drive = {
        "normal": lambda: rng.normal(5, 1, n).clip(0),
        "integers": lambda: rng.binomial(100, 0.1, n).astype(float),
        "halving": lambda: 2.0 ** -rng.integers(0, 140, n),
        "one giant": lambda: np.where(np.arange(n) == n // 2, 1e30, rng.random(n)),
        "many zeros": lambda: rng.random(n) * (rng.random(n) < 0.1),
        "all equal": lambda: np.full(n, 0.1),
    }[shape]()
    inputs = rng.choice(n, 50, replace=False)
    for k in (1, 2, n // 40, n // 2, n - 1, n):
        np.testing.assert_array_equal(winners(drive, k, inputs), twin.k_winners(drive, k, inputs))


@given(st.lists(st.floats(0, 2.0**100, width=32), min_size=1, max_size=50))
@example([0.0, 2.0**-149, 2.0**-148, 1.0, 2.0**127])
def test_kth_largest(values):
    for k in range(1, len(values) + 1):
        room = np.array(values)
        assert kth_largest(room, len(room), k, np.zeros(MAX_BUCKETS, np.int32)) == sorted(values)[-k]


def chi_square(wins):
    return ((wins - wins.mean()) ** 2 / wins.mean()).sum()


@pytest.mark.parametrize("n_inputs", [1, 2, 3, 10])
@pytest.mark.parametrize("n", [16, 50, 64])
def test_ties_favour_no_unit(n, n_inputs):
    """Over random inputs, each of n tied units must win equally often: chi-square, p = 0.0001."""
    rng = np.random.default_rng(n + n_inputs)
    wins = np.zeros(n)
    for _ in range(10_000):
        wins[winners(np.ones(n), 1, np.sort(rng.choice(100_000, n_inputs, replace=False)))] += 1
    assert chi_square(wins) < stats.chi2.isf(1e-4, n - 1)


def test_whichever_units_tie_each_is_as_likely_to_win():
    """Three neighbours and a distant one, two places."""
    rng = np.random.default_rng(0)
    drive = np.zeros(50)
    drive[[10, 11, 12, 40]] = 1.0
    wins = np.zeros(50)
    for _ in range(10_000):
        wins[winners(drive, 2, np.sort(rng.choice(1000, 5, replace=False)))] += 1
    assert wins.sum() == wins[[10, 11, 12, 40]].sum() == 20_000
    # Each wins in half of the trials: four standard deviations are 200.
    assert abs(wins[[10, 11, 12, 40]] - 5000).max() < 200


def test_ties_are_decided_by_the_input_alone():
    inputs = np.array([1, 2, 3], np.uint32)
    for unit in (0, 1, 2**31):
        assert turn(hash_inputs(inputs), unit) == twin.turn([1, 2, 3], unit)
    first = [winners(np.ones(30), 3, [5, 9]).tolist() for _ in range(3)]
    assert first[0] == first[1] == first[2] != winners(np.ones(30), 3, [5, 10]).tolist()


@pytest.mark.parametrize(
    "bad", [[np.nan], [np.inf], [-np.inf], [np.inf, -np.inf], [np.nan, np.inf, -np.inf], [1e308, -1e308]]
)
@pytest.mark.parametrize("n", [5, 100, 5000])
def test_drives_that_are_not_finite_do_no_harm(bad, n):
    """They have no order; but winners are units of the layer, and nothing beside the arrays is written."""
    rng = np.random.default_rng(n)
    for k in (1, n // 3, n - 1):
        drive = rng.random(n)
        where = rng.choice(n, min(n, 4 * len(bad)), replace=False)
        drive[where] = np.resize(bad, len(where))
        counts = np.full(3 * MAX_BUCKETS, 99, np.int32)
        out = np.empty(n + 1, np.uint32)
        k_winners(drive, k, np.arange(3, dtype=np.uint32), out, np.empty(n), counts[MAX_BUCKETS : 2 * MAX_BUCKETS])
        assert (out[:k] < n).all()
        assert (counts[:MAX_BUCKETS] == 99).all()
        assert (counts[2 * MAX_BUCKETS :] == 99).all()


@pytest.mark.parametrize(
    ("tied", "n_places", "kept"), [("AB", 1, "A"), ("PAB", 2, "PA"), ("PQAB", 3, "PAB"), ("ABZ", 2, "AZ")]
)
def test_of_units_with_the_same_turn_the_first_wins(tied, n_places, kept):
    """Two units, far apart, whose turns are equal where no input is active; found by trying 134 million."""
    units = {"A": 76_442_494, "B": 96_635_217}
    code = hash_inputs(np.empty(0, np.uint32))
    same = turn(code, units["A"])
    assert turn(code, units["B"]) == same
    units["P"] = next(i for i in range(100) if turn(code, i) > same)
    units["Q"] = next(i for i in range(units["P"] + 1, 1000) if turn(code, i) < same)
    units["Z"] = next(i for i in range(units["B"] + 1, 10**8) if turn(code, i) > same)
    winners = np.array([units[name] for name in tied], np.uint32)
    room = np.empty(len(tied)), np.empty(MAX_BUCKETS, np.int32)
    all_equal = np.broadcast_to(np.float64(0.5), 10**8)
    break_ties(all_equal, 0.5, n_places, code, winners, len(tied), *room)
    assert winners[:n_places].tolist() == [units[name] for name in kept]
