"""Work through a store: finished units are not repeated, failures do not stop the others."""

import time
from functools import partial

import numpy as np
import pytest

from slotfree.runs.store import Finished, Store, Unit
from slotfree.runs.work import Failure, work


class Counted:
    """Units that count how often they are run; some always fail."""

    def __init__(self, failing=()):
        self.calls = []
        self.failing = failing

    def run(self, n):
        self.calls.append(n)
        if n in self.failing:
            raise ValueError(f"unit {n} cannot work")
        return {"x": np.full(3, n, float)}

    def units(self, count):
        return [(n, Unit("g", {"n": n}), partial(self.run, n)) for n in range(count)]


@pytest.mark.parametrize("jobs", [1, 3])
def test_finished_units_are_not_repeated(tmp_path, jobs):
    first, second = Counted(), Counted()
    store = Store(tmp_path)
    before = dict(work(first.units(5), store, jobs))
    after = dict(work(second.units(9), store, jobs))
    assert sorted(first.calls) == list(range(5))
    assert sorted(second.calls) == list(range(5, 9))
    assert sorted(after) == list(range(9))
    for n in range(9):
        np.testing.assert_array_equal(after[n].arrays["x"], [n] * 3)
    assert all(before[n].seconds == after[n].seconds for n in range(5))
    assert dict(work(Counted().units(9), store, jobs)).keys() == after.keys()


def test_what_the_caller_sees_is_in_the_store_already(tmp_path):
    """However the caller ends, what it was given is not lost."""
    units, store = Counted().units(6), Store(tmp_path)
    for key, _ in work(units, store, 1):
        assert store.has(units[key][1])


def test_finished_units_come_as_soon_as_there_are_new_results(tmp_path):
    store = Store(tmp_path)
    list(work(Counted().units(3), store, 1))
    assert [key for key, _ in work(Counted().units(5), store, 1)] == [0, 1, 2, 3, 4]


def test_the_seconds_are_those_that_a_unit_took(tmp_path):
    def slow():
        time.sleep(0.05)
        return {"x": np.zeros(1)}

    ((_, done),) = work([("a", Unit("g", {}), slow)], Store(tmp_path), 1)
    assert 0.05 <= done.seconds < 5


def test_failures_are_yielded_and_the_rest_is_finished(tmp_path):
    units, store = Counted(failing={3}), Store(tmp_path)
    done = dict(work(units.units(8), store, 2))
    assert isinstance(done[3], Failure)
    assert "unit 3 cannot work" in str(done[3].error)
    assert done[3].unit.identity == {"n": 3}
    assert all(isinstance(done[n], Finished) for n in range(8) if n != 3)
    mended = Counted()
    assert isinstance(dict(work(mended.units(8), store, 2))[3], Finished)
    assert mended.calls == [3]


def test_a_damaged_unit_is_done_again(tmp_path):
    store = Store(tmp_path)
    list(work(Counted().units(4), store, 1))
    path = store.path(Unit("g", {"n": 2}))
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    again = Counted()
    done = dict(work(again.units(4), store, 1))
    assert again.calls == [2]
    np.testing.assert_array_equal(done[2].arrays["x"], [2, 2, 2])
    assert "checksum" in store.damaged[0]


def test_a_caller_who_stops_keeps_what_is_finished(tmp_path):
    units, store = Counted(), Store(tmp_path)
    going = work(units.units(100), store, 1)
    for _ in range(10):
        next(going)
    going.close()
    again = Counted()
    list(work(again.units(100), store, 1))
    assert set(units.calls) | set(again.calls) == set(range(100))
    assert len(set(units.calls) & set(again.calls)) <= 2  # begun when the caller stopped, and dropped
